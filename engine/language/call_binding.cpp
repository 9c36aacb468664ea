// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/call_binding.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "engine/base/elements.h"
#include "engine/language/program_errors.h"
#include "engine/language/view_binding.h"
#include "engine/ops/op_choices.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

/// Binds one call's arguments to one row, step by step.
class Binding {
 public:
  Binding(const std::string& shown, std::vector<CallArgument> arguments, SourcePlace place,
          ProgramBuilder& builder)
      : shown_(shown), arguments_(std::move(arguments)), place_(place), builder_(builder) {}

  Op bind(std::span<const OpRow* const> candidates) {
    row_ = overload(candidates);
    nameIndexed();
    renameKeywords();
    dropHarmless();
    choose();
    op_.row = row_;
    op_.place = place_;
    op_.operands.resize(static_cast<std::size_t>(row_->arity));
    given_.assign(op_.operands.size() + row_->parameters.size(), false);
    for (const Parameter& parameter : row_->parameters)
      op_.parameters.push_back(parameter.kind == Parameter::Kind::dims ? 0 : parameter.fallback);
    setUsualWindows(op_);
    assign();
    checkComplete();
    boundByFloats();
    roundDividend();
    chooseByExponent();
    if (const OpRow* chosen = chosenByParameter(*op_.row, op_.parameters)) op_.row = chosen;
    return std::move(op_);
  }

 private:
  /// PyTorch's max and min: pointwise with two tensors, a reduction with one.
  const OpRow* overload(std::span<const OpRow* const> candidates) {
    if (candidates.size() == 1) return candidates[0];
    // F.linear(x, weight, None): an operand that is left out.
    std::erase_if(arguments_, [&](const CallArgument& a) {
      return a.value.kind == Kind::none && candidates[0]->kind == OpKind::contract;
    });
    const auto tensors =
        std::count_if(arguments_.begin(), arguments_.end(),
                      [](const CallArgument& a) { return a.value.isTensor() || a.value.wrapped; });
    const OpRow* best = candidates[0];
    for (const OpRow* row : candidates)
      if (std::abs(row->arity - tensors) < std::abs(best->arity - tensors)) best = row;
    if (best->kind == OpKind::reduce && arguments_.size() > 1)
      failProgram(place_, shown_ + " of a tensor and " + arguments_[1].value.shown() +
                              " is not supported; for a reduction over dims write " +
                              std::string(*best->spellings.begin()) +
                              ", against a number torch.clamp");
    return best;
  }

  /// torch.gather(x, 1, index): the dimension comes between the operands.
  void nameIndexed() {
    if (!row_->indexing.is || row_->parameters.size() == 0) return;
    std::size_t next = 0;
    for (CallArgument& argument : arguments_) {
      if (!argument.keyword.empty()) continue;
      const std::size_t place = next++;
      if (place == 0) continue;
      if (place > static_cast<std::size_t>(row_->arity)) return;  // there are too many
      argument.keyword = place == 1 ? "dim" : operandName(*row_, static_cast<int>(place) - 1);
    }
  }

  void renameKeywords() {
    // Where a dtype picks the row, it may be given in its place, too.
    for (CallArgument& argument : arguments_)
      if (argument.keyword.empty() && choosesByDType() && argument.value.kind == Kind::path)
        argument.keyword = "dtype";
    for (CallArgument& argument : arguments_)
      for (const KeywordAlias& alias : keywordAliases()) {
        if (argument.keyword != alias.alias || !hasParameter(alias.keyword)) continue;
        if (alias.flag && argument.value.kind != Kind::flag)
          failProgram(argument.place,
                      argument.keyword + " must be True or False, not " + argument.value.shown());
        argument.keyword = alias.keyword;
        if (alias.flag) argument.value.kind = Kind::number;
      }
  }

  bool choosesByDType() const {
    return std::ranges::any_of(opChoices(), [&](const OpChoice& choice) {
      return choice.by == OpChoice::By::dtype && choice.from == row_->name;
    });
  }

