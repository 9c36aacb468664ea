// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/recorder.h"

#include <algorithm>
#include <array>

namespace fusebench {

std::string_view name(CallPart part) {
  static constexpr std::array<std::string_view, kCallParts> kNames{
      "outside", "guard", "dispatch", "allocate", "copy", "launch", "kernel", "wait", "tape"};
  return kNames[static_cast<std::size_t>(part)];
}

Recorder::Recorder(Level level, int threads, std::size_t marksPerThread, std::size_t launches)
    : level_(level), lanes_(static_cast<std::size_t>(std::max(1, threads))), notes_(launches) {
  for (Lane& lane : lanes_) lane.marks.resize(marksPerThread);
}

std::span<const Mark> Recorder::marks(int thread) const {
  const Lane& lane = lanes_[static_cast<std::size_t>(thread)];
  return {lane.marks.data(), lane.used};
}

std::uint64_t Recorder::lost() const {
  std::uint64_t sum = 0;
  for (const Lane& lane : lanes_) sum += lane.lost;
  return sum;
}

void Recorder::clear() {
  for (Lane& lane : lanes_) lane.used = lane.lost = 0;
  noted_ = 0;
  enqueuings_ = 0;
}

}  // namespace fusebench
