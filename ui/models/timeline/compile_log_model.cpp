// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/compile_log_model.h"

#include <utility>

namespace fusebench {

bool CompileLogModel::isLog(const QString& path) {
  return looksLikeCompileLog(path.toStdString());
}

void CompileLogModel::open(const QString& path) {
  struct Content {
    std::vector<CompileLog> logs;
    std::shared_ptr<const Trace> phases;
  };
  startReading(
      [path = path.toStdString()](const TraceProgress& goOn) {
        std::vector<CompileLog> logs = readCompileLogs(path, goOn);
        std::shared_ptr<const Trace> phases = compileLogTrace(logs);
        return Content{std::move(logs), std::move(phases)};
      },
      [this](Content content) {
        logs_ = std::move(content.logs);
        phases_ = std::move(content.phases);
      });
}

}  // namespace fusebench

#include "moc_compile_log_model.cpp"
