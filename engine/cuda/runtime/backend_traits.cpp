// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/backend_traits.h"

#include <stdexcept>

#include "engine/base/saying.h"
#include "engine/base/text_lines.h"
#include "engine/cuda/instant/interpreter_costs.h"

namespace fusebench::cuda {

BackendTraits traitsOf(const DeviceInfo& device, bool libraries, bool ships) {
  BackendTraits traits;
  traits.name = "cuda";
  traits.shipsOps = ships;
  traits.runsPhases = true;
  // A row is one block's: with fewer rows than multiprocessors some would have nothing to do.
  traits.rowLimits = {.few = device.multiprocessors, .ofCall = true};
  traits.takesTails = libraries ? Tails::epilogues : Tails::none;
  traits.hasFastMath = true;
  traits.runsOpLists = true;
  traits.listCosts = listCostsOf(device);
  return traits;
}

ByteProducts byteProductsOf(bool library) {
  // Only the library wants more than that: sixteen bytes at once, and results in fours.
  if (!library) return {.given = DType::int8, .alongDepth = true};
  return {.given = DType::int8, .alongDepth = true, .depths = 16, .channels = 4};
}

std::shared_ptr<const Nvrtc> openNvrtc(const std::string& library, int driverVersion,
                                       std::string& missing) {
  try {
    return Nvrtc::open(library, driverVersion);
  } catch (const NoNvrtc& none) {
    missing = none.what();
    return nullptr;
  }
}

CodeTarget targetOf(const DeviceInfo& device, const Nvrtc* nvrtc) {
  if (!nvrtc) return {};
  if (const auto target = nvrtc->targetFor(device.major, device.minor)) return *target;
  throw std::runtime_error(saying(
      "NVRTC {} generates no code for {} (compute capability {}.{}): an older CUDA toolkit would",
      nvrtc->versionText(), device.name, device.major, device.minor));
}

std::string inComments(const std::string& text) {
  std::string made;
  forEachLine(text, [&](std::string_view line) { made.append("// ").append(line) += '\n'; });
  return made;
}

}  // namespace fusebench::cuda
