// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/call_text.h"

#include <fmt/format.h>

#include "engine/cuda/codegen/typed_text.h"

namespace fusebench::cuda {

std::string extentName(std::size_t tensor, std::size_t dim) {
  return fmt::format("e{}_{}", tensor, dim);
}

std::string strideName(std::size_t tensor, std::size_t dim) {
  return fmt::format("s{}_{}", tensor, dim);
}

std::string callOpening(const LibraryCall& call, const std::string& name) {
  const std::size_t result = call.operands.size();
  std::string parameters;
  for (std::size_t t = 0; t <= result; ++t)
    parameters += fmt::format("{}{}{}* __restrict__ p{}", t ? ", " : "", t < result ? "const " : "",
                              storageText(call.dtype(t)), t);
  for (std::size_t t = 0; t <= result; ++t) {
    for (std::size_t d = 0; d < call.rank(t); ++d)
      parameters += fmt::format(", long long {}", extentName(t, d));
    for (std::size_t d = 0; d < call.rank(t); ++d)
      parameters += fmt::format(", long long {}", strideName(t, d));
  }
  return fmt::format("extern \"C\" __global__ void __launch_bounds__({}) {}({})",
                     kContractionThreads, name, parameters);
}

}  // namespace fusebench::cuda
