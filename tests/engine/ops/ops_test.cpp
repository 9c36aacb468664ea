// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/ops/ops.h"

#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/language/parser.h"
#include "engine/ops/op_choices.h"

namespace fusebench {
namespace {

using ::testing::ElementsAre;

bool isChosen(const OpRow& row) {
  for (const OpChoice& choice : opChoices())
    if (choice.to == row.name) return true;
  return false;
}

TEST(OpsTest, TheTableHasTheUsualOps) {
  EXPECT_GE(opRows().size(), 75u);
  for (const char* name :
       {"add", "where", "clamp", "lerp", "gelu", "mish", "erf", "sum", "std", "argmax"})
    EXPECT_NE(findOp(name), nullptr) << name;
}

TEST(OpsTest, EveryRowIsFilledIn) {
  for (const OpRow& row : opRows()) {
    SCOPED_TRACE(std::string(row.name));
    EXPECT_FALSE(row.doc.empty());
    EXPECT_NE(row.doc.back(), '.');
    EXPECT_LT(row.doc.size(), 100u);
    EXPECT_TRUE(row.spellings.size() > 0 || isChosen(row) || row.view || row.name == "index" ||
                row.name.starts_with("index_put") || row.name.starts_with("scatter_"))
        << "no text means this row";
    EXPECT_GE(row.arity, row.kind == OpKind::make || isFence(row) ? 0 : 1);
    EXPECT_LE(static_cast<std::size_t>(row.arity), kMostOperands);
    EXPECT_LE(row.parameters.size(), kMostParameters);
    EXPECT_LE(row.arity, 3);
    EXPECT_TRUE(row.operands.size() == 0 ||
                row.operands.size() == static_cast<std::size_t>(row.arity));
    EXPECT_TRUE(row.arity < 3 || row.operands.size() == 3);
    EXPECT_TRUE(row.domain.size() == 0 || row.domain.size() == static_cast<std::size_t>(row.arity));
    EXPECT_TRUE(row.meaning || row.kind == OpKind::reduce || row.view || isCalled(row) ||
                row.kind == OpKind::scan);
    EXPECT_EQ(row.collective != Collective::none, row.kind == OpKind::collective);
    EXPECT_TRUE(row.contract.indices.empty() || row.kind == OpKind::contract);
    EXPECT_EQ(static_cast<bool>(row.view), row.kind == OpKind::view);
    EXPECT_FALSE(title(row.category).empty());
  }
}

TEST(OpsTest, EveryBoundIsAtMostFourUlp) {
  const std::set<std::string_view> two{"exp", "log", "sin", "cos", "tanh", "sqrt", "div"};
  for (const OpRow& row : opRows()) {
    EXPECT_LE(row.bound.ulp, two.contains(row.name) ? 2 : 4) << row.name;
    EXPECT_GE(row.bound.ulp, 0) << row.name;
    EXPECT_LE(row.bound.absolute, 4e-7) << row.name;
    if (row.result != ResultType::number) {
      EXPECT_EQ(row.bound.ulp, 0) << row.name;
    }
  }
}

TEST(OpsTest, EveryParameterHasADocAndADefaultWithinItsRange) {
  for (const OpRow& row : opRows())
    for (const Parameter& p : row.parameters) {
      SCOPED_TRACE(std::string(row.name) + " " + std::string(p.name));
      EXPECT_FALSE(p.doc.empty());
      if (p.required || p.kind == Parameter::Kind::dims) continue;
      EXPECT_FALSE(std::isnan(p.fallback));
      EXPECT_TRUE(std::isinf(p.fallback) || (p.low <= p.fallback && p.fallback <= p.high));
    }
}

TEST(OpsTest, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (const OpRow& row : opRows()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(findOp(row.name), &row);
    EXPECT_EQ(&opRows()[static_cast<std::size_t>(opIndex(row))], &row);
  }
  EXPECT_EQ(findOp("exq"), nullptr);
}

TEST(OpsTest, ASpellingMeansOneRowForEachNumberOfOperands) {
  for (const OpRow& row : opRows())
    for (std::string_view spelling : row.spellings) {
      std::set<int> arities;
      for (const OpRow* each : rowsSpelled(spelling))
        EXPECT_TRUE(arities.insert(each->arity).second) << spelling;
    }
}

TEST(OpsTest, MeaningsGiveTruthWhereTheRowSaysSo) {
  for (const OpRow& row : opRows()) {
    if (row.kind != OpKind::pointwise || row.places != IndexInputs::none) continue;
    for (unsigned truths = 0; truths < 1u << row.arity; ++truths) {
      const bool wanted = (truths & row.truthOperands) == row.truthOperands;
      const bool allTruth = truths == (1u << row.arity) - 1 && truths != row.truthOperands;
      const bool refused = row.takes == AcceptedTypes::floats ||
                           row.takes == AcceptedTypes::numbers ||
                           row.takes == AcceptedTypes::integers ||
                           row.takes == AcceptedTypes::any || row.takes == AcceptedTypes::whole;
      if (!wanted || (allTruth && refused && row.result != ResultType::truth)) continue;
      ExprGraph graph;
      std::vector<Expr> operands, parameters;
      for (int i = 0; i < row.arity; ++i)
        operands.push_back(
            {&graph, graph.input(i, (truths >> i) & 1u ? TypeClass::truth : TypeClass::float32)});
      for (std::size_t i = 0; i < row.parameters.size(); ++i)
        parameters.push_back({&graph, graph.scalar(static_cast<int>(i))});
      EXPECT_EQ(row.meaning(Args(operands, parameters)).isTruth(), row.result == ResultType::truth)
          << row.name << " with truth operands " << truths;
    }
  }
}

/// One text per spelling, made from the row alone: a row added to the table is found by the parser,
/// is printed, and is read back, with nothing else changed.
TEST(OpsTest, EverySpellingOfEveryRowIsReadAndPrinted) {
  int spellings = 0;
  for (const OpRow& row : opRows())
    for (std::string_view spelling : row.spellings) {
      // Each has arguments of its own: see Views and Making.
      if (row.kind == OpKind::view || row.kind == OpKind::make || row.indexing.is) continue;
      if (spelling == "torch.einsum") continue;  // begins with its equation: see Contractions
      std::string arguments, self;
      for (int i = 0; i < row.arity; ++i) {
        const bool truth = (row.truthOperands >> i) & 1u;
        const bool bitwise =
            spelling == "&" || spelling == "|" || spelling == "^" || spelling == "unary ~";
        const std::string name(1, static_cast<char>('a' + i));
        const std::string operand = truth || bitwise ? "(" + name + " > 0)" : name;
        if (i == 0) self = operand;
        arguments += (i > 0 ? ", " : "") + operand;
      }
      std::string required, call;
      for (const Parameter& p : row.parameters)
        if (p.required)
          required += ", " + std::string(p.name) +
                      (p.kind == Parameter::Kind::sizes || p.kind == Parameter::Kind::integer ? "=2"
                       : p.kind == Parameter::Kind::flag ? "=True"
                       : p.kind == Parameter::Kind::dims ? "=0"
                                                         : "=0.5");
      const std::size_t dot = spelling.find('.');
      if (spelling.substr(0, 6) == "unary ")
        call = std::string(1, spelling.back()) + self;
      else if (dot == std::string_view::npos)
        call =
            self + " " + std::string(spelling) + " " + arguments.substr(arguments.rfind(", ") + 2);
      else if (spelling.substr(0, 2) == "x.")
        call = self + std::string(spelling.substr(1)) + "(" +
               (arguments.size() > self.size() ? arguments.substr(self.size() + 2) + required
                                               : required.substr(required.empty() ? 0 : 2)) +
               ")";
      else
        call = std::string(spelling) + "(" + arguments + required + ")";
      SCOPED_TRACE(call);
      const Program program = parseProgram("y = " + call + "\nreturn y");
      ASSERT_FALSE(program.ops.empty());
      EXPECT_EQ(program.ops.back().row, &row);
      EXPECT_EQ(program.statements.size(), 1u);
      const Program again = parseProgram(toText(program));
      EXPECT_EQ(again.ops.back().row, &row) << toText(program);
      EXPECT_EQ(again.ops.back().parameters, program.ops.back().parameters) << toText(program);
      EXPECT_EQ(again.ops.back().sizeNumbers, program.ops.back().sizeNumbers) << toText(program);
      ++spellings;
    }
  EXPECT_GT(spellings, 200);
}

TEST(OpsTest, NearestNamesAreNearestFirst) {
  EXPECT_THAT(nearestNames("sgimoid"), ElementsAre("sigmoid"));
  EXPECT_THAT(nearestNames("sinn"), ElementsAre("sin"));
  EXPECT_THAT(nearestNames("tanhh", 2), ElementsAre("tanh", "tan"));
  EXPECT_THAT(nearestNames("qqqqqqqq"), ElementsAre());
  EXPECT_EQ(nearestNames("mean").front(), "mean");
}

TEST(OpsTest, ChoicesLeadFromRowsToRows) {
  for (const OpChoice& choice : opChoices()) {
    EXPECT_NE(findOp(choice.from), nullptr) << choice.from;
    EXPECT_NE(findOp(choice.to), nullptr) << choice.to;
  }
}

TEST(OpsTest, ReducedShapesDropOrKeepDimensions) {
  EXPECT_EQ(reducedShape({2, 3, 4}, 0b010, false), (Shape{2, 4}));
  EXPECT_EQ(reducedShape({2, 3, 4}, 0b101, true), (Shape{1, 3, 1}));
  EXPECT_EQ(reducedShape({2, 3}, 0b11, false), Shape{});
}

TEST(OpsTest, ResultsHaveTheDTypesOfTheirKind) {
  EXPECT_EQ(resultDType(*findOp("add")), DType::float32);
  EXPECT_EQ(resultDType(*findOp("lt")), DType::boolean);
  EXPECT_EQ(resultDType(*findOp("argmax")), DType::int64);
}

}  // namespace
}  // namespace fusebench
