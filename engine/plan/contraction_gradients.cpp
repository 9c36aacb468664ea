// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/contraction_gradients.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace fusebench {
namespace {

using DimKind = ContractDim::Kind;

/// Whether it has no windows and no dimension that consists of two loops.
bool isPlain(const ContractForm& form) {
  return std::ranges::all_of(form.tensors, [](const std::vector<ContractDim>& dims) {
    return std::ranges::all_of(dims,
                               [](const ContractDim& dim) { return dim.kind == DimKind::loop; });
  });
}

/// A tensor's loops in the notation of equations.
std::string lettersOf(const ContractForm& form, std::size_t tensor) {
  std::string letters;
  for (const ContractDim& dim : form.tensors[tensor])
    letters += static_cast<char>('a' + form.loop(dim.outer));
  return letters;
}

ContractForm formOf(const GradientOps& ops, const Op& op) {
  std::vector<int> ranks;
  for (const Operand& operand : op.operands) ranks.push_back(ops.shape(operand).rank());
  return contractFormOf(op, ranks);
}

}  // namespace

ContractionGradients::ContractionGradients(GradientOps& ops, const Op& op, ValueId result,
                                           Operand gradient, Read read)
    : ops_(ops),
      op_(op),
      result_(result),
      gradient_(gradient),
      read_(std::move(read)),
      form_(formOf(ops, op)),
      settings_(contractSettingsOf(op)) {}

Operand ContractionGradients::to(std::size_t o) const {
  if (static_cast<int>(o) == form_.addend) return toAddend(shapeOf(o));
  std::size_t other = o;
  for (std::size_t k = 0; k < op_.operands.size(); ++k)
    if (k != o && static_cast<int>(k) != form_.addend) other = k;
  if (!isPlain(form_)) return throughWindows(o, other);
  if (other == o) failGradient(op_);
  return toFactor(o, other);
}

/// The gradient of a factor of a sum of products is the sum of products of the result's gradient
/// and the other factor, over the loops that do not belong to the factor.
Operand ContractionGradients::toFactor(std::size_t o, std::size_t other) const {
  const std::string own = lettersOf(form_, o), beside = lettersOf(form_, other);
  if (form_.result().empty() && own == beside)  // an inner product
    return ops_.multiplied(kept(other), ops_.scaled(gradient_, settings_.alpha));
  // Equations do not broadcast: broadcast dimensions of the other factor are left out.
  Operand factor = kept(other);
  std::string letters;
  std::vector<int> broadcast;
  for (std::size_t d = 0; d < beside.size(); ++d)
    if (form_.tensors[other][d].batch && shapeOf(other)[static_cast<int>(d)] == 1)
      broadcast.push_back(static_cast<int>(d));
    else
      letters += beside[d];
  if (!broadcast.empty()) factor = ops_.view("squeeze", factor, broadcast);
  const Operand product =
      ops_.contracted(lettersOf(form_, form_.operands()) + "," + letters + "->" + own,
                      ops_.asTensor(gradient_, result_), factor);
  return ops_.summedTo(ops_.scaled(product, settings_.alpha), shapeOf(o), ops_.shape(product));
}

/// Summed over the loops that it does not depend on, which need not be the first ones.
Operand ContractionGradients::toAddend(const Shape& shape) const {
  const Operand gradient = ops_.scaled(gradient_, settings_.beta);
  const Shape whole = ops_.type(result_).shape;
  const std::vector<ContractDim>& own = form_.tensors[static_cast<std::size_t>(form_.addend)];
  const std::vector<ContractDim>& all = form_.result();
  const auto sameLoop = [](const ContractDim& a, const ContractDim& b) {
    return a.outer == b.outer;
  };
  if (std::ranges::equal(own, std::span(all).last(own.size()), sameLoop))
    return ops_.summedTo(gradient, shape, whole);
  std::vector<int> dims;
  double repeats = 1;
  for (std::size_t d = 0; d < all.size(); ++d) {
    const auto follows = [&](const ContractDim& dim) { return sameLoop(dim, all[d]); };
    if (std::ranges::any_of(own, follows)) continue;
    dims.push_back(static_cast<int>(d));
    repeats *= static_cast<double>(whole[static_cast<int>(d)]);
  }
  if (!gradient.isNumber())
    return ops_.reduced(Accumulate::sum, ops_.expanded(gradient, whole), dims, false);
  ops_.makeExact();
  return ops_.scaled(gradient, repeats);
}

/// The gradient through windows of operand `o` of a convolution or a pooling; `other`: its other
/// factor, or `o`. The gradient of a weight is a sum over the windows; the source gets a
/// contribution from each window that contains the element.
Operand ContractionGradients::throughWindows(std::size_t o, std::size_t other) const {
  ops_.makeExact();
  ContractSettings settings = settings_;
  const Operand all = ops_.asTensor(gradient_, result_);
  std::vector<SizeList<std::int64_t>> extents;
  for (std::size_t k = 0; k < op_.operands.size(); ++k) extents.emplace_back(shapeOf(k));
  const std::vector<std::int64_t> loops = contractLoopsOf(op_, form_, extents);
  for (const std::vector<ContractDim>& dims : form_.tensors)
    for (const ContractDim& dim : dims) {
      if (dim.kind != DimKind::window) continue;
      const auto w = static_cast<std::size_t>(dim.window);
      settings.kernel.resize(std::max(settings.kernel.size(), w + 1), 1);
      settings.kernel[w] = loops[form_.loop(dim.inner)];
    }
  constexpr std::string_view kPlaces = "ij";  // no row's letters
  std::vector<ContractDim> own = form_.tensors[o], back = form_.result();
  bool goesOver = false;
  for (std::size_t d = 0; d < own.size(); ++d) {
    const ContractDim window = own[d];
    if (window.kind != DimKind::window) continue;
    goesOver = true;
    const char place = kPlaces[static_cast<std::size_t>(window.window)];
    settings.places.push_back(shapeOf(o)[static_cast<int>(d)]);
    own[d] = {DimKind::loop, place, 0, -1, false};
    for (ContractDim& dim : back)
      if (dim.outer == window.outer)
        dim = {DimKind::spread, place, window.inner, window.window, false};
  }
  if (!goesOver && other == o) failGradient(op_);
  std::string equation = termText(back);
  std::vector<Operand> operands{all};
  if (other != o) {
    equation += "," + termText(form_.tensors[other]);
    operands.push_back(kept(other));
  } else if (op_.row->accumulate == Accumulate::max) {
    equation += "," + termText(own);
    operands.push_back(kept(o));
  }
  return ops_.windowed(windowGradientRow(op_.row->accumulate, op_.row->finish != nullptr),
                       equation + "->" + termText(own), std::move(operands), std::move(settings));
}

}  // namespace fusebench
