// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/scatter_executable.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/cpu/library/plain_elements.h"

namespace fusebench::cpu {
namespace {

using Dim = ScatterSizes::Dim;

/// Whether of two the second is the greater or the lesser, or NaN where the first is none.
template <class Number>
bool takesPlace(Accumulate by, Number first, Number second) {
  const bool better = by == Accumulate::max ? second > first : second < first;
  if constexpr (std::is_floating_point_v<Number>)
    return !std::isnan(first) && (std::isnan(second) || better);
  return better;
}

/// Sums, products and extremes as the dtype holds them: rounded after each, integers wrapped
/// around.
template <DType kDType>
struct ScatterElement {
  using Type = typename PlainElement<kDType>::Type;
  static Type put(Accumulate by, Type a, Type b) {
    using Element = PlainElement<kDType>;
    if (by != Accumulate::prod) return takesPlace(by, Element::load(a), Element::load(b)) ? b : a;
    return Element::store(Element::load(a) * Element::load(b));
  }
  static Type sum(Type a, Type b) {
    using Element = PlainElement<kDType>;
    if constexpr (std::is_floating_point_v<Type>)
      return a + b;
    else
      return Element::store(Element::load(a) + Element::load(b));
  }
};
template <class Integer>
struct ScatterInteger {
  using Type = Integer;
  static Type put(Accumulate by, Type a, Type b) {
    if (by != Accumulate::prod) return takesPlace(by, a, b) ? b : a;
    using Unsigned = std::make_unsigned_t<Integer>;
    return static_cast<Type>(static_cast<Unsigned>(std::uint64_t{static_cast<Unsigned>(a)} *
                                                   std::uint64_t{static_cast<Unsigned>(b)}));
  }
  static Type sum(Type a, Type b) {
    using Unsigned = std::make_unsigned_t<Integer>;
    return static_cast<Type>(
        static_cast<Unsigned>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b)));
  }
};

/// Where a column is, in elements of each tensor, and whether anything is added in it.
struct ColumnPlace {
  std::int64_t from = 0, index = 0, add = 0, to = 0;
  bool taken = true;
};

ColumnPlace placeOf(const std::vector<Dim>& columns, std::int64_t number) {
  ColumnPlace place;
  for (std::size_t d = columns.size(); d-- > 0;) {
    const Dim& dim = columns[d];
    const std::int64_t i = number % dim.extent;
    number /= dim.extent;
    place.from += i * dim.from;
    place.index += i * dim.index;
    place.add += i * dim.add;
    place.to += i * dim.to;
    place.taken &= i < dim.taken;
  }
  return place;
}

template <class Element, class Index>
class Scatter {
 public:
  using Type = typename Element::Type;

  Scatter(const LibraryCall& call, const ScatterSizes& sizes, void* const* pointers)
      : call_(call.scatter),
        by_(call.accumulate),
        sizes_(sizes),
        from_(static_cast<const Type*>(pointers[0])),
        index_(static_cast<const Index*>(pointers[1])),
        add_(static_cast<const Type*>(pointers[2])),
        to_(static_cast<Type*>(pointers[3])) {}

  /// Columns from `begin` to `end`: so many side by side as the last of their dimensions has.
  void run(std::int64_t begin, std::int64_t end) {
    const std::int64_t row = sizes_.columns.empty() ? 1 : sizes_.columns.back().extent;
    while (begin < end) {
      const std::int64_t width = std::min(end - begin, row - begin % row);
      const ColumnPlace place = placeOf(sizes_.columns, begin);
      copy(place, width);
      add(place, begin, width);
      begin += width;
    }
  }

 private:
  Dim side() const { return sizes_.columns.empty() ? Dim{} : sizes_.columns.back(); }

  void copy(const ColumnPlace& place, std::int64_t width) {
    if (from_ == to_) return;  // written in place it is there
    const Dim along = side();
    for (std::int64_t p = 0; p < sizes_.places; ++p) {
      const Type* from = from_ + place.from + sizes_.at(p, false);
      Type* to = to_ + place.to + sizes_.at(p, true);
      if (along.from == 1 && along.to == 1)
        std::copy_n(from, width, to);
      else
        for (std::int64_t i = 0; i < width; ++i) to[i * along.to] = from[i * along.from];
    }
  }

