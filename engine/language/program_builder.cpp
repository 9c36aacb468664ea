// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/program_builder.h"

#include <algorithm>

#include "engine/language/call_binding.h"
#include "engine/language/library.h"
#include "engine/language/making_binding.h"
#include "engine/language/program_branches.h"
#include "engine/language/program_errors.h"
#include "engine/language/torch_names.h"
#include "engine/ops/op_choices.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

constexpr std::string_view kFunctional = "torch.nn.functional.";

/// The way the rows spell a dotted name: torch.nn.functional.relu is F.relu.
std::string spellingOf(const std::string& path) {
  if (path.rfind(kFunctional, 0) == 0) return "F." + path.substr(kFunctional.size());
  return path;
}

std::string lastPart(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

bool isInPlaceName(const std::string& name) {
  return name.size() > 1 && name.back() == '_' && name[name.size() - 2] != '_';
}

/// The name that PyTorch has for what the rows spell so: "Tensor.exp" of "x.exp".
std::string torchPath(const std::string& spelling) {
  if (spelling.starts_with("F.")) return std::string(kFunctional) + spelling.substr(2);
  if (spelling.starts_with("x.")) return "Tensor." + spelling.substr(2);
  return spelling;
}

/// Whether a name is another one but for a few letters: one of three at most.
bool isMisspelled(const std::string& written, const std::string& meant) {
  std::vector<std::size_t> row(meant.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= written.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i);
    for (std::size_t j = 1; j < row.size(); ++j) {
      const std::size_t changed = corner + (written[i - 1] == meant[j - 1] ? 0 : 1);
      corner = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
    }
  }
  return row.back() <= std::max<std::size_t>(1, std::min(written.size(), meant.size()) / 3);
}

/// Names that functions of the modules named in `path` have: what a misspelled one may have meant.
[[noreturn]] void failUnknown(const std::string& shown, const std::string& spelling,
                              SourcePlace place) {
  const std::string name = lastPart(spelling);
  if (const Remedy* remedy = findRemedy(name))
    failProgram(place, shown + " is not supported: " + std::string(remedy->remedy));
  std::vector<std::string_view> known;
  const std::string module = spelling.substr(0, spelling.size() - name.size());
  for (const OpRow& row : opRows())
    for (std::string_view each : row.spellings)
      if (each.find('.') != std::string_view::npos) known.push_back(each);
  // The name under its own module first, then anywhere.
  for (std::string_view each : known)
    if (lastPart(std::string(each)) == name)
      failProgram(place, "there is no " + shown + "; did you mean " + std::string(each) + "?");
  const std::vector<std::string>&functions = libraryFunctions(), &classes = libraryClasses();
  if (std::ranges::binary_search(functions, name))
    failProgram(place, "there is no " + shown + "; did you mean F." + name + "?");
  for (const std::string& each : classes)
    if (lastPart(each) == name)
      failProgram(place, "there is no " + shown + "; did you mean " + each + "?");
  std::vector<std::string_view> own;
  if (module == "F." || module == "torch." || module == "x.")
    own.assign(functions.begin(), functions.end());
  for (const std::string& each : classes)
    if (each.starts_with(module) && each.find('.', module.size()) == std::string::npos)
      own.push_back(std::string_view(each).substr(module.size()));
  for (std::string_view each : known)
    if (each.substr(0, module.size()) == module &&
        each.find('.', module.size()) == std::string_view::npos)
      own.push_back(each.substr(module.size()));
  const std::string path = torchPath(spelling);
  if (path.starts_with("torch.utils.cpp_extension."))
    failProgram(place, shown +
                           " compiles C++ or CUDA code, which programs cannot contain; write what "
                           "it computes with PyTorch's ops, or record a trace of the script and "
                           "open that");
  if (isTorchName(path) && path.starts_with("torch.fft."))
    failProgram(place, shown + " is not supported; programs have no Fourier transforms");
  if (isTorchName(path) && path.starts_with("torch.linalg."))
    failProgram(place,
                shown + " is not supported; programs have no linear solvers and factorizations");
  if (isTorchName(path))
    failProgram(place, shown +
                           " is not supported yet; write what it computes with other ops, which "
                           "fusebench-cli ops lists");
  const std::vector<std::string> near = nearest(name, own);
  if (!near.empty() && isMisspelled(name, near[0]))
    failProgram(place,
                "there is no " + shown + " in PyTorch; did you mean " + module + near[0] + "?");
  failProgram(place,
              "there is no " + shown + " in PyTorch; fusebench-cli ops lists the supported ops");
}

