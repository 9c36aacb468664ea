// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/kernel_names.h"

#include <algorithm>
#include <array>
#include <map>

namespace fusebench {
namespace {

bool holdsWord(std::string_view name, std::string_view word) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return !std::ranges::search(name, word, {}, lower).empty();
}

}  // namespace

std::string shortKernelName(std::string_view name) {
  // Up to the first bracket that is not "(anonymous namespace)".
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  std::string plain(name);
  for (std::size_t at; (at = plain.find(kAnonymous)) != std::string::npos;)
    plain.erase(at, kAnonymous.size());
  if (const std::size_t end = plain.find_first_of("<("); end != std::string::npos && end > 0)
    plain.resize(end);
  if (plain.starts_with("void ")) plain.erase(0, 5);
  while (plain.ends_with(' ')) plain.pop_back();
  if (const std::size_t colons = plain.rfind("::"); colons != std::string::npos)
    plain.erase(0, colons + 2);
  return plain.empty() ? std::string(name) : plain;
}

std::vector<std::string> shortKernelNames(const std::vector<std::string>& names) {
  std::map<std::string, std::vector<std::string>> known;  // of each short name the whole ones
  std::vector<std::string> made;
  for (const std::string& name : names) {
    std::vector<std::string>& alike = known[made.emplace_back(shortKernelName(name))];
    if (std::ranges::find(alike, name) == alike.end()) alike.push_back(name);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::vector<std::string>& alike = known[made[i]];
    if (alike.size() < 2) continue;
    const auto place = std::ranges::find(alike, names[i]) - alike.begin();
    made[i] += " (" + std::to_string(place + 1) + ")";
  }
  return made;
}

bool isCollective(std::string_view name) {
  // Ours, by their ops' names.
  constexpr std::array<std::string_view, 7> kOurs = {
      "all_reduce", "broadcast",       "all_gather",    "reduce_scatter",
      "barrier",    "reduce_gradient", "wait_gradients"};
  return holdsWord(name, "nccl") || holdsWord(name, "rccl") || std::ranges::count(kOurs, name) > 0;
}

bool isPointwiseLike(std::string_view name) {
  constexpr std::array<std::string_view, 12> kOthers = {"gemm",  "gemv",      "conv",  "cutlass",
                                                        "cudnn", "cublas",    "wgrad", "dgrad",
                                                        "flash", "attention", "sort",  "fft"};
  return !isCollective(name) && std::ranges::none_of(kOthers, [&](std::string_view word) {
    return holdsWord(name, word);
  });
}

}  // namespace fusebench
