// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
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
  /// Their phases on a timeline; null where they have no times.
  const std::shared_ptr<const Trace>& phases() const { return phases_; }

 private:
  std::vector<CompileLog> logs_;
  std::shared_ptr<const Trace> phases_;
};

}  // namespace fusebench