  bool hasParameter(std::string_view name) const {
    return std::any_of(row_->parameters.begin(), row_->parameters.end(),
                       [&](const Parameter& p) { return p.name == name; });
  }

  /// Keywords that say what happens anyway.
  void dropHarmless() {
    std::erase_if(arguments_, [&](const CallArgument& a) {
      const PythonValue& v = a.value;
      if (a.keyword == "inplace") {
        if (v.kind == Kind::flag && v.number == 0) return true;
        failProgram(
            a.place,
            shown_ + ": inplace must be True or False, and the tensor to write must come first");
      }
      if (a.keyword == "dtype" && choosesByDType()) return false;
      if (a.keyword == "out" || a.keyword == "dtype") {
        const bool same =
            v.kind == Kind::none || (a.keyword == "dtype" && v.kind == Kind::path &&
                                     (v.text == "torch.float32" || v.text == "torch.float"));
        if (same) return true;
        failProgram(a.place, a.keyword + " is not supported; results are new float32 tensors");
      }
      return false;
    });
  }

  /// Follows PyTorch's choices by keyword to a sibling row.
  void choose() {
    std::string allowed;
    for (auto a = arguments_.begin(); a != arguments_.end(); ++a) {
      if (a->keyword.empty()) continue;
      for (const OpChoice& choice : opChoices()) {
        if (choice.from != row_->name || choice.keyword != a->keyword) continue;
        if (choice.by == OpChoice::By::parameter) continue;
        if (a->value.kind == Kind::none) {
          arguments_.erase(a);
          return;
        }
        if (choice.by == OpChoice::By::given) {
          row_ = &namedOp(choice.to);
          return;
        }
        const bool byDType = choice.by == OpChoice::By::dtype;
        allowed += (allowed.empty() ? "" : " or ") +
                   (byDType ? std::string(choice.text) : quoted(choice.text));
        if (byDType) {
          const DType* const given =
              a->value.kind == Kind::path ? findDType(a->value.text) : nullptr;
          if (!given || *given != *findDType(choice.text)) continue;
        } else if (a->value.kind != Kind::text || a->value.text != choice.text) {
          continue;
        }
        row_ = &namedOp(choice.to);
        arguments_.erase(a);
        return;
      }
      if (!allowed.empty())
        failProgram(a->place, a->keyword + " of " + shown_ + " is " + a->value.shown() +
                                  "; it may be " + allowed);
    }
  }

  /// x.clamp(0.0, 1.0) of integers makes floats of them, though its bounds are whole.
  void boundByFloats() {
    if (!givesFloats_ || row_->takes != AcceptedTypes::counted || op_.operands.empty()) return;
    Operand& first = op_.operands.front();
    if (first.isNumber() || !builder_.isOfIntegers(first.value)) return;
    first.value =
        builder_.method(PythonValue::tensorOf(first.value, place_), "float", {}, place_).value;
  }

  /// 100000 // x: PyTorch rounds a number that is divided to a 16-bit float x's dtype first, but
  /// not one that divides.
  void roundDividend() {
    if (!row_->dividesWhole || row_->roundsNumbers) return;
    double& number = op_.operands.front().number;
    if (!op_.operands.front().isNumber() || op_.operands.front().size >= 0) return;
    if (roundedTo(number, DType::float16) == number && roundedTo(number, DType::bfloat16) == number)
      return;
    const PythonValue by = PythonValue::tensorOf(op_.operands.back().value, place_);
    const DType* const dtype = findDType(builder_.attribute(by, "dtype", place_).text);
    if (dtype && isRounded(*dtype)) number = roundedTo(number, *dtype);
  }

