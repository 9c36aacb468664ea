// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/ticks.h"
#include "engine/device/call_part.h"
#include "engine/plan/kernel_traffic.h"

namespace fusebench {

class Executable;

/// From `ticks` on a thread's time belongs to `part`, until the thread's next mark.
struct Mark {
  std::uint64_t ticks = 0;
  const Executable* executable = nullptr;  ///< the kernel's; has the lifetime of its executor
  CallPart part = CallPart::outside;
  std::int32_t step = -1;  ///< step of the plan that a kernel is launched for; -1: not known
};

/// One kernel execution that was enqueued on a device, which runs it later; if the recorder records
/// traffic, also one that the host runs.
struct LaunchNote {
  const Executable* executable = nullptr;
  std::uint32_t enqueuing = 0;  ///< from 0; all of one replay share theirs
  std::uint32_t mark = 0;       ///< how many marks the calling thread had made before
  std::uint16_t execution = 0;  ///< of the executable's own executions in a row
  std::int32_t step = -1;       ///< of the plan; -1: not known
  KernelBytes bytes;            ///< known if the recorder records traffic
};

/// Receives the marks of the host's time, if time is simulated.
class HostModel {
 public:
  virtual ~HostModel() = default;
  /// The host begins with such work.
  virtual void begins(CallPart part) noexcept = 0;
};

/// Stores the marks of calls while they run: one preallocated list per thread, which only that
/// thread writes. A full list counts its losses.
class Recorder {
 public:
  /// `launches`: kernels only, two marks each. `split`: every part of a call.
  enum class Level : std::uint8_t { launches, split };

  /// For a backend with this number of threads. `launches`: room for notes, for a device that runs
  /// enqueued work.
  Recorder(Level level, int threads, std::size_t marksPerThread, std::size_t launches = 0);

  Level level() const { return level_; }
  int threads() const { return static_cast<int>(lanes_.size()); }

  /// By the calling thread, which is number 0.
  void mark(CallPart part, const Executable* executable = nullptr,
            std::int32_t step = -1) noexcept {
    lanes_.front().add(part, executable, numbered(step));
    if (host_) [[unlikely]]
      host_->begins(part);
  }
  void tell(HostModel* host) { host_ = host; }
  /// By thread number `thread` of the backend's.
  void markOn(int thread, CallPart part, const Executable* executable = nullptr,
              std::int32_t step = -1) noexcept {
    lanes_[static_cast<std::size_t>(thread)].add(part, executable, numbered(step));
  }
  /// Steps are counted from this step of the plan from here on: a call may run parts of a program
  /// one after another, each with its own steps.
  void setFirstStep(std::int32_t first) { firstStep_ = first; }

  /// By the calling thread: one execution was enqueued or, by a replay, many, which note() then
  /// describes one by one.
  void enqueued() noexcept { ++enqueuings_; }
  void note(const Executable* executable, int execution, std::int32_t step,
            KernelBytes bytes = {}) noexcept {
    if (noted_ == notes_.size()) {
      lanes_.front().lost += !notes_.empty();
      return;
    }
    notes_[noted_++] = {executable,
                        enqueuings_ - 1,
                        static_cast<std::uint32_t>(lanes_.front().used),
                        static_cast<std::uint16_t>(execution),
                        numbered(step),
                        bytes};
  }
  /// Makes notes record the bytes that executions read and write. Determining this takes time, so
  /// the marks' times are then not meaningful.
  void weigh() { weighs_ = true; }
  bool weighs() const { return weighs_; }
  std::span<const LaunchNote> notes() const { return {notes_.data(), noted_}; }

  /// In the order in which they were made.
  std::span<const Mark> marks(int thread) const;
  /// Marks for which there was no room.
  std::uint64_t lost() const;
  /// Remaining room for marks of the calling thread.
  std::size_t room() const { return lanes_.front().marks.size() - lanes_.front().used; }
  void clear();

 private:
  struct alignas(64) Lane {
    std::vector<Mark> marks;
    std::size_t used = 0;
    std::uint64_t lost = 0;

    void add(CallPart part, const Executable* executable, std::int32_t step) noexcept {
      if (used == marks.size()) {
        ++lost;
        return;
      }
      marks[used++] = {ticks(), executable, part, step};
    }
  };

  std::int32_t numbered(std::int32_t step) const { return step < 0 ? step : step + firstStep_; }

  Level level_;
  std::int32_t firstStep_ = 0;
  bool weighs_ = false;
  HostModel* host_ = nullptr;
  std::vector<Lane> lanes_;
  std::vector<LaunchNote> notes_;
  std::size_t noted_ = 0;
  std::uint32_t enqueuings_ = 0;
};

/// A mark by the calling thread, if there is a recorder.
inline void mark(Recorder* recorder, CallPart part, const Executable* executable = nullptr,
                 std::int32_t step = -1) {
  if (recorder) [[unlikely]]
    recorder->mark(part, executable, step);
}

}  // namespace fusebench
