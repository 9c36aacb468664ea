// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/plan/library_call.h"

namespace fusebench {

/// A loop, or several loops that every tensor traverses as one. Steps: those of both factors, of
/// the result and of the addend; 0: the tensor does not depend on the loop.
struct ProductLoop {
  std::int64_t count = 1;
  std::array<std::int64_t, 4> steps{};

  std::int64_t first() const { return steps[0]; }
  std::int64_t second() const { return steps[1]; }
  std::int64_t result() const { return steps[2]; }
  std::int64_t addend() const { return steps[3]; }
};

enum class ProductPart : std::uint8_t { batch, rows, columns, depth };

/// The loops of a contraction in terms of matmuls, as libraries define them: batches of rows x
/// depth by depth x columns. There is one loop each for rows, columns and depth.
struct ProductLoops {
  std::vector<ProductLoop> batch, rows, columns, depth;

  std::vector<ProductLoop>& of(ProductPart part);
};

/// Which of a call's tensors are the factors, the result and the addend, in the order of the steps;
/// the addend is left out if there is none.
std::vector<std::size_t> productTensors(const LibraryCall& call);

/// Divides a call's loops. False: it is not a sum of products of two factors, or not one of
/// matrices, or it has nothing to compute.
bool divideLoops(const LibraryCall& call, const CallSizes& sizes, ProductLoops& product);

}  // namespace fusebench
