// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "engine/plan/score_borders.h"

namespace fusebench {
namespace {

/// Between the product that computes the scores and the softmax.
constexpr std::size_t kMostSteps = 4;

bool isCalled(const Op* op, std::string_view name) {
  return op && op->row->name == name;
}

/// A sum of products of two tensors over loops without windows, and nothing else.
bool isPlainProduct(const Op* op) {
  if (!op || op->row->kind != OpKind::contract || op->row->accumulate != Accumulate::sum ||
      op->row->finish || op->operands.size() != 2 || op->writesInto())
    return false;
  const ContractSettings settings = contractSettingsOf(*op);
  return settings.groups == 1 && settings.alpha == 1 && settings.stride.empty();
}

/// Determines whether an op ends an attention, by going backward from its end.
class AttentionSearch {
 public:
  AttentionSearch(const Program& program, const PlanValues& values)
      : program_(program), values_(values) {}

  std::optional<Attention> find(int last) {
    const Op& context = program_.ops[static_cast<std::size_t>(last)];
    found_ = {};
    if (!isPlainProduct(&context) || !isFloat(program_.result(last))) return std::nullopt;
    found_.ops = {last};
    std::optional<ValueId> scores = beforeSoftmax(context.operands[0].value);
    if (!scores || !readSteps(*scores)) return std::nullopt;
    const Op& product = program_.ops[static_cast<std::size_t>(found_.scores)];
    found_.operands.insert(
        found_.operands.begin(),
        {product.operands[0].value, product.operands[1].value, context.operands[1].value});
    for (ScoreStep& step : found_.call.steps)
      if (step.operand >= 0) step.operand += kOfProducts;
    std::ranges::sort(found_.ops);
    found_.ops.erase(std::unique(found_.ops.begin(), found_.ops.end()), found_.ops.end());
    if (!loopsFit(product, context) || !operandsFit() || !operandsAreThere() || !isApart() ||
        !staysUnwritten())
      return std::nullopt;
    return std::move(found_);
  }

 private:
  static constexpr int kOfProducts = 3;  ///< operands that are not results of a step

  const Op* op(ValueId value) const { return opOf(program_, value); }
  bool isFloat(ValueId value) const { return values_.dtype(value) == DType::float32; }

  /// Takes an op as part of the attention. Null: it has another name.
  const Op* take(ValueId value, std::string_view name) {
    const Op* const made = op(value);
    if (!isCalled(made, name) || made->writesInto() || !isFloat(value)) return nullptr;
    found_.ops.push_back(value - static_cast<ValueId>(program_.inputs.size()));
    return made;
  }

  /// Whether a reduction runs only along the last dimension, and keeps it.
  bool alongLast(const Op& reduction) const {
    const ValueId from = reduction.operands[0].value;
    const auto rank = static_cast<int>(values_.extents(values_.space(from)).size());
    return reduction.keepDims && reduction.dims && reduction.dims->size() == 1 &&
           (reduction.dims->front() == -1 || reduction.dims->front() == rank - 1);
  }

  /// The operand of the softmax whose result this is.
  std::optional<ValueId> beforeSoftmax(ValueId softmax) {
    const Op* const ratio = take(softmax, "div");
    if (!ratio || ratio->operands[0].isNumber() || ratio->operands[1].isNumber())
      return std::nullopt;
    const ValueId raised = ratio->operands[0].value;
    ValueId total = ratio->operands[1].value;
    bool zeroRows = false;
    if (const Op* const limited = op(total);
        isCalled(limited, "clamp") || isCalled(limited, "clamp_min")) {
      // The greatest term of a row is 1, unless all scores of the row are -inf.
      const bool fromOne = !limited->parameters.empty() && limited->parameters.front() == 1 &&
                           (limited->parameters.size() < 2 ||
                            limited->parameters[1] == std::numeric_limits<double>::infinity());
      if (!fromOne || !take(total, limited->row->name)) return std::nullopt;
      total = limited->operands[0].value;
      zeroRows = true;
    }
    const Op* const sum = take(total, "sum");
    const Op* const exponential = take(raised, "exp");
    if (!sum || !exponential || sum->operands[0].value != raised || !alongLast(*sum))
      return std::nullopt;
    const Op* const shifted = take(exponential->operands[0].value, "sub");
    if (!shifted || shifted->operands[0].isNumber() || shifted->operands[1].isNumber())
      return std::nullopt;
    const ValueId scores = shifted->operands[0].value;
    ValueId top = shifted->operands[1].value;
    if (isCalled(op(top), "where")) {
      top = aboveInfinity(top);
      if (top < 0 || !zeroRows) return std::nullopt;
    } else if (zeroRows) {
      return std::nullopt;
    }
    const Op* const greatest = take(top, "amax");
    if (!greatest || greatest->operands[0].value != scores || !alongLast(*greatest))
      return std::nullopt;
    found_.call.zeroRows = zeroRows;
    return scores;
  }