/// torch.tensor(0.5): a number where only a tensor is allowed.
bool wrapNumber(const std::string& path, const std::vector<CallArgument>& arguments,
                SourcePlace place, PythonValue& result) {
  if (path != "torch.tensor" && path != "torch.as_tensor" && path != "torch.scalar_tensor")
    return false;
  if (arguments.empty() || arguments[0].value.kind != Kind::number || !arguments[0].keyword.empty())
    return false;
  result =
      PythonValue::numberOf(arguments[0].value.number,
                            arguments[0].value.integer && path != "torch.scalar_tensor", place);
  result.wrapped = true;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const CallArgument& a = arguments[i];
    if (a.keyword == "device") continue;
    if (a.keyword == "dtype" && a.value.kind == Kind::path && a.value.text == "torch.float32") {
      result.integer = false;
      continue;
    }
    // With its own dtype it is still a number; with another one it is a tensor.
    const DType* const dtype =
        a.keyword == "dtype" && a.value.kind == Kind::path ? findDType(a.value.text) : nullptr;
    if (!dtype && !(a.keyword == "dtype" && a.value.kind == Kind::none))
      failProgram(a.place, path + ": only dtype and device may follow the number");
    if (dtype && !(*dtype == DType::int64 && result.integer)) return false;
  }
  if (!result.integer) result.number = static_cast<float>(result.number);
  return true;
}

/// The method that a cast by dtype is: x.to(torch.float32) is x.float().
std::string castMethod(const std::vector<CallArgument>& arguments, SourcePlace place) {
  const DType* dtype = nullptr;
  if (arguments.size() == 1 && arguments[0].value.kind == Kind::path &&
      (arguments[0].keyword.empty() || arguments[0].keyword == "dtype"))
    dtype = findDType(arguments[0].value.text);
  if (!dtype)
    failProgram(place,
                "a cast takes one dtype: torch.float32, float64, float16, bfloat16, int64, int32, "
                "int8, uint8 or bool");
  for (const OpRow& row : opRows())
    if (row.result == ResultType::cast && row.castTo == *dtype) return std::string(row.name);
  return "bool";
}

}  // namespace

/// Every op that draws random numbers has a sequence of its own.
void ProgramBuilder::setStream(Op& op) const {
  const auto streamOf = [](const Op& of) -> std::ptrdiff_t {
    std::ptrdiff_t at = 0;
    for (const Parameter& parameter : of.row->parameters) {
      if (parameter.name == "_stream") return at;
      ++at;
    }
    return -1;
  };
  const std::ptrdiff_t own = streamOf(op);
  if (own < 0) return;
  op.parameters[static_cast<std::size_t>(own)] = static_cast<double>(
      std::count_if(program_.ops.begin(), program_.ops.end(),
                    [&](const Op& each) { return each.row && streamOf(each) >= 0; }));
}

