// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/device_recording.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "engine/base/saying.h"
#include "profiler/measure/stamp_cost.h"

namespace fusebench {
std::string sentenceOf(const CollectorStatus& status) {
  return status.remedy.empty() ? status.found : status.found + "; " + status.remedy;
}

CollectorStatus tryRecording(Backend& backend) {
  CollectorStatus status = backend.collectorStatus().value_or(CollectorStatus{});
  DeviceCollector* const collector = backend.collector();
  const auto kernel = collector ? backend.emptyKernel() : nullptr;
  if (!kernel) return status;
  backend.launch(*kernel, {});
  backend.synchronize();
  collector->begin();
  backend.launch(*kernel, {});
  backend.synchronize();
  const Activities seen = collector->end().activities;
  if (seen.work.size() == 1 && seen.losses.total() == 0) return status;
  status.state = CollectorState::degraded;
  status.found += saying("; {} kernel records arrived for a single launch{}{}", seen.work.size(),
                         seen.losses.total() > 0 ? ", " : "", sentenceOf(seen.losses));
  status.remedy = saying("another version of CUPTI may work: set FUSEBENCH_CUPTI to its file");
  return status;
}

DeviceRecording::DeviceRecording(Backend& backend) {
  const std::optional<CollectorStatus> status = backend.collectorStatus();
  if (!status) return;
  collector_ = backend.collector();
  if (backend.traits().isSimulated) note_ = saying("simulated: all times come from a model");
  if (status->state == CollectorState::on) return;
  note_ = (collector_ ? "" : saying("device activity is not recorded: ")) + sentenceOf(*status);
}

void DeviceRecording::begin() {
  if (!collector_) return;
  collector_->begin();
  reading_ = readTicks();
}

void DeviceRecording::settle() {
  if (collector_) collector_->settle();
}

void DeviceRecording::end() {
  if (collector_) collected_ = collector_->end();
}

void DeviceRecording::addTo(RecordedCalls& calls, const Recorder& recorder) const {
  calls.deviceNote = note_;
  if (collector_)
    addDeviceWork(calls, recorder, ticksPerNanosecond(), reading_, collected_,
                  [this](const ApiCall& call) { return collector_->callName(call); });
}

}  // namespace fusebench
