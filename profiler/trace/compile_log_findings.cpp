// SPDX-License-Identifier: GPL-3.0-or-later
// What the logs of torch.compile say, in sentences.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include "engine/base/saying.h"
#include "profiler/trace/compile_log.h"

namespace fusebench {
namespace {

std::string withoutFolders(const std::string& file) {
  return std::filesystem::path(file).filename().string();
}

/// A change between two calls, and its cure.
struct Change {
  std::string what, cure;
};

Change changeOf(const std::string& guard) {
  // "tensor 'x' size mismatch at index 0. expected 2, actual 3"
  constexpr std::string_view kTensor = "tensor '", kSize = "' size mismatch at index ";
  const std::size_t size = guard.find(kSize);
  if (guard.starts_with(kTensor) && size != std::string::npos) {
    std::string name = guard.substr(kTensor.size(), size - kTensor.size());
    int index = 0;
    const char* from = guard.data() + size + kSize.size();
    std::from_chars(from, guard.data() + guard.size(), index);
    if (name.size() > 5 && name.starts_with("L['") && name.ends_with("']")) {
      name.erase(name.size() - 2);
      name.erase(0, 3);
    }
    return {saying("the size of {} along dimension {} changed", name, index),
            saying("mark it dynamic: torch._dynamo.mark_dynamic({}, {})", name, index)};
  }
  if (guard.find("rank mismatch") != std::string::npos)
    return {saying("the number of dimensions changed ({})", guard),
            saying("compile a function for each number of dimensions")};
  if (guard.find("dtype mismatch") != std::string::npos)
    return {saying("a dtype changed ({})", guard), saying("convert inputs to one dtype first")};
  if (guard.find("stride mismatch") != std::string::npos)
    return {saying("strides changed ({})", guard), saying("call contiguous() on the input first")};
  if (guard.find("requires_grad") != std::string::npos ||
      guard.find("grad_mode") != std::string::npos || guard.find("GRAD_MODE") != std::string::npos)
    return {saying("gradients were needed, then not ({})", guard),
            saying("compile training and inference as two functions")};
  if (const std::size_t equals = guard.find(" == "); equals != std::string::npos)
    return {saying("the value of {} changed (it was {})", guard.substr(0, equals),
                   guard.substr(equals + 4)),
            saying("pass it as a tensor, or keep it constant")};
  return {saying("this guard failed: {}", guard), saying("keep what it checks constant")};
}

/// A log may lack the line that names the function of a frame.
std::string compiledTitle(const CompiledFunction& function, const std::string& id) {
  return function.name.empty() ? saying("frame {}", id) : placeOf(function);
}

}  // namespace

std::string placeOf(const CompiledFunction& function) {
  if (function.file.empty()) return function.name;
  return saying("{} at {}:{}", function.name, withoutFolders(function.file), function.line);
}

std::vector<std::string> findingsOf(const CompileLog& log) {
  std::vector<std::string> said;
  if (log.covered > 0 && log.compiling > 0 && log.structured)
    said.push_back(saying("{:.0f} % of the {:.2f} s that the log covers was compiling.",
                          100 * log.compiling / log.covered, log.covered));
  std::map<CompiledFunction, std::vector<const Recompile*>> recompiled;
  for (const Recompile& one : log.recompiles) recompiled[one.function].push_back(&one);
  std::vector<std::pair<CompiledFunction, std::vector<const Recompile*>>> ranked(recompiled.begin(),
                                                                                 recompiled.end());
  std::ranges::stable_sort(
      ranked, [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  for (const auto& [function, times] : ranked) {
    // The guard of the last compilation before is the first of each.
    std::map<std::string, std::pair<std::size_t, Change>> causes;
    for (const Recompile* one : times)
      if (!one->guards.empty()) {
        const Change change = changeOf(one->guards.front());
        auto& cause = causes.try_emplace(change.what, 0, change).first->second;
        ++cause.first;
      }
    if (causes.empty()) continue;
    const auto most =
        std::ranges::max_element(causes, {}, [](const auto& cause) { return cause.second.first; });
    const Change& change = most->second.second;
    const std::string place = compiledTitle(function, times.front()->id);
    if (times.size() == 1)
      said.push_back(
          saying("{} was recompiled once because {}: {}.", place, change.what, change.cure));
    else if (most->second.first == times.size())
      said.push_back(saying("{} was recompiled {} times because {}: {}.", place, times.size(),
                            change.what, change.cure));
    else
      said.push_back(saying("{} was recompiled {} times, {} of them because {}: {}.", place,
                            times.size(), most->second.first, change.what, change.cure));
  }
  std::map<std::pair<std::string, int>, std::pair<std::size_t, const GraphBreak*>> places;
  for (const GraphBreak& one : log.breaks) {
    auto& place = places[{one.file, one.line}];
    ++place.first;
    place.second = &one;
  }
  std::vector<std::pair<std::size_t, const GraphBreak*>> broken;
  for (const auto& [place, found] : places) broken.push_back(found);
  std::ranges::stable_sort(broken, [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [count, one] : broken)
    said.push_back(count == 1 ? saying("The graph breaks at {}:{}: {}.", withoutFolders(one->file),
                                       one->line, one->reason)
                              : saying("The graph breaks at {}:{} ({} times): {}.",
                                       withoutFolders(one->file), one->line, count, one->reason));
  for (const FrameCompile& frame : log.frames)
    if (!frame.failure.empty())
      said.push_back(saying("Compiling {} failed: {}.", compiledTitle(frame.function, frame.id),
                            frame.failure));
  return said;
}

std::vector<std::string> cacheSentences(const CompileLog& log) {
  std::vector<std::string> said;
  for (const CompileCache& one : log.caches)
    said.push_back(saying("Cache {}: hits {}, misses {}, bypasses {}.", one.name, one.hits,
                          one.misses, one.bypasses));
  return said;
}

}  // namespace fusebench