PythonValue ProgramBuilder::append(Op op) {
  if (program_.ops.size() >= kMostOps)
    failProgram(op.place, "the program has more than " + std::to_string(kMostOps) +
                              " ops once its loops are unrolled, which is the maximum: a chain may "
                              "repeat, see the axis statements");
  checkFetched(op);
  setStream(op);
  // An index of several dimensions is made of such that were checked.
  if (op.row->indexing.is && !isIndexCheck(*op.row) && indexedOver(op) == 1) checkIndex(op);
  if (op.row->dividesWhole) checkDivisor(op);
  if (op.row->kind == OpKind::contract && op.operands.size() == 2) castFactors(op);
  if (multipliesIntegers(op)) return productOfIntegers(op);
  const OpRow* const row = op.row;
  op.statement = -1;  // known once the statement has been read
  op.frame = frame_;
  op.recorded = modes_.recording;
  if (op.row->kind != OpKind::gradient) {
    op.autocast = modes_.autocast;
    program_.autocasts |= op.autocast.isOn();
    op.listed = listed_.listed;
    if (!listed_.cast.empty())
      for (Operand& operand : op.operands)
        operand.listed = std::ranges::find(listed_.cast, operand.value) != listed_.cast.end();
  }
  op.segment = segment_;
  if (place_) op.place = *place_;
  const SourcePlace place = op.place;
  program_.ops.push_back(std::move(op));
  const PythonValue made =
      PythonValue::tensorOf(kFirstResult + static_cast<int>(program_.ops.size()) - 1, place);
  return row->thenCopied ? method(made, "contiguous", {}, place) : made;
}

/// Adds, before an op that uses an index, the check that all places are inside. A call waits for
/// it.
void ProgramBuilder::checkIndex(const Op& op) {
  const IndexRule& rule = op.row->indexing;
  // A place in the library's text means nothing to the author: name the function called there.
  const bool called = place_ && frame_ >= 0;
  const std::string function =
      called ? program_.frames[static_cast<std::size_t>(frame_)].name : std::string();
  const std::string shown = !function.empty() && function.front() != '_' ? function
                            : op.row->spellings.size() == 0              ? "x[i]"
                                                            : std::string(op.row->name);
  const std::optional<int> rank = rankOf(op.operands[rule.source].value);
  const int dim = indexedDim(op), along = dim < 0 && rank ? dim + *rank : dim;
  checkPlaces(op.operands[rule.index], op.operands[rule.source], rule.wraps, dim,
              shown + ": index {} is out of bounds for dimension " + std::to_string(along) +
                  " with size {}",
              op.place);
}

void ProgramBuilder::checkPlaces(const PythonValue& index, const PythonValue& source, int dim,
                                 const std::string& message, SourcePlace place) {
  checkPlaces(Operand::ofValue(index.value), Operand::ofValue(source.value), false, dim, message,
              place);
}

void ProgramBuilder::checkPlaces(const Operand& index, const Operand& source, bool wraps, int dim,
                                 const std::string& message, SourcePlace place) {
  const auto same = [](const Operand& a, const Operand& b) { return a.value == b.value; };
  if (writes() == 0)  // else what an index holds may have changed
    for (const SizeCheck& each : program_.checks) {
      if (!each.ofIndex) continue;
      const Op& known = program_.ops[static_cast<std::size_t>(each.value - kFirstResult)];
      if (!isIndexCheck(*known.row)) continue;
      if (known.row->indexing.wraps == wraps && same(known.operands[0], index) &&
          same(known.operands[1], source) && indexedDim(known) == dim)
        return;
    }
  Op check;
  check.row = &indexCheckRow(wraps);
  check.place = place;
  check.operands = {index, source};
  check.parameters = {static_cast<double>(dim)};
  const PythonValue found = append(std::move(check));
  checkValue(found, false, message, place);
  program_.checks.back().ofIndex = true;
}

/// Checks before a division of integers that no divisor is 0; each call waits for the answer. Type
/// inference refuses divisors that are the number 0.
void ProgramBuilder::checkDivisor(const Op& op) {
  const Operand& divisor = op.operands.back();
  if (divisor.isNumber()) return;
  for (const Operand& operand : op.operands) {
    if (operand.isNumber()) {
      if (!operand.integer) return;
      continue;
    }
    const std::optional<ValueType>& type = typeOf(operand.value);
    if (!type) program_.asksDtypes = true;  // read again for the inputs, whose dtypes decide
    if (!type || !isInteger(classOf(type->dtype))) return;
  }
  if (writes() == 0)  // else it may have changed
    for (const SizeCheck& each : program_.checks) {
      if (!each.ofIndex) continue;
      const Op& known = program_.ops[static_cast<std::size_t>(each.value - kFirstResult)];
      if (known.row == &zeroCheckRow() && known.operands[0].value == divisor.value) return;
    }
  Op check;
  check.row = &zeroCheckRow();
  check.place = op.place;
  check.operands = {divisor};
  check.parameters = {0};
  const SourcePlace place = op.place;
  checkValue(append(std::move(check)), false,
             std::string(op.row->name) + ": ZeroDivisionError: integers are divided by 0 here",
             place);
  program_.checks.back().ofIndex = true;
}

