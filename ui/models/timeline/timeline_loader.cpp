// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/timeline_loader.h"

#include <QMetaObject>
#include <chrono>
#include <exception>
#include <filesystem>

#include "profiler/files/input_error.h"
#include "profiler/trace/trace_export.h"
#include "profiler/trace/trace_ranks.h"
#include "profiler/trace/trace_within.h"

namespace fusebench {

TimelineLoader::TimelineLoader(QObject* parent) : QObject(parent) {}

TimelineLoader::~TimelineLoader() {
  if (stop_) *stop_ = true;
}

void TimelineLoader::cancel() {
  if (!busy_) return;
  *stop_ = true;
  busy_ = false;
  emit canceled();
}

/// `work` runs on the thread; the function that it returns runs here unless it was canceled.
void TimelineLoader::begin(std::function<std::function<void()>(const TraceProgress&)> work) {
  if (stop_) *stop_ = true;
  if (thread_.joinable()) thread_.join();  // it looks at stop_ every few milliseconds
  stop_ = std::make_shared<std::atomic<bool>>(false);
  busy_ = true;
  thread_ = std::jthread([this, stop = stop_, work = std::move(work)] {
    using Clock = std::chrono::steady_clock;
    auto said = Clock::now();
    const auto post = [this, stop](std::function<void()> say) {
      QMetaObject::invokeMethod(
          this,
          [stop, say = std::move(say)] {
            if (!*stop) say();
          },
          Qt::QueuedConnection);
    };
    const TraceProgress progress = [&](double share) {
      constexpr std::chrono::milliseconds kOften(40);
      if (Clock::now() - said > kOften) {
        said = Clock::now();
        post([this, share] { emit progressed(share); });
      }
      return !*stop;
    };
    try {
      auto result = work(progress);
      post([this, result = std::move(result)] {
        busy_ = false;
        result();
      });
    } catch (const Canceled&) {
    } catch (const std::exception& error) {
      post([this, what = QString::fromUtf8(error.what())] {
        busy_ = false;
        emit failed(what);
      });
    }
  });
}

void TimelineLoader::load(const QString& path) {
  begin([this, path](const TraceProgress& progress) -> std::function<void()> {
    auto traces = openTraces(path.toStdString(), progress);
    return [this, traces = std::move(traces), path] { emit loaded(traces, path); };
  });
}

void TimelineLoader::limit(std::vector<std::shared_ptr<const Trace>> traces, const QString& range) {
  begin([this, traces = std::move(traces), range](const TraceProgress&) -> std::function<void()> {
    std::vector<std::shared_ptr<const Trace>> made;
    bool any = false;
    std::string refused;
    for (const auto& trace : traces) try {
        made.push_back(traceWithin(*trace, range.toStdString()));
        any = true;
      } catch (const InputError& wrong) {
        refused = wrong.what();
        made.push_back(trace);
      }
    if (!any) throw InputError(refused);
    return [this, made = std::move(made), range] { emit limited(made, range); };
  });
}

}  // namespace fusebench

#include "moc_timeline_loader.cpp"
