// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

#include "ui/models/anatomy/anatomy_model.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// The colour in which a part of a call is drawn: the timeline's.
QColor partColor(const Theme& theme, AnatomyPart part);

}  // namespace fusebench
