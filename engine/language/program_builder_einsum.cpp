// SPDX-License-Identifier: GPL-3.0-or-later
// torch.einsum: a contraction whose row leaves its index letters to the equation.
#include <algorithm>

#include "engine/language/program_builder.h"
#include "engine/language/program_errors.h"

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
    // What stands once is kept, in the alphabet's order, after what is broadcast.
    if (terms.find('.') != std::string::npos) result = "...";
    for (const char letter :
         std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"))
      if (std::ranges::count(terms, letter) == 1) result += letter;
  }
  return terms + "->" + result;
}

}  // namespace

PythonValue ProgramBuilder::einsum(std::vector<CallArgument> arguments, SourcePlace place) {
  if (arguments.empty() || arguments[0].value.kind != Kind::text)
    failProgram(place,
                "torch.einsum begins with its equation, as in torch.einsum('ij,jk->ik', a, b)");
  const PythonValue equation = arguments[0].value;
  arguments.erase(arguments.begin());
  if (arguments.size() == 1 && arguments[0].value.kind == Kind::list) {
    const std::vector<PythonValue> items = arguments[0].value.items();
    arguments.clear();
    for (const PythonValue& item : items) arguments.push_back({"", item, item.place});
  }
  if (arguments.size() != 2)
    failProgram(place, "torch.einsum takes two operands here, not " +
                           std::to_string(arguments.size()) +
                           "; write several, one after another, and permute() and sum() for one");
  Op op;
  op.row = &equationRow();
  op.place = place;
  for (const CallArgument& argument : arguments) {
    if (!argument.value.isTensor())
      failProgram(argument.place,
                  "torch.einsum needs tensors, but found " + argument.value.shown());
    op.operands.push_back({argument.value.value, 0, false});
  }
  op.equation = settledEquation(equation.text, 2, equation.place);
  return append(std::move(op));
}

}  // namespace fusebench
