// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/scatter_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/cuda/codegen/call_text.h"
#include "engine/cuda/codegen/source_text.h"
#include "engine/cuda/codegen/typed_text.h"

namespace fusebench::cuda {
namespace {

constexpr std::size_t kInput = 0, kIndex = 1, kAdded = 2, kResult = 3;

/// Writes one call's kernel, line by line.
class ScatterWriter {
 public:
  explicit ScatterWriter(const LibraryCall& call)
      : call_(call),
        dim_(static_cast<std::size_t>(call.scatter.dim)),
        over_(static_cast<std::size_t>(call.scatter.over)),
        rank_(call.rank(kInput)),
        // The index's dimensions among those of what is added.
        more_(call.scatter.spreads    ? call.rank(kIndex)
              : call.scatter.replaces ? call.rank(kAdded) - (rank_ - over_)
                                      : 1),
        room_(rank_ + more_ - std::min(rank_, over_)) {}

  Source write() {
    Source source;
    const std::string name = "scatter_" + identifier(call_.name);
    std::vector<DType> stored(call_.operands);
    stored.push_back(call_.result);
    if (const std::string helpers = typedHelpers(stored); !helpers.empty()) text_.block(helpers);
    text_.open(callOpening(call_, name));
    std::string columns;
    for (std::size_t d = 0; d < rank_; ++d)
      if (!isAlong(d)) columns += (columns.empty() ? "" : " * ") + extentName(kInput, d);
    text_.line(fmt::format("const long long columns = {};", columns.empty() ? "1" : columns));
    std::string places;
    for (std::size_t d = 0; d < rank_; ++d)
      if (isAlong(d)) places += (places.empty() ? "" : " * ") + extentName(kInput, d);
    text_.line(fmt::format("const long long places = {};", places.empty() ? "1" : places));
    text_.open(
        "for (long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x; at < columns; at += "
        "(long long)gridDim.x * blockDim.x)");
    column();
    copy();
    add();
    text_.close();
    text_.close();
    source.text = text_.takeText();
    source.lineOps = text_.takeOps();
    source.entries = {{name, Role::elements, kContractionThreads}};
    source.loops.role = Role::elements;
    return source;
  }

 private:
  /// Whether a place counts through this dimension of what is written to.
  bool isAlong(std::size_t d) const { return d >= dim_ && d < dim_ + over_; }

  /// The offset of a place from the beginning of its column.
  std::string placeIn(std::size_t tensor) const {
    if (rank_ == 0) return "0";
    if (over_ == 1) return "place * " + strideName(tensor, dim_);
    std::string text, after;
    for (std::size_t d = dim_ + over_; d-- > dim_;) {
      const std::string left = after.empty() ? "place" : fmt::format("place / ({})", after);
      const std::string digit =
          d == dim_ ? left : fmt::format("{} % {}", left, extentName(kInput, d));
      text += fmt::format("{}({}) * {}", text.empty() ? "" : " + ", digit, strideName(tensor, d));
      after += (after.empty() ? "" : " * ") + extentName(kInput, d);
    }
    return text;
  }

  /// Where this thread's column is.
  void column() {
    text_.line("long long rest = at;");
    for (std::size_t d = rank_; d-- > 0;) {
      if (isAlong(d)) continue;
      text_.line(fmt::format("const long long c{} = rest % {};", d, extentName(kInput, d)));
      text_.line(fmt::format("rest /= {};", extentName(kInput, d)));
    }
  }

  /// Where it begins in a tensor.
  std::string offset(std::size_t tensor) const {
    std::string text;
    for (std::size_t d = 0; d < rank_; ++d) {
      if (isAlong(d)) continue;
      const bool ofIndex = tensor == kIndex;
      if (ofIndex && call_.scatter.replaces) continue;
      const std::size_t own =
          tensor == kAdded && call_.scatter.replaces && d > dim_ ? d - over_ + more_ : d;
      text += fmt::format("{}c{} * {}", text.empty() ? "" : " + ", d,
                          tensor == kAdded ? addedStep(own) : strideName(tensor, own));
    }
    return text.empty() ? "0" : text;
  }

