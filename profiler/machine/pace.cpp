// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/machine/pace.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <utility>

#include "profiler/machine/clock.h"

namespace fusebench {
namespace {

constexpr std::size_t kPaceElements = std::size_t{1} << 16;  ///< 4 bytes each
constexpr int kPaceMultiplications = 30'000, kPaceReads = 20'000, kPaceRepeats = 5;

}  // namespace

PaceMeter::PaceMeter() : next_(kPaceElements) {
  // Sattolo's shuffle: one cycle through all elements, so that no prefetcher foresees the next.
  std::iota(next_.begin(), next_.end(), 0u);
  std::mt19937 random(1);
  for (std::size_t i = kPaceElements - 1; i > 0; --i) std::swap(next_[i], next_[random() % i]);
}

void PaceMeter::tick(double seconds) {
  if (seconds - last_ < kPaceSeconds) return;
  last_ = seconds;
  // The fastest of a few: what interrupts one of them says nothing of the processor's speed. The
  // first one also fills the caches.
  std::int64_t arithmetic = 0, memory = 0;
  for (int repeat = 0; repeat < kPaceRepeats; ++repeat) {
    const std::int64_t begin = nowNanoseconds();
    // Four chains keep the multiplier busy, so that another thread on the core is noticed.
    std::array<std::uint64_t, 4> chains = {kept_ | 1, 3, 5, 7};
    for (int i = 0; i < kPaceMultiplications; ++i)
      for (std::uint64_t& chain : chains) chain = chain * 0x9e3779b97f4a7c15u + 1;
    const std::int64_t middle = nowNanoseconds();
    std::uint32_t at = 0;
    for (int i = 0; i < kPaceReads; ++i) at = next_[at];
    const std::int64_t end = nowNanoseconds();
    kept_ = chains[0] + chains[1] + chains[2] + chains[3] + at;
    arithmetic = repeat == 0 ? middle - begin : std::min(arithmetic, middle - begin);
    memory = repeat == 0 ? end - middle : std::min(memory, end - middle);
  }
  arithmetic_.push_back(static_cast<double>(arithmetic));
  memory_.push_back(static_cast<double>(memory));
}

nlohmann::json PaceMeter::described() const {
  if (arithmetic_.empty()) return nullptr;
  return {{kPaceLists[0], arithmetic_}, {kPaceLists[1], memory_}};
}

}  // namespace fusebench
