// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/making_binding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "engine/language/call_arguments.h"
#include "engine/language/expression_text.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

bool isIntOrSize(const PythonValue& value) {
  return value.isSize() || (value.kind == Kind::number && value.integer);
}

bool isSizeList(const PythonValue& value) {
  return value.kind == Kind::list || value.kind == Kind::shape;
}

/// Binds one call that makes a tensor.
class MakingBinding {
 public:
  MakingBinding(const std::string& shown, std::string_view spelling, const OpRow& row,
                SourcePlace place, ProgramBuilder& builder)
      : shown_(shown),
        row_(row),
        place_(place),
        builder_(builder),
        like_(spelling.ends_with("_like")),
        ofTensor_(spelling.starts_with("x.")),
        given_(row.parameters.size()) {}

  Op bind(std::vector<CallArgument> arguments) {
    op_.row = &row_;
    op_.place = place_;
    for (const Parameter& parameter : row_.parameters)
      op_.parameters.push_back(std::isnan(parameter.fallback) ? 0 : parameter.fallback);
    if (like_ || ofTensor_) op_.operands.push_back(takeTensor(shown_, arguments, place_));
    if (!row_.listsNumbers) takePositional(arguments);
    for (const CallArgument& argument : arguments)
      if (!argument.keyword.empty()) takeKeyword(argument);
    if (row_.listsNumbers) {
      list(arguments);
      return std::move(op_);
    }
    for (std::size_t p = 0; p < given_.size(); ++p) set(p);
    if (has("end")) setLine();
    setType();
    return std::move(op_);
  }

 private:
  const Parameter& parameter(std::size_t p) const { return row_.parameters.begin()[p]; }
  bool isList(std::size_t p) const {
    return parameter(p).kind == Parameter::Kind::sizes && parameter(p).high != 1;
  }
  /// Whether a caller may give the parameter in this call.
  bool isOpen(std::size_t p) const {
    return !isHidden(parameter(p)) && !(like_ && parameter(p).kind == Parameter::Kind::sizes);
  }
  std::optional<std::size_t> find(std::string_view name) const {
    for (std::size_t p = 0; p < given_.size(); ++p)
      if (parameter(p).name == name) return p;
    return std::nullopt;
  }
  bool has(std::string_view name) const { return find(name).has_value(); }
  const PythonValue* givenOf(std::string_view name) const {
    const auto at = find(name);
    return at && !given_[*at].empty() ? &given_[*at].front() : nullptr;
  }

  void takePositional(const std::vector<CallArgument>& arguments) {
    std::vector<const CallArgument*> positional;
    for (const CallArgument& argument : arguments)
      if (argument.keyword.empty()) positional.push_back(&argument);
    std::size_t next = 0;
    const auto skipClosed = [&] {
      while (next < given_.size() && !isOpen(next)) ++next;
    };
    skipClosed();
    // torch.arange(5), torch.randint(10, (3,)): the first may be left out, for what has to be
    // there.
    const auto numbers = std::count_if(
        positional.begin(), positional.end(),
        [](const CallArgument* a) { return !isSizeList(a->value) && a->value.isScalar(); });
    const bool optionalFirst =
        (has("low") || has("end")) && next < given_.size() && !parameter(next).required;
    if (optionalFirst && numbers == 1) {
      ++next;
      skipClosed();
    }
    for (const CallArgument* argument : positional) {
      if (next == given_.size() && lastList_ && isIntOrSize(argument->value) && open_) {
        given_[*lastList_].push_back(argument->value);
        continue;
      }
      if (next == given_.size()) failProgram(argument->place, shown_ + " takes no more" + usage());
      const std::size_t p = next++;
      skipClosed();
      open_ = isList(p) && isIntOrSize(argument->value) && next == given_.size();
      if (isList(p)) lastList_ = p;
      take(p, *argument);
    }
  }

  void takeKeyword(const CallArgument& argument) {
    const std::string& name = argument.keyword;
    if (name == "device") {
      if (argument.value.kind == Kind::none) return;
      const std::optional<Memory> named = memoryNamed(argument.value);
      if (!named)
        failProgram(argument.place, "device of " + shown_ + " must name one, as in 'cuda', not " +
                                        argument.value.shown());
      // x.device: as programs compute anyway.
      if (argument.value.text != "device" && op_.madeIn != Memory::pinned) op_.madeIn = named;
      return;
    }
    if (name == "pin_memory") {
      if (argument.value.kind == Kind::flag && argument.value.number != 0)
        op_.madeIn = Memory::pinned;
      return;
    }
    for (const char* harmless : {"layout", "generator", "memory_format", "requires_grad"})
      if (name == harmless) {
        if (name == "requires_grad" && argument.value.number != 0)
          failProgram(argument.place,
                      shown_ + " inside a program needs no gradient; give it as an input");
        return;
      }
    if (name == "dtype") {
      if (argument.value.kind == Kind::none) return;
      const DType* dtype =
          argument.value.kind == Kind::path ? findDType(argument.value.text) : nullptr;
      if (!dtype)
        failProgram(argument.place,
                    "dtype of " + shown_ + " must be a dtype, such as torch.float32");
      op_.made = *dtype;
      return;
    }
    if (row_.listsNumbers && name == "data") return;
    const auto p = find(name);
    if (!p || !isOpen(*p))
      failProgram(argument.place, shown_ + " has no argument '" + name + "'" + usage());
    take(*p, argument);
  }

