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
  const auto check = [&](std::string_view term, bool isResult) {
    std::string seen;
    for (std::size_t at = 0; at < term.size(); ++at) {
      if (term.substr(at, 3) == "...") {
        if (seen.find('.') != std::string::npos) fail("a term has more than one ...");
        seen += '.';
        at += 2;
      } else if (!isIndexLetter(term[at])) {
        fail(std::string("'") + term[at] + "' is no index letter");
      } else if (isResult && seen.find(term[at]) != std::string::npos) {
        fail(std::string("the letter ") + term[at] + " is in the result twice");
      } else {
        seen += term[at];
      }
    }
  };
  std::string_view rest = terms;
  while (true) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    check(rest.substr(0, comma), false);
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  std::string result;
  if (arrow != std::string::npos) {
    result = text.substr(arrow + 2);
    check(result, true);
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

/// The dimension of a letter; negative, counted from the last, behind "...".
int dimensionOf(const std::string& term, std::size_t at) {
  const std::size_t dots = term.find("...");
  return dots != std::string::npos && at > dots
             ? static_cast<int>(at) - static_cast<int>(term.size())
             : static_cast<int>(at);
}

}  // namespace

PythonValue ProgramBuilder::einsumOfOne(const std::string& equation, PythonValue of,
                                        SourcePlace place) {
  const std::string term = termsOf(equation)[0];
  const std::string result = equation.substr(equation.find("->") + 2);
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

/// A letter that is twice in a term takes the diagonal of its two dimensions.
void ProgramBuilder::takeDiagonals(std::string& term, PythonValue& of, SourcePlace place) {
  for (std::size_t at = 0; at < term.size(); ++at) {
    const char letter = term[at];
    const std::size_t again = letter == '.' ? std::string::npos : term.find(letter, at + 1);
    if (again == std::string::npos) continue;
    std::vector<CallArgument> dims{{"offset", PythonValue::numberOf(0, true, place), place}};
    for (const std::size_t each : {at, again})
      dims.push_back({each == at ? "dim1" : "dim2",
                      PythonValue::numberOf(dimensionOf(term, each), true, place), place});
    of = method(of, "diagonal", std::move(dims), place);
    term.erase(again, 1);
    term.erase(at, 1);
    term += letter;  // the diagonal is the last dimension
    at = static_cast<std::size_t>(-1);
  }
}

/// Letters for the dimensions that ... stands for, where there is one operand.
void ProgramBuilder::spellDots(std::string& term, std::string& result, const PythonValue& of,
                               SourcePlace place) {
  if (term.find('.') == std::string::npos) return;
  const std::optional<int> rank = rankOf(of.value);
  if (!rank)
    failProgram(place,
                "torch.einsum of one operand with ... needs its number of dimensions; write "
                "permute() and sum()");
  std::string letters;
  for (char letter = 'a'; static_cast<int>(term.size() - 3 + letters.size()) < *rank; ++letter) {
    if (letter > 'z') failProgram(place, "torch.einsum: there are too many dimensions");
    if ((term + result).find(letter) == std::string::npos) letters += letter;
  }
  for (std::string* each : {&term, &result})
    if (const std::size_t at = each->find("..."); at != std::string::npos)
      each->replace(at, 3, letters);
}

/// An operand's dimension of extent 1 whose letter is longer in another operand is taken as it is
/// for each of the other's places: the letter is left out there.
void ProgramBuilder::dropBroadcast(std::vector<std::string>& terms,
                                   std::vector<CallArgument>& arguments, SourcePlace place) {
  const auto extentIn = [&](std::size_t i, char letter) -> std::optional<std::int64_t> {
    const std::size_t at = terms[i].find(letter);
    if (at == std::string::npos) return std::nullopt;
    const std::optional<Shape> shape = shapeOf(arguments[i].value.value);
    if (!shape) return std::nullopt;
    const int dim = dimensionOf(terms[i], at);
    const int rank = shape->rank();
    if (dim >= rank || dim < -rank) return std::nullopt;
    return (*shape)[dim < 0 ? dim + rank : dim];
  };
  for (std::size_t i = 0; i < terms.size(); ++i)
    for (std::size_t at = 0; at < terms[i].size();) {
      const char letter = terms[i][at];
      const bool one = letter != '.' && extentIn(i, letter) == 1;
      bool longer = false;
      for (std::size_t j = 0; one && j < terms.size(); ++j)
        longer |= j != i && extentIn(j, letter).value_or(1) != 1;
      if (!longer) {
        ++at;
        continue;
      }
      const int dim = dimensionOf(terms[i], at);
      const SizeId extent = program_.sizes.extent(arguments[i].value.value, dim);
      check(program_.sizes.binary(SizeKind::equal, extent, program_.sizes.constant(1, true), place),
            true, "torch.einsum: this program was read for an extent of 1, which is broadcast",
            place);
      arguments[i].value = method(arguments[i].value, "squeeze",
                                  {{"dim", PythonValue::numberOf(dim, true, place), place}}, place);
      terms[i].erase(at, 1);
    }
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
  std::vector<std::string> terms = termsOf(settled);
  std::string result = settled.substr(settled.find("->") + 2);
  for (std::size_t i = 0; i < terms.size(); ++i) takeDiagonals(terms[i], arguments[i].value, place);
  if (arguments.size() == 1) {
    spellDots(terms[0], result, arguments[0].value, place);
    return einsumOfOne(terms[0] + "->" + result, arguments[0].value, place);
  }
  dropBroadcast(terms, arguments, place);
  // More than two terms are multiplied one after another, from the left, as in PyTorch.
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
