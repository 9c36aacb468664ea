// SPDX-License-Identifier: GPL-3.0-or-later
// Operators that classes define, and PyTorch's functions of the library's own objects: complex
// numbers are two tensors, and torch.abs(z) is their method.
#include <algorithm>
#include <array>

#include "engine/language/evaluator.h"
#include "engine/language/text_pieces.h"

namespace fusebench {
namespace {

using OperatorKind = PythonValue::Kind;

struct OperatorMethod {
  std::string_view symbol, method, reflected;
};
constexpr std::array<OperatorMethod, 21> kOperatorMethods{{
    {"+", "__add__", "__radd__"},
    {"-", "__sub__", "__rsub__"},
    {"*", "__mul__", "__rmul__"},
    {"/", "__truediv__", "__rtruediv__"},
    {"@", "__matmul__", "__rmatmul__"},
    {"**", "__pow__", "__rpow__"},
    {"//", "__floordiv__", "__rfloordiv__"},
    {"%", "__mod__", "__rmod__"},
    {"&", "__and__", "__rand__"},
    {"|", "__or__", "__ror__"},
    {"^", "__xor__", "__rxor__"},
    {"<<", "__lshift__", "__rlshift__"},
    {">>", "__rshift__", "__rrshift__"},
    {"==", "__eq__", "__eq__"},
    {"!=", "__ne__", "__ne__"},
    {"<", "__lt__", "__gt__"},
    {"<=", "__le__", "__ge__"},
    {">", "__gt__", "__lt__"},
    {">=", "__ge__", "__le__"},
    {"neg", "__neg__", ""},
    {"invert", "__invert__", ""},
}};

/// Functions that are operators.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kFunctionOperators{
    {{"torch.add", "+"},
     {"torch.sub", "-"},
     {"torch.subtract", "-"},
     {"torch.mul", "*"},
     {"torch.multiply", "*"},
     {"torch.div", "/"},
     {"torch.divide", "/"},
     {"torch.true_divide", "/"},
     {"torch.matmul", "@"}}};

bool isLibraryObject(const PythonValue& value) {
  return value.kind == OperatorKind::instance && value.object->type->library;
}

}  // namespace

/// a + b where one of the two is an object whose class says what that is. False: none does.
bool Evaluator::ownOperator(std::string_view symbol, const PythonValue& a, const PythonValue& b,
                            SourcePlace place, PythonValue& result) {
  const auto* const row = std::ranges::find(kOperatorMethods, symbol, &OperatorMethod::symbol);
  if (row == kOperatorMethods.end()) return false;
  const auto calls = [&](const PythonValue& self, std::string_view method,
                         const PythonValue* other) {
    const std::string name(method);
    if (self.kind != OperatorKind::instance || name.empty() ||
        !classAttribute(self.object->type, name))
      return false;
    std::vector<CallArgument> arguments;
    if (other) arguments.push_back({"", *other, place});
    result = call(bindMethod(self, name, place), std::move(arguments), place);
    return true;
  };
  if (symbol == "neg" || symbol == "invert") return calls(a, row->method, nullptr);
  return calls(a, row->method, &b) || calls(b, row->reflected, &a);
}

/// `a += b` of an object whose class has the operator in place. False: it has none.
bool Evaluator::ownOperatorInPlace(std::string_view symbol, const PythonValue& a,
                                   const PythonValue& b, SourcePlace place, PythonValue& result) {
  const auto* const row = std::ranges::find(kOperatorMethods, symbol, &OperatorMethod::symbol);
  if (row == kOperatorMethods.end() || a.kind != OperatorKind::instance) return false;
  const std::string name = "__i" + std::string(row->method.substr(2));
  if (!classAttribute(a.object->type, name)) return false;
  result = call(bindMethod(a, name, place), {{"", b, place}}, place);
  return true;
}

/// 2j: a complex number whose parts are numbers.
PythonValue Evaluator::imaginary(const std::string& literal, SourcePlace place) {
  PythonValue part = numberLiteral(std::string_view(literal).substr(0, literal.size() - 1), place);
  part.integer = false;
  return call(*libraryNamed("_Complex"),
              {{"", PythonValue::numberOf(0, false, place), place}, {"", part, place}}, place);
}

