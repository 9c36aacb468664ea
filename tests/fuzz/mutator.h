// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace fusebench::fuzz {

/// Longer inputs are cut.
inline constexpr std::size_t kLongestInput = 1 << 18;

/// Inputs that are nearly right: each is made of one of a corpus by one to six changes; the same
/// ones for the same seed.
class Mutator {
 public:
  Mutator(const std::vector<std::string>& corpus, std::uint64_t seed);
  std::string next();

 private:
  std::size_t below(std::size_t end) { return end == 0 ? 0 : random_() % end; }
  void change(std::string& text);

  const std::vector<std::string>& corpus_;
  std::mt19937_64 random_;
};

}  // namespace fusebench::fuzz
