// SPDX-License-Identifier: GPL-3.0-or-later
// The one collector that a process has.
#include <memory>
#include <mutex>

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "engine/cuda/cupti/activity_collector.h"
#include "engine/cuda/driver/driver.h"

namespace fusebench::cuda {
namespace {

struct ProcessCollector {
  std::mutex mutex;
  bool tried = false;
  CollectorStatus status;
  std::shared_ptr<const Cupti> cupti;
  ActivityCollector* collector = nullptr;
};

/// Never gone: CUPTI may call until the process has ended.
ProcessCollector& ours() {
  static auto* made = new ProcessCollector;
  return *made;
}

CollectorStatus attachNew(const std::string& library, ProcessCollector& process) {
  const int driver = driverVersionOf(library);
  if (driver == 0)
    return {CollectorState::noDriver,
            saying("there is no driver, so there are no launches to record"),
            saying("see the line on the CUDA driver")};
  try {
    process.cupti = Cupti::open(std::string(), driver);
    const Cupti* const cupti = process.cupti.get();
    process.collector = new ActivityCollector(cupti->functions(), cupti->version());
    CollectorStatus status = process.collector->attach();
    status.version = cupti->versionText();
    status.found = saying("{}, CUDA {}: {}", cupti->path(), cupti->versionText(), status.found);
    return status;
  } catch (const NoCupti& none) {
    return {CollectorState::off, none.what(), std::string(NoCupti::remedy())};
  } catch (const std::exception& error) {
    return {CollectorState::off, error.what(), std::string(NoCupti::remedy())};
  }
}

}  // namespace

CollectorStatus attachCollector(const std::string& driver) {
  ProcessCollector& process = ours();
  const std::lock_guard lock(process.mutex);
  if (!process.tried) {
    process.tried = true;
    process.status = attachNew(driver, process);
  }
  return process.status;
}

CollectorStatus collectorStatus() {
  ProcessCollector& process = ours();
  const std::lock_guard lock(process.mutex);
  return process.status;
}

ActivityCollector* processCollector() {
  ProcessCollector& process = ours();
  const std::lock_guard lock(process.mutex);
  return process.status.collects() ? process.collector : nullptr;
}

}  // namespace fusebench::cuda