  std::string usage() const {
    std::string text;
    for (std::size_t p = 0; p < given_.size(); ++p)
      if (isOpen(p)) text += (text.empty() ? "; it takes " : ", ") + std::string(parameter(p).name);
    return text + (text.empty() ? "; it takes dtype" : ", dtype");
  }

  void take(std::size_t p, const CallArgument& argument) {
    const std::string name(parameter(p).name);
    if (!given_[p].empty()) failProgram(argument.place, shown_ + " got '" + name + "' twice");
    const PythonValue& value = argument.value;
    const bool fits = isList(p) ? isSizeList(value) || isIntOrSize(value)
                      : parameter(p).kind == Parameter::Kind::sizes ? isIntOrSize(value)
                                                                    : value.isScalar();
    if (parameter(p).kind == Parameter::Kind::sizes || isList(p)) {
      refuseHugeSize(shown_, value, argument.place);
      for (const PythonValue& item : value.items()) refuseHugeSize(shown_, item, argument.place);
    }
    if (!fits)
      failProgram(argument.place, name + " of " + shown_ + " must be " +
                                      (isList(p)                                     ? "ints"
                                       : parameter(p).kind == Parameter::Kind::sizes ? "an int"
                                                                                     : "a number") +
                                      ", but found " + value.shown());
    given_[p] = {value};
  }

  void set(std::size_t p) {
    const Parameter& each = parameter(p);
    if (given_[p].empty()) {
      if (each.required && isOpen(p))
        failProgram(place_,
                    shown_ + " is missing its argument '" + std::string(each.name) + "'" + usage());
      if (each.name == "m" && !like_) {  // as many columns as rows
        op_.sizes.push_back(op_.sizes.back());
        op_.sizeNumbers.push_back(op_.sizeNumbers.back());
      }
      return;
    }
    if (each.kind == Parameter::Kind::sizes) {
      for (const PythonValue& item : given_[p]) builder_.addSizes(op_, item, shown_);
      return;
    }
    setNumber(p, given_[p].front());
  }

  /// The numbers of lists in lists, row-major.
  void list(const std::vector<CallArgument>& arguments) {
    const auto data = std::find_if(arguments.begin(), arguments.end(), [](const CallArgument& a) {
      return a.keyword.empty() || a.keyword == "data";
    });
    if (data == arguments.end()) failProgram(place_, shown_ + " needs its numbers");
    if (data->value.kind != Kind::list)
      failProgram(data->place,
                  shown_ + " must be made of numbers in lists, but found " + data->value.shown());
    bool truths = true, whole = true;
    addListed(data->value, 0, truths, whole);
    if (op_.parameters.size() == row_.parameters.size()) {  // an empty list
      op_.parameters.push_back(0);
      truths = whole = false;
    }
    if (!op_.made) op_.made = truths ? DType::boolean : whole ? DType::int64 : DType::float32;
  }

  void addListed(const PythonValue& value, std::size_t depth, bool& truths, bool& whole) {
    if (value.isScalar()) {
      // More than any list that a person writes into a function.
      constexpr std::size_t kMostListed = 512;
      if (op_.parameters.size() > kMostListed)
        failProgram(value.place, shown_ + " of more than " + std::to_string(kMostListed) +
                                     " numbers is better given as an input");
      truths = truths && value.kind == Kind::flag;
      whole = whole && (value.kind == Kind::flag || isIntOrSize(value));
      op_.parameters.push_back(0);
      setNumber(op_.parameters.size() - 1, value);
      if (!op_.parameterSizes.empty()) op_.parameterSizes.resize(op_.parameters.size(), -1);
      if (depth != op_.sizeNumbers.size())
        failProgram(value.place, shown_ + " must be made of lists of equal length");
      return;
    }
    if (value.kind != Kind::list || depth >= static_cast<std::size_t>(kMaxRank))
      failProgram(value.place, shown_ + " must be made of numbers in lists, but found " +
                                   value.shown() + "; torch.stack joins tensors");
    const auto count = static_cast<std::int64_t>(value.items().size());
    const bool first = op_.parameters.size() == row_.parameters.size();
    if (first && depth == op_.sizeNumbers.size()) {
      op_.sizes.push_back(-1);
      op_.sizeNumbers.push_back(count);
    }
    if (depth >= op_.sizeNumbers.size() || op_.sizeNumbers[depth] != count)
      failProgram(value.place, shown_ + " must be made of lists of equal length");
    for (const PythonValue& item : value.items()) addListed(item, depth + 1, truths, whole);
  }

