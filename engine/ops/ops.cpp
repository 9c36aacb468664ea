// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/ops/ops.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>

#include "engine/ops/op_rows.h"

namespace fusebench {
namespace {

const std::vector<OpRow>& table() {
  static const std::vector<OpRow> rows = [] {
    std::vector<OpRow> all;
    for (std::span<const OpRow> section : rows::kSections)
      all.insert(all.end(), section.begin(), section.end());
    all.insert(all.end(), rows::kUnwritten.begin(), rows::kUnwritten.end());
    for (OpRow& row : all)
      row.plain = row.kind == OpKind::pointwise && row.places == IndexInputs::none &&
                  row.truthOperands == 0 && row.takes < AcceptedTypes::whole &&
                  row.result != ResultType::index && row.castTo == DType::float32;
    return all;
  }();
  return rows;
}

/// Number of insertions, deletions, replacements and swaps of adjacent letters that turn a into b
/// (optimal string alignment).
std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({now[j - 1] + 1, last[j] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before = last;
    std::swap(last, now);
  }
  return last[b.size()];
}

}  // namespace

std::string_view title(Category category) {
  static constexpr std::array<std::string_view, 17> kTitles = {"Arithmetic",
                                                               "Comparison",
                                                               "Powers and roots",
                                                               "Exponentials and logarithms",
                                                               "Trigonometry",
                                                               "Hyperbolic",
                                                               "Special functions",
                                                               "Rounding",
                                                               "Activations",
                                                               "Selection",
                                                               "Reductions",
                                                               "Bits",
                                                               "Casts",
                                                               "Views",
                                                               "Making",
                                                               "Contractions",
                                                               "Collectives"};
  return kTitles[static_cast<std::size_t>(category)];
}

const OpRow& gradientRow() {
  static const OpRow row{.name = "gradient",
                         .arity = 2,
                         .operands = {"outputs", "inputs"},
                         .takes = AcceptedTypes::any,
                         .kind = OpKind::gradient,
                         .bound = {},
                         .doc = "Gradient of a scalar with respect to a tensor"};
  return row;
}

const OpRow& gradientReduceRow() {
  static const OpRow row{
      .name = "reduce_gradient",
      .category = Category::collective,
      .operands = {"gradient"},
      .parameters = {{.name = "bucket", .kind = Parameter::Kind::integer, .doc = "its bucket"},
                     {.name = "last", .kind = Parameter::Kind::flag, .doc = "it closes the bucket"},
                     {.name = "overlaps",
                      .kind = Parameter::Kind::flag,
                      .doc = "it passes between ranks beside what follows"},
                     {.name = "first",
                      .kind = Parameter::Kind::flag,
                      .doc = "it opens the bucket"}},
      .kind = OpKind::collective,
      .collective = Collective::reduceStart,
      .bound = {4, 0},
      .doc = "A gradient's average over the ranks"};
  return row;
}

const OpRow& gradientWaitRow(int gradients) {
  static const auto made = [](int arity) {
    OpRow row{.name = "wait_gradients",
              .category = Category::collective,
              .arity = arity,
              .takes = AcceptedTypes::any,
              .kind = OpKind::collective,
              .collective = Collective::reduceWait,
              .bound = {0, 0},
              .doc = "Gradients that ranks reduce are there"};
    return row;
  };
  static const OpRow one = made(1), two = made(2), three = made(3);
  return gradients == 1 ? one : gradients == 2 ? two : three;
}

const OpRow& windowGradientRow(Accumulate by, bool mean) {
  static const OpRow products{
      .name = "conv_backward",
      .category = Category::contraction,
      .arity = 2,
      .operands = {"grad_output", "other"},
      .kind = OpKind::contract,
      .bound = {4, 0},
      .doc = "Gradient of a convolution with respect to its input or its weight"};
  static const OpRow means{
      .name = "avg_pool_backward",
      .category = Category::contraction,
      .operands = {"grad_output"},
      .kind = OpKind::contract,
      .finish = [](Expr sum, Expr count, Args) { return formula::operator/(sum, count); },
      .bound = {4, 0},
      .doc = "Gradient of average pooling"};
  static const OpRow greatest{.name = "max_pool_backward",
                              .category = Category::contraction,
                              .arity = 2,
                              .operands = {"grad_output", "input"},
                              .kind = OpKind::contract,
                              .accumulate = Accumulate::max,
                              .bound = {4, 0},
                              .doc = "Gradient of max pooling"};
  return mean ? means : by == Accumulate::max ? greatest : products;
}

const OpRow& integerProductRow() {
  static const OpRow row{.name = "int8_product",
                         .category = Category::contraction,
                         .arity = 2,
                         .operands = {"levels", "weight"},
                         .takes = AcceptedTypes::integers,
                         .kind = OpKind::contract,
                         .result = ResultType::cast,
                         .castTo = DType::int32,
                         .differentiable = false,
                         .bound = {},
                         .doc = "Sums of products of int8 or uint8, accumulated in int32"};
  return row;
}

const OpRow& sliceGradientRow() {
  static const OpRow row{.name = "slice_backward",
                         .category = Category::contraction,
                         .operands = {"grad_output"},
                         .kind = OpKind::contract,
                         .bound = {},
                         .doc = "Gradient of a slice: zeros outside of it"};
  return row;
}

const OpRow& partWrittenRow() {
  static const OpRow row{.name = "part_written",
                         .category = Category::views,
                         .arity = 2,
                         .operands = {"input", "part"},
                         .takes = AcceptedTypes::any,
                         .kind = OpKind::view,
                         .view = kViewRule<AsItIsRule>,
                         .bound = {0, 0},
                         .doc = "A tensor after a part of it was written"};
  return row;
}

const OpRow& indexGradientRow(bool replaces) {
  static const auto made = [](bool whole) {
    return OpRow{.name = "index_backward",
                 .category = Category::selection,
                 .arity = 3,
                 .operands = {"input", "index", "grad_output"},
                 .takes = AcceptedTypes::any,
                 .kind = OpKind::scatter,
                 .indexing = {.is = true, .replaces = whole, .wraps = true},
                 .bound = {4, 0},
                 .doc = "Gradient of what is read by an index: added up where it was read"};
  };
  static const OpRow whole = made(true), places = made(false);
  return replaces ? whole : places;
}

const OpRow& indexReadRow(bool replaces, bool wraps) {
  static const OpRow &whole = namedOp("embedding"), &places = namedOp("gather"),
                     &wrapping = namedOp("index");
  return !replaces ? places : wraps ? wrapping : whole;
}

const OpRow& indexCheckRow(bool wraps) {
  static const OpRow &plain = *(table().end() - 2), &wrapping = table().back();
  return wraps ? wrapping : plain;
}

const OpRow& zeroCheckRow() {
  static const OpRow& row = *(table().end() - 3);
  return row;
}

std::int64_t outsidePlace(std::int64_t found) {
  return found % 2 == 0 ? found / 2 - 1 : -((found + 1) / 2);
}

std::span<const OpRow> opRows() {
  return std::span(table()).first(table().size() - rows::kUnwritten.size());
}

const OpRow* findOp(std::string_view name) {
  static const std::map<std::string_view, const OpRow*> byName = [] {
    std::map<std::string_view, const OpRow*> map;
    for (const OpRow& row : table()) map.emplace(row.name, &row);
    return map;
  }();
  const auto found = byName.find(name);
  return found == byName.end() ? nullptr : found->second;
}

const OpRow& namedOp(std::string_view name) {
  if (const OpRow* row = findOp(name)) return *row;
  throw std::logic_error("no op is called '" + std::string(name) + "'");
}

const OpRow& equationRow() {
  static const OpRow& row = *std::ranges::find_if(table(), [](const OpRow& each) {
    return each.kind == OpKind::contract && each.contract.indices.empty();
  });
  return row;
}

const OpRow& copyRow() {
  static const OpRow& row = *std::ranges::find_if(table(), [](const OpRow& each) {
    if (each.kind != OpKind::pointwise || each.arity != 1 || each.parameters.size() > 0 ||
        each.result != ResultType::number || each.takes != AcceptedTypes::any)
      return false;
    ExprGraph graph;
    const Expr x{&graph, graph.input(0)};
    return each.meaning(Args({&x, 1}, {})).id == x.id;
  });
  return row;
}

std::string_view operandName(const OpRow& row, int i) {
  if (row.operands.size() > 0) return row.operands.begin()[i];
  return i == 0 ? "input" : "other";
}

std::span<const OpRow* const> rowsSpelled(std::string_view spelling) {
  static const std::map<std::string_view, std::vector<const OpRow*>> bySpelling = [] {
    std::map<std::string_view, std::vector<const OpRow*>> map;
    for (const OpRow& row : table())
      for (std::string_view each : row.spellings) map[each].push_back(&row);
    return map;
  }();
  const auto found = bySpelling.find(spelling);
  if (found == bySpelling.end()) return {};
  return found->second;
}

int opIndex(const OpRow& row) {
  return static_cast<int>(&row - table().data());
}

std::vector<std::string> nearest(std::string_view unknown, std::span<const std::string_view> known,
                                 int count) {
  std::vector<std::pair<std::size_t, std::string_view>> found;
  for (std::string_view each : known) {
    const std::size_t distance = editDistance(unknown, each);
    if (2 * distance <= std::max(unknown.size(), each.size())) found.emplace_back(distance, each);
  }
  // Among equally near names, the one with the longest common beginning: "sinn" means sin, not
  // sign.
  const auto alike = [&](std::string_view each) {
    return std::mismatch(unknown.begin(), unknown.end(), each.begin(), each.end()).first -
           unknown.begin();
  };
  std::stable_sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : alike(a.second) > alike(b.second);
  });
  std::vector<std::string> names;
  for (const auto& [distance, each] : found) {
    if (static_cast<int>(names.size()) >= count) break;
    if (std::find(names.begin(), names.end(), each) == names.end()) names.emplace_back(each);
  }
  return names;
}

std::vector<std::string> nearestNames(std::string_view unknown, int count) {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const OpRow& row : table()) all.push_back(row.name);
    return all;
  }();
  return nearest(unknown, names, count);
}

Shape reducedShape(const Shape& shape, std::uint32_t mask, bool keepDims) {
  Shape result;
  for (int i = 0; i < shape.rank(); ++i) {
    const bool reduced = (mask >> i) & 1u;
    if (!reduced) result.push(shape[i]);
    if (reduced && keepDims) result.push(1);
  }
  return result;
}

}  // namespace fusebench
