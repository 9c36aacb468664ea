// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/shape.h"

namespace fusebench::test {

/// Random calls of views, each for a tensor of a given shape.
class RandomViews {
 public:
  explicit RandomViews(unsigned seed) : random_(seed) {}

  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  /// "x.transpose(0, 1)" of `name`; `shape` becomes that of the result. `anyLayout`: also what
  /// copies where it has to.
  std::string call(const std::string& name, Shape& shape) {
    const int rank = shape.rank();
    switch (pick(11)) {
      case 0:
        if (rank < 2) break;
        return transpose(name, shape);
      case 1:
        return permute(name, shape);
      case 2: {
        if (rank > 5) break;
        const int dim = pick(rank + 1);
        Shape wider;
        for (int d = 0; d < dim; ++d) wider.push(shape[d]);
        wider.push(1);
        for (int d = dim; d < rank; ++d) wider.push(shape[d]);
        shape = wider;
        return fmt::format("{}.unsqueeze({})", name, pick(2) ? dim : dim - rank - 1);
      }
      case 3: {
        Shape kept;
        for (const std::int64_t extent : shape)
          if (extent != 1) kept.push(extent);
        shape = kept;
        return name + ".squeeze()";
      }
      case 4: {
        if (rank == 0) break;
        const int dim = pick(rank);
        const auto extent = static_cast<int>(shape[dim]);
        const int start = pick(extent), length = 1 + pick(extent - start);
        shape[dim] = length;
        return fmt::format("{}.narrow({}, {}, {})", name, dim, start, length);
      }
      case 5: {
        if (rank < 2) break;
        const int dim = pick(rank);
        const int place = pick(static_cast<int>(shape[dim]));
        shape = without(shape, dim);
        return fmt::format("{}.select({}, {})", name, dim, place);
      }
      case 6: {
        if (rank > 4) break;
        std::vector<std::int64_t> sizes{2 + pick(2)};
        for (const std::int64_t extent : shape)
          sizes.push_back(extent == 1 && pick(2) ? 3 : pick(2) ? -1 : extent);
        Shape wider{sizes[0]};
        for (int d = 0; d < rank; ++d)
          wider.push(sizes[static_cast<std::size_t>(d) + 1] == 3 && shape[d] == 1 ? 3 : shape[d]);
        shape = wider;
        return fmt::format("{}.expand({})", name, fmt::join(sizes, ", "));
      }
      case 7: {
        const std::int64_t all = elementCount(shape);
        const std::int64_t part = divisor(all);
        shape = {part, all / part};
        return pick(2) ? fmt::format("{}.reshape({}, -1)", name, part)
                       : fmt::format("torch.reshape({}, ({}, {}))", name, part, all / part);
      }
      case 8: {
        if (rank < 2) break;
        const int first = pick(rank - 1);
        Shape joined;
        for (int d = 0; d < first; ++d) joined.push(shape[d]);
        joined.push(shape[first] * shape[first + 1]);
        for (int d = first + 2; d < rank; ++d) joined.push(shape[d]);
        shape = joined;
        return fmt::format("{}.flatten({}, {})", name, first, first + 1);
      }
      case 9: {
        if (rank < 2) break;
        const std::int64_t least = std::min(shape[0], shape[1]);
        Shape rest = without(without(shape, 0), 0);
        rest.push(least);
        shape = rest;
        return name + ".diagonal()";
      }
      default:
        return name + ".contiguous()";
    }
    return name + ".unsqueeze(0).squeeze(0)";
  }

 private:
  static Shape without(const Shape& shape, int dim) {
    Shape rest;
    for (int d = 0; d < shape.rank(); ++d)
      if (d != dim) rest.push(shape[d]);
    return rest;
  }

  std::string transpose(const std::string& name, Shape& shape) {
    const int a = pick(shape.rank()), b = pick(shape.rank());
    std::swap(shape[a], shape[b]);
    return fmt::format("{}.transpose({}, {})", name, a, pick(2) ? b : b - shape.rank());
  }

  std::string permute(const std::string& name, Shape& shape) {
    std::vector<int> order(static_cast<std::size_t>(shape.rank()));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random_);
    Shape other;
    for (const int d : order) other.push(shape[d]);
    shape = other;
    return order.size() == 1 ? fmt::format("{}.permute({})", name, order[0])
                             : fmt::format("{}.permute({})", name, fmt::join(order, ", "));
  }

  std::int64_t divisor(std::int64_t count) {
    std::vector<std::int64_t> all;
    for (std::int64_t d = 1; d <= count; ++d)
      if (count % d == 0) all.push_back(d);
    return all.empty() ? 1 : all[static_cast<std::size_t>(pick(static_cast<int>(all.size())))];
  }

  std::mt19937 random_;
};

}  // namespace fusebench::test
