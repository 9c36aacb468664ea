// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/launch_recording.h"

#include <string>
#include <utility>

#include "profiler/analysis/wording.h"
#include "profiler/protocol/worker_client.h"

namespace fusebench {
namespace {

/// "eager at 30 statements"; only "eager" for one of several, which share their place.
std::string titleOf(const Experiment& experiment, const CellCalls& calls, bool alone) {
  std::string title = calls.variant;
  if (!alone) return title;
  for (std::size_t a = 0; a < experiment.axes.size(); ++a)
    title += (a == 0 ? " at " : ", ") +
             wording::at(experiment.axes[a], static_cast<double>(calls.cell.at[a]));
  return title;
}

}  // namespace

LaunchRecording::LaunchRecording(CallRecorder recorder, QObject* parent)
    : QObject(parent), recorder_(std::move(recorder)) {}

LaunchRecording::~LaunchRecording() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void LaunchRecording::start(const Experiment& experiment, std::vector<CellKey> cells) {
  cancel();
  if (thread_.joinable()) thread_.join();
  const int number = ++number_;
  setBusy(true);
  // The destructor joins the thread, so `this` outlives every call from it; one that is queued
  // then is dropped by Qt.
  const auto end = [this, number](auto then) {
    QMetaObject::invokeMethod(
        this,
        [this, number, then] {
          if (number != number_) return;
          setBusy(false);
          then();
        },
        Qt::QueuedConnection);
  };
  thread_ = std::jthread([this, experiment, cells = std::move(cells), options = options_,
                          end](const std::stop_token& stop) {
    try {
      std::vector<std::shared_ptr<const Trace>> traces;
      for (const CellCalls& each : recorder_(experiment, cells, options, stop))
        traces.push_back(traceOf({&each, 1}, titleOf(experiment, each, cells.size() == 1)));
      end([this, traces] { emit recorded(traces); });
    } catch (const StopRequested&) {
      end([] {});
    } catch (const std::exception& error) {
      end([this, what = QString::fromUtf8(error.what())] { emit failed(what); });
    }
  });
}

void LaunchRecording::cancel() {
  if (!busy_) return;
  thread_.request_stop();
  ++number_;
  setBusy(false);
}

void LaunchRecording::setBusy(bool busy) {
  if (busy == busy_) return;
  busy_ = busy;
  emit busyChanged(busy);
}

}  // namespace fusebench

#include "moc_launch_recording.cpp"
