// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/results/run_words.h"

#include "profiler/doctor/device_list.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {

QString stopText(const Cell& cell) {
  if (cell.stop == Stop::running)
    return cell.samples.empty() ? uiText("waiting") : uiText("measuring");
  switch (cell.stop) {
    case Stop::running:
      return {};
    case Stop::converged:
      return uiText("converged");
    case Stop::cap:
      return uiText("cap");
    case Stop::budget:
      return uiText("budget");
    case Stop::coarse:
      return uiText("coarse");
    case Stop::interrupted:
      return uiText("interrupted");
    case Stop::unavailable:
      return uiText("unavailable");
    case Stop::failed:
      return uiText("failed");
  }
  return {};
}

QString machineText(const Run& run) {
  const QString device = QString::fromStdString(run.device);
  const std::string model = deviceModel(run.environment, run.device);
  return model.empty() ? device : device + QStringLiteral(" · ") + QString::fromStdString(model);
}

}  // namespace fusebench
