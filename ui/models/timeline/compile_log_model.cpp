// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/compile_log_model.h"

#include <exception>
#include <utility>

#include "ui/models/base/utf8.h"

namespace fusebench {

CompileLogModel::CompileLogModel(QObject* parent) : QObject(parent), task_(this) {}

bool CompileLogModel::isLog(const QString& path) {
  return looksLikeCompileLog(path.toStdString());
}

void CompileLogModel::open(const QString& path) {
  task_.start(
      [path = path.toStdString()](const std::stop_token& stop) {
        Answer answer;
        try {
          answer.logs = readCompileLogs(path, [&stop](double) { return !stop.stop_requested(); });
        } catch (const Cancelled&) {
        } catch (const std::exception& error) {
          answer.failure = text(error.what()).simplified();
        }
        return answer;
      },
      [this](Answer answer) {
        failure_ = std::move(answer.failure);
        if (failure_.isEmpty()) logs_ = std::move(answer.logs);
        emit changed();
      });
  emit changed();
}

}  // namespace fusebench

#include "moc_compile_log_model.cpp"