  void chooseByExponent() {
    if (row_->name != "pow") return;
    const Operand& power = op_.operands[1];
    const bool whole = !op_.operands[0].isNumber() && builder_.isOfIntegers(op_.operands[0].value);
    if (whole && power.isNumber() && power.size < 0 && power.integer && power.number < 0)
      failProgram(place_, shown_ +
                              ": integers to negative integer powers are not allowed; convert "
                              "them to floats first, as in x.float()");
    for (const OpChoice& choice : opChoices()) {
      if (choice.by != OpChoice::By::exponent || choice.from != row_->name) continue;
      const Operand& second = op_.operands[1];
      if (!second.isNumber() || second.size >= 0 || wrapped_ || second.number != choice.number)
        continue;
      // A float exponent turns integers into floats, which not all of these rows do.
      if (whole && !second.integer) continue;
      op_.row = &namedOp(choice.to);
      op_.operands.pop_back();
      return;
    }
  }

  std::size_t places() const { return given_.size(); }
  std::size_t arity() const { return static_cast<std::size_t>(row_->arity); }
  const Parameter& parameter(std::size_t place) const {
    return row_->parameters.begin()[place - arity()];
  }
  std::string nameOf(std::size_t place) const {
    return std::string(place < arity() ? operandName(*row_, static_cast<int>(place))
                                       : parameter(place).name);
  }

  void assign() {
    std::size_t next = 0;
    for (const CallArgument& argument : arguments_) {
      if (!argument.keyword.empty()) {
        set(placeOfKeyword(argument), argument);
        continue;
      }
      // x.std(False): a flag in the place of the dims is the next parameter.
      if (next >= arity() && next < places() && argument.value.kind == Kind::flag &&
          parameter(next).kind == Parameter::Kind::dims)
        ++next;
      if (next >= places())
        failProgram(argument.place, shown_ + " takes at most " + std::to_string(places()) +
                                        (places() == 1 ? " argument" : " arguments") + usage());
      set(next++, argument);
    }
  }