/// Makes complex numbers: a function that makes tensors, or a cast, with a complex dtype. `self`:
/// the tensor whose method it is; null: none. False: no dtype is complex.
bool Evaluator::complexCall(const std::string& path, const PythonValue* self,
                            const std::vector<CallArgument>& arguments, SourcePlace place,
                            PythonValue& result) {
  const std::string name = path.substr(path.rfind('.') + 1);
  const auto isComplex = [](const PythonValue& value) {
    return value.kind == OperatorKind::path &&
           (value.text == "torch.complex64" || value.text == "torch.complex128");
  };
  const auto given = std::ranges::find_if(
      arguments, [&](const CallArgument& each) { return isComplex(each.value); });
  const bool casts = self && arguments.empty() && (name == "cfloat" || name == "cdouble");
  if (!path.starts_with("torch.") || (given == arguments.end() && !casts)) return false;
  if (self && (casts || name == "to" || name == "type")) {
    const PythonValue dtype =
        casts
            ? PythonValue::pathOf(name == "cfloat" ? "torch.complex64" : "torch.complex128", place)
            : given->value;
    result =
        callFunction(*libraryNamed("_to_complex"), {{"", *self, place}, {"", dtype, place}}, place);
    return true;
  }
  if (given == arguments.end() || given->keyword != "dtype") return false;
  std::vector<PythonValue> places;
  PythonValue names;
  names.kind = OperatorKind::dict;
  names.object = std::make_shared<PythonObject>();
  for (const CallArgument& each : arguments) {
    if (each.keyword.empty())
      places.push_back(each.value);
    else
      names.object->entries.emplace_back(PythonValue::textOf(each.keyword, place), each.value);
  }
  const PythonValue function =
      self ? attribute(*self, name, place, true) : PythonValue::pathOf(path, place);
  result = callFunction(*libraryNamed("_complex_made"),
                        {{"", PythonValue::textOf(name, place), place},
                         {"", function, place},
                         {"", PythonValue::listOf(std::move(places), true, place), place},
                         {"", names, place}},
                        place);
  return true;
}

/// torch.NAME(z, ...) of an object of the library's is its method. False: it is not of such.
bool Evaluator::libraryObjectCall(const std::string& path,
                                  const std::vector<CallArgument>& arguments, SourcePlace place,
                                  PythonValue& result) {
  if (arguments.empty()) return false;
  const PythonValue& first = arguments.front().value;
  if (path == "abs" && isLibraryObject(first))
    return libraryObjectCall("torch.abs", arguments, place, result);
  if (!path.starts_with("torch.")) return false;
  if (arguments.size() == 2 && arguments[1].keyword.empty() &&
      (isLibraryObject(first) || isLibraryObject(arguments[1].value))) {
    const auto* const known = std::ranges::find(
        kFunctionOperators, path, &std::pair<std::string_view, std::string_view>::first);
    if (known != kFunctionOperators.end() &&
        ownOperator(known->second, first, arguments[1].value, place, result))
      return true;
  }
  std::vector<CallArgument> rest(arguments.begin() + 1, arguments.end());
  const std::string name = path.substr(path.rfind('.') + 1);
  if (!(isSelection(first) && classAttribute(first.object->type, name)) &&
      selectionCall(path, arguments, place, result))
    return true;
  if ((path == "torch.cat" || path == "torch.stack") && first.kind == OperatorKind::list &&
      !first.items().empty() && isLibraryObject(first.items().front()) &&
      !isSelection(first.items().front())) {
    const PythonValue joined = bindMethod(first.items().front(), "_joined", place);
    std::vector<CallArgument> given;
    given.push_back({"", PythonValue::textOf(name, place), place});
    given.push_back({"", first, place});
    given.insert(given.end(), rest.begin(), rest.end());
    result = call(joined, std::move(given), place);
    return true;
  }
  if (isLibraryObject(first) && rest.empty() && first.object->attributes.contains(name)) {
    result = first.object->attributes.find(name)->second;
    return true;
  }
  if (isLibraryObject(first) && classAttribute(first.object->type, name)) {
    result = attribute(first, name, place, true);
    if (result.kind == OperatorKind::function || result.kind == OperatorKind::method)
      result = call(result, std::move(rest), place);
    return true;
  }
  return false;
}

}  // namespace fusebench
