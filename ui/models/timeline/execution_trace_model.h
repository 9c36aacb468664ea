// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>

#include "profiler/experiment/experiment.h"
#include "profiler/trace/traced_program.h"
#include "ui/models/base/latest_task.h"

namespace fusebench {

/// The execution trace that was opened, and experiments made of operators of traces. Both are done
/// on another thread.
class ExecutionTraceModel : public QObject {
  Q_OBJECT

 public:
  explicit ExecutionTraceModel(QObject* parent = nullptr);

  static bool isExecutionTrace(const QString& path);
  void open(const QString& path);
  bool busy() const { return reading_.busy(); }
  const QString& failure() const { return failure_; }  ///< why the last one is not shown

  struct Content {
    ExecutionTrace trace;
    TracedProgram outline;  ///< the operators that can be measured, and those that cannot
  };
  std::shared_ptr<const Content> content() const { return content_; }

  /// Makes an experiment of the operators with these numbers, or of all.
  void measure(std::optional<std::pair<std::int64_t, std::int64_t>> numbers);
  /// Makes one of an operator of the profiler's trace, by its arguments as the profiler wrote them.
  void measureOperator(const QString& title, const QString& name, const RecordedArguments& given);
  bool making() const { return making_.busy(); }

 signals:
  void changed();
  void made(const Experiment& experiment, const QString& what);
  void refused(const QString& why);

 private:
  struct Answer {
    std::shared_ptr<const Content> content;
    QString failure;
  };
  struct Made {
    std::optional<Experiment> experiment;
    QString failure;
  };
  template <class Make>
  void start(const QString& what, Make make);

  std::shared_ptr<const Content> content_;
  QString failure_;
  LatestTask reading_, making_;
};

}  // namespace fusebench
