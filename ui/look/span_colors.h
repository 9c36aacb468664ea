// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

#include "ui/models/timeline/timeline_pixels.h"
#include "ui/theme/colors.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// The color of a kind of span, in the timeline and in call breakdowns.
QColor spanColor(SpanKind kind, const Theme& theme);
/// The same, with device work distinguished by the rank of its name.
QColor classColor(ColorClass color, const Theme& theme);

}  // namespace fusebench