void ProgramBuilder::finish() {
  const auto settle = [&](ValueId& value) {
    if (value >= kFirstResult) value = program_.result(value - kFirstResult);
  };
  for (Op& op : program_.ops) {
    for (Operand& operand : op.operands) settle(operand.value);
    settle(op.into);
  }
  program_.writesInto = writes() > 0;
  if (!program_.sizes.empty())
    program_.sizes.renumber([&](ValueId value) {
      settle(value);
      return value;
    });
  for (SizeCheck& check : program_.checks) settle(check.value);
  for (Branch& branch : program_.branches) settle(branch.condition);
  for (Statement& statement : program_.statements) settle(statement.value);
  for (ValueId& output : program_.outputs) settle(output);
  setLive(program_);
}

bool ProgramBuilder::isTruth(const PythonValue& value) {
  return value.isTensor() && isTruth(value.value);
}

bool ProgramBuilder::isTruth(ValueId value) {
  const int made = value - kFirstResult;
  if (made < 0) {
    const std::optional<ValueType>& type = typeOf(value);
    return type && type->dtype == DType::boolean;
  }
  const Op& op = program_.ops[static_cast<std::size_t>(made)];
  if (op.row && (op.row->kind == OpKind::view || op.row->kind == OpKind::copy ||
                 op.row->kind == OpKind::gather))
    return isTruth(op.operands.front().value);
  if (op.row && op.row->kind == OpKind::make)
    return op.made ? *op.made == DType::boolean
                   : !op.operands.empty() && isTruth(op.operands.front().value);
  // What takes anything as it is gives it back as it is: clone, tril.
  const bool keeps = op.row && op.row->kind == OpKind::pointwise && op.row->arity == 1 &&
                     op.row->takes == AcceptedTypes::any && op.row->result == ResultType::number;
  if (keeps && !op.operands.front().isNumber()) return isTruth(op.operands.front().value);
  if (!op.row || resultDType(*op.row) == DType::boolean) return true;
  const std::optional<ValueType>& type = typeOf(value);
  return type && type->dtype == DType::boolean;
}

/// Whether a value is known to be of integers.
bool ProgramBuilder::isWhole(const PythonValue& value) {
  if (value.isNumber()) return value.integer;
  if (!value.isTensor()) return false;
  if (const std::optional<ValueType>& type = typeOf(value.value))
    return type->dtype != DType::boolean && isInteger(classOf(type->dtype));
  const int made = value.value - kFirstResult;
  if (made < 0) return false;
  const OpRow* const row = program_.ops[static_cast<std::size_t>(made)].row;
  return row && (row->takes == AcceptedTypes::whole || row->takes == AcceptedTypes::integers ||
                 isInteger(classOf(resultDType(*row))));
}

PythonValue ProgramBuilder::binary(std::string_view symbol, const PythonValue& a,
                                   const PythonValue& b, SourcePlace place) {
  return append(bindBinary(symbol, a, b, place));
}