  std::size_t placeOfKeyword(const CallArgument& argument) const {
    for (std::size_t i = 0; i < places(); ++i)
      if (nameOf(i) == argument.keyword || (i == 0 && argument.keyword == "self")) return i;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < places(); ++i) names.push_back(nameOf(i));
    for (const OpChoice& choice : opChoices())
      if (choice.from == row_->name && !choice.keyword.empty()) names.emplace_back(choice.keyword);
    const std::vector<std::string_view> views(names.begin(), names.end());
    const std::vector<std::string> near = nearest(argument.keyword, views);
    failProgram(argument.place, shown_ + " has no argument " + quoted(argument.keyword) +
                                    (near.empty() ? usage() : "; did you mean '" + near[0] + "'?"));
  }

  /// "; it takes input, min, max"
  std::string usage() const {
    std::string text = "; it takes ";
    for (std::size_t i = 0; i < places(); ++i)
      if (nameOf(i).front() != '_') text += (i > 0 ? ", " : "") + nameOf(i);
    return text;
  }

  void set(std::size_t place, const CallArgument& argument) {
    if (given_[place])
      failProgram(argument.place, shown_ + " got " + quoted(nameOf(place)) + " twice");
    given_[place] = true;
    if (place < arity())
      setOperand(place, argument);
    else
      setParameter(place, argument);
  }

  void setOperand(std::size_t i, const CallArgument& argument) {
    const PythonValue& v = argument.value;
    if (!v.isTensor() && !v.isScalar())
      failProgram(argument.place, shown_ + " needs a tensor or a number as " + quoted(nameOf(i)) +
                                      ", but found " + v.shown());
    if (v.isScalar() && (isCalled(*row_) || row_->indexing.is))
      failProgram(argument.place,
                  shown_ + " needs a tensor as " + quoted(nameOf(i)) + ", but found " + v.shown());
    if (v.isScalar() && ((row_->truthOperands >> i) & 1u))
      failProgram(argument.place, shown_ + " needs a tensor of truth values as " +
                                      quoted(nameOf(i)) + ", such as x > 0, but found " +
                                      v.shown());
    Operand& operand = op_.operands[i];
    operand.value = v.isTensor() ? v.value : -1;
    operand.detached = v.isTensor() && v.detached;
    if (v.isScalar()) operand.number = v.number;
    operand.integer = v.isSize() || (v.isNumber() && v.integer);
    operand.truth = v.kind == Kind::flag;
    operand.size = v.size;
    wrapped_ = wrapped_ || v.wrapped;
  }

  void setParameter(std::size_t place, const CallArgument& argument) {
    const Parameter& p = parameter(place);
    if (p.kind == Parameter::Kind::dims) return setDims(p, argument);
    if (p.kind == Parameter::Kind::sizes) return setWindows(place, argument);
    if (argument.value.isSize() && p.kind == Parameter::Kind::number) {
      op_.parameterSizes.resize(op_.parameters.size(), -1);
      op_.parameterSizes[place - arity()] = argument.value.size;
      return;
    }
    const PythonValue v =
        argument.value.isSize()
            ? builder_.decided(argument.value, std::string(p.name) + " of " + shown_)
            : argument.value;
    if (v.kind == Kind::none && !p.required) {
      given_[place] = false;
      return;
    }
    if (!p.names.empty()) return setNamed(place, p, v, argument.place);
    const bool flag = v.kind == Kind::flag;
    // x.std(0, False): PyTorch's older form, unbiased by position.
    const bool unbiased = flag && argument.keyword.empty() && p.kind == Parameter::Kind::integer;
    const bool fits = p.whole                           ? v.kind == Kind::number && v.integer
                      : p.kind == Parameter::Kind::flag ? flag
                      : p.kind == Parameter::Kind::integer
                          ? unbiased || (v.kind == Kind::number && v.integer)
                          : v.kind == Kind::number || flag;
    if (!fits)
      failProgram(argument.place,
                  std::string(p.name) + " of " + shown_ + " must be " +
                      (p.kind == Parameter::Kind::flag                 ? "True or False"
                       : p.kind == Parameter::Kind::integer || p.whole ? "an int"
                                                                       : "a number") +
                      ", but found " + v.shown());
    if (v.number < p.low || v.number > p.high)
      failProgram(argument.place, std::string(p.name) + " of " + shown_ +
                                      " is out of range; it goes from " + number(p.low) + " to " +
                                      number(p.high));
    const std::size_t at = place - arity();
    op_.parameters[at] = v.number;
    givesFloats_ |= p.kind == Parameter::Kind::number && v.kind == Kind::number && !v.integer;
    if (p.name == "keepdim") op_.keepDims = v.number != 0;
  }

  /// One of the values that a parameter's names stand for.
  void setNamed(std::size_t place, const Parameter& p, const PythonValue& v, SourcePlace at) {
    const auto named = std::ranges::find(p.names, v.kind == Kind::path ? v.text : std::string());
    if (named == p.names.end()) {
      std::string names;
      for (const std::string_view each : p.names)
        names += (names.empty() ? "" : ", ") + std::string(each);
      failProgram(at, std::string(p.name) + " of " + shown_ + " must be one of " + names +
                          ", but found " + v.shown());
    }
    op_.parameters[place - arity()] = static_cast<double>(named - p.names.begin());
  }

  /// An int for all windows, or one for each.
  void setWindows(std::size_t place, const CallArgument& argument) {
    const Parameter& p = parameter(place);
    const PythonValue& v = argument.value;
    if (v.kind == Kind::none && !p.required) {
      given_[place] = false;
      return;
    }
    std::size_t first = 0;
    for (std::size_t before = arity(); before < place; ++before)
      if (parameter(before).kind == Parameter::Kind::sizes)
        first += static_cast<std::size_t>(parameter(before).high);
    const auto count = static_cast<std::size_t>(p.high);
    const std::vector<PythonValue> items =
        v.kind == Kind::list ? v.items() : std::vector<PythonValue>{v};
    if (items.size() != 1 && items.size() != count)
      failProgram(argument.place, std::string(p.name) + " of " + shown_ + " must be an int or " +
                                      std::to_string(count) + ", but found " +
                                      std::to_string(items.size()));
    for (std::size_t w = 0; w < count; ++w) {
      const PythonValue& item = items[items.size() == 1 ? 0 : w];
      if (!item.isSize() && !(item.kind == Kind::number && item.integer))
        failProgram(argument.place, std::string(p.name) + " of " + shown_ +
                                        " must be an int or a tuple of ints, but found " +
                                        item.shown());
      if (!item.isSize() && (item.number < p.low || item.number > (1 << 20)))
        failProgram(argument.place, std::string(p.name) + " of " + shown_ +
                                        " is out of range; it goes from " + number(p.low) +
                                        " to 1048576");
      op_.sizes[first + w] = item.isSize() ? item.size : -1;
      op_.sizeNumbers[first + w] = item.isSize() ? 0 : static_cast<std::int64_t>(item.number);
    }
  }

  static std::string number(double value) {
    if (std::isinf(value)) return value > 0 ? "infinity" : "-infinity";
    return fmt::format("{:.6g}", value);
  }

  void setDims(const Parameter& p, const CallArgument& argument) {
    const PythonValue& v = argument.value;
    if (v.kind == Kind::none) return;
    std::vector<PythonValue> items = v.kind == Kind::list ? v.items() : std::vector<PythonValue>{v};
    for (PythonValue& item : items) item = builder_.decided(item, "dim of " + shown_);
    if (v.kind == Kind::list && p.high == 1)
      failProgram(argument.place,
                  shown_ + " reduces over one dimension or all; dim must be an int");
    std::vector<int> dims;
    for (const PythonValue& item : items) {
      if (item.kind != Kind::number || !item.integer)
        failProgram(
            argument.place,
            "dim of " + shown_ + " must be an int or a tuple of ints, but found " + item.shown());
      if (item.number < -kMaxRank || item.number >= kMaxRank)
        failProgram(argument.place, "dim of " + shown_ + " is out of range; tensors have at most " +
                                        std::to_string(kMaxRank) + " dimensions");
      dims.push_back(static_cast<int>(item.number));
    }
    if (!dims.empty()) op_.dims = std::move(dims);  // an empty tuple means all, as in PyTorch
  }

  void checkComplete() {
    for (std::size_t i = 0; i < places(); ++i) {
      const bool needed = i < arity() || parameter(i).required;
      if (needed && !given_[i])
        failProgram(place_, shown_ + " is missing its " + (i < arity() ? "operand " : "argument ") +
                                quoted(nameOf(i)) + usage());
    }
    const bool anyTensor =
        op_.operands.empty() || std::any_of(op_.operands.begin(), op_.operands.end(),
                                            [](const Operand& o) { return !o.isNumber(); });
    if (!anyTensor)
      failProgram(
          place_,
          shown_ + " needs a tensor, but found only numbers; the math module works on numbers");
    const bool oneDim = std::any_of(
        row_->parameters.begin(), row_->parameters.end(),
        [](const Parameter& p) { return p.kind == Parameter::Kind::dims && p.high == 1; });
    if (oneDim && op_.keepDims && !op_.dims)
      failProgram(place_, shown_ + " keeps dimensions only together with dim; add dim=...");
  }

  const std::string& shown_;
  std::vector<CallArgument> arguments_;
  SourcePlace place_;
  ProgramBuilder& builder_;
  const OpRow* row_ = nullptr;
  Op op_;
  std::vector<bool> given_;
  bool wrapped_ = false;
  bool givesFloats_ = false;  ///< some parameter is a Python float
};

}  // namespace

Op bindCall(const std::string& shown, std::span<const OpRow* const> candidates,
            std::vector<CallArgument> arguments, SourcePlace place, ProgramBuilder& builder) {
  if (candidates.front()->kind == OpKind::view)
    return bindView(shown, *candidates.front(), std::move(arguments), place, builder);
  return Binding(shown, std::move(arguments), place, builder).bind(candidates);
}

}  // namespace fusebench
