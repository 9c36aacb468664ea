// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/targets/interleave.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "profiler/machine/clock.h"

namespace fusebench::targets {

Contender calling(std::string name, std::function<void()> call) {
  return {std::move(name), [call = std::move(call)](std::int64_t calls) {
            const std::int64_t begin = nowNanoseconds();
            for (std::int64_t i = 0; i < calls; ++i) call();
            return static_cast<double>(nowNanoseconds() - begin);
          }};
}

Rounds::Rounds(std::vector<Contender> contenders, double seconds, double blockSeconds)
    : contenders_(std::move(contenders)), samples_(contenders_.size()) {
  for (const Contender& contender : contenders_) {
    contender.run(1);  // compiles, and takes its memory
    // As many calls as fill a block, found by doubling.
    std::int64_t count = 1;
    double taken = contender.run(count);
    while (taken < 0.5e9 * blockSeconds) taken = contender.run(count *= 2);
    count = std::llround(static_cast<double>(count) * 1e9 * blockSeconds / taken);
    calls_.push_back(std::max<std::int64_t>(1, count));
  }
  goOn(seconds);
}

void Rounds::goOn(double seconds) {
  std::vector<std::size_t> order(contenders_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto begin = static_cast<double>(nowNanoseconds());
  for (int round = 0;
       round < kLeastRounds || static_cast<double>(nowNanoseconds()) - begin < 1e9 * seconds;
       ++round) {
    std::shuffle(order.begin(), order.end(), random_);
    for (const std::size_t i : order)
      samples_[i].push_back(contenders_[i].run(calls_[i]) / static_cast<double>(calls_[i]));
  }
}

const std::vector<double>& Rounds::samplesOf(const std::string& name) const {
  for (std::size_t i = 0; i < contenders_.size(); ++i)
    if (contenders_[i].name == name) return samples_[i];
  throw std::logic_error("nothing called " + name + " was timed");
}

Estimate Rounds::time(const std::string& name) const {
  return medianInterval(samplesOf(name));
}

Estimate Rounds::ratio(const std::string& a, const std::string& b) const {
  return pairedRatio(samplesOf(a), samplesOf(b));
}

Estimate Rounds::difference(const std::string& a, const std::string& b) const {
  std::vector<double> differences = samplesOf(a);
  std::ranges::transform(differences, samplesOf(b), differences.begin(), std::minus());
  return medianInterval(differences);
}

}  // namespace fusebench::targets
