// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "engine/cuda/cupti/activity_records.h"

/// CUPTI's records, written byte by byte in the layouts that its versions have.
namespace fusebench::cuda::forge {

/// Bytes of a kernel's record by layout, Kernel5 to Kernel11.
constexpr std::array<std::size_t, 7> kKernelBytes = {160, 168, 176, 200, 208, 216, 224};

class ForgedBuffer {
 public:
  /// Writes all members of a kernel's DeviceWork that the layout has. The kernel's name exists as
  /// long as this buffer does.
  void kernel(int layout, const DeviceWork& kernel) {
    begin(kActivityKernel, kKernelBytes.at(static_cast<std::size_t>(layout - 5)));
    // The bytes between the members that are read can have any value.
    std::memset(bytes_.data() + last_ + 4, 0xee, bytes_.size() - last_ - 4);
    namespace place = record::kernel;
    put(place::registers, static_cast<std::uint16_t>(kernel.registers));
    put(place::start, kernel.start);
    put(place::end, kernel.end);
    put(place::device, kernel.device);
    put(place::context, kernel.context);
    put(place::stream, kernel.stream);
    put(place::grid, kernel.grid);
    put(place::block, kernel.block);
    put(place::staticShared, kernel.staticShared);
    put(place::dynamicShared, kernel.dynamicShared);
    put(place::correlation, kernel.correlation);
    put(place::name, kernel.name.empty() ? nullptr : names_.emplace_back(kernel.name).c_str());
    put(place::queued, kernel.queued);
    put(place::submitted, kernel.submitted);
    put(place::graphNode, kernel.graphNode);
    if (layout >= 6) put(place::graph, kernel.graph);
  }

  /// Of `size` bytes; see record::copy.
  void copy(std::size_t size, const DeviceWork& work, std::uint8_t direction = 1) {
    begin(work.kind == DeviceWork::Kind::fill ? kActivityFill : kActivityCopy, size);
    namespace place = record::copy;
    put(place::direction, direction);
    put(place::amount, work.bytes);
    put(place::start, work.start);
    put(place::end, work.end);
    put(place::device, work.device);
    put(place::context, work.context);
    put(place::stream, work.stream);
    put(place::correlation, work.correlation);
    if (size >= place::bytesWithNode) put(place::graphNode, work.graphNode);
    if (size >= place::bytesWithGraph) put(place::graph, work.graph);
  }

  void call(const ApiCall& call) {
    begin(call.runtime ? kActivityRuntime : kActivityDriver, record::call::bytes);
    namespace place = record::call;
    put(place::function, call.function);
    put(place::start, call.start);
    put(place::end, call.end);
    put(place::process, call.process);
    put(place::thread, call.thread);
    put(place::correlation, call.correlation);
    put(place::result, call.result);
  }

  void overhead(std::uint64_t start, std::uint64_t end) {
    begin(kActivityOverhead, 56);
    put(record::overhead::start, start);
    put(record::overhead::end, end);
  }

  /// Any record: its kind and so many zeros.
  void begin(std::uint32_t kind, std::size_t size) {
    last_ = bytes_.size();
    starts_.push_back(last_);
    bytes_.resize(last_ + size);
    put(0, kind);
  }

  std::vector<std::uint8_t>& bytes() { return bytes_; }

  /// Reads all records, stepping as their sizes were written.
  Activities read() {
    forged() = this;
    Activities into;
    readBuffer(bytes_.data(), bytes_.size(), &step, into);
    return into;
  }

 private:
  template <class T>
  void put(std::size_t place, const T& value) {
    std::memcpy(bytes_.data() + last_ + place, &value, sizeof value);
  }
  static ForgedBuffer*& forged() {
    static ForgedBuffer* buffer = nullptr;
    return buffer;
  }
  static CuptiResult step(std::uint8_t* buffer, std::size_t, ActivityRecord** record) {
    const auto* here = reinterpret_cast<const std::uint8_t*>(*record);
    for (const std::size_t start : forged()->starts_)
      if (!here || buffer + start > here) {
        *record = reinterpret_cast<ActivityRecord*>(buffer + start);
        return kCuptiSuccess;
      }
    return kCuptiLimitReached;
  }

  std::vector<std::uint8_t> bytes_;
  std::deque<std::string> names_;
  std::vector<std::size_t> starts_;
  std::size_t last_ = 0;
};

/// A kernel of stream 7 on device 0.
inline DeviceWork forgedKernel(const char* name, std::uint64_t start, std::uint64_t end,
                               std::uint32_t correlation) {
  DeviceWork kernel;
  kernel.name = name;
  kernel.start = start;
  kernel.end = end;
  kernel.correlation = correlation;
  kernel.stream = 7;
  return kernel;
}

}  // namespace fusebench::cuda::forge
