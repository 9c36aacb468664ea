// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/shipped_kernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>

#include "engine/language/program_errors.h"
#include "engine/plan/step_lowering.h"

namespace fusebench {
namespace {

/// The layout of one operand. Its sizes do not matter: kernels serve all sizes.
using Lying = std::pair<Shape, Strides>;

Lying dense(const Shape& shape) {
  return {shape, contiguousStrides(shape)};
}

struct Lyings {
  Lying whole = dense({6, 10}), row = dense({10}), column = dense({6, 1}), one = dense({1});
  Lying images = dense({4, 3, 5}), channel = dense({3, 1});
  Lying transposed = {{6, 10}, {1, 6}}, part = {{6, 10}, {20, 1}}, spread = {{6, 10}, {40, 2}};
};

/// Layouts for this number of operands of a pointwise op; the first has all the same and dense.
std::vector<std::vector<Lying>> layoutsOf(int tensors) {
  const Lyings l;
  if (tensors == 1) return {{l.whole}, {l.part}, {l.spread}};
  std::vector<std::vector<Lying>> all{
      std::vector<Lying>(static_cast<std::size_t>(tensors), l.whole)};
  const auto oneOther = [&](const Lying& usual, const Lying& other) {
    for (int o = 0; o < tensors; ++o) {
      all.emplace_back(static_cast<std::size_t>(tensors), usual);
      all.back()[static_cast<std::size_t>(o)] = other;
    }
  };
  for (const Lying& other : {l.row, l.column, l.one}) oneOther(l.whole, other);
  if (tensors > 2) return all;
  for (const Lying& other : {l.transposed, l.part}) oneOther(l.whole, other);
  oneOther(l.images, l.channel);
  all.push_back({l.part, l.part});
  all.push_back({l.column, l.row});
  all.push_back({l.row, l.column});
  return all;
}

/// What is reduced, and over which of its dimensions; nothing: over all.
struct Reduced {
  Lying operand;
  std::optional<std::vector<int>> dims;
};
std::vector<Reduced> reductionLayouts() {
  const Lyings l;
  // Those of one element along a dimension have loops of their own.
  return {{l.one, {}},          {dense({1, 1}), {{1}}}, {l.column, {{1}}}, {dense({1, 10}), {{0}}},
          {l.whole, {}},        {l.whole, {{1}}},       {l.whole, {{0}}},  {l.images, {{1}}},
          {l.images, {{0, 2}}}, {l.part, {}},           {l.part, {{1}}},   {l.part, {{0}}}};
}

/// The settings of a row's parameters that ship; see shippedKernels().
std::vector<std::vector<double>> settingsOf(const OpRow& row) {
  std::vector<std::vector<double>> all{{}};
  for (const Parameter& parameter : row.parameters) {
    std::vector<double> values{std::isnan(parameter.fallback) ? 0 : parameter.fallback};
    if (parameter.kind == Parameter::Kind::flag) values = {0, 1};
    if (parameter.kind == Parameter::Kind::dims) values = {0};
    const bool isNumber =
        parameter.kind == Parameter::Kind::number || parameter.kind == Parameter::Kind::integer;
    if (isNumber && row.kind == OpKind::reduce && values[0] != 0 && parameter.low <= 0 &&
        parameter.high >= 0)
      values.push_back(0);
    std::vector<std::vector<double>> longer;
    for (const auto& begun : all)
      for (const double value : values) {
        longer.push_back(begun);
        longer.back().push_back(value);
      }
    all = std::move(longer);
  }
  return all;
}

class Collector {
 public:
  explicit Collector(bool indices) : indices_(indices) {}

  void add(const OpRow& row) {
    if (row.kind == OpKind::view) return;  // copies are compiled where they are needed
    if (isCalled(row)) return;             // a library's, or between ranks
    if (row.kind == OpKind::make) return addMaking(row);
    if (row.kind == OpKind::scan) return;  // nothing is compiled for it
    if (row.kind == OpKind::gather) return addIndexed(row);
    for (unsigned numbers = 0; numbers + 1 < 1u << row.arity; ++numbers) {
      numbers_ = numbers;
      for (const std::vector<double>& setting : settingsOf(row)) {
        Op op;
        op.row = &row;
        op.parameters = setting;
        for (int o = 0; o < row.arity; ++o)
          op.operands.push_back(((numbers >> o) & 1u) ? Operand{-1, 1.0} : Operand{o, 0});
        if (row.kind == OpKind::reduce)
          addReductions(op);
        else
          addPointwise(op);
      }
    }
  }
  std::vector<Kernel> take() { return std::move(kernels_); }

 private:
  int tensorsOf(const OpRow& row) const { return row.arity - std::popcount(numbers_); }

  /// Whether tensor operand number `tensor` is a bool according to the row.
  bool isTruth(const OpRow& row, int tensor) const {
    for (int o = 0; o < row.arity; ++o)
      if (!((numbers_ >> o) & 1u) && tensor-- == 0) return (row.truthOperands >> o) & 1u;
    return false;
  }

