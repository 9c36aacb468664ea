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

ExecutionTraceModel::ExecutionTraceModel(QObject* parent)
    : QObject(parent), reading_(this), making_(this) {}

bool ExecutionTraceModel::isExecutionTrace(const QString& path) {
  return looksLikeExecutionTrace(path.toStdString());
}

void ExecutionTraceModel::open(const QString& path) {
  reading_.start(
      [path = path.toStdString()](const std::stop_token& stop) {
        Answer answer;
        try {
          auto content = std::make_shared<Content>();
          content->trace =
              readExecutionTrace(path, [&stop](double) { return !stop.stop_requested(); });
          content->outline = tracedProgram(content->trace, wholeTrace(content->trace));
          answer.content = std::move(content);
        } catch (const Cancelled&) {
        } catch (const std::exception& error) {
          answer.failure = text(error.what()).simplified();
        }
        return answer;
      },
      [this](Answer answer) {
        failure_ = std::move(answer.failure);
        if (failure_.isEmpty()) content_ = std::move(answer.content);
        emit changed();
      });
  emit changed();
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
  start(name,
        [title = title.toStdString(), name = name.toStdString(), shapes = std::string(given.shapes),
         types = std::string(given.types), values = std::string(given.values)] {
          const ExecutionTrace trace =
              recordedOperator(title, name, {.shapes = shapes, .types = types, .values = values});
          return recordedExperiment(trace, wholeTrace(trace), name);
        });
}

}  // namespace fusebench

#include "moc_execution_trace_model.cpp"
