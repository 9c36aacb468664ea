// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/machine/pace.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <utility>

#include "profiler/machine/clock.h"

namespace fusebench {
namespace {

constexpr std::size_t kPaceElements = std::size_t{1} << 16;  ///< 4 bytes each
constexpr int kPaceMultiplications = 30'000, kPaceReads = 20'000, kPaceLaunches = 2'000,
              kPaceRepeats = 5;

/// What a launch of a small kernel does on the host: an allocation and a call by a pointer.
struct PaceCall {
  virtual ~PaceCall() = default;
  virtual std::uint64_t call(std::uint64_t given) const = 0;
};
struct AddingCall final : PaceCall {
  std::uint64_t added = 1;
  std::uint64_t call(std::uint64_t given) const override { return given + added; }
};
struct TurningCall final : PaceCall {
  std::array<std::uint64_t, 6> kept{};
  std::uint64_t call(std::uint64_t given) const override { return (given << 1) ^ kept[given % 6]; }
};

std::unique_ptr<PaceCall> paceCall(int number) {
  if (number % 3 == 0) return std::make_unique<TurningCall>();
  return std::make_unique<AddingCall>();
}

}  // namespace

PaceMeter::PaceMeter() : next_(kPaceElements) {
  // Sattolo's shuffle: one cycle through all elements, so that no prefetcher foresees the next.
  std::iota(next_.begin(), next_.end(), 0u);
  std::mt19937 random(1);
  for (std::size_t i = kPaceElements - 1; i > 0; --i) std::swap(next_[i], next_[random() % i]);
}

void PaceMeter::multiply() {
  // Four chains keep the multiplier busy, so that another thread on the core is noticed.
  std::array<std::uint64_t, 4> chains = {kept_ | 1, 3, 5, 7};
  for (int i = 0; i < kPaceMultiplications; ++i)
    for (std::uint64_t& chain : chains) chain = chain * 0x9e3779b97f4a7c15u + 1;
  kept_ = chains[0] + chains[1] + chains[2] + chains[3];
}

void PaceMeter::read() {
  std::uint32_t at = 0;
  for (int i = 0; i < kPaceReads; ++i) at = next_[at];
  kept_ = kept_ + at;
}

void PaceMeter::launch() {
  for (int i = 0; i < kPaceLaunches; ++i) kept_ = paceCall(i)->call(kept_);
}

void PaceMeter::tick(double seconds) {
  if (seconds - last_ < kPaceSeconds) return;
  last_ = seconds;
  // The fastest of a few: what interrupts one of them says nothing of the processor's speed. The
  // first one also fills the caches.
  const auto fastest = [this](void (PaceMeter::*work)()) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (int repeat = 0; repeat < kPaceRepeats; ++repeat) {
      const std::int64_t begin = nowNanoseconds();
      (this->*work)();
      least = std::min(least, nowNanoseconds() - begin);
    }
    return static_cast<double>(least);
  };
  times_[0].push_back(fastest(&PaceMeter::multiply));
  times_[1].push_back(fastest(&PaceMeter::read));
  times_[2].push_back(fastest(&PaceMeter::launch));
}

nlohmann::json PaceMeter::described() const {
  if (times_[0].empty()) return nullptr;
  nlohmann::json lists;
  for (std::size_t i = 0; i < times_.size(); ++i) lists[kPaceLists[i]] = times_[i];
  return lists;
}

}  // namespace fusebench
