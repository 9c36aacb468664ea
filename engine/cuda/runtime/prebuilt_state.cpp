// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/prebuilt_state.h"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/cuda/instant/interpreter_source.h"
#include "engine/cuda/instant/prebuilt_interpreter.h"
#include "engine/cuda/shipped/shipped_kernels.h"

namespace fusebench::cuda {
namespace {

/// Whether every architecture that ships has its machine code of this source.
bool fitsEverywhere(bool reduces) {
  const std::string source = interpreterSource(reduces).text;
  return !prebuiltInterpreter(reduces, source).ptx.empty() &&
         std::ranges::all_of(kPrebuiltArchitectures, [&](int architecture) {
           return !prebuiltMachineCode(reduces, source, architecture).empty();
         });
}

PrebuiltState stateOfThisBuild() {
  PrebuiltState state;
  std::vector<KernelArchive> archives;
  archives.emplace_back(shippedBytes(CodeTarget{true, kShippedPtx}.text()));
  for (const int architecture : kShippedArchitectures)
    archives.emplace_back(shippedBytes(CodeTarget{false, architecture}.text()));
  for (const ShippedSource& source : shippedSources()) {
    const ShippedKey key = shippedKeyOf(source.text, source.flags);
    ++state.all;
    if (std::ranges::all_of(archives, [&](const auto& each) { return each.holds(key); }))
      ++state.fitting;
  }
  state.interpreter = fitsEverywhere(false) && fitsEverywhere(true);
  return state;
}

}  // namespace

PrebuiltState prebuiltState() {
  static const PrebuiltState kState = stateOfThisBuild();
  return kState;
}

}  // namespace fusebench::cuda
