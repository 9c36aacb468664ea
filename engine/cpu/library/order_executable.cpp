// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/order_executable.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/cpu/library/plain_elements.h"

namespace fusebench::cpu {
namespace {

/// An element as an integer that is greater where the element is: zeros are equal, NaN is greatest.
template <class Number>
std::int64_t keyOf(Number value) {
  if constexpr (std::is_floating_point_v<Number>) {
    using Bits = std::conditional_t<sizeof(Number) == 8, std::int64_t, std::int32_t>;
    if (std::isnan(value)) return std::numeric_limits<std::int64_t>::max();
    if (value == 0) return 0;
    const Bits bits = std::bit_cast<Bits>(value);
    return bits < 0 ? std::int64_t{std::numeric_limits<Bits>::min()} - bits : std::int64_t{bits};
  } else {
    return static_cast<std::int64_t>(value);
  }
}

struct Keyed {
  std::int64_t key, place;
  /// No two are equal: among equal elements the one with the lesser place comes first.
  friend bool operator<(const Keyed& a, const Keyed& b) {
    return a.key != b.key ? a.key < b.key : a.place < b.place;
  }
};

template <class Type, class Load>
void orderRows(const LibraryCall& call, const OrderSizes& sizes, void* const* pointers,
               std::int64_t begin, std::int64_t end, const Load& load) {
  const auto* const from = static_cast<const Type*>(pointers[0]);
  auto* const to = static_cast<std::int64_t*>(pointers[1]);
  thread_local std::vector<Keyed> row;
  row.resize(static_cast<std::size_t>(sizes.length));
  const auto taken = row.begin() + static_cast<std::ptrdiff_t>(sizes.taken);
  for (std::int64_t number = begin; number < end; ++number) {
    std::int64_t rest = number, own = 0, result = 0;
    for (std::size_t d = sizes.rows.size(); d-- > 0;) {
      const OrderSizes::Dim& dim = sizes.rows[d];
      own += rest % dim.extent * dim.from;
      result += rest % dim.extent * dim.to;
      rest /= dim.extent;
    }
    for (std::int64_t i = 0; i < sizes.length; ++i) {
      const std::int64_t key = keyOf(load(from[own + i * sizes.fromStep]));
      // Their complements are in the other order.
      row[static_cast<std::size_t>(i)] = {call.order.descending ? ~key : key, i};
    }
    // A heap of the first few takes less than an order of all.
    constexpr std::int64_t kFew = 8;
    if (sizes.taken * kFew < sizes.length)
      std::partial_sort(row.begin(), taken, row.end());
    else
      std::sort(row.begin(), row.end());
    for (std::int64_t i = 0; i < sizes.taken; ++i)
      to[result + i * sizes.toStep] = row[static_cast<std::size_t>(i)].place;
  }
}

LaunchForm launchFormOfOrder(const LibraryCall& call) {
  return {static_cast<int>(call.tensors()), static_cast<int>(call.integers()), 0};
}

}  // namespace

OrderExecutable::OrderExecutable(LibraryCall call)
    : CpuExecutable(launchFormOfOrder(call), /*splits=*/true), call_(std::move(call)) {}

void OrderExecutable::run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
                          std::uint64_t* /*partials*/) const {
  const OrderSizes sizes = orderSizesOf(call_, arguments.integers);
  const auto order = [&]<class Type>(Type /*of*/, const auto& load) {
    orderRows<Type>(call_, sizes, arguments.pointers, begin, end, load);
  };
  const auto asItIs = [](auto value) { return value; };
  switch (call_.operands[0]) {
    case DType::float32:
      return order(float{}, asItIs);
    case DType::float64:
      return order(double{}, asItIs);
    case DType::float16:
      return order(std::uint16_t{}, [](std::uint16_t bits) { return fromHalfBits(bits); });
    case DType::bfloat16:
      return order(std::uint16_t{}, [](std::uint16_t bits) { return fromBfloatBits(bits); });
    case DType::int64:
      return order(std::int64_t{}, asItIs);
    case DType::int32:
      return order(std::int32_t{}, asItIs);
    case DType::int8:
      return order(std::int8_t{}, asItIs);
    case DType::uint8:
    case DType::boolean:
      return order(std::uint8_t{}, asItIs);
  }
}

std::int64_t OrderExecutable::firstExtent(const std::int64_t* integers) const {
  const OrderSizes sizes = orderSizesOf(call_, integers);
  return sizes.length > 0 ? sizes.rowCount() : 0;
}

std::int64_t OrderExecutable::grain(const std::int64_t* /*integers*/) const {
  return 1;
}

double OrderExecutable::estimate(const std::int64_t* integers) const {
  return orderSizesOf(call_, integers).comparisons();  // a nanosecond each
}

}  // namespace fusebench::cpu
