// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "profiler/trace/compile_log.h"
#include "ui/models/timeline/file_model.h"

namespace fusebench {

/// The logs of torch.compile that were opened.
class CompileLogModel : public FileModel {
  Q_OBJECT

 public:
  using FileModel::FileModel;

  /// Whether the file or directory is such a log.
  static bool isLog(const QString& path);
  void open(const QString& path);
  const std::vector<CompileLog>& logs() const { return logs_; }

 private:
  std::vector<CompileLog> logs_;
};

}  // namespace fusebench
