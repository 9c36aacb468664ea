// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

#include "ui/models/timeline/timeline_pixels.h"
#include "ui/theme/colors.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// The colour of a kind of span, on the timeline and wherever a call is taken apart.
QColor spanColor(SpanKind kind, const Theme& theme);
/// The same with work of a device told apart by its name's rank.
QColor classColor(ColorClass color, const Theme& theme);

}  // namespace fusebench