  /// The top in where(top == -inf, 0, top); -1 for any other value.
  ValueId aboveInfinity(ValueId chosen) {
    const Op* const where = take(chosen, "where");
    if (!where || where->operands[2].isNumber()) return -1;
    const ValueId top = where->operands[2].value, none = where->operands[0].value;
    const std::optional<double> zero = numberOf(where->operands[1]);
    const Op* const equal = op(none);
    if (!isCalled(equal, "eq") || equal->operands[0].value != top || zero != 0.0 ||
        numberOf(equal->operands[1]) != -std::numeric_limits<double>::infinity())
      return -1;
    found_.ops.push_back(none - static_cast<ValueId>(program_.inputs.size()));
    return top;
  }

  std::optional<double> numberOf(const Operand& operand) const {
    return operand.isNumber() ? std::optional(operand.number)
                              : constantOf(program_, values_, operand.value);
  }

  /// From the softmax's operand back to the product.
  bool readSteps(ValueId scores) {
    space_ = values_.space(scores);
    std::vector<ScoreStep>& steps = found_.call.steps;
    ValueId at = scores;
    while (!isPlainProduct(op(at))) {
      if (found_.call.scale != 1 || steps.size() > kMostSteps) return false;  // scaled is first
      const ValueId before = readStep(at);
      if (before < 0 || values_.space(before) != space_) return false;
      at = before;
    }
    if (!isFloat(at) || values_.isView(at)) return false;
    found_.scores = at - static_cast<ValueId>(program_.inputs.size());
    found_.ops.push_back(found_.scores);
    std::ranges::reverse(steps);
    return true;
  }

  /// The scores before a step, or -1.
  ValueId readStep(ValueId after) {
    if (const Op* const scaled = take(after, "mul")) return readScale(*scaled, /*divides=*/false);
    if (const Op* const scaled = take(after, "div")) return readScale(*scaled, /*divides=*/true);
    if (const Op* const sum = take(after, "add")) return readSum(*sum);
    if (const Op* const filled = take(after, "masked_fill"))
      return readMask(filled->operands[0], filled->operands[1], filled->parameters.front(),
                      /*keeps=*/false);
    const Op* const chosen = take(after, "where");
    if (!chosen) return -1;
    for (const bool keeps : {true, false}) {
      const Operand &kept = chosen->operands[keeps ? 1 : 2],
                    &other = chosen->operands[keeps ? 2 : 1];
      const std::optional<double> number = numberOf(other);
      if (number && !kept.isNumber()) return readMask(kept, chosen->operands[0], *number, keeps);
    }
    return -1;
  }

  ValueId readScale(const Op& scaled, bool divides) {
    for (const std::size_t which : {0, 1}) {
      const Operand &kept = scaled.operands[which], &by = scaled.operands[1 - which];
      const std::optional<double> number = numberOf(by);
      if (!number || kept.isNumber() || (divides && which == 1)) continue;
      // A quotient is the product with the reciprocal, except for rounding.
      found_.call.scale = divides ? 1 / *number : *number;
      return std::isfinite(found_.call.scale) && found_.call.scale != 0 ? kept.value : -1;
    }
    return -1;
  }

  ValueId readSum(const Op& sum) {
    if (!sum.parameters.empty() && sum.parameters.front() != 1) return -1;
    if (sum.operands[0].isNumber() || sum.operands[1].isNumber()) return -1;
    // If both have the scores' extents: the one that comes from a product.
    for (const std::size_t which : {0, 1}) {
      const ValueId kept = sum.operands[which].value, added = sum.operands[1 - which].value;
      if (values_.space(kept) != space_ || !leadsToProduct(kept)) continue;
      addStep({.kind = ScoreStep::Kind::add}, added);
      return kept;
    }
    return -1;
  }

