// SPDX-License-Identifier: GPL-3.0-or-later
// Limits of the stack, steps and time that reading a text may take. Each recursive function has a
// limit that a text meets before the stack does.
#include <stdexcept>
#include <stop_token>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/work_limit.h"
#include "engine/base/work_stop.h"
#include "engine/plan/plan.h"
#include "tests/engine/support/program_lines.h"

namespace fusebench::test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

std::string repeated(const std::string& piece, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += piece;
  return all;
}

/// "a = (1,)" wrapped so often, deep but not wide.
std::string deepTuple(int depth) {
  return "a = (1,)\nfor i in range(" + std::to_string(depth) + "):\n  a = (a,)\n";
}
/// Two of one, two of that: 2 to the power of `depth` leaves.
std::string wideTuple(const std::string& name, int depth) {
  return name + " = (1,)\nfor i in range(" + std::to_string(depth) + "):\n  " + name + " = (" +
         name + ", " + name + ")\n";
}

const auto kRefused = AnyOf(HasSubstr("deep here"), HasSubstr("steps to work out"),
                            HasSubstr("takes more than"), HasSubstr("longer than any program"));

TEST(StackLimits, NestedValuesAreComparedOrderedShownAndCopied) {
  const std::string two = deepTuple(5000) + "b = a\n" + deepTuple(5000);
  EXPECT_THAT(refusal(two + "return x * (a == b)"), kRefused);
  EXPECT_THAT(refusal(two + "return x * len(sorted([a, b]))"), kRefused);
  EXPECT_THAT(refusal(two + "return x * len(max(a, b, key=lambda c: c))"), kRefused);
  EXPECT_THAT(refusal(deepTuple(5000) + "return x * len(str(a))"), kRefused);
  EXPECT_THAT(refusal(deepTuple(5000) + "return x * isinstance(1, a)"), kRefused);
  EXPECT_THAT(refusal("import copy\n" + deepTuple(5000) + "return x * len(copy.deepcopy(a))"),
              kRefused);
  EXPECT_THAT(refusal(deepTuple(5000) + "return x[a]"), kRefused);
  EXPECT_THAT(refusal(deepTuple(5000) + "return x + torch.tensor(a)"),
              ::testing::Not(HasSubstr("accepted")));
}

TEST(StackLimits, ObjectsThatLeadToThemselvesAreRefused) {
  EXPECT_THAT(refusal("class A:\n  def __len__(self):\n    return self\n"
                      "if A():\n  pass\nreturn x"),
              kRefused);
  EXPECT_THAT(refusal("class A:\n  def __iter__(self):\n    return iter(self)\n"
                      "for k in A():\n  pass\nreturn x"),
              kRefused);
  EXPECT_THAT(refusal("class A:\n  def __next__(self):\n    return next(self)\n"
                      "return x * next(A())"),
              kRefused);
  EXPECT_THAT(refusal("class A:\n  def __call__(self):\n    return self()\nreturn x * A()()"),
              kRefused);
  EXPECT_THAT(refusal("class A:\n  def __getitem__(self, i):\n    return self[i]\n"
                      "return x * A()[0]"),
              kRefused);
  EXPECT_THAT(refusal("def f(n):\n  return f(n + 1)\nreturn x * f(0)"), kRefused);
  EXPECT_THAT(refusal("f = lambda g: g(g)\nreturn x * f(f)"), kRefused);
  EXPECT_THAT(
      refusal("a = [1]\nfor i in range(5000):\n  a = enumerate(a)\nreturn x * len(list(a))"),
      kRefused);
}

TEST(StackLimits, NestedTextIsRefusedByItsReader) {
  for (const auto& [before, after] :
       std::initializer_list<std::pair<const char*, const char*>>{{"(", ")"},
                                                                  {"[", "]"},
                                                                  {"-", ""},
                                                                  {"not ", ""},
                                                                  {"2 ** ", ""},
                                                                  {"lambda a: ", ""},
                                                                  {"abs(", ")"},
                                                                  {"{1: ", "}"},
                                                                  {"x[", "]"},
                                                                  {"1 if 1 else ", ""},
                                                                  {"[a for a in ", "]"},
                                                                  {"(a := ", ")"},
                                                                  {"~", ""}})
    EXPECT_THAT(refusal("return x * " + repeated(before, 20000) + "1" + repeated(after, 20000)),
                ::testing::Not(HasSubstr("accepted")))
        << before;
  EXPECT_THAT(refusal(repeated("(", 20000) + "a" + repeated(",)", 20000) + " = 1\nreturn x"),
              ::testing::Not(HasSubstr("accepted")));
  EXPECT_THAT(refusal("del " + repeated("(", 20000) + "a" + repeated(",)", 20000) + "\nreturn x"),
              ::testing::Not(HasSubstr("accepted")));
  EXPECT_THAT(refusal("y = f'" + repeated("{", 5000) + "1" + repeated("}", 5000) + "'\nreturn x"),
              ::testing::Not(HasSubstr("accepted: 1")));
  std::string blocks, elifs = "if 0:\n  pass\n";
  for (int i = 0; i < 500; ++i) blocks += std::string(static_cast<std::size_t>(i), ' ') + "if 1:\n";
  EXPECT_THAT(refusal(blocks + std::string(500, ' ') + "pass\nreturn x"),
              ::testing::Not(HasSubstr("accepted")));
  EXPECT_THAT(refusal(elifs + repeated("elif 0:\n  pass\n", 5000) + "return x"),
              ::testing::Not(HasSubstr("accepted")));
  std::string classes = "class A0:\n  pass\n";
  for (int i = 1; i < 2000; ++i)
    classes += "class A" + std::to_string(i) + "(A" + std::to_string(i - 1) + "):\n  pass\n";
  EXPECT_THAT(refusal(classes + "return x * A1999().missing"),
              ::testing::Not(HasSubstr("accepted")));
  EXPECT_THAT(refusal("def f(n):\n  n = n.shape[0] * 2\n" + repeated("  n = n * 2 + 1\n", 5000) +
                      "  return x.reshape(n)\nreturn f(x)"),
              ::testing::Not(HasSubstr("accepted")));
}