Op ProgramBuilder::bindBinary(std::string_view symbol, const PythonValue& a, const PythonValue& b,
                              SourcePlace place) {
  const std::string shown = "'" + std::string(symbol) + "'";
  const auto usable = [](const PythonValue& v) { return v.isTensor() || v.isScalar(); };
  if (!usable(a) || !usable(b))
    failProgram(place, shown + " needs tensors or numbers on both sides, but found " +
                           (usable(a) ? b : a).shown());
  if (symbol == "<<" || symbol == ">>")
    return bindSpelled(
        shown, std::string("torch.bitwise_") + (symbol == "<<" ? "left" : "right") + "_shift",
        {{"", a, a.place}, {"", b, b.place}}, place);
  const std::span<const OpRow* const> rows = rowsSpelled(symbol);
  if (rows.empty()) failProgram(place, shown + " between tensors is not supported");
  if (symbol == "-" && (isTruth(a) || isTruth(b)))
    failProgram(place,
                "'-' with truth values is not defined in PyTorch either; write ~x for the "
                "opposite, or convert them to numbers with .float() or .long() first");
  const bool bitwise = symbol == "&" || symbol == "|" || symbol == "^";
  const auto isLogical = [&](const PythonValue& v) { return v.kind == Kind::flag || isTruth(v); };
  if (bitwise && !(isLogical(a) && isLogical(b))) {
    const char* const name = symbol == "&"   ? "bitwise_and"
                             : symbol == "|" ? "bitwise_or"
                                             : "bitwise_xor";
    if ((isTruth(a) || isWhole(a)) && (isTruth(b) || isWhole(b)))
      return bindSpelled(shown, std::string("torch.") + name, {{"", a, a.place}, {"", b, b.place}},
                         place);
    failProgram(place, shown + " needs comparisons on both sides, in parentheses, as in (x > 0) " +
                           std::string(symbol) + " (x < 1); for numbers write torch." +
                           std::string(rows[0]->name) + ", for integers torch." + name);
  }
  return bindCall(shown, rows, {{"", a, a.place}, {"", b, b.place}}, place, *this);
}

PythonValue ProgramBuilder::unary(std::string_view symbol, const PythonValue& a,
                                  SourcePlace place) {
  const std::span<const OpRow* const> rows = rowsSpelled("unary " + std::string(symbol));
  if (symbol == "~" && isWhole(a))
    return callSpelled("'~'", "torch.bitwise_not", {{"", a, a.place}}, place);
  if (symbol == "~" && !isTruth(a))
    failProgram(place,
                "'~' needs a comparison, as in ~(x > 0); for numbers write torch.logical_not, for "
                "integers torch.bitwise_not");
  return append(bindCall("'" + std::string(symbol) + "'", rows, {{"", a, a.place}}, place, *this));
}

PythonValue ProgramBuilder::callSpelled(const std::string& shown, std::string_view spelling,
                                        std::vector<CallArgument> arguments, SourcePlace place) {
  // Bitwise ops on bools are logical ops.
  const std::size_t bits = spelling.find(".bitwise_");
  const bool logical =
      bits != std::string_view::npos &&
      std::ranges::all_of(arguments, [&](const CallArgument& each) {
        return each.keyword.empty() && (each.value.kind == Kind::flag || isTruth(each.value));
      });
  const std::string truths =
      logical ? "torch.logical_" + std::string(spelling.substr(bits + 9)) : std::string();
  if (logical && !rowsSpelled(truths).empty()) spelling = truths;
  const std::optional<CallArgument> summed = castFirst(spelling, arguments, place);
  if (PythonValue between; clampedByTensors(spelling, arguments, place, between)) return between;
  const std::optional<PythonValue> into = takeWritten(shown, arguments);
  spreadNumber(lastPart(shown), arguments, place);
  Op op = bindSpelled(shown, spelling, std::move(arguments), place);
  if (into && !op.row->inPlace && shown.starts_with("F."))
    failProgram(place, shown + " has no argument 'inplace'; write y.copy_(" + shown + "(...))");
  const bool widens = op.row->takes == AcceptedTypes::gathered;
  const PythonValue made = into ? write(std::move(op), *into, shown) : append(std::move(op));
  // Integers are summed in int64 and cast after: what is left of a sum is the same.
  const DType* const asked = summed ? findDType(summed->value.text) : nullptr;
  return asked && widens && !isFloat(*asked) && *asked != DType::int64
             ? method(made, "to", {*summed}, place)
             : made;
}