  /// Whether steps can lead from a value back to a product.
  bool leadsToProduct(ValueId value, std::size_t steps = 0) const {
    const Op* const made = op(value);
    if (!made || isPlainProduct(made)) return made;
    constexpr std::string_view kSteps[] = {"mul", "div", "add", "masked_fill", "where"};
    return steps <= kMostSteps && std::ranges::find(kSteps, made->row->name) != std::end(kSteps) &&
           std::ranges::any_of(made->operands, [&](const Operand& operand) {
             return !operand.isNumber() && values_.space(operand.value) == space_ &&
                    leadsToProduct(operand.value, steps + 1);
           });
  }

  ValueId readMask(const Operand& kept, const Operand& mask, double other, bool keeps) {
    ScoreStep step{.keeps = keeps, .other = other};
    if (const auto border = scoreBorderOf(program_, values_, mask.value);
        border && endsAlike(mask.value)) {
      step.kind = ScoreStep::Kind::border;
      step.border = keeps           ? *border
                    : border->below ? ScoreBorder{false, border->at + 1}
                                    : ScoreBorder{true, border->at - 1};
      step.keeps = true;
      found_.call.steps.push_back(step);
    } else {
      step.kind = ScoreStep::Kind::keep;
      addStep(step, mask.value);
    }
    return kept.value;
  }

  void addStep(ScoreStep step, ValueId operand) {
    step.operand = static_cast<int>(found_.operands.size());
    found_.operands.push_back(operand);
    found_.call.steps.push_back(step);
  }

  /// Whether a mask has the scores' rows and columns, all of them.
  bool endsAlike(ValueId mask) const {
    const auto &extents = values_.extents(values_.space(mask)), &all = values_.extents(space_);
    const std::size_t rank = extents.size(), last = all.size();
    return rank >= 2 && last >= 2 && extents[rank - 1] == all[last - 1] &&
           extents[rank - 2] == all[last - 2];
  }

  /// The scores' last dimension is the one that the second product sums over, the one before it
  /// belongs to the queries only, and each product has one further loop.
  bool loopsFit(const Op& product, const Op& context) const {
    const auto rankOf = [&](const Operand& operand) {
      return static_cast<int>(values_.extents(values_.space(operand.value)).size());
    };
    const auto formOf = [&](const Op& op) {
      return contractFormOf(op, std::vector<int>{rankOf(op.operands[0]), rankOf(op.operands[1])});
    };
    const ContractForm scores = formOf(product), result = formOf(context);
    const auto plain = [](const ContractForm& form) {
      return std::ranges::all_of(form.tensors, [](const auto& tensor) {
        return std::ranges::all_of(
            tensor, [](const ContractDim& dim) { return dim.kind == ContractDim::Kind::loop; });
      });
    };
    const std::size_t rank = scores.result().size();
    if (!plain(scores) || !plain(result) || rank < 2 || scores.letters.size() != rank + 1 ||
        result.tensors[0].size() != rank || result.letters.size() != rank + 1 ||
        result.kept != rank)
      return false;
    const auto has = [](const std::vector<ContractDim>& tensor, char letter) {
      return std::ranges::find(tensor, letter, &ContractDim::outer) != tensor.end();
    };
    const char column = scores.result()[rank - 1].outer, row = scores.result()[rank - 2].outer;
    const char summed = result.tensors[0][rank - 1].outer, of = result.tensors[0][rank - 2].outer;
    return !has(scores.tensors[0], column) && has(scores.tensors[1], column) &&
           has(scores.tensors[0], row) && !has(scores.tensors[1], row) &&
           has(result.tensors[1], summed) && !has(result.result(), summed) &&
           !has(result.tensors[1], of) && has(result.result(), of);
  }