  /// Float32 indexed by int64: along the first dimension of a table and along the last, and the
  /// checks.
  void addIndexed(const OpRow& row) {
    const IndexRule& rule = row.indexing;
    const auto form = [](DType dtype, const Shape& shape) { return contiguousForm(dtype, shape); };
    const auto add = [&](const OpRow& of, int dim, const Shape& source, const Shape& index) {
      Op op;
      op.row = &of;
      op.operands = {Operand{0, 0}, Operand{1, 0}};
      std::vector<Form> forms(2);
      forms[of.indexing.source] = form(DType::float32, source);
      forms[of.indexing.index] = form(DType::int64, index);
      if (isIndexCheck(of))
        op.parameters = {static_cast<double>(dim)};
      else
        op.dims = {dim};
      if (!isIndexCheck(of)) op.parameters.assign(of.parameters.size(), 0);
      addKernel(op, forms);
    };
    for (const int dim : {0, 1}) add(row, dim, {6, 10}, rule.replaces ? Shape{4} : Shape{3, 4});
    if (rule.replaces) add(row, 0, {6}, {4});
    for (const Shape& index : {Shape{4}, Shape{1}})
      add(indexCheckRow(rule.wraps), 0, {6, 10}, index);
  }

  /// For float32, and for int64 if the row creates that.
  void addMaking(const OpRow& row) {
    constexpr std::size_t kMostListed = 8;
    for (const DType dtype : {DType::float32, DType::int64}) {
      Op op;
      op.row = &row;
      op.made = dtype;
      op.parameters = settingsOf(row).front();
      op.sizeNumbers = {6, 10};
      if (!row.listsNumbers) {
        addKernel(op, std::vector<Form>());
        continue;
      }
      for (std::size_t listed = 1; listed <= kMostListed; ++listed) {
        op.parameters.push_back(static_cast<double>(listed));
        addKernel(op, std::vector<Form>());
      }
    }
  }

  void addPointwise(const Op& op) {
    const int tensors = tensorsOf(*op.row);
    const auto layouts = layoutsOf(tensors);
    for (std::size_t l = 0; l < layouts.size(); ++l)
      for (unsigned flipped = 0; flipped < (l == 0 ? 1u << tensors : 1u); ++flipped) {
        std::vector<Form> forms;
        for (int t = 0; t < tensors; ++t) {
          const bool truth = isTruth(*op.row, t) != (((flipped >> t) & 1u) != 0);
          forms.push_back(formOf(layouts[l][static_cast<std::size_t>(t)], truth));
        }
        addKernel(op, forms);
      }
    const bool compares =
        op.row->category == Category::comparison && op.row->truthOperands == 0 && tensors == 2;
    if (compares && indices_) addComparedIndices(op);
  }

  /// Integers in a row compared with others in a column: where classes are counted and later
  /// positions are masked, `torch.arange(n) == target[:, None]`.
  void addComparedIndices(const Op& op) {
    const Lyings l;
    const auto form = [](const Lying& lying) {
      return Form{DType::int64, isContiguous(lying.first, lying.second), lying.first, lying.second};
    };
    addKernel(op, std::array{form(l.row), form(l.column)});
    addKernel(op, std::array{form(l.column), form(l.row)});
  }

  void addReductions(Op op) {
    for (const Reduced& reduced : reductionLayouts()) {
      op.dims = reduced.dims;
      for (const bool truth : {false, true})
        if (takes(*op.row, op.dims)) addKernel(op, std::array{formOf(reduced.operand, truth)});
    }
  }

  /// Whether the row reduces over this many dimensions at once.
  static bool takes(const OpRow& row, const std::optional<std::vector<int>>& dims) {
    const auto parameter =
        std::ranges::find(row.parameters, Parameter::Kind::dims, &Parameter::kind);
    return !dims || parameter == row.parameters.end() ||
           static_cast<double>(dims->size()) <= parameter->high;
  }

  static Form formOf(const Lying& lying, bool truth) {
    return {truth ? DType::boolean : DType::float32, isContiguous(lying.first, lying.second),
            lying.first, lying.second};
  }

  void addKernel(const Op& op, Forms forms) {
    try {
      Kernel kernel = lowerAlone(op, forms).kernel;
      if (texts_.insert(canonicalText(kernel)).second) kernels_.push_back(std::move(kernel));
    } catch (const ProgramError&) {
      // The row does not support operands of these dtypes.
    }
  }

  bool indices_;          ///< compared ones, too
  unsigned numbers_ = 0;  ///< bit i: operand i is a number
  std::unordered_set<std::string> texts_;
  std::vector<Kernel> kernels_;
};

}  // namespace

std::vector<Kernel> shippedKernels(bool comparedIndices) {
  Collector collector(comparedIndices);
  for (const OpRow& row : opRows()) collector.add(row);
  return collector.take();
}

}  // namespace fusebench
