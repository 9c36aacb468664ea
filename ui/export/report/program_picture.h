// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/report/report.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// The experiment's program as the canvas draws it, with the kernels of a variant. No
/// picture for a program with nothing in it.
ReportPicture programPicture(const Experiment& experiment, int variant = 0,
                             const Theme& theme = lightTheme());

}  // namespace fusebench