  void add(const ColumnPlace& place, std::int64_t begin, std::int64_t width) {
    const Dim along = side();
    const std::int64_t at = sizes_.columns.empty() ? 0 : begin % along.extent;
    // If the dimension is not the last one, either all of these columns are taken or none.
    ColumnPlace outer = place;
    outer.taken = true;
    std::int64_t number = sizes_.columns.empty() ? 0 : begin / along.extent;
    for (std::size_t d = sizes_.columns.size(); d-- > 1;) {
      const Dim& dim = sizes_.columns[d - 1];
      outer.taken &= number % dim.extent < dim.taken;
      number /= dim.extent;
    }
    if (!outer.taken) return;
    const std::int64_t taken = std::min(width, along.taken - at);
    if (taken <= 0) return;
    inside(0, place.index, place.add, place.to, taken, along);
  }

  /// Goes through the dimensions of what is added in a column.
  void inside(std::size_t d, std::int64_t index, std::int64_t add, std::int64_t to,
              std::int64_t width, const Dim& along) {
    if (d == sizes_.inside.size()) {
      if (along.index != 0) {
        for (std::int64_t i = 0; i < width; ++i)
          addRow(index_[index + i * along.index], add + i * along.add, to + i * along.to, 1, along);
      } else {
        addRow(index_[index], add, to, width, along);
      }
      return;
    }
    const Dim& dim = sizes_.inside[d];
    for (std::int64_t i = 0; i < dim.extent; ++i)
      inside(d + 1, index + i * dim.index, add + i * dim.add, to, width, along);
  }

  void addRow(std::int64_t place, std::int64_t add, std::int64_t to, std::int64_t width,
              const Dim& along) {
    if (call_.wraps && place < 0) place += sizes_.places;
    if (place < 0 || place >= sizes_.places) return;
    const Type* from = add_ + add;
    Type* at = to_ + to + sizes_.at(place, true);
    if (call_.sets)
      for (std::int64_t i = 0; i < width; ++i) at[i * along.to] = from[i * along.add];
    else if (by_ != Accumulate::sum)
      for (std::int64_t i = 0; i < width; ++i)
        at[i * along.to] = Element::put(by_, at[i * along.to], from[i * along.add]);
    else if (along.add == 1 && along.to == 1)
      for (std::int64_t i = 0; i < width; ++i) at[i] = Element::sum(at[i], from[i]);
    else
      for (std::int64_t i = 0; i < width; ++i)
        at[i * along.to] = Element::sum(at[i * along.to], from[i * along.add]);
  }

  const ScatterCall& call_;
  Accumulate by_;
  const ScatterSizes& sizes_;
  const Type* from_;
  const Index* index_;
  const Type* add_;
  Type* to_;
};

template <class Element>
void scatter(const LibraryCall& call, const ScatterSizes& sizes, void* const* pointers,
             std::int64_t begin, std::int64_t end) {
  if (call.operands[1] == DType::int32)
    Scatter<Element, std::int32_t>(call, sizes, pointers).run(begin, end);
  else
    Scatter<Element, std::int64_t>(call, sizes, pointers).run(begin, end);
}

LaunchForm launchFormOfScatter(const LibraryCall& call) {
  return {static_cast<int>(call.tensors()), static_cast<int>(call.integers()), 0};
}

}  // namespace

ScatterExecutable::ScatterExecutable(LibraryCall call)
    : CpuExecutable(launchFormOfScatter(call), /*splits=*/true), call_(std::move(call)) {}

void ScatterExecutable::run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
                            std::uint64_t* /*partials*/) const {
  const ScatterSizes sizes = scatterSizesOf(call_, arguments.integers);
  void* const* const pointers = arguments.pointers;
  switch (call_.result) {
    case DType::int64:
      return scatter<ScatterInteger<std::int64_t>>(call_, sizes, pointers, begin, end);
    case DType::int32:
      return scatter<ScatterInteger<std::int32_t>>(call_, sizes, pointers, begin, end);
    case DType::int8:
      return scatter<ScatterInteger<std::int8_t>>(call_, sizes, pointers, begin, end);
    case DType::uint8:
    case DType::boolean:  // which are written, and not added
      return scatter<ScatterInteger<std::uint8_t>>(call_, sizes, pointers, begin, end);
    default:
      return ofPlainElements(call_, [&]<DType kDType>() {
        scatter<ScatterElement<kDType>>(call_, sizes, pointers, begin, end);
      });
  }
}

std::int64_t ScatterExecutable::firstExtent(const std::int64_t* integers) const {
  return scatterSizesOf(call_, integers).columnCount();
}

std::int64_t ScatterExecutable::grain(const std::int64_t* /*integers*/) const {
  return 16;  // adjacent columns share lines of the cache
}

double ScatterExecutable::estimate(const std::int64_t* integers) const {
  constexpr double kNanosecondsEach = 0.3;
  const ScatterSizes sizes = scatterSizesOf(call_, integers);
  return kNanosecondsEach * static_cast<double>(sizes.added + sizes.columnCount() * sizes.places);
}

}  // namespace fusebench::cpu
