// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

#include "profiler/trace/compile_log.h"
#include "ui/models/base/latest_task.h"

namespace fusebench {

/// The logs of torch.compile that were opened, read on another thread.
class CompileLogModel : public QObject {
  Q_OBJECT

 public:
  explicit CompileLogModel(QObject* parent = nullptr);

  /// Whether the file or directory is such a log.
  static bool isLog(const QString& path);
  void open(const QString& path);
  bool busy() const { return task_.busy(); }
  const QString& failure() const { return failure_; }  ///< why the last one is not shown
  const std::vector<CompileLog>& logs() const { return logs_; }

 signals:
  void changed();

 private:
  struct Answer {
    std::vector<CompileLog> logs;
    QString failure;
  };

  std::vector<CompileLog> logs_;
  QString failure_;
  LatestTask task_;
};

}  // namespace fusebench
