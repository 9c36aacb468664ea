// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

#include "ui/models/anatomy/anatomy_model.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// The color in which a part of a call is drawn, the same as in the timeline.
QColor partColor(const Theme& theme, AnatomyPart part);

}  // namespace fusebench
