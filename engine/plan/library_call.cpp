// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/library_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <stdexcept>

#include "engine/ops/accumulators.h"

namespace fusebench {
namespace {

using DimKind = ContractDim::Kind;

/// "mk,kn->mn"
std::string equationText(const ContractForm& form) {
  std::string text;
  for (std::size_t o = 0; o < form.operands(); ++o)
    text += (o > 0 ? "," : "") + termText(form.tensors[o]);
  return text + "->" + termText(form.result());
}

std::string listed(const std::int64_t* numbers, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("{}{}", i ? ", " : "", numbers[i]);
  return "(" + text + (count == 1 ? ",)" : ")");
}

std::string listed(const std::vector<std::int64_t>& numbers) {
  return listed(numbers.data(), numbers.size());
}

/// "all_reduce: float32 (4, 3)", and how.
std::string rankCallText(const LibraryCall& call, const std::int64_t* integers) {
  std::string text = call.name + " of the group's ranks\n";
  for (std::size_t t = 0; t < call.tensors(); ++t) {
    text += fmt::format("  {}: {}", t < call.operands.size() ? "operand" : "result",
                        info(call.dtype(t)).name);
    if (integers) text += " " + listed(integers, call.rank(t));
    if (integers) integers += 2 * call.rank(t);
    text += "\n";
  }
  const bool combines =
      call.ranks.kind == Collective::allReduce || call.ranks.kind == Collective::reduceScatter;
  if (combines)
    text += fmt::format("  combined by {}\n",
                        kCombineNames[static_cast<std::size_t>(call.ranks.combine)]);
  if (call.ranks.kind == Collective::broadcast)
    text += fmt::format("  of rank {}\n", call.ranks.root);
  return text;
}

/// "scatter_add: along dimension 0 of float32 (4, 3)", and what is added.
std::string scatterCallText(const LibraryCall& call, const std::int64_t* integers) {
  const bool sets = call.scatter.sets, adds = !sets && call.accumulate == Accumulate::sum;
  const char* const kNames[] = {sets   ? "written to"
                                : adds ? "added to"
                                       : "put together with",
                                "places",
                                sets   ? "written"
                                : adds ? "added"
                                       : "given",
                                "result"};
  std::string text = fmt::format("{}: along dimension {}", call.name, call.scatter.dim);
  for (int d = 1; d < call.scatter.over; ++d) text += fmt::format(" and {}", call.scatter.dim + d);
  if (!sets && !adds) text += fmt::format(", by {}", info(call.accumulate).name);
  text += "\n";
  for (std::size_t t = 0; t < call.tensors(); ++t) {
    text += fmt::format("  {}: {}", kNames[t], info(call.dtype(t)).name);
    if (integers) {
      const std::size_t rank = call.rank(t);
      text += " " + listed(integers, rank) + " strides " + listed(integers + rank, rank);
      integers += 2 * rank;
    }
    text += "\n";
  }
  return text;
}

/// "argsort: along dimension 1, the greatest first", and of what.
std::string orderCallText(const LibraryCall& call, const std::int64_t* integers) {
  std::string text = fmt::format("{}: along dimension {}, the {} first\n", call.name,
                                 call.order.dim, call.order.descending ? "greatest" : "least");
  for (std::size_t t = 0; t < call.tensors(); ++t) {
    text += fmt::format("  {}: {}", t == 0 ? "operand" : "places", info(call.dtype(t)).name);
    if (integers) {
      const std::size_t rank = call.rank(t);
      text += " " + listed(integers, rank) + " strides " + listed(integers + rank, rank);
      integers += 2 * rank;
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::size_t LibraryCall::integers() const {
  std::size_t count = 0;
  for (std::size_t t = 0; t < tensors(); ++t) count += 2 * rank(t);
  return count;
}

LaunchForm LibraryCall::launchForm() const {
  LaunchForm made{static_cast<int>(tensors()), static_cast<int>(integers()), 0};
  if (!pass) return made;
  made.pointers += static_cast<int>(pass->inputs.size()) - 1;
  made.integers += fusebench::launchForm(*pass).integers;
  return made;
}

std::int64_t CallSizes::count() const {
  std::int64_t all = std::accumulate(loops.begin(), loops.end(), std::int64_t{1}, checkedMultiply);
  // A position is in the windows that exist, not in one for each element of a window.
  for (const SpreadStep& dim : spread)
    if (dim.window.places > 0) all = all / dim.window.places * dim.window.windows;
  return all;
}

std::int64_t CallSizes::kept(const ContractForm& form) const {
  return std::accumulate(loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(form.kept),
                         std::int64_t{1}, checkedMultiply);
}

/// The distance between adjacent positions of a loop; 0 for a loop with one position.
static std::int64_t stepOf(std::int64_t stride, std::int64_t times, std::int64_t loop) {
  return loop > 1 ? checkedMultiply(stride, times) : 0;
}

CallSizes sizesOf(const LibraryCall& call, const std::int64_t* integers) {
  const ContractForm& form = call.form;
  CallSizes sizes;
  std::vector<SizeList<std::int64_t>> extents(call.tensors()), strides(call.tensors());
  for (std::size_t t = 0; t < call.tensors(); ++t) {
    for (std::size_t d = 0; d < call.rank(t); ++d) extents[t].push_back(*integers++);
    for (std::size_t d = 0; d < call.rank(t); ++d) strides[t].push_back(*integers++);
  }
  sizes.loops = contractLoops<std::int64_t>(form, call.settings,
                                            std::span(extents).first(call.operands.size()),
                                            SizeMath<std::int64_t>());
  for (std::size_t t = 0; t < call.tensors(); ++t) {
    std::vector<std::int64_t>& steps = sizes.steps.emplace_back(form.letters.size(), 0);
    std::int64_t begin = 0;
    for (std::size_t d = 0; d < call.rank(t); ++d) {
      const ContractDim& dim = form.tensors[t][d];
      const std::int64_t stride = strides[t][d];
      const bool addend = static_cast<int>(t) == form.addend;
      if ((dim.batch || addend) && extents[t][d] == 1) continue;  // it is broadcast
      switch (dim.kind) {
        case DimKind::loop:
          steps[form.loop(dim.outer)] += stride;
          break;
        case DimKind::split:
          steps[form.loop(dim.outer)] +=
              stepOf(stride, sizes.loops[form.loop(dim.inner)], sizes.loops[form.loop(dim.outer)]);
          steps[form.loop(dim.inner)] += stride;
          break;
        case DimKind::spread: {
          const auto at = [&](char letter) { return sizes.loops[form.loop(letter)]; };
          sizes.spread.push_back({{WindowSettings(call.settings, dim.window), at(dim.inner),
                                   at(dim.outer), extents[t][d]},
                                  form.loop(dim.outer),
                                  form.loop(dim.inner),
                                  stride});
          break;
        }
        case DimKind::window: {
          const auto w = static_cast<std::size_t>(dim.window);
          steps[form.loop(dim.outer)] +=
              stepOf(stride, call.settings.stride[w], sizes.loops[form.loop(dim.outer)]);
          steps[form.loop(dim.inner)] +=
              stepOf(stride, call.settings.dilation[w], sizes.loops[form.loop(dim.inner)]);
          begin = checkedSubtract(begin, checkedMultiply(stride, call.settings.padding[w]));
          sizes.windowed.resize(std::max(sizes.windowed.size(), w + 1));
          sizes.windowed[w] = extents[t][d];
          break;
        }
      }
    }
    sizes.begins.push_back(begin);
  }
  return sizes;
}

std::int64_t elementsOf(const LibraryCall& call, std::size_t tensor, const std::int64_t* integers) {
  for (std::size_t t = 0; t < tensor; ++t) integers += 2 * call.rank(t);
  return std::accumulate(integers, integers + call.rank(tensor), std::int64_t{1}, checkedMultiply);
}

bool liesPacked(const LibraryCall& call, std::size_t tensor, const std::int64_t* integers) {
  for (std::size_t t = 0; t < tensor; ++t) integers += 2 * call.rank(t);
  const std::size_t rank = call.rank(tensor);
  std::int64_t count = 1;
  bool packed = true;
  for (std::size_t d = rank; d-- > 0;) {
    packed &= integers[d] == 1 || integers[rank + d] == count;
    count = checkedMultiply(count, integers[d]);
  }
  return packed || count == 0;
}

RankSizes rankSizes(const LibraryCall& call, const std::int64_t* integers, std::int64_t ranks) {
  const std::size_t last = call.operands.size() - 1;
  const RankSizes sizes{elementsOf(call, last, integers), elementsOf(call, last + 1, integers)};
  const auto needs = [&](std::int64_t few, std::int64_t many) {
    if (checkedMultiply(few, ranks) != many)
      throw std::runtime_error(fmt::format("{}: these sizes are for {} ranks, and there {} {}",
                                           call.name, few > 0 ? many / few : 0,
                                           ranks == 1 ? "is" : "are", ranks));
  };
  if (call.ranks.kind == Collective::allGather) needs(sizes.given, sizes.wanted);
  if (call.ranks.kind == Collective::reduceScatter) needs(sizes.wanted, sizes.given);
  if (call.ranks.kind == Collective::broadcast && call.ranks.root >= ranks)
    throw std::runtime_error(
        fmt::format("broadcast: there is no rank {} to broadcast from; ranks are counted from 0 "
                    "to {}",
                    call.ranks.root, ranks - 1));
  return sizes;
}

std::int64_t ScatterSizes::columnCount() const {
  std::int64_t count = 1;
  for (const Dim& dim : columns) count = checkedMultiply(count, dim.extent);
  return count;
}

/// Gives what is broadcast the dimensions of the indexed positions, some with strides of 0.
static void spreadAdded(std::vector<SizeList<std::int64_t>>& extents,
                        std::vector<SizeList<std::int64_t>>& strides, std::size_t dim,
                        std::size_t over) {
  SizeList<std::int64_t> room;
  for (std::size_t d = 0; d < dim; ++d) room.push_back(extents[0][d]);
  for (const std::int64_t extent : extents[1]) room.push_back(extent);
  for (std::size_t d = dim + over; d < extents[0].size(); ++d) room.push_back(extents[0][d]);
  SizeList<std::int64_t> steps;
  for (std::size_t d = 0; d < room.size(); ++d) {
    const std::size_t own =
        d + extents[2].size() - room.size();  // wraps around where there is none
    const bool there = d + extents[2].size() >= room.size();
    steps.push_back(there && extents[2][own] > 1 ? strides[2][own] : 0);
  }
  extents[2] = room;
  strides[2] = steps;
}

ScatterSizes scatterSizesOf(const LibraryCall& call, const std::int64_t* integers) {
  std::vector<SizeList<std::int64_t>> extents(call.tensors()), strides(call.tensors());
  for (std::size_t t = 0; t < call.tensors(); ++t) {
    for (std::size_t d = 0; d < call.rank(t); ++d) extents[t].push_back(*integers++);
    for (std::size_t d = 0; d < call.rank(t); ++d) strides[t].push_back(*integers++);
  }
  const auto dim = static_cast<std::size_t>(call.scatter.dim);
  const std::size_t rank = call.rank(0), indexed = call.rank(1);
  const auto over = static_cast<std::size_t>(call.scatter.over);
  if (call.scatter.spreads) spreadAdded(extents, strides, dim, over);
  ScatterSizes sizes;
  sizes.places = 1;
  if (rank == 0) sizes.along.push_back({});
  for (std::size_t d = dim; d < std::min(dim + over, rank); ++d) {
    sizes.along.push_back({extents[0][d], extents[0][d], strides[0][d], 0, 0, strides[3][d]});
    sizes.places = checkedMultiply(sizes.places, extents[0][d]);
  }
  sizes.added = 1;
  // The index's dimensions among those of what is added.
  const std::size_t more = call.scatter.replaces ? extents[2].size() - (rank - over) : 1;
  for (std::size_t d = 0; d < rank; ++d) {
    if (d >= dim && d < dim + over) continue;
    const std::size_t a = call.scatter.replaces && d > dim ? d - over + more : d;
    const bool own = !call.scatter.replaces;
    const std::int64_t taken = own ? extents[1][d] : extents[0][d];
    sizes.columns.push_back({extents[0][d], taken, strides[0][d], own ? strides[1][d] : 0,
                             strides[2][a], strides[3][d]});
    sizes.added = checkedMultiply(sizes.added, taken);
  }
  const auto inside = [&](std::int64_t extent, std::int64_t index, std::int64_t add) {
    sizes.inside.push_back({extent, extent, 0, index, add, 0});
    sizes.added = checkedMultiply(sizes.added, extent);
  };
  if (!call.scatter.replaces && rank > 0)
    inside(extents[1][dim], strides[1][dim], strides[2][dim]);
  else if (call.scatter.replaces)
    for (std::size_t d = 0; d < indexed; ++d)
      inside(extents[1][d], strides[1][d], strides[2][dim + d]);
  return sizes;
}

std::int64_t OrderSizes::rowCount() const {
  std::int64_t count = 1;
  for (const Dim& dim : rows) count = checkedMultiply(count, dim.extent);
  return count;
}

double OrderSizes::comparisons() const {
  const auto elements = static_cast<double>(length);
  return static_cast<double>(rowCount()) * elements * std::log2(std::max(elements, 2.0));
}

OrderSizes orderSizesOf(const LibraryCall& call, const std::int64_t* integers) {
  const std::size_t rank = call.rank(0);
  const std::int64_t *const from = integers, *const to = integers + 2 * rank;
  OrderSizes sizes;
  for (std::size_t d = 0; d < rank; ++d) {
    if (static_cast<int>(d) != call.order.dim) {
      sizes.rows.push_back({from[d], from[rank + d], to[rank + d]});
      continue;
    }
    sizes.length = from[d];
    sizes.taken = to[d];
    sizes.fromStep = from[rank + d];
    sizes.toStep = to[rank + d];
  }
  return sizes;
}

std::string canonicalText(const LibraryCall& call) {
  if (call.order.is)
    return fmt::format("order {} {} {} {}", call.order.dim, call.order.descending,
                       info(call.operands[0]).name, call.rank(0));
  if (call.scatter.is) {
    std::string text = fmt::format("scatter {} {} {}", call.scatter.dim, call.scatter.replaces,
                                   call.scatter.wraps);
    if (call.scatter.sets) text += " sets";
    if (call.scatter.over != 1) text += fmt::format(" over {}", call.scatter.over);
    if (call.accumulate != Accumulate::sum) text += fmt::format(" {}", info(call.accumulate).name);
    if (call.scatter.spreads) text += " spreads";
    for (std::size_t t = 0; t < call.tensors(); ++t)
      text += fmt::format(" {} {}", info(call.dtype(t)).name, call.rank(t));
    return text;
  }
  if (call.ofRanks()) {
    const RankCall& ranks = call.ranks;
    std::string text = fmt::format("ranks {} {} {} {} {} {} {}", static_cast<int>(ranks.kind),
                                   static_cast<int>(ranks.combine), ranks.root, ranks.bucket,
                                   ranks.first, ranks.last, ranks.overlaps);
    for (std::size_t t = 0; t < call.tensors(); ++t)
      text += fmt::format(" {} {}", info(call.dtype(t)).name, call.rank(t));
    return text;
  }
  std::string text = equationText(call.form);
  if (call.attention.is) text += " " + canonicalText(call.attention);
  for (const DType dtype : call.operands) text += fmt::format(" {}", info(dtype).name);
  const ContractSettings& s = call.settings;
  if (call.search) text += " search";
  if (call.tail != Tail::none) text += fmt::format(" tail {}", static_cast<int>(call.tail));
  text += fmt::format(" {} {} +{} groups {} alpha {} beta {} {}{}",
                      static_cast<int>(call.accumulate), call.average, call.form.addend, s.groups,
                      s.alpha, s.beta, s.ceiling, s.countsPadding);
  text += " " + listed(s.stride) + listed(s.padding) + listed(s.dilation) + listed(s.kernel) +
          listed(s.places);
  if (call.pass) text += " then\n" + canonicalText(*call.pass);
  return text;
}

std::string readableText(const LibraryCall& call, const std::int64_t* integers) {
  if (call.ofRanks()) return rankCallText(call, integers);
  if (call.scatter.is) return scatterCallText(call, integers);
  if (call.order.is) return orderCallText(call, integers);
  std::string text = fmt::format("{}: {}\n", call.name, equationText(call.form));
  const auto name = [&](std::size_t t) {
    return t < call.operands.size() ? fmt::format("operand {}", t + 1) : std::string("result");
  };
  const std::int64_t* at = integers;
  for (std::size_t t = 0; t < call.tensors(); ++t) {
    text += fmt::format("  {}: {} {}", name(t), info(call.dtype(t)).name,
                        termText(call.form.tensors[t]));
    if (at) {
      const std::size_t rank = call.rank(t);
      text += " " + listed(at, rank) + " strides " + listed(at + rank, rank);
      at += 2 * rank;
    }
    text += static_cast<int>(t) == call.form.addend ? ", added\n" : "\n";
  }
  const ContractSettings& s = call.settings;
  if (!s.stride.empty())
    text += fmt::format("  windows: stride {}, padding {}, dilation {}\n", listed(s.stride),
                        listed(s.padding), listed(s.dilation));
  if (s.groups != 1) text += fmt::format("  groups: {}\n", s.groups);
  if (s.alpha != 1) text += fmt::format("  products times {}\n", s.alpha);
  if (s.beta != 1) text += fmt::format("  addend times {}\n", s.beta);
  if (call.tail == Tail::relu) text += "  then relu\n";
  if (call.tail == Tail::gelu) text += "  then gelu, by tanh\n";
  if (call.attention.is) return text + readableText(call.attention);
  if (integers) {
    const CallSizes sizes = sizesOf(call, integers);
    text += "  loops:";
    for (std::size_t l = 0; l < sizes.loops.size(); ++l)
      text += fmt::format(" {}{} {}", l == call.form.kept ? "; over " : "", call.form.letters[l],
                          sizes.loops[l]);
    text += "\n";
  }
  if (call.pass) text += "  then over the result, in place:\n" + readableText(*call.pass);
  return text;
}

KernelTraffic trafficOf(const LibraryCall& call) {
  std::vector<DType> dtypes(call.operands);
  dtypes.push_back(call.result);
  std::vector<std::size_t> ranks;
  for (std::size_t t = 0; t < call.tensors(); ++t) ranks.push_back(call.rank(t));
  const ScatteredTraffic scattered{call.scatter.is, call.scatter.replaces, call.scatter.dim,
                                   call.scatter.over, !call.scatter.sets};
  KernelTraffic traffic = KernelTraffic::ofTensors(dtypes, ranks, call.operands.size(), scattered);
  if (call.pass) traffic.addPass(*call.pass, call.integers());
  return traffic;
}

}  // namespace fusebench
