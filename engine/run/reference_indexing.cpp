// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/reference_indexing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "engine/base/elements.h"

namespace fusebench {
namespace {

/// Positions along all dimensions of a tensor, one element after another.
std::vector<std::int64_t> placesOf(const Shape& shape, std::int64_t flat) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(shape.rank()));
  for (int d = shape.rank(); d-- > 0;) {
    places[static_cast<std::size_t>(d)] = flat % shape[d];
    flat /= shape[d];
  }
  return places;
}

std::size_t flatOf(const Shape& shape, std::span<const std::int64_t> places) {
  std::int64_t flat = 0;
  for (int d = 0; d < shape.rank(); ++d)
    flat = flat * shape[d] + places[static_cast<std::size_t>(d)];
  return static_cast<std::size_t>(flat);
}

/// The same for a tensor that is broadcast to more dimensions, or that has leading dimensions of
/// extent 1.
std::size_t spreadFlatOf(const Shape& shape, std::span<const std::int64_t> places) {
  const int more = shape.rank() - static_cast<int>(places.size());
  std::int64_t flat = 0;
  for (int d = 0; d < shape.rank(); ++d)
    flat = flat * shape[d] +
           (d < more || shape[d] == 1 ? 0 : places[static_cast<std::size_t>(d - more)]);
  return static_cast<std::size_t>(flat);
}

/// How the elements that are read or added correspond to those of an index and of its source.
class Indexed {
 public:
  Indexed(const Op& op, const ReferenceTensor& source, const ReferenceTensor& index)
      : rule_(op.row->indexing),
        source_(source.type.shape),
        index_(index),
        dim_(indexedDim(op, source_.rank())),
        over_(indexedOver(op)) {}

  /// The element of the source that belongs to an element at these positions; false: it is out of
  /// range, and `at` is the nearest one.
  bool find(const std::vector<std::int64_t>& places, std::size_t& at) const {
    const auto dim = static_cast<std::ptrdiff_t>(dim_);
    const std::ptrdiff_t own = rule_.replaces ? index_.type.shape.rank() : 0;
    const std::ptrdiff_t more = rule_.replaces && rule_.flat ? 1 : own;
    std::vector<std::int64_t> ofIndex = places, ofSource = places;
    if (rule_.replaces) {
      ofIndex.assign(places.begin() + dim, places.begin() + dim + own);
      ofSource.erase(ofSource.begin() + dim, ofSource.begin() + dim + more);
      ofSource.insert(ofSource.begin() + dim, static_cast<std::size_t>(over_), 0);
    }
    std::int64_t extent = 1;
    for (int d = dim_; d < dim_ + over_ && source_.rank() > 0; ++d) extent *= source_[d];
    std::int64_t place = index_.integers[flatOf(index_.type.shape, ofIndex)];
    if (rule_.wraps && place < 0) place += extent;
    const std::int64_t inside = std::clamp<std::int64_t>(place, 0, extent - 1);
    std::int64_t rest = inside;
    for (int d = dim_ + over_; d-- > dim_ && source_.rank() > 0;) {
      ofSource[static_cast<std::size_t>(d)] = rest % source_[d];
      rest /= source_[d];
    }
    at = flatOf(source_, ofSource);
    return inside == place;
  }

 private:
  const IndexRule& rule_;
  const Shape& source_;
  const ReferenceTensor& index_;
  int dim_, over_;
};

/// An existing element becomes a sum, a product or an extreme of itself and a given one: NaN if one
/// of them is NaN; for integers, what their dtype holds of it.
void putTogether(Accumulate by, ReferenceTensor& there, std::size_t at,
                 const ReferenceTensor& given, std::size_t from) {
  const bool sums = by == Accumulate::sum, multiplies = by == Accumulate::prod;
  if (there.integers.empty()) {
    double& own = there.values[at];
    const double other = given.values[from];
    if (sums) own += other;
    if (multiplies) own *= other;
    if (by == Accumulate::max && (std::isnan(other) || other > own)) own = other;
    if (by == Accumulate::min && (std::isnan(other) || other < own)) own = other;
    return;
  }
  std::int64_t& own = there.integers[at];
  const std::int64_t other = given.integers[from];
  // Unsigned ones wrap around.
  const auto a = static_cast<std::uint64_t>(own), b = static_cast<std::uint64_t>(other);
  if (sums || multiplies) {
    std::array<std::byte, 8> bytes{};
    storeElement(bytes.data(), there.type.dtype, static_cast<std::int64_t>(sums ? a + b : a * b));
    own = loadInteger(bytes.data(), there.type.dtype);
  }
  if (by == Accumulate::max) own = std::max(own, other);
  if (by == Accumulate::min) own = std::min(own, other);
  there.values[at] = static_cast<double>(own);
}

}  // namespace

ReferenceTensor gathered(const Op& op, std::span<const ReferenceTensor* const> operands,
                         std::span<const std::vector<double>* const> operandTerms,
                         ReferenceTensor result, std::vector<double>& terms) {
  const std::size_t source = op.row->indexing.source;
  const ReferenceTensor& from = *operands[source];
  const Indexed indexed(op, from, *operands[op.row->indexing.index]);
  const std::vector<double>& sourceTerms = *operandTerms[source];
  result.integers.resize(from.integers.empty() ? 0 : result.values.size());
  terms.resize(sourceTerms.empty() ? 0 : result.values.size());
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    std::size_t at = 0;
    indexed.find(placesOf(result.type.shape, static_cast<std::int64_t>(i)), at);
    result.values[i] = from.values[at];
    if (!from.integers.empty()) result.integers[i] = from.integers[at];
    if (!sourceTerms.empty()) terms[i] = sourceTerms[at];
  }
  return result;
}