/// torch.clamp(x, low, high) of tensors is a maximum and a minimum.
bool ProgramBuilder::clampedByTensors(std::string_view spelling,
                                      const std::vector<CallArgument>& arguments, SourcePlace place,
                                      PythonValue& result) {
  const std::string name = lastPart(std::string(spelling));
  if (name != "clamp" && name != "clip" && name != "clamp_min" && name != "clamp_max") return false;
  std::vector<PythonValue> bounds(3);
  std::size_t next = 0;
  for (const CallArgument& argument : arguments) {
    const std::string& keyword = argument.keyword;
    if (!keyword.empty() && keyword != "input" && keyword != "min" && keyword != "max")
      return false;
    std::size_t at = keyword == "min" ? 1 : keyword == "max" ? 2 : 0;
    if (keyword.empty() && next > 0) at = name == "clamp_max" ? 2 : next;
    if (at >= bounds.size()) return false;
    if (keyword.empty()) ++next;
    bounds[at] = argument.value;
  }
  if (!bounds[0].isTensor() || (!bounds[1].isTensor() && !bounds[2].isTensor())) return false;
  result = bounds[0];
  for (const std::size_t at : {std::size_t{1}, std::size_t{2}}) {
    if (bounds[at].kind == Kind::none) continue;
    const char* const bound = at == 1 ? "torch.maximum" : "torch.minimum";
    const char* const number = at == 1 ? "torch.clamp_min" : "torch.clamp_max";
    result = callSpelled(bound, bounds[at].isTensor() ? bound : number,
                         {{"", result, place}, {"", bounds[at], place}}, place);
  }
  return true;
}

/// x.sum(dtype=torch.float64): what is reduced is cast before.
std::optional<CallArgument> ProgramBuilder::castFirst(std::string_view spelling,
                                                      std::vector<CallArgument>& arguments,
                                                      SourcePlace place) {
  const std::span<const OpRow* const> rows = rowsSpelled(spelling);
  if (rows.empty() || arguments.empty() || !arguments[0].value.isTensor()) return {};
  if (rows.front()->kind != OpKind::reduce && rows.front()->kind != OpKind::scan) return {};
  const auto given = std::ranges::find(arguments, "dtype", &CallArgument::keyword);
  if (given == arguments.end() || given->value.kind == Kind::none) return {};
  CallArgument dtype = *given;
  arguments.erase(given);
  dtype.keyword.clear();
  arguments[0].value = method(arguments[0].value, "to", {dtype}, place);
  return dtype;
}

Op ProgramBuilder::bindSpelled(const std::string& shown, std::string_view spelling,
                               std::vector<CallArgument> arguments, SourcePlace place) {
  const std::span<const OpRow* const> rows = rowsSpelled(spelling);
  if (rows.empty()) failUnknown(shown, std::string(spelling), place);
  if (rows.front()->kind == OpKind::make)
    return bindMaking(shown, spelling, *rows.front(), std::move(arguments), place, *this);
  return bindCall(shown, rows, std::move(arguments), place, *this);
}

