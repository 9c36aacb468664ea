// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/order_source.h"

#include <array>
#include <string>

#include <fmt/format.h>

#include "engine/cuda/codegen/call_text.h"
#include "engine/cuda/codegen/source_text.h"
#include "engine/cuda/codegen/typed_text.h"

namespace fusebench::cuda {

Source orderSource(const LibraryCall& call) {
  const std::string name = "order_" + identifier(call.name);
  const std::size_t rank = call.rank(0);
  const auto dim = static_cast<std::size_t>(call.order.dim);
  SourceText text;
  const std::array<DType, 2> stored{call.operands[0], call.result};
  if (const std::string helpers = typedHelpers(stored); !helpers.empty()) text.block(helpers);
  text.open(callOpening(call, name));
  std::string count = "1";
  for (std::size_t d = 0; d < rank; ++d) count += " * " + extentName(0, d);
  text.line(fmt::format("const long long count = {};", count));
  text.line(fmt::format("const long long length = {};", rank > 0 ? extentName(0, dim) : "1"));
  text.line(fmt::format("const long long taken = {};", rank > 0 ? extentName(1, dim) : "1"));
  text.line(fmt::format("const long long step = {};", rank > 0 ? strideName(0, dim) : "0"));
  text.open(
      "for (long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x; at < count; at += "
      "(long long)gridDim.x * blockDim.x)");
  // Adjacent threads are of one row: they read each of its elements together.
  text.line("const long long i = at % length;");
  text.line("long long rest = at / length, row = 0, result = 0;");
  for (std::size_t d = rank; d-- > 0;) {
    if (d == dim) continue;
    text.line(fmt::format("row += rest % {} * {};", extentName(0, d), strideName(0, d)));
    text.line(fmt::format("result += rest % {} * {};", extentName(0, d), strideName(1, d)));
    text.line(fmt::format("rest /= {};", extentName(0, d)));
  }
  text.line(fmt::format("const auto own = {};", loadedText(stored[0], "p0[row + i * step]")));
  text.line("long long before = 0;");
  text.open("for (long long j = 0; j < length; ++j)");
  text.line(fmt::format("const auto other = {};", loadedText(stored[0], "p0[row + j * step]")));
  const bool floats = isFloat(call.operands[0]);
  const auto less = [&](const char* a, const char* b) {
    if (!floats) return fmt::format("{} < {}", a, b);
    return fmt::format("({0} < {1} || ({1} != {1} && {0} == {0}))", a, b);
  };
  const bool descending = call.order.descending;
  text.line(fmt::format("const bool otherFirst = {};",
                        descending ? less("own", "other") : less("other", "own")));
  text.line(fmt::format("const bool ownFirst = {};",
                        descending ? less("other", "own") : less("own", "other")));
  text.line("before += otherFirst || (!ownFirst && j < i) ? 1 : 0;");
  text.close();
  text.line(fmt::format("if (before < taken) p1[result + before * {}] = i;",
                        rank > 0 ? strideName(1, dim) : std::string("0")));
  text.close();
  text.close();
  Source source;
  source.text = text.takeText();
  source.lineOps = text.takeOps();
  source.entries = {{name, Role::elements, kContractionThreads}};
  source.loops.role = Role::elements;
  return source;
}

}  // namespace fusebench::cuda
