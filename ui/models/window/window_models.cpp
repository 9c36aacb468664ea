// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/window/window_models.h"

#include "ui/models/results/same_measurement.h"

namespace fusebench {

WindowModels::WindowModels(Settings& kept, const StudyRunner& runner, const QString& folder)
    : settings(kept),
      study(run, runner),
      explore(document, run, study, runner),
      analysis(run),
      findings(run, analysis),
      table(run),
      course(folder),
      library(folder + QStringLiteral("/runs")),
      session(document, folder),
      place(document, run) {
  study.setRunsFolder(library.folder());
}

bool WindowModels::measuredAsShown() const {
  return run.run() && sameMeasurement(run.run()->experiment, document.experiment());
}

}  // namespace fusebench
