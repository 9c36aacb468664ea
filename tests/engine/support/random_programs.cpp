// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/support/random_programs.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

#include "engine/ops/ops.h"

namespace fusebench::test {
namespace {

class Writer {
 public:
  explicit Writer(std::uint32_t seed) : random_(seed) {}

  std::string run() {
    std::string text = "def f(x, y):\n";
    const int statements = 1 + below(5);
    for (int i = 0; i < statements; ++i) {
      const std::string target = pick({"x", "y", "z", "a", "b"});
      text += "    " + target + " = " + number(2) + "\n";
      if (target != "x" && target != "y") names_.push_back(target);
    }
    return text + "    return " + number(1) + (below(3) == 0 ? ", " + pick(names_) : "") + "\n";
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string pick(const std::vector<std::string>& from) {
    return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
  }

  /// Eighths, which float32 holds exactly.
  std::string literal() {
    return below(2) == 0 ? std::to_string(1 + below(4)) : std::to_string((1 + below(20)) / 8.0);
  }

  std::string truth(int depth) {
    if (depth <= 0) return "(" + pick(names_) + " > " + literal() + ")";
    return draw(ResultType::truth, depth);
  }

  std::string number(int depth) {
    if (depth <= 0) return pick(names_);
    switch (below(12)) {
      case 0:
        return "(" + number(depth - 1) + ") ** " + pick({"2", "3", "0.5", "-1", "-0.5", "1.5"});
      case 1:
        return "torch.add(" + number(depth - 1) + ", " + number(depth - 1) +
               ", alpha=" + literal() + ")";
      case 2:
        return "torch.div(" + number(depth - 1) + ", " + number(depth - 1) + ", rounding_mode='" +
               pick({"floor", "trunc"}) + "')";
      case 3:
        return "torch.nn.functional.gelu(" + number(depth - 1) + ", approximate='tanh')";
      case 4:
        return "torch." + pick({"sum", "mean", "amax", "amin", "std", "var"}) + "(" +
               pick({"x", "y"}) + ", dim=" + pick({"0", "1", "-1"}) + ", keepdim=True)";
      case 5:
        return "torch.var(" + pick({"x", "y"}) +
               ", dim=(0, 1), correction=" + std::to_string(below(3)) + ", keepdim=True)";
      default:
        return draw(ResultType::number, depth);
    }
  }

  /// An op whose result is of the kind, with any of its spellings.
  std::string draw(ResultType kind, int depth) {
    for (;;) {
      // Collectives come last: no program of one rank has a use for them.
      const auto rows = std::ranges::count_if(
          opRows(), [](const OpRow& each) { return each.kind != OpKind::collective; });
      const OpRow& row = opRows()[static_cast<std::size_t>(below(static_cast<int>(rows)))];
      if (row.result != kind || row.spellings.size() == 0 || !hasPieces(row) || row.view) continue;
      return written(row, *(row.spellings.begin() + below(static_cast<int>(row.spellings.size()))),
                     depth);
    }
  }

  std::string written(const OpRow& row, std::string_view spelling, int depth) {
    const bool bitwise =
        spelling == "&" || spelling == "|" || spelling == "^" || spelling == "unary ~";
    const bool isOperator = spelling.find('.') == std::string_view::npos;
    std::vector<std::string> operands;
    for (int i = 0; i < row.arity; ++i) {
      const bool mayBeNumber =
          !bitwise && row.arity > 1 && i > 0 && (isOperator || ((row.numberOperands >> i) & 1u));
      if (bitwise || ((row.truthOperands >> i) & 1u))
        operands.push_back(truth(depth - 1));
      else if (mayBeNumber && below(2) == 0)
        operands.push_back(literal());
      else
        operands.push_back(number(depth - 1));
    }
    if (isOperator && row.arity == 1)
      return "(" + std::string(1, spelling.back()) + "(" + operands[0] + "))";
    if (isOperator)
      return "((" + operands[0] + ") " + std::string(spelling) + " (" + operands[1] + "))";
    std::string arguments;
    const bool method = spelling.substr(0, 2) == "x.";
    for (std::size_t i = method ? 1 : 0; i < operands.size(); ++i)
      arguments += (arguments.empty() ? "" : ", ") + operands[i];
    for (const Parameter& parameter : row.parameters) {
      if (parameter.kind != Parameter::Kind::number) continue;
      if (!parameter.required && !std::isinf(parameter.fallback) && below(2) == 0) continue;
      if (std::isinf(parameter.fallback) && parameter.low == 0) continue;
      arguments += (arguments.empty() ? "" : ", ") + std::string(parameter.name) + "=" + literal();
    }
    if (method)
      return "(" + operands[0] + ")" + std::string(spelling.substr(1)) + "(" + arguments + ")";
    std::string function(spelling);
    if (function.substr(0, 2) == "F.") function = "torch.nn.functional." + function.substr(2);
    return function + "(" + arguments + ")";
  }

  std::mt19937 random_;
  std::vector<std::string> names_{"x", "y"};
};

}  // namespace

std::string randomProgramText(std::uint32_t seed) {
  return Writer(seed).run();
}

int textsToTry(int usual) {
  const char* const wanted = std::getenv("FUSEBENCH_FUZZ");
  return wanted ? std::atoi(wanted) : usual;
}

}  // namespace fusebench::test
