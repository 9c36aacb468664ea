// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "profiler/statistics/statistics.h"

namespace fusebench::targets {

/// A piece of work to be timed together with others.
struct Contender {
  std::string name;
  /// Does it so many times over; returns the nanoseconds that all of them took together.
  std::function<double(std::int64_t calls)> run;
};

/// A contender that is called from here.
Contender calling(std::string name, std::function<void()> call);

/// Contenders measured in rounds: each round has a block of each of them, in an order of its own,
/// so that what disturbs the machine disturbs all alike.
class Rounds {
 public:
  /// Blocks last about `blockSeconds`; rounds continue for `seconds`, but at least `kLeastRounds`.
  Rounds(std::vector<Contender> contenders, double seconds, double blockSeconds = 0.002);

  static constexpr int kLeastRounds = 9;
  /// More rounds, for as long and at least as many.
  void goOn(double seconds);
  /// Nanoseconds a call.
  Estimate time(const std::string& name) const;
  /// The time of `a` relative to `b`: the median over rounds of a / b.
  Estimate ratio(const std::string& a, const std::string& b) const;
  /// Nanoseconds that `a` takes more than `b`: the median over rounds.
  Estimate difference(const std::string& a, const std::string& b) const;

 private:
  const std::vector<double>& samplesOf(const std::string& name) const;
  std::vector<Contender> contenders_;
  std::vector<std::int64_t> calls_;  ///< calls per block, by contender
  std::mt19937 random_{7};
  std::vector<std::vector<double>> samples_;  ///< per contender, per round
};

}  // namespace fusebench::targets
