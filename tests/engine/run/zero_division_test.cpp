// SPDX-License-Identifier: GPL-3.0-or-later
// Integers divided by zero: an error, as in PyTorch, of every executor and at the place.
#include <string>
#include <vector>

#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/expect_reference.h"

namespace fusebench {
namespace {

std::string divisionError(EngineFixture& fixture, const std::string& executor,
                          const std::string& text, const std::vector<Tensor>& inputs) {
  try {
    makeExecutor(executor, fixture.backend(), parseProgram(text, hintsOf(text, inputs)))
        ->call(inputs);
    return "no error";
  } catch (const ProgramError& error) {
    return std::to_string(error.place().line) + ": " + error.what();
  }
}

TEST(ZeroDivision, OfIntegersIsAnErrorAtItsPlace) {
  EngineFixture fixture;
  for (const DType dtype : {DType::int64, DType::int32, DType::int8, DType::uint8}) {
    const std::vector<Tensor> zero{fixture.typed(dtype, {4}, {7, 5, 3, 1}),
                                   fixture.typed(dtype, {4}, {1, 2, 0, 3})};
    const std::vector<Tensor> without{zero[0], fixture.typed(dtype, {4}, {1, 2, 4, 3})};
    for (const char* const expression :
         {"x // y", "x % y", "torch.remainder(x, y)", "torch.fmod(x, y)", "x.floor_divide(y)",
          "torch.div(x, y, rounding_mode='floor')", "torch.div(x, y, rounding_mode='trunc')",
          "7 // y", "7 % y"}) {
      const std::string text = std::string("def f(x, y):\n    z = x + 1\n    z = ") + expression +
                               "\n    return z * 2\n";
      for (const ExecutorInfo& info : executorsOn(fixture.backend()))
        EXPECT_NE(
            divisionError(fixture, std::string(info.name), text, zero).find("ZeroDivisionError"),
            std::string::npos)
            << info.name << " of " << expression << ": "
            << divisionError(fixture, std::string(info.name), text, zero);
      EXPECT_EQ(divisionError(fixture, "static", text, zero).substr(0, 2), "3:") << expression;
      expectAsReference(fixture, text, without, hintsOf(text, without));
    }
  }
}

TEST(ZeroDivision, ByANumberIsAnErrorWhenItIsPlanned) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.typed(DType::int64, {4}, {7, 5, 3, 1})};
  for (const char* const expression : {"x // 0", "x % 0", "x // (x.shape[0] - 4)"})
    for (const ExecutorInfo& info : executorsOn(fixture.backend()))
      EXPECT_NE(divisionError(fixture, std::string(info.name),
                              std::string("def f(x):\n    return ") + expression, inputs)
                    .find("ZeroDivisionError"),
                std::string::npos)
          << info.name << " of " << expression;
}

TEST(ZeroDivision, InPlaceIsAnError) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.typed(DType::int64, {2}, {7, 5}),
                                   fixture.typed(DType::int64, {2}, {1, 0})};
  for (const ExecutorInfo& info : executorsOn(fixture.backend()))
    EXPECT_NE(divisionError(fixture, std::string(info.name),
                            "def f(x, y):\n    z = x + 1\n    z //= y\n    return z", inputs)
                  .find("ZeroDivisionError"),
              std::string::npos)
        << info.name;
}

TEST(ZeroDivision, OfFloatsIsInfinite) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.tensor({3}, {1, -1, 0}), fixture.tensor({3}, {0, 0, 0})};
  const std::string text = "def f(x, y):\n    return x // y, x % y\n";
  const Program program = parseProgram(text, hintsOf(text, inputs));
  EXPECT_TRUE(program.checks.empty());
  expectAsReference(fixture, text, inputs, hintsOf(text, inputs));
  // If the dividend is a float, an integer divisor becomes a float, too.
  const std::vector<Tensor> mixed{inputs[0], fixture.typed(DType::int64, {3}, {0, 1, 2})};
  EXPECT_EQ(divisionError(fixture, "eager", text, mixed), "no error");
}

TEST(ZeroDivision, ItsCheckStandsInNoText) {
  const ProgramHints hints{{"x", {{4}, DType::int64}}, {"y", {{4}, DType::int64}}};
  const std::string text = toText(parseProgram("def f(x, y):\n    return x // y + x % y", hints));
  EXPECT_EQ(text.find("assert"), std::string::npos) << text;
  EXPECT_EQ(text.find("zero"), std::string::npos) << text;
  EXPECT_EQ(toText(parseProgram(text, hints)), text);
  EXPECT_EQ(parseProgram("def f(x, y):\n    return x // y + x % y", hints).checks.size(), 1u);
}

}  // namespace
}  // namespace fusebench
