// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <optional>

#include "profiler/experiment/experiment.h"
#include "profiler/trace/traced_program.h"
#include "ui/models/base/latest_task.h"
#include "ui/models/timeline/file_model.h"

namespace fusebench {

/// The execution trace that was opened, and experiments made from operators of traces. Both are
/// processed on another thread.
class ExecutionTraceModel : public FileModel {
  Q_OBJECT

 public:
  explicit ExecutionTraceModel(QObject* parent = nullptr);

  static bool isExecutionTrace(const QString& path);
  void open(const QString& path);

  struct Content {
    ExecutionTrace trace;
    TracedProgram outline;  ///< the operators that can be measured, and those that cannot
  };
  std::shared_ptr<const Content> content() const { return content_; }

  /// Makes an experiment of the operators with these numbers, or of all.
  void measure(std::optional<std::pair<std::int64_t, std::int64_t>> numbers);
  /// Makes an experiment of an operator of the profiler's trace, from its recorded arguments.
  void measureOperator(const QString& title, const QString& name, const RecordedArguments& given);
  bool making() const { return making_.busy(); }

 signals:
  void made(const Experiment& experiment, const QString& what);
  void refused(const QString& why);

 private:
  struct Made {
    std::optional<Experiment> experiment;
    QString failure;
  };
  template <class Make>
  void start(const QString& what, Make make);

  std::shared_ptr<const Content> content_;
  LatestTask making_;
};

}  // namespace fusebench