ReferenceTensor scattered(const Op& op, std::span<const ReferenceTensor* const> operands,
                          std::span<const std::vector<double>* const> operandTerms,
                          ReferenceTensor result, std::vector<double>& terms) {
  const IndexRule& rule = op.row->indexing;
  const ReferenceTensor &own = *operands[rule.source], &added = *operands[2];
  const Indexed indexed(op, own, *operands[rule.index]);
  const auto termOf = [&](const ReferenceTensor& tensor, std::size_t operand, std::size_t i) {
    const std::vector<double>& known = *operandTerms[operand];
    return std::max(std::fabs(tensor.values[i]), known.empty() ? 0 : known[i]);
  };
  result.values = own.values;
  result.integers = own.integers;
  terms.resize(result.values.size());
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = termOf(own, rule.source, i);
  Shape walked = added.type.shape;  // the part of it that has the size of the index
  const Shape& index = operands[rule.index]->type.shape;
  if (!rule.replaces) walked = index;
  if (rule.spreads) {
    const int dim = indexedDim(op, own.type.shape.rank());
    walked = {};
    for (int d = 0; d < dim; ++d) walked.push(own.type.shape[d]);
    for (const std::int64_t extent : index) walked.push(extent);
    for (int d = dim + indexedOver(op); d < own.type.shape.rank(); ++d)
      walked.push(own.type.shape[d]);
  }
  for (std::int64_t i = 0; i < elementCount(walked); ++i) {
    const std::vector<std::int64_t> places = placesOf(walked, i);
    const std::size_t from =
        rule.spreads ? spreadFlatOf(added.type.shape, places) : flatOf(added.type.shape, places);
    std::size_t at = 0;
    if (!indexed.find(places, at)) continue;
    if (rule.sets) {
      result.values[at] = added.values[from];
      terms[at] = termOf(added, 2, from);
      if (!result.integers.empty()) result.integers[at] = added.integers[from];
      continue;
    }
    putTogether(op.row->accumulate, result, at, added, from);
    const double term = termOf(added, 2, from);
    switch (op.row->accumulate) {
      case Accumulate::sum:
        terms[at] += term;
        break;
      case Accumulate::prod:
        terms[at] *= term;
        break;
      default:
        terms[at] = std::max(terms[at], term);
    }
  }
  return result;
}

ReferenceTensor ordered(const Op& op, const ReferenceTensor& operand, ReferenceTensor result) {
  const Shape& shape = operand.type.shape;
  const Ordering ordering = orderingOf(op, shape.rank());
  const bool whole = !operand.integers.empty();
  const std::int64_t length = shape.rank() > 0 ? shape[ordering.dim] : 1;
  const auto less = [&](std::size_t a, std::size_t b) {
    if (whole) return operand.integers[a] < operand.integers[b];
    const double left = operand.values[a], right = operand.values[b];
    return left < right || (std::isnan(right) && !std::isnan(left));
  };
  result.values.assign(static_cast<std::size_t>(elementCount(result.type.shape)), 0);
  result.integers.assign(result.values.size(), 0);
  std::int64_t apart = 1;  // distance of adjacent elements along the dimension
  for (int d = shape.rank(); d-- > ordering.dim + 1;) apart *= shape[d];
  const std::int64_t taken = shape.rank() > 0 ? result.type.shape[ordering.dim] : length;
  const std::int64_t rows = length > 0 ? elementCount(shape) / length : 0;
  std::vector<std::int64_t> places(static_cast<std::size_t>(length));
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t outer = row / apart, inner = row % apart;
    const auto at = [&](std::int64_t place) {
      return static_cast<std::size_t>((outer * length + place) * apart + inner);
    };
    std::iota(places.begin(), places.end(), 0);
    std::ranges::stable_sort(places, [&](std::int64_t a, std::int64_t b) {
      return ordering.descending ? less(at(b), at(a)) : less(at(a), at(b));
    });
    for (std::int64_t i = 0; i < taken; ++i) {
      const auto to = static_cast<std::size_t>((outer * taken + i) * apart + inner);
      result.integers[to] = places[static_cast<std::size_t>(i)];
      result.values[to] = static_cast<double>(result.integers[to]);
    }
  }
  return result;
}

ReferenceTensor checkedPlaces(const Op& op, std::span<const ReferenceTensor* const> operands,
                              ReferenceTensor result) {
  const IndexRule& rule = op.row->indexing;
  const Shape& source = operands[rule.source]->type.shape;
  const std::int64_t extent = source.rank() > 0 ? source[indexedDim(op, source.rank())] : 1;
  const std::int64_t first = rule.wraps ? -extent : 0;
  std::int64_t worst = 0;
  for (const std::int64_t place : operands[rule.index]->integers) {
    if (place >= extent) worst = std::max(worst, place * 2 + 2);
    if (place < first) worst = std::max(worst, place * -2 - 1);
  }
  result.values = {static_cast<double>(worst)};
  result.integers = {worst};
  return result;
}

}  // namespace fusebench
