// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/chosen_stacks.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "engine/language/parser.h"
#include "engine/plan/lowering.h"
#include "engine/plan/plan.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

Program read(const std::string& body) {
  return parseProgram("def f(x):\n  " + body, {{"x", {{8, 6}, DType::float32}}});
}

/// The steps for an input of 8 by 6, by the names of their ops.
std::vector<std::string> stepsOf(const Program& program, const PlanOptions& options = {}) {
  const std::vector<Form> forms{contiguousForm(DType::float32, {8, 6})};
  const Plan plan = makePlan(program, forms, options);
  std::vector<std::string> names;
  for (const Step& step : plan.steps) names.push_back(kernelName(*plan.program, step.group.ops));
  return names;
}

TEST(ChosenStacks, AKernelThatReadsAStackChoosesAmongItsPieces) {
  const auto made = withChosenStacks(read("return torch.stack((x * 2, x + 1), -1) * 3"));
  ASSERT_TRUE(made);
  EXPECT_FALSE(made->writesInto);
  EXPECT_THAT(stepsOf(*made), ElementsAre("mul_add", "where_mul"));
}

TEST(ChosenStacks, SumsOverAStackReadItsPieces) {
  const auto made =
      withChosenStacks(read("return torch.stack((x, x + 1, x.sin())).mean(0), torch.cat((x, x))"));
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->writesInto);  // the second stack is only returned
}

TEST(ChosenStacks, StacksThatAreOnlyReturnedOrMultipliedKeepTheirCopies) {
  EXPECT_FALSE(withChosenStacks(read("return torch.stack((x * 2, x + 1))")));
  EXPECT_FALSE(withChosenStacks(read("return torch.cat((x, x + 1)).t() @ torch.cat((x, x))")));
}

TEST(ChosenStacks, AStackThatIsWrittenLaterKeepsItsCopies) {
  EXPECT_FALSE(withChosenStacks(read("s = torch.stack((x, x))\n  s[0] = 5\n  return s * 2")));
}

TEST(ChosenStacks, CopiesThatATextSpellsOutMayCastAndStay) {
  EXPECT_FALSE(
      withChosenStacks(read("w = torch.empty_like(x.unsqueeze(0).expand(2, -1, -1))\n"
                            "  torch.select(w, 0, 0).copy_(x)\n"
                            "  torch.select(w, 0, 1).copy_(x.double())\n  return w * 2")));
}

TEST(ChosenStacks, ManyPiecesKeepTheirCopies) {
  EXPECT_FALSE(withChosenStacks(read("return torch.stack((x, x, x, x, x)) * 2")));
}

TEST(ChosenStacks, EagerLaunchesOneCopyPerPiece) {
  PlanOptions eager;
  eager.grouping = PlanOptions::Grouping::perOp;
  EXPECT_THAT(stepsOf(read("return torch.stack((x, x))"), eager), ElementsAre("clone", "clone"));
  EXPECT_THAT(stepsOf(read("return torch.cat((x, x, x), 1)"), eager), SizeIs(3));
}

TEST(ChosenStacks, MemoryThatIsOnlyTakenKeepsNoCopyOutOfAnEarlierKernel) {
  // The tensor for the stack is made after y, and its pieces are still written by y's kernel.
  EXPECT_THAT(stepsOf(read("y = x * 2\n  z = x + y\n  return torch.stack((y, z))")), SizeIs(1));
}

TEST(ChosenStacks, AllExecutorsHaveTheSameElements) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({8, 6})};
  for (const std::string body :
       {"return torch.stack((x * 2, x + 1), -1) * 3",
        "return torch.stack((x, x + 1, x.sin())).mean(0)",
        "return torch.cat((x[:, 3:], x[:, :3]), 1) - x",
        "s = torch.stack((x, x))\n  s[0] = 5\n  return s * 2, torch.stack((x, x), 1).sum(1)",
        "s = torch.stack((x, x.abs()))\n  t = s.view(16, 6)\n  return t.relu(), s",
        "return torch.stack((x, torch.stack((x, x + 1)).amax(0))) + 1"}) {
    const auto run = [&](const char* executor) {
      const auto made = makeExecutor(executor, fixture.backend(), read(body));
      const auto results = made->call(inputs);
      return std::vector<Tensor>(results.begin(), results.end());
    };
    const auto expected = run("eager");
    for (const char* executor : {"static", "dynamic", "instant"}) {
      const auto got = run(executor);
      ASSERT_EQ(got.size(), expected.size());
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_EQ(EngineFixture::values(got[i]), EngineFixture::values(expected[i]))
            << executor << ": " << body;
    }
  }
}

}  // namespace
}  // namespace fusebench
