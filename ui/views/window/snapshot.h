// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/models/runs/study_controller.h"

namespace fusebench {

/// Draws the window and each of its views, with results, in both themes at 1x and 2x, into PNG
/// files in `folder` (created if it does not exist). `file`: a run or a trace to draw, or an
/// experiment (a file, or the name of a shipped one) to measure quickly; empty: the main study.
/// Needs a QApplication, but no display. Returns an exit code: 0, 1 (the study failed or a picture
/// could not be written), 2 (the file is invalid); prints the reason to stderr.
int takeSnapshots(const QString& folder, const QString& file, const StudyRunner& runner,
                  const StudyOptions& options);

}  // namespace fusebench