TEST(StepLimits, NestedTuplesAreNotGoneThroughLeafByLeaf) {
  // The same object is equal to itself, however many leaves it has.
  EXPECT_EQ(flat(wideTuple("a", 60) + "return x * (a == a) * len(sorted([a, a]))"),
            flat("return x * True * 2"));
  EXPECT_THAT(refusal(wideTuple("a", 60) + wideTuple("b", 60) + "return x * (a == b)"), kRefused);
  EXPECT_THAT(refusal(wideTuple("a", 60) + wideTuple("b", 60) + "return x * len(sorted([a, b]))"),
              kRefused);
  EXPECT_THAT(refusal(wideTuple("a", 60) + wideTuple("b", 60) + "return x * len(min(a, b))"),
              ::testing::Not(HasSubstr("accepted")));
  EXPECT_THAT(refusal(wideTuple("a", 60) + "return x * isinstance(2, a)"), kRefused);
}

TEST(StepLimits, ElementsThatAreTouchedAreSteps) {
  const std::string list = "a = list(range(90000))\n";
  EXPECT_THAT(refusal(list + "for i in range(90000):\n  b = a[1:]\nreturn x"), kRefused);
  EXPECT_THAT(refusal(list + "for i in range(90000):\n  a.pop(0)\nreturn x"), kRefused);
  EXPECT_THAT(refusal(list + "for i in range(90000):\n  a.insert(0, i)\nreturn x"), kRefused);
  EXPECT_THAT(refusal(list + "for i in range(90000):\n  del a[0]\nreturn x"), kRefused);
  EXPECT_THAT(refusal(list + "for i in range(90000):\n  a.reverse()\nreturn x"), kRefused);
  EXPECT_THAT(refusal(list + "for i in range(90000):\n  b = a.copy()\nreturn x"), kRefused);
  EXPECT_THAT(refusal(list + "for i in range(90000):\n  b = i in a\nreturn x"), kRefused);
  // A key of a dict is found without looking at the others; taking one out moves those behind it.
  EXPECT_EQ(flat("d = {}\nfor i in range(90000):\n  d[i] = i\nreturn x * (d[70000] + len(d))"),
            flat("return x * 160000"));
  const std::string dict = "d = {str(i): i for i in range(40000)}\n";
  EXPECT_EQ(flat(dict + "return x * sum([d[str(i)] + d.get(str(i), 7) for i in range(9000)])"),
            flat("return x * 80991000"));
  EXPECT_THAT(refusal(dict + "for i in range(40000):\n  d.pop(str(i))\nreturn x"), kRefused);
  EXPECT_THAT(refusal(dict + "for i in range(40000):\n  del d[str(i)]\nreturn x"), kRefused);
  EXPECT_THAT(refusal("d = set(range(90000))\nreturn x"), kRefused);
  EXPECT_THAT(refusal("t = 'a ' * 30000\nfor i in range(30000):\n  b = t.count('a')\nreturn x"),
              kRefused);
  // Taking an item from the end of a list moves no other item.
  EXPECT_EQ(flat(list + "for i in range(89999):\n  a.pop()\nreturn x * len(a)"),
            flat("return x * 1"));
  EXPECT_EQ(flat("return x * len(('a ' * 30000).split())"), flat("return x * 30000"));
}

TEST(StepLimits, ManyKeywordArgumentsAreReadOrRefused) {
  std::string names, given;
  for (int i = 0; i < 30000; ++i) {
    names += (i ? ", a" : "a") + std::to_string(i);
    given += (i ? ", a" : "a") + std::to_string(i) + "=1";
  }
  EXPECT_THAT(refusal("def f(" + names + "):\n  return 1\nreturn x * f(" + given + ")"), kRefused);
  EXPECT_THAT(refusal("def f(**k):\n  return len(k)\nreturn x * f(" + given + ")"),
              ::testing::Not(HasSubstr("deep here")));
  EXPECT_EQ(flat("d = dict(" + given + ")\nreturn x * len(d)"), flat("return x * 30000"));
}