  /// Each broadcasts to the scores; masks are bools, and added values are floats.
  bool operandsFit() const {
    for (int o = 0; o < kOfProducts; ++o)
      if (!isFloat(found_.operands[static_cast<std::size_t>(o)])) return false;
    const auto& all = values_.extents(space_);
    for (const ScoreStep& step : found_.call.steps) {
      if (step.operand < 0) continue;
      const ValueId operand = found_.operands[static_cast<std::size_t>(step.operand)];
      const bool adds = step.kind == ScoreStep::Kind::add;
      if (values_.dtype(operand) != (adds ? DType::float32 : DType::boolean)) return false;
      const auto& extents = values_.extents(values_.space(operand));
      if (extents.size() > all.size()) return false;
      for (std::size_t d = 1; d <= extents.size(); ++d)
        if (!isOne(extents[extents.size() - d]) &&
            !(extents[extents.size() - d] == all[all.size() - d]))
          return false;
    }
    return std::ranges::all_of(
        found_.operands, [&](ValueId value) { return values_.memory(value) == Memory::device; });
  }

  /// None of them is computed by the attention's own ops: otherwise it would need a separate step.
  bool operandsAreThere() const {
    return std::ranges::none_of(found_.operands, [&](ValueId operand) {
      return holds(values_.root(operand) - static_cast<ValueId>(program_.inputs.size()));
    });
  }

  bool holds(int index) const { return std::ranges::binary_search(found_.ops, index); }
  bool makes(ValueId value) const {
    const auto index = value - static_cast<ValueId>(program_.inputs.size());
    return index >= 0 && index != found_.ops.back() && holds(index);
  }

  /// Nothing else needs the intermediate results of the ops.
  bool isApart() const {
    const auto wanted = [&](ValueId value) { return value >= 0 && makes(values_.root(value)); };
    if (std::ranges::any_of(program_.outputs, wanted) ||
        std::ranges::any_of(program_.checks, [&](const SizeCheck& check) {
          return check.ofValue() && wanted(check.value);
        }))
      return false;
    for (int index = 0; index < static_cast<int>(program_.ops.size()); ++index) {
      const Op& each = program_.ops[static_cast<std::size_t>(index)];
      if (wanted(each.into) || wanted(each.after) || (holds(index) && each.after >= 0))
        return false;
      if (holds(index)) continue;
      for (const Operand& operand : each.operands)
        if (!operand.isNumber() && wanted(operand.value)) return false;
    }
    // An op after a branch cannot join a step before it.
    return std::ranges::none_of(program_.branches, [&](const Branch& branch) {
      return wanted(branch.condition) || std::ranges::any_of(branch.live, wanted) ||
             (branch.beforeOp > found_.ops.front() && branch.beforeOp <= found_.ops.back());
    });
  }

  /// Nothing writes to the operands between the first op and the last, and no op in between waits.
  bool staysUnwritten() const {
    for (int index = found_.ops.front() + 1; index < found_.ops.back(); ++index) {
      const Op& each = program_.ops[static_cast<std::size_t>(index)];
      if (isFence(*each.row) || copies(program_, values_, index)) return false;
      if (!each.writesInto()) continue;
      for (const ValueId operand : found_.operands)
        if (values_.root(operand) == values_.root(each.into)) return false;
    }
    return true;
  }

  const Program& program_;
  const PlanValues& values_;
  Attention found_;
  int space_ = -1;  ///< space of the scores
};

}  // namespace

std::vector<Attention> findAttentions(const Program& program, const PlanValues& values) {
  std::vector<Attention> found;
  std::vector<bool> taken(program.ops.size(), false);
  AttentionSearch search(program, values);
  for (int index = 0; index < static_cast<int>(program.ops.size()); ++index) {
    if (program.ops[static_cast<std::size_t>(index)].row->kind != OpKind::contract) continue;
    auto attention = search.find(index);
    // The result of one may be the scores of another, which is then left as separate ops.
    if (!attention || std::ranges::any_of(attention->ops, [&](int op) {
          return taken[static_cast<std::size_t>(op)];
        }))
      continue;
    for (const int op : attention->ops) taken[static_cast<std::size_t>(op)] = true;
    found.push_back(std::move(*attention));
  }
  return found;
}

std::optional<Attention> attentionOf(const Program& program, const PlanValues& values, int op) {
  return AttentionSearch(program, values).find(op);
}

}  // namespace fusebench
