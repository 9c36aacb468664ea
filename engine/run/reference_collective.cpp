// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/reference_collective.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "engine/base/elements.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

double combined(Combine how, double a, double b) {
  switch (how) {
    case Combine::sum:
    case Combine::average:
      return a + b;
    case Combine::product:
      return a * b;
    case Combine::min:
      return std::isnan(a) || std::isnan(b) ? NAN : std::min(a, b);
    case Combine::max:
      return std::isnan(a) || std::isnan(b) ? NAN : std::max(a, b);
  }
  return a;
}

std::int64_t combined(Combine how, std::int64_t a, std::int64_t b) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  switch (how) {
    case Combine::sum:
    case Combine::average:
      return static_cast<std::int64_t>(x + y);
    case Combine::product:
      return static_cast<std::int64_t>(x * y);
    case Combine::min:
      return std::min(a, b);
    case Combine::max:
      return std::max(a, b);
  }
  return a;
}

/// An integer as an element of that dtype stores it: its lowest bits.
std::int64_t held(std::int64_t value, DType dtype) {
  std::array<std::byte, 8> bytes{};
  storeElement(bytes.data(), dtype, value);
  return loadInteger(bytes.data(), dtype);
}

/// Elements of all ranks as one tensor, and what errors are measured against: the sum of |terms|.
RankResult combinedOf(Combine how, std::span<const RankOperands> ranks) {
  RankResult made{*ranks[0].value, {}};
  std::vector<double>& values = made.value.values;
  const auto magnitude = [&](const RankOperands& rank, std::size_t i) {
    const double own = std::fabs(rank.value->values[i]);
    return rank.terms->empty() ? own : std::max(own, (*rank.terms)[i]);
  };
  for (std::size_t i = 0; i < values.size(); ++i) made.terms.push_back(magnitude(ranks[0], i));
  for (std::size_t r = 1; r < ranks.size(); ++r)
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = combined(how, values[i], ranks[r].value->values[i]);
      made.terms[i] += magnitude(ranks[r], i);
      if (!made.value.integers.empty())
        made.value.integers[i] =
            held(combined(how, made.value.integers[i], ranks[r].value->integers[i]),
                 made.value.type.dtype);
    }
  if (how == Combine::average)
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] /= static_cast<double>(ranks.size());
      made.terms[i] /= static_cast<double>(ranks.size());
      if (!made.value.integers.empty())
        made.value.integers[i] /= static_cast<std::int64_t>(ranks.size());
    }
  if (how == Combine::product || !isFloat(made.value.type.dtype)) made.terms.clear();
  for (std::size_t i = 0; i < made.value.integers.size(); ++i)
    values[i] = static_cast<double>(made.value.integers[i]);
  return made;
}

/// Appends `count` elements of a tensor, starting at `first`.
void append(RankResult& to, const ReferenceTensor& from, const std::vector<double>& terms,
            std::size_t first, std::size_t count) {
  const auto take = [&](const auto& elements, auto& into) {
    if (elements.empty()) return;
    const auto begin = elements.begin() + static_cast<std::ptrdiff_t>(first);
    into.insert(into.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  take(from.values, to.value.values);
  take(from.integers, to.value.integers);
  take(terms, to.terms);
}

[[noreturn]] void failRanks(const Op& op, std::int64_t fitting, std::size_t ranks) {
  failProgram(op.place, std::string(op.row->name) + ": these sizes are for " +
                            std::to_string(fitting) + " ranks, and there " +
                            (ranks == 1 ? "is 1" : "are " + std::to_string(ranks)));
}

}  // namespace

std::vector<RankResult> collected(const Op& op, std::span<const RankOperands> ranks) {
  std::vector<RankResult> made(ranks.size());
  if (isFence(*op.row)) {
    for (RankResult& result : made) result.value = {ranks[0].result, {0}, {}};
    return made;
  }
  const auto count = static_cast<std::int64_t>(ranks.size());
  const std::int64_t given = elementCount(ranks[0].value->type.shape),
                     wanted = elementCount(ranks[0].result.shape);
  const auto number = [&](std::size_t p) { return static_cast<int>(op.parameters[p]); };
  switch (op.row->collective) {
    case Collective::allReduce:
      std::ranges::fill(made, combinedOf(static_cast<Combine>(number(0)), ranks));
      break;
    case Collective::broadcast: {
      const auto root = static_cast<std::size_t>(number(0));
      if (root >= ranks.size())
        failProgram(op.place, "broadcast: there is no rank " + std::to_string(root) +
                                  " to broadcast from; ranks are counted from 0 to " +
                                  std::to_string(count - 1));
      std::ranges::fill(made, RankResult{*ranks[root].value, *ranks[root].terms});
      break;
    }
    case Collective::allGather: {
      if (given * count != wanted) failRanks(op, given > 0 ? wanted / given : 0, ranks.size());
      RankResult all;
      for (const RankOperands& rank : ranks)
        append(all, *rank.value, *rank.terms, 0, static_cast<std::size_t>(given));
      std::ranges::fill(made, all);
      break;
    }
    case Collective::reduceScatter: {
      if (wanted * count != given) failRanks(op, wanted > 0 ? given / wanted : 0, ranks.size());
      const RankResult all = combinedOf(static_cast<Combine>(number(0)), ranks);
      for (std::size_t r = 0; r < ranks.size(); ++r)
        append(made[r], all.value, all.terms, r * static_cast<std::size_t>(wanted),
               static_cast<std::size_t>(wanted));
      break;
    }
    case Collective::reduceStart:
      std::ranges::fill(made, combinedOf(Combine::average, ranks));
      break;
    case Collective::barrier:
    case Collective::reduceWait:
    case Collective::none:
      break;
  }
  for (std::size_t r = 0; r < ranks.size(); ++r) made[r].value.type = ranks[r].result;
  return made;
}

}  // namespace fusebench
