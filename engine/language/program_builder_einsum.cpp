// SPDX-License-Identifier: GPL-3.0-or-later
// torch.einsum: a contraction whose row leaves its index letters to the equation.
#include <algorithm>

#include "engine/language/program_builder.h"
#include "engine/language/program_errors.h"
#include "engine/ops/promotion.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

bool isIndexLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The equation without spaces and with its result written out. Throws ProgramError.
std::string settledEquation(const std::string& written, std::size_t operands, SourcePlace place) {
  std::string text = written;
  std::erase(text, ' ');
  const auto fail = [&](const std::string& why) {
    failProgram(place, "torch.einsum: " + why + " in '" + written + "'");
  };
  const std::size_t arrow = text.find("->");
  const std::string terms = text.substr(0, arrow);
  if (static_cast<std::size_t>(std::ranges::count(terms, ',')) + 1 != operands)
    fail("there are " + std::to_string(operands) + " operands, but " +
         std::to_string(std::ranges::count(terms, ',') + 1));
  const auto check = [&](std::string_view term) {
    std::string seen;
    for (std::size_t at = 0; at < term.size(); ++at) {
      if (term.substr(at, 3) == "...") {
        if (seen.find('.') != std::string::npos) fail("a term has more than one ...");
        seen += '.';
        at += 2;
      } else if (!isIndexLetter(term[at])) {
        fail(std::string("'") + term[at] + "' is no index letter");
      } else if (seen.find(term[at]) != std::string::npos) {
        fail(std::string("the letter ") + term[at] +
             " stands twice in one term, which takes a diagonal and is not supported,");
      } else {
        seen += term[at];
      }
    }
  };
  std::string_view rest = terms;
  while (true) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    check(rest.substr(0, comma));
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  std::string result;
  if (arrow != std::string::npos) {
    result = text.substr(arrow + 2);
    check(result);
    for (const char letter : result)
      if (letter != '.' && terms.find(letter) == std::string::npos)
        fail(std::string("the result's letter ") + letter + " is in no term");
  } else {
    // Letters that occur once are kept, in the alphabet's order, after the broadcast dimensions.
    if (terms.find('.') != std::string::npos) result = "...";
    for (const char letter :
         std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"))
      if (std::ranges::count(terms, letter) == 1) result += letter;
  }
  return terms + "->" + result;
}

std::vector<std::string> termsOf(const std::string& equation) {
  std::vector<std::string> terms(1);
  for (const char c : equation.substr(0, equation.find("->")))
    if (c == ',')
      terms.emplace_back();
    else
      terms.back() += c;
  return terms;
}

/// The letters of two terms that the result or later terms still need, in the order in which they
/// occur.
std::string keptOf(const std::string& first, const std::string& second, const std::string& after) {
  const std::string both = first + second;
  std::string kept = both.find('.') != std::string::npos ? "..." : "";
  for (const char letter : both)
    if (letter != '.' && kept.find(letter) == std::string::npos &&
        after.find(letter) != std::string::npos)
      kept += letter;
  return kept;
}

}  // namespace

PythonValue ProgramBuilder::einsumOfOne(const std::string& equation, PythonValue of,
                                        SourcePlace place) {
  const std::string term = termsOf(equation)[0];
  const std::string result = equation.substr(equation.find("->") + 2);
  if (term.find('.') != std::string::npos)
    failProgram(place,
                "torch.einsum of one operand does not support ...; write permute() and sum()");
  std::vector<PythonValue> summed, order;
  std::string left;
  for (std::size_t d = 0; d < term.size(); ++d)
    if (result.find(term[d]) == std::string::npos)
      summed.push_back(PythonValue::numberOf(static_cast<double>(d), true, place));
    else
      left += term[d];
  if (!summed.empty())
    of = method(of, "sum", {{"dim", PythonValue::listOf(summed, true, place), place}}, place);
  if (left == result) return summed.empty() ? method(of, "clone", {}, place) : of;
  for (const char letter : result)
    order.push_back(PythonValue::numberOf(static_cast<double>(left.find(letter)), true, place));
  return method(of, "permute", {{"", PythonValue::listOf(order, true, place), place}}, place);
}

PythonValue ProgramBuilder::einsum(std::vector<CallArgument> arguments, SourcePlace place) {
  if (arguments.empty() || arguments[0].value.kind != Kind::text)
    failProgram(place,
                "torch.einsum must begin with its equation, as in torch.einsum('ij,jk->ik', a, b)");
  const PythonValue equation = arguments[0].value;
  arguments.erase(arguments.begin());
  if (arguments.size() == 1 && arguments[0].value.kind == Kind::list) {
    const std::vector<PythonValue> items = arguments[0].value.items();
    arguments.clear();
    for (const PythonValue& item : items) arguments.push_back({"", item, item.place});
  }
  if (arguments.empty()) failProgram(place, "torch.einsum needs tensors after its equation");
  for (const CallArgument& argument : arguments)
    if (!argument.value.isTensor())
      failProgram(argument.place,
                  "torch.einsum needs tensors, but found " + argument.value.shown());
  const std::string settled = settledEquation(equation.text, arguments.size(), equation.place);
  if (arguments.size() == 1) return einsumOfOne(settled, arguments[0].value, place);
  // More than two terms are multiplied one after another, from the left, as in PyTorch.
  const std::vector<std::string> terms = termsOf(settled);
  const std::string result = settled.substr(settled.find("->") + 2);
  PythonValue made = arguments[0].value;
  std::string term = terms[0];
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    std::string after = result;
    for (std::size_t later = i + 1; later < terms.size(); ++later) after += terms[later];
    const std::string kept = i + 1 == terms.size() ? result : keptOf(term, terms[i], after);
    made = contracted(term + "," + terms[i] + "->" + kept, made, arguments[i].value, place);
    term = kept;
  }
  return made;
}

void ProgramBuilder::castFactors(Op& op) {
  const std::string_view rule =
      op.equation.empty() ? op.row->contract.indices : std::string_view(op.equation);
  const std::size_t arrow = rule.find("->");
  if (arrow == std::string_view::npos) return;
  const std::string_view factors = rule.substr(0, arrow), result = rule.substr(arrow + 2);
  const bool sums = std::ranges::any_of(factors, [&](char c) {
    return c != ',' && (!isIndexLetter(c) || result.find(c) == std::string_view::npos);
  });
  if (sums) return;
  std::vector<DType> types;
  for (const Operand& operand : op.operands) {
    const std::optional<ValueType>& type = typeOf(operand.value);
    if (!type) program_.asksDtypes = true;  // read again for the inputs, whose dtypes decide
    if (!type) return;
    types.push_back(type->dtype);
  }
  const DType made = promoted(types[0], types[1]);
  const SourcePlace place = op.place;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i] == made) continue;
    PythonValue factor = PythonValue::tensorOf(op.operands[i].value, place);
    factor.detached = op.operands[i].detached;
    const PythonValue to = PythonValue::pathOf("torch." + std::string(info(made).name), place);
    const PythonValue cast = method(factor, "to", {{"", to, place}}, place);
    op.operands[i] = Operand::ofValue(cast.value);
    op.operands[i].detached = cast.detached;
  }
}

PythonValue ProgramBuilder::contracted(const std::string& equation, const PythonValue& a,
                                       const PythonValue& b, SourcePlace place) {
  Op op;
  op.row = &equationRow();
  op.place = place;
  for (const PythonValue* const each : {&a, &b}) {
    op.operands.push_back(Operand::ofValue(each->value));
    op.operands.back().detached = each->detached;
  }
  op.equation = equation;
  return append(std::move(op));
}

}  // namespace fusebench
