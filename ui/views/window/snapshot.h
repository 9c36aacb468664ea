// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/models/runs/study_controller.h"

namespace fusebench {

/// Draws the window and each of its views, with results, in both themes at 1x and 2x, into PNG
/// files in `folder` (made if it is not there). Results come from `runFile`, or, if that is empty,
/// from a quick run of the main study. Needs a QApplication, no display. Returns an exit code: 0, 1
/// (the study failed or a file could not be written), 2 (the run file is wrong); says on stderr
/// why.
int takeSnapshots(const QString& folder, const QString& runFile, const StudyRunner& runner,
                  const StudyOptions& options);

}  // namespace fusebench