PythonValue ProgramBuilder::call(const std::string& path, std::vector<CallArgument> arguments,
                                 SourcePlace place) {
  std::vector<PythonValue> positional;
  for (const CallArgument& argument : arguments)
    if (argument.keyword.empty()) positional.push_back(argument.value);
  PythonValue result;
  if (positional.size() == arguments.size() && foldCall(path, positional, place, result))
    return result;
  if (wrapNumber(path, arguments, place, result)) return result;
  if (path.starts_with("torch.") && !arguments.empty() && arguments[0].value.isNumber() &&
      (path == "torch.tensor" || path == "torch.as_tensor" || path == "torch.scalar_tensor")) {
    arguments.insert(arguments.begin(), {"", PythonValue::listOf({}, true, place), place});
    return callSpelled("torch.full", "torch.full", std::move(arguments), place);
  }
  if (path == "torch.as_tensor" && !arguments.empty() && arguments[0].value.isTensor()) {
    if (arguments.size() == 1) return arguments[0].value;
    return method(arguments[0].value, "to", {arguments.begin() + 1, arguments.end()}, place);
  }
  // An array shares its memory with the tensor that is made of it; torch.tensor copies.
  if (path == "torch.from_numpy" && arguments.size() == 1 && arguments[0].value.isTensor())
    return arguments[0].value;
  if (path == "torch.tensor" && !arguments.empty() && arguments[0].value.isTensor()) {
    const PythonValue made = copied(Move::again, arguments[0].value, false, place);
    if (arguments.size() == 1) return made;
    return method(made, "to", {arguments.begin() + 1, arguments.end()}, place);
  }
  // Alone it gives places, as torch.nonzero does.
  if (path == "torch.where" && arguments.size() == 1)
    failUnknown("torch.where(condition)", "torch.nonzero", place);
  if (path == "torch.einsum") return einsum(std::move(arguments), place);
  if (path == "torch.autograd.grad") return gradients(arguments, place);
  if (path == "torch.autograd.backward" && !arguments.empty()) {
    backward(arguments.front().value, {arguments.begin() + 1, arguments.end()}, place);
    return {};
  }
  if (path == "abs" || path == "pow")
    return callSpelled(path, "torch." + path, std::move(arguments), place);
  if (path == "print") failProgram(place, "print is not part of a program; remove it");
  if (path.find('.') == std::string::npos) {
    for (const std::string module : {"torch.", "F."})
      if (!rowsSpelled(module + path).empty())
        failProgram(place, "found " + path + "(; write " + module + path);
    failUnknown(path, "torch." + path, place);
  }
  if (path.rfind("torch.", 0) != 0)
    failProgram(place, path +
                           " is not supported; programs are made of torch functions on tensors and "
                           "math on numbers");
  const std::string name = lastPart(path);
  if (isInPlaceName(name) && !knows(path)) {
    if (arguments.empty() || !arguments.front().value.isTensor())
      failProgram(place, path + " works in place: its first argument is the tensor that it writes");
    const PythonValue self = arguments.front().value;
    arguments.erase(arguments.begin());
    return methodInPlace(self, name, std::move(arguments), place);
  }
  const std::string spelling = spellingOf(path);
  const std::string shown = spelling.rfind("F.", 0) == 0 ? spelling : path;
  return callSpelled(shown, spelling, std::move(arguments), place);
}

bool ProgramBuilder::knows(const std::string& path) {
  return !rowsSpelled(spellingOf(path)).empty();
}

PythonValue ProgramBuilder::attribute(const PythonValue& self, const std::string& name,
                                      SourcePlace place) {
  const bool transposes = name == "T" || name == "mT" || name == "H" || name == "mH";
  if (transposes && knows("x." + name)) return method(self, name, {}, place);
  if (name == "dtype") {
    const std::optional<ValueType>& type = typeOf(self.value);
    program_.asksDtypes = program_.asksDtypes || (!type && !isTruth(self) && !isWhole(self));
    const DType known = type            ? type->dtype
                        : isTruth(self) ? DType::boolean
                        : isWhole(self) ? DType::int64
                                        : DType::float32;
    return PythonValue::pathOf("torch." + std::string(info(known).name), place);
  }
  if (name == "device") return PythonValue::pathOf("device", place);
  if (name == "is_cuda") return PythonValue::flagOf(false, place);
  if (name == "requires_grad")
    return PythonValue::flagOf(!self.detached && requiresGradient(self.value), place);
  if (name == "grad") return gradient(self.value, place);
  if (knows("x." + name))
    failProgram(place, "." + name + " without parentheses is a method; write ." + name + "(...)");
  failProgram(place, "." + name +
                         " without parentheses is not supported; the supported attributes of a "
                         "tensor are shape, ndim, dtype and device");
}

bool ProgramBuilder::isScalarShape(const PythonValue& sizes) {
  if (sizes.kind == PythonValue::Kind::list) return sizes.items().empty();
  if (sizes.kind != PythonValue::Kind::shape) return false;
  const std::optional<ValueType>& of = typeOf(sizes.value);
  return of && of->shape.rank() == 0;
}

