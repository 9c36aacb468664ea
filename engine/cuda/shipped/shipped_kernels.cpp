// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/shipped/shipped_kernels.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <unordered_set>

#include <fmt/format.h>

#include "engine/base/text_lines.h"
#include "engine/cuda/codegen/code_text.h"
#include "engine/plan/shipped_kernels.h"

namespace fusebench::cuda {
namespace {

/// The PTX version of the oldest driver that is served, CUDA 12.0. The assembler takes the text as
/// such.
constexpr std::string_view kOldestPtx = ".version 8.0";

/// PTX without its comments, for the oldest driver that is served.
std::string shortened(const std::string& ptx) {
  std::string text;
  forEachLine(ptx.c_str(), [&](std::string_view line) {
    if (line.empty() || line.starts_with("//")) return;
    text.append(line.starts_with(".version ") ? kOldestPtx : line);
    text += '\n';
  });
  return text;
}

const KernelArchive* archiveOf(const CodeTarget& target) {
  static const std::map<std::string, KernelArchive, std::less<>> all = [] {
    std::map<std::string, KernelArchive, std::less<>> opened;
    const auto open = [&](const CodeTarget& each) {
      opened[each.text()] = KernelArchive(shippedBytes(each.text()));
    };
    for (const int architecture : kShippedArchitectures) open({false, architecture});
    open({true, kShippedPtx});
    return opened;
  }();
  const auto found = all.find(target.text());
  return found == all.end() || found->second.size() == 0 ? nullptr : &found->second;
}

}  // namespace

std::string_view shippedBytes(std::string_view target) {
  return embeddedText(eagerKernels(), fmt::format("{}.kernels", target));
}

Source emptySource() {
  constexpr int kThreads = 32;
  Source source;
  source.text =
      fmt::format("extern \"C\" __global__ void __launch_bounds__({}) empty() {{}}\n", kThreads);
  source.lineOps = {-1};
  source.entries = {{"empty", Role::elements, kThreads}};
  source.loops.role = Role::elements;
  return source;
}

std::vector<ShippedSource> shippedSources() {
  std::vector<ShippedSource> all{{"empty", emptySource().text, {}}};
  std::unordered_set<std::string> texts{all[0].text};
  for (const Kernel& kernel : fusebench::shippedKernels()) {
    CompileFlags flags;
    flags.contract = kernel.contract;
    flags.fastMath = kernel.fastMath;
    std::string text = generate(kernel).text;
    if (texts.insert(text).second) all.push_back({kernel.name, std::move(text), flags});
  }
  return all;
}

ShippedKey shippedKeyOf(const std::string& source, const CompileFlags& flags) {
  return shippedKey(fmt::format("{}\n{}", fmt::join(compileOptions(flags), " "), source));
}

ShippedArchives shippedFor(int architecture, std::string_view nvrtc) {
  ShippedArchives found;
  for (const int each : kShippedArchitectures)
    if (each / 10 == architecture / 10 && each <= architecture)
      found.machineCode = archiveOf({false, each});
  if (architecture >= kShippedPtx) found.ptx = archiveOf({true, kShippedPtx});
  for (const KernelArchive** archive : {&found.machineCode, &found.ptx})
    if (*archive && !nvrtc.empty() && (*archive)->nvrtc() != nvrtc) *archive = nullptr;
  return found;
}

bool isAmong(const ShippedArchives& shipped, const Kernel& kernel) {
  if (!shipped.machineCode && !shipped.ptx) return false;
  const ShippedKey key = shippedKeyOf(generate(kernel).text, flagsOf(kernel));
  return (shipped.machineCode && shipped.machineCode->holds(key)) ||
         (shipped.ptx && shipped.ptx->holds(key));
}

std::string prebuildKernels(const Nvrtc& nvrtc, const CodeTarget& target) {
  const std::vector<ShippedSource> sources = shippedSources();
  const KernelArchive* const before = archiveOf(target);
  const bool reuses = before && before->nvrtc() == nvrtc.versionText();
  std::vector<std::pair<ShippedKey, std::string>> made(sources.size());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t i = next++; i < sources.size(); i = next++) try {
        const ShippedSource& source = sources[i];
        const ShippedKey key = shippedKeyOf(source.text, source.flags);
        if (std::optional<std::string> code = reuses ? before->code(key) : std::nullopt) {
          made[i] = {key, std::move(*code)};
          continue;
        }
        std::string code =
            nvrtc.compile(source.text, source.name, target, compileOptions(source.flags)).bytes;
        if (target.ptx) code = shortened(code);
        made[i] = {key, std::move(code)};
      } catch (...) {
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
        next = sources.size();
      }
  };
  {
    std::vector<std::jthread> helpers;
    for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) helpers.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
  return packKernels(target.text(), nvrtc.versionText(), made);
}

}  // namespace fusebench::cuda
