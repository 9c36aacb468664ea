// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/compile_log_model.h"

namespace fusebench {

bool CompileLogModel::isLog(const QString& path) {
  return looksLikeCompileLog(path.toStdString());
}

void CompileLogModel::open(const QString& path) {
  startReading([path = path.toStdString()](
                   const TraceProgress& goOn) { return readCompileLogs(path, goOn); },
               [this](std::vector<CompileLog> logs) { logs_ = std::move(logs); });
}

}  // namespace fusebench

#include "moc_compile_log_model.cpp"
