// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/product_loops.h"

namespace fusebench {
namespace {

/// Adds a loop inside of the ones that are there, with which it may be one.
void addProductLoop(std::vector<ProductLoop>& loops, const ProductLoop& loop) {
  if (!loops.empty()) {
    ProductLoop& outer = loops.back();
    bool one = true;
    for (std::size_t t = 0; t < outer.steps.size(); ++t)
      one &= outer.steps[t] == loop.steps[t] * loop.count;
    if (one) {
      outer.count = checkedMultiply(outer.count, loop.count);
      outer.steps = loop.steps;
      return;
    }
  }
  loops.push_back(loop);
}

}  // namespace

std::vector<ProductLoop>& ProductLoops::of(ProductPart part) {
  switch (part) {
    case ProductPart::batch:
      return batch;
    case ProductPart::rows:
      return rows;
    case ProductPart::columns:
      return columns;
    case ProductPart::depth:
      break;
  }
  return depth;
}

std::vector<std::size_t> productTensors(const LibraryCall& call) {
  std::vector<std::size_t> tensors;
  for (std::size_t t = 0; t < call.operands.size(); ++t)
    if (static_cast<int>(t) != call.form.addend) tensors.push_back(t);
  tensors.push_back(call.operands.size());
  if (call.form.addend >= 0) tensors.push_back(static_cast<std::size_t>(call.form.addend));
  return tensors;
}

bool divideLoops(const LibraryCall& call, const CallSizes& sizes, ProductLoops& product) {
  const std::vector<std::size_t> tensors = productTensors(call);
  if (tensors.size() != (call.form.addend >= 0 ? 4u : 3u)) return false;
  for (std::size_t l = 0; l < sizes.loops.size(); ++l) {
    if (sizes.loops[l] == 1) continue;
    if (sizes.loops[l] == 0) return false;
    ProductLoop loop{sizes.loops[l], {}};
    for (std::size_t t = 0; t < tensors.size(); ++t) loop.steps[t] = sizes.steps[tensors[t]][l];
    const bool a = loop.first() != 0, b = loop.second() != 0, kept = l < call.form.kept;
    if (kept && a && b)
      addProductLoop(product.batch, loop);
    else if (kept && a)
      addProductLoop(product.rows, loop);
    else if (kept && b)
      addProductLoop(product.columns, loop);
    else if (!kept && a && b)
      addProductLoop(product.depth, loop);
    else
      return false;
  }
  if (product.depth.size() > 1) return false;
  // A matrix has one loop of each kind: further loops are batches in which a factor is constant.
  for (const ProductPart part : {ProductPart::rows, ProductPart::columns}) {
    std::vector<ProductLoop>& loops = product.of(part);
    while (loops.size() > 1) {
      product.batch.push_back(loops.front());
      loops.erase(loops.begin());
    }
    if (loops.empty()) loops.emplace_back();
  }
  if (product.depth.empty()) product.depth.emplace_back();
  return true;
}

}  // namespace fusebench
