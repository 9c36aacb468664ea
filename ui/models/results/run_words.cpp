// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/results/run_words.h"

#include "profiler/doctor/device_list.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {

QString stopText(const Cell& cell) {
  if (cell.stop == Stop::running)
    return cell.samples.empty() ? uiText("waiting") : uiText("measuring");
  const std::string_view text = name(cell.stop);
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString machineText(const Run& run) {
  const QString device = QString::fromStdString(run.device);
  const std::string model = deviceModel(run.environment, run.device);
  return model.empty() ? device : device + QStringLiteral(" · ") + QString::fromStdString(model);
}

}  // namespace fusebench
