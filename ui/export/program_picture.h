// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/report.h"

namespace fusebench {

/// The experiment's program as the canvas draws it, with the kernels of its last variant, in the
/// light theme. No picture for a program with nothing in it.
ReportPicture programPicture(const Experiment& experiment);

}  // namespace fusebench