  void setNumber(std::size_t p, const PythonValue& value) {
    op_.parameters[p] = value.number;
    if (!value.isSize()) return;
    op_.parameterSizes.resize(op_.parameters.size(), -1);
    op_.parameterSizes[p] = value.size;
  }

  /// Numbers on a line: sets how many there are, and the distance between two of them.
  void setLine() {
    PythonValue end = *givenOf("end");
    const PythonValue* const first = givenOf("start");
    PythonValue start = first ? *first : PythonValue::numberOf(0, true, place_);
    const auto minus = [&](const PythonValue& a, const PythonValue& b) {
      return arithmetic("-", a, b);
    };
    const PythonValue one = PythonValue::numberOf(1, true, place_);
    if (const auto step = find("_step")) {  // linspace
      const PythonValue count = given_[*find("steps")].front();
      const PythonValue last = minus(count, one);
      setNumber(*find("_last"), last);
      const bool single = !last.isSize() && last.number < 1;
      setNumber(*step, single ? PythonValue::numberOf(0, false, place_)
                              : arithmetic("/", minus(end, start), last));
      return;
    }
    const PythonValue* const written = givenOf("step");
    PythonValue step = written ? *written : one;
    if (step.isNumber() && step.number == 0)
      failProgram(place_, "the step of " + shown_ + " cannot be 0");
    if (start.isNumber() && end.isNumber() && step.isNumber()) {
      const double count = std::ceil((end.number - start.number) / step.number);
      if (!(count >= 0))
        failProgram(place_, shown_ + " moves away from its end; change the sign of the step");
      if (count > static_cast<double>(kMostPoints))
        failProgram(place_, shown_ + ": a size of " + printedNumber(count, true) +
                                " is larger than any memory");
      op_.sizes.push_back(-1);
      op_.sizeNumbers.push_back(static_cast<std::int64_t>(count));
      return;
    }
    for (PythonValue* each : {&start, &end, &step}) {
      // Floats are printed as such: 0.0 is as good as 0.
      if (each->isNumber() && each->number == std::trunc(each->number))
        *each = PythonValue::numberOf(each->number, true, each->place);
      if (!isIntOrSize(*each))
        failProgram(each->place, shown_ + " of a size takes ints, but found " + each->shown());
    }
    // -((start - end) // step): rounded up.
    const PythonValue count =
        minus(PythonValue::numberOf(0, true, place_), arithmetic("//", minus(start, end), step));
    builder_.addSizes(op_, count, shown_);
  }

  PythonValue arithmetic(std::string_view symbol, const PythonValue& a, const PythonValue& b) {
    if (a.isNumber() && b.isNumber()) return foldBinary(symbol, a, b, place_);
    return builder_.sizeArithmetic(symbol, a, b, place_);
  }

  /// Sets the dtype that PyTorch gives where none is written.
  void setType() {
    if (op_.made || !op_.operands.empty()) return checkNumbers();
    const auto whole = [](const PythonValue* value) { return !value || isIntOrSize(*value); };
    if (const PythonValue* fill = givenOf("fill_value"))
      op_.made = fill->kind == Kind::flag ? DType::boolean
                 : isIntOrSize(*fill)     ? DType::int64
                                          : DType::float32;
    else if (has("high"))
      op_.made = DType::int64;
    else if (has("step") && whole(givenOf("start")) && whole(givenOf("end")) &&
             whole(givenOf("step")))
      op_.made = DType::int64;
    else
      op_.made = DType::float32;
    checkNumbers();
  }

  void checkNumbers() {
    const bool whole = op_.made && isInteger(classOf(*op_.made));
    for (std::size_t p = 0; p < given_.size(); ++p) {
      double& number = op_.parameters[p];
      // PyTorch cuts a fraction off; the numbers of a line it keeps.
      if (parameter(p).kind == Parameter::Kind::number && whole && number != std::trunc(number)) {
        if (has("end"))
          failProgram(place_, shown_ + " with a fractional step returns floats; leave dtype out");
        number = std::trunc(number);
      }
    }
    const PythonValue* const high = givenOf("high");
    const PythonValue* const low = givenOf("low");
    if (!high || !high->isNumber() || (low && !low->isNumber())) return;
    const double count = high->number - (low ? low->number : 0);
    if (count < 1 || count > 0x1p32)
      failProgram(
          place_,
          shown_ + " draws from low to high, without high: at least one number and at most 2^32");
  }

  const std::string& shown_;
  const OpRow& row_;
  SourcePlace place_;
  ProgramBuilder& builder_;
  bool like_, ofTensor_;
  std::vector<std::vector<PythonValue>> given_;
  std::optional<std::size_t> lastList_;
  bool open_ = false;  ///< extents come one by one
  Op op_;
};

}  // namespace

Op bindMaking(const std::string& shown, std::string_view spelling, const OpRow& row,
              std::vector<CallArgument> arguments, SourcePlace place, ProgramBuilder& builder) {
  return MakingBinding(shown, spelling, row, place, builder).bind(std::move(arguments));
}

}  // namespace fusebench