  /// The stride of the added tensor along one of the target's dimensions.
  std::string addedStep(std::size_t d) const {
    const std::size_t own = call_.rank(kAdded);
    if (!call_.scatter.spreads) return strideName(kAdded, d);
    if (d + own < room_) return "0";  // it is broadcast along it
    const std::size_t at = d + own - room_;
    return fmt::format("({} == 1 ? 0 : {})", extentName(kAdded, at), strideName(kAdded, at));
  }

  void copy() {
    // Written in place it is there.
    text_.line("if ((const void*)p0 != (const void*)p3)");
    text_.line("for (long long place = 0; place < places; ++place)");
    text_.line(fmt::format("  p3[{} + {}] = p0[{} + {}];", offset(kResult), placeIn(kResult),
                           offset(kInput), placeIn(kInput)));
  }

  void add() {
    if (!call_.scatter.replaces)
      for (std::size_t d = 0; d < rank_; ++d)
        if (!isAlong(d))
          text_.line(fmt::format("if (c{} >= {}) continue;", d, extentName(kIndex, d)));
    std::string index = offset(kIndex), added = offset(kAdded);
    int opened = 0;
    const auto loop = [&](std::size_t ofIndex, std::size_t ofAdded) {
      const std::string at = fmt::format("j{}", opened++);
      text_.open(fmt::format("for (long long {0} = 0; {0} < {1}; ++{0})", at,
                             extentName(kIndex, ofIndex)));
      index += fmt::format(" + {} * {}", at, strideName(kIndex, ofIndex));
      added += fmt::format(" + {} * {}", at, addedStep(ofAdded));
    };
    if (!call_.scatter.replaces && rank_ > 0)
      loop(dim_, dim_);
    else if (call_.scatter.replaces)
      for (std::size_t d = 0; d < call_.rank(kIndex); ++d) loop(d, dim_ + d);
    if (opened == 0) text_.open("");
    text_.line(fmt::format("long long place = p1[{}];", index));
    if (call_.scatter.wraps) text_.line("if (place < 0) place += places;");
    text_.line("if (place < 0 || place >= places) continue;");
    const std::string to = fmt::format("p3[{} + {}]", offset(kResult), placeIn(kResult));
    const std::string from = fmt::format("p2[{}]", added);
    text_.line(fmt::format("{} = {};", to, putText(to, from)));
    for (int d = 0; d < std::max(opened, 1); ++d) text_.close();
  }

  /// The combination of the existing and the given element.
  std::string putText(const std::string& there, const std::string& given) const {
    const DType dtype = call_.result;
    if (call_.scatter.sets) return given;
    const Accumulate by = call_.accumulate;
    const std::string a = loadedText(dtype, there), b = loadedText(dtype, given);
    if (by == Accumulate::max || by == Accumulate::min) {
      const std::string better = fmt::format("{} {} {}", b, by == Accumulate::max ? ">" : "<", a);
      if (!isFloat(dtype)) return fmt::format("{} ? {} : {}", better, given, there);
      // NaN if one is.
      return fmt::format("{0} == {0} && ({1} != {1} || {2}) ? {3} : {4}", a, b, better, given,
                         there);
    }
    const char* const sign = by == Accumulate::prod ? "*" : "+";
    // Integers wrap around, which unsigned ones may.
    if (isInteger(classOf(dtype)))
      return fmt::format("({})((unsigned long long){} {} (unsigned long long){})",
                         storageText(dtype), there, sign, given);
    return storableText(dtype, a + " " + sign + " " + b);
  }

  const LibraryCall& call_;
  std::size_t dim_, over_, rank_, more_, room_;
  SourceText text_;
};

}  // namespace

Source scatterSource(const LibraryCall& call) {
  return ScatterWriter(call).write();
}

}  // namespace fusebench::cuda
