// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/cuda/cupti/activity_records.h"
#include "engine/cuda/cupti/cupti.h"
#include "engine/device/device_collector.h"

namespace fusebench::cuda {

/// Records by CUPTI what the driver is asked and what the device does. Attached once, for the life
/// of the process: correlations go wrong after a second time. CUPTI has one pair of callbacks for
/// a process, so one collector at a time is attached.
///
/// CUPTI's threads come in through the callbacks, which only take and hand over buffers; a thread
/// of our own reads them. No lock is held while CUPTI is called: it may wait for its own threads,
/// which may be in a callback.
class ActivityCollector final : public DeviceCollector {
 public:
  /// Size of each buffer for CUPTI.
  static constexpr std::size_t kBufferBytes = std::size_t{4} << 20;
  /// Largest total size of buffers, if CUPTI can handle being refused one: 256 MiB.
  static constexpr int kMostBuffers = 64;

  ActivityCollector(const CuptiFunctions& functions, std::uint32_t version,
                    int mostBuffers = kMostBuffers);
  /// CUPTI must not call any more: outside of tests a collector lives as long as its process.
  ~ActivityCollector() override;
  ActivityCollector(const ActivityCollector&) = delete;
  ActivityCollector& operator=(const ActivityCollector&) = delete;

  /// Must be called before the driver is started (cuInit): only then are the times known at which a
  /// launch was queued and submitted. Only once.
  const CollectorStatus& attach();
  const CollectorStatus& status() const { return status_; }

  void begin() override;
  /// CUPTI's first buffers add about 300 us to the first recorded calls.
  void settle() override;
  Collected end() override;
  std::string callName(const ApiCall& call) const override;

 private:
  struct FilledBuffer {
    std::uint8_t* data = nullptr;
    std::size_t bytes = 0;
  };
  struct Free {
    void operator()(std::uint8_t* buffer) const;
  };

  static void requested(std::uint8_t** buffer, std::size_t* bytes, std::size_t* records);
  static void completed(void* context, std::uint32_t stream, std::uint8_t* buffer,
                        std::size_t bytes, std::size_t validBytes);
  std::uint8_t* takeBuffer();
  void parse();
  void flush();
  std::uint64_t takeDropped();
  ClockReading readClocks() const;
  std::uint64_t missing() const;
  void refuse(CuptiResult result);
  void degrade(const std::string& why);

  static std::atomic<ActivityCollector*> attached_;

  const CuptiFunctions functions_;
  const std::uint32_t version_;
  const int mostBuffers_;
  CollectorStatus status_;
  ClockReading begun_;
  std::uint64_t from_ = 0;  ///< records that began earlier are ignored, by CUPTI's clock

  mutable std::mutex mutex_;  ///< guards everything below
  std::condition_variable arrived_, caughtUp_;
  std::vector<std::unique_ptr<std::uint8_t[], Free>> buffers_;  ///< all there are
  std::vector<std::uint8_t*> free_;
  std::deque<FilledBuffer> filled_;
  std::uint64_t handedOver_ = 0,
                read_ = 0;  ///< buffers so far, read in the order in which they arrived
  bool ending_ = false;
  Activities collected_;
  std::thread parser_;
};

/// Attaches the collector of this process, unless that was tried before, with the CUPTI that
/// Cupti::open finds; see ActivityCollector::attach. `driver`: libcuda, as Driver::open takes it.
/// Does not throw: the status says what is wrong.
CollectorStatus attachCollector(const std::string& driver = {});
/// The outcome of attachCollector(); off if it was not tried.
CollectorStatus collectorStatus();
/// The collector of this process if it is attached and collects; otherwise null.
ActivityCollector* processCollector();

}  // namespace fusebench::cuda