PythonValue ProgramBuilder::method(const PythonValue& self, const std::string& name,
                                   std::vector<CallArgument> arguments, SourcePlace place) {
  if (name == "detach" && arguments.empty()) {
    PythonValue cut = self;
    cut.detached = true;
    return cut;
  }
  if (name == "new_tensor") {
    arguments.push_back({"dtype", attribute(self, "dtype", place), place});
    return call("torch.tensor", std::move(arguments), place);
  }
  // An op without sizes is as large as the tensor that it is like; an empty list makes a scalar.
  if (name.starts_with("new_") && !arguments.empty() &&
      (arguments[0].keyword.empty() || arguments[0].keyword == "size") &&
      isScalarShape(arguments[0].value)) {
    arguments[0].value = PythonValue::listOf({}, true, place);
    if (std::ranges::find(arguments, "dtype", &CallArgument::keyword) == arguments.end())
      arguments.push_back({"dtype", attribute(self, "dtype", place), place});
    return call("torch." + name.substr(4), std::move(arguments), place);
  }
  if (PythonValue copy; copyMethod(self, name, arguments, place, copy)) return copy;
  if (name == "requires_grad_" || name == "retain_grad") {
    const bool off =
        !arguments.empty() && arguments[0].value.isNumber() && arguments[0].value.number == 0;
    const std::optional<ValueType>& type = typeOf(self.value);
    if (!off && (type ? !isFloat(type->dtype) : isTruth(self) || isWhole(self)))
      failProgram(
          place,
          "only floating-point tensors can require gradients; convert the tensor with .float()");
    requireGradient(self.value, !off);
    return self;
  }
  if (name == "backward") {
    backward(self, arguments, place);
    return {};
  }
  // What was just copied in order is in order: x.flip(0) is printed with it.
  if (name == "contiguous" && arguments.empty() && self.value >= kFirstResult) {
    const Op& made = program_.ops[static_cast<std::size_t>(self.value - kFirstResult)];
    if (made.row && made.row->view && made.row->copies && !made.operands.front().isNumber()) {
      const int before = made.operands.front().value - kFirstResult;
      const OpRow* const row =
          before < 0 ? nullptr : program_.ops[static_cast<std::size_t>(before)].row;
      if (row && row->thenCopied) return self;
    }
  }
  if (name == "to" && std::erase_if(arguments, [](const CallArgument& each) {
                        return each.keyword == "copy" && each.value.kind == Kind::flag &&
                               each.value.number != 0;
                      }) > 0) {
    return method(self, arguments.empty() ? "clone" : name, arguments, place);
  }
  if (name == "to" || name == "type") return method(self, castMethod(arguments, place), {}, place);
  if (name == "type_as") {
    if (arguments.size() != 1 || arguments[0].value.kind != PythonValue::Kind::tensor)
      failProgram(place, "type_as takes one tensor, whose dtype the result has");
    const PythonValue& other = arguments[0].value;
    if (!isTruth(other) && !typeOf(other.value))
      failProgram(place,
                  "type_as: the dtype of its tensor depends on the inputs, which are not known "
                  "here; name the dtype, as in .to(torch.float16)");
    arguments[0] = {"", attribute(arguments[0].value, "dtype", place), arguments[0].place};
    return method(self, castMethod(arguments, place), {}, place);
  }
  // Internal methods that the library's functions are composed of.
  if (name == "_put_by_index" && arguments.size() == 5)
    return putByIndex(self, static_cast<int>(arguments[0].value.number), arguments[1].value,
                      arguments[2].value, arguments[3].value.number != 0, place,
                      static_cast<int>(arguments[4].value.number));
  if (name == "_reduce_by_index" && arguments.size() == 5)
    return reduceByIndex(self, arguments, place);
  const std::string spelling = "x." + name;
  if (rowsSpelled(spelling).empty() && isInPlaceName(name))
    return methodInPlace(self, name, std::move(arguments), place);
  arguments.insert(arguments.begin(), {"", self, self.place});
  return callSpelled("." + name, spelling, std::move(arguments), place);
}

}  // namespace fusebench
