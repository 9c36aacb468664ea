// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/execution_trace_model.h"

#include <exception>
#include <string>
#include <utility>

#include "profiler/trace/recorded_operators.h"
#include "profiler/trace/traced_experiment.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

constexpr double kMakingSeconds = 60;  // spent on one program

}  // namespace

ExecutionTraceModel::ExecutionTraceModel(QObject* parent) : FileModel(parent), making_(this) {}

bool ExecutionTraceModel::isExecutionTrace(const QString& path) {
  return looksLikeExecutionTrace(path.toStdString());
}

void ExecutionTraceModel::open(const QString& path) {
  startReading(
      [path = path.toStdString()](const TraceProgress& goOn) {
        auto content = std::make_shared<Content>();
        content->trace = readExecutionTrace(path, goOn);
        content->outline = tracedProgram(content->trace, wholeTrace(content->trace));
        return std::shared_ptr<const Content>(std::move(content));
      },
      [this](std::shared_ptr<const Content> content) { content_ = std::move(content); });
}

template <class Make>
void ExecutionTraceModel::start(const QString& what, Make make) {
  making_.start(
      [make = std::move(make)](const std::stop_token& stop) {
        const WorkLimit limit(kMakingSeconds, stop);
        Made answer;
        try {
          answer.experiment = make();
        } catch (const std::exception& error) {
          answer.failure = text(error.what()).simplified();
        }
        return answer;
      },
      [this, what](Made answer) {
        if (answer.experiment)
          emit made(*answer.experiment, what);
        else
          emit refused(answer.failure);
      });
}

void ExecutionTraceModel::measure(std::optional<std::pair<std::int64_t, std::int64_t>> numbers) {
  if (!content_) return;
  const TraceSelection all = wholeTrace(content_->trace);
  TraceSelection selection = all;
  if (numbers) {
    selection.first = numbers->first;
    selection.last = numbers->second;
  }
  const QString what =
      uiText("operators %1 to %2").arg(qint64(selection.first)).arg(qint64(selection.last));
  start(what, [content = content_, selection, title = what.toStdString()] {
    return tracedExperiment(content->trace, selection, title);
  });
}

void ExecutionTraceModel::measureOperator(const QString& title, const QString& name,
                                          const RecordedArguments& given) {
  start(name, [title = title.toStdString(), name = name.toStdString(),
               shapes = std::string(given.shapes), types = std::string(given.types),
               values = std::string(given.values), strides = std::string(given.strides)] {
    const ExecutionTrace trace = recordedOperator(
        title, name, {.shapes = shapes, .types = types, .values = values, .strides = strides});
    return recordedExperiment(trace, wholeTrace(trace), name);
  });
}

}  // namespace fusebench

#include "moc_execution_trace_model.cpp"