TEST(TimeLimits, ReadingEndsAtItsDeadline) {
  const WorkLimit none(0);
  EXPECT_THAT(refusal("for i in range(50000):\n  a = i * 2\nreturn x"),
              HasSubstr("reading or planning this program takes more than 0 s"));
}

TEST(TimeLimits, ReadingEndsWhereItIsStopped) {
  std::stop_source source;
  source.request_stop();
  const WorkLimit stopped(1000, source.get_token());
  EXPECT_THAT(refusal("for i in range(50000):\n  a = i * 2\nreturn x"), HasSubstr("was stopped"));
}

TEST(TimeLimits, AStopEndsWorkAndLeavesEachLimitItsTime) {
  std::stop_source source;
  const WorkStop stop(source.get_token());
  {
    const WorkStop inner((std::stop_token()));
    const WorkLimit limit;
    EXPECT_EQ(WorkLimit::seconds(), WorkLimit::kUsualSeconds);
    EXPECT_NO_THROW(WorkStop::check());
    source.request_stop();
    EXPECT_EQ(WorkLimit::state(), WorkLimit::State::stopped);
  }
  EXPECT_EQ(WorkLimit::state(), WorkLimit::State::stopped);
  EXPECT_THROW(WorkStop::check(), std::runtime_error);
}

TEST(TimeLimits, TheOutermostLimitCounts) {
  const WorkLimit generous(1000);
  const WorkLimit none(0);
  EXPECT_EQ(WorkLimit::state(), WorkLimit::State::going);
  EXPECT_EQ(flat("for i in range(20000):\n  a = i * 2\nreturn x + 1"), flat("return x + 1"));
}

/// n gradients of gradients, each of the one before.
std::string nestedGradients(int n) {
  std::string text = "def f(x):\n  x.requires_grad_()\n  y = (torch.sin(x) * torch.exp(x)).sum()\n";
  for (int i = 0; i < n; ++i)
    text += "  y = torch.autograd.grad(y, x, create_graph=True)[0].sum()\n";
  return text + "  return y\n";
}

TEST(TimeLimits, GradientsOfGradientsArePlannedOrRefused) {
  const std::vector<Form> forms{contiguousForm(DType::float32, {4})};
  EXPECT_NO_THROW(makePlan(parseProgram(nestedGradients(3)), forms, {}));
  try {
    makePlan(parseProgram(nestedGradients(30)), forms, {});
    FAIL() << "it is planned";
  } catch (const ProgramError& error) {
    EXPECT_THAT(error.what(), AnyOf(HasSubstr("gradients of gradients"),
                                    HasSubstr("reading or planning this program takes more than"),
                                    HasSubstr("ops")));
    EXPECT_GT(error.place().line, 0);
  }
}

/// Within the usual limit, which work that grows with the square of their number exceeds.
TEST(TimeLimits, ManyParametersAndFunctionsAreReadInTime) {
  const WorkLimit limit;
  std::string parameters = "x", functions;
  for (int i = 0; i < 40'000; ++i) parameters += ", a" + std::to_string(i) + "=1";
  EXPECT_NO_THROW(parseProgram("def f(" + parameters + "):\n  return x + 1\n"));
  for (int i = 0; i < 20'000; ++i)
    functions += "def g" + std::to_string(i) + "(a):\n  return a + 1\n";
  EXPECT_NO_THROW(parseProgram(functions + "def f(x):\n  return x + 1\n"));
  EXPECT_EQ(WorkLimit::state(), WorkLimit::State::going);
}

TEST(TimeLimits, ManyWritesInPlaceArePlannedInTime) {
  const std::vector<Form> forms{contiguousForm(DType::float32, {4, 8})};
  const WorkLimit limit;
  for (const std::string& text :
       {"y = x + 1\n" + repeated("y[0, 0] = 1.0\n", 2'000) + "return y",
        "y = x + 1\nz = x\n" + repeated("y[0, 0] = 1.0\nz = z * y\n", 1'000) + "return z"}) {
    EXPECT_NO_THROW(makePlan(parseProgram(text), forms, {}));
    EXPECT_EQ(WorkLimit::state(), WorkLimit::State::going);
  }
}

TEST(TimeLimits, ManyReductionsArePlannedInTime) {
  const std::vector<Form> forms{contiguousForm(DType::float32, {4, 8})};
  const WorkLimit limit;
  std::string sums = "s = x\n";
  for (int i = 0; i < 1'000; ++i) sums += "s = s + (x.sum() + " + std::to_string(i) + ")\n";
  EXPECT_NO_THROW(makePlan(parseProgram(sums + "return s"), forms, {}));
  EXPECT_EQ(WorkLimit::state(), WorkLimit::State::going);
}

TEST(TimeLimits, PlanningEndsAtItsDeadline) {
  const std::vector<Form> forms{contiguousForm(DType::float32, {4})};
  const Program program = parseProgram(nestedGradients(7));
  const WorkLimit none(0);
  EXPECT_THROW(makePlan(program, forms, {}), ProgramError);
}

}  // namespace
}  // namespace fusebench::test
