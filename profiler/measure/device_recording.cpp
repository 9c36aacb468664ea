// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/device_recording.h"

#include <fmt/format.h>

#include "profiler/measure/stamp_cost.h"

namespace fusebench {
namespace {

/// "cuLaunchKernel"; drivers have several functions of one name, told apart by a suffix.
std::string driverCallName(const cuda::ApiCall& call) {
  const char* name = nullptr;
  if (const cuda::Cupti* cupti = cuda::processCupti();
      cupti &&
      cupti->functions().getCallbackName(call.runtime ? cuda::kRuntimeDomain : cuda::kDriverDomain,
                                         call.function, &name) == cuda::kCuptiSuccess &&
      name)
    return name;
  return fmt::format("{} call {}", call.runtime ? "runtime" : "driver", call.function);
}

}  // namespace

std::string sentenceOf(const cuda::CollectorStatus& status) {
  return status.remedy.empty() ? status.found : status.found + "; " + status.remedy;
}

cuda::CollectorStatus tryRecording(Backend& backend) {
  cuda::CollectorStatus status = cuda::collectorStatus();
  cuda::ActivityCollector* const collector = cuda::processCollector();
  const auto kernel = collector ? backend.emptyKernel() : nullptr;
  if (!kernel) return status;
  backend.launch(*kernel, {});
  backend.synchronise();
  collector->begin();
  backend.launch(*kernel, {});
  backend.synchronise();
  const cuda::Activities seen = collector->end().activities;
  if (seen.work.size() == 1 && seen.losses.total() == 0) return status;
  status.state = cuda::CollectorState::degraded;
  status.found +=
      fmt::format("; but of one launch {} records of kernels came{}{}", seen.work.size(),
                  seen.losses.total() > 0 ? ", " : "", sentenceOf(seen.losses));
  status.remedy = "another version of CUPTI may do: FUSEBENCH_CUPTI names its file";
  return status;
}

DeviceRecording::DeviceRecording(Backend& backend) {
  if (backend.name() != "cuda") return;
  collector_ = cuda::processCollector();
  const cuda::CollectorStatus status = cuda::collectorStatus();
  if (status.state == cuda::CollectorState::on) return;
  note_ = (collector_ ? "" : "what the device did is not recorded: ") + sentenceOf(status);
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
    addDeviceWork(calls, recorder, ticksPerNanosecond(), reading_, collected_, driverCallName);
}

}  // namespace fusebench
