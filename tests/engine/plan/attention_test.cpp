// SPDX-License-Identifier: GPL-3.0-or-later
// Which ops of a program are one attention.
#include "engine/plan/attention.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

#include "engine/plan/library_call.h"
#include "engine/plan/plan_text.h"
#include "engine/plan/storages.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const ValueType kQuery{{2, 3, 5, 4}, DType::float32}, kKey{{2, 3, 7, 4}, DType::float32},
    kValue{{2, 3, 7, 6}, DType::float32};

/// A program of q (2, 3, 5, 4), k (2, 3, 7, 4), v (2, 3, 7, 6), added (5, 7) and truth (2, 1, 5,
/// 7).
struct Planned {
  Program program;
  Plan plan;
  std::vector<Attention> found;

  explicit Planned(const std::string& body, Specialize specialize = Specialize::exact) {
    const std::vector<ValueType> types{
        kQuery, kKey, kValue, {{5, 7}, DType::float32}, {{2, 1, 5, 7}, DType::boolean}};
    program =
        parseProgram("def f(q, k, v, added, truth):\n    " + body + "\n", {{"q", types[0]},
                                                                           {"k", types[1]},
                                                                           {"v", types[2]},
                                                                           {"added", types[3]},
                                                                           {"truth", types[4]}});
    std::vector<Form> forms;
    for (const ValueType& type : types) forms.push_back(contiguousForm(type.dtype, type.shape));
    plan = makePlan(program, forms, {.specialize = specialize, .attention = true});
    found = findAttentions(*plan.program, plan.values);
  }
};

std::string spelledOut(const std::string& scores) {
  return "s = " + scores + "\n    return torch.softmax(s, dim=-1) @ v";
}
const std::string kProduct = "q @ k.transpose(-2, -1)";

TEST(Attention, IsFoundAsTheLibraryAndAsPeopleWriteIt) {
  for (const std::string& body :
       {std::string("return F.scaled_dot_product_attention(q, k, v)"),
        std::string("return F.scaled_dot_product_attention(q, k, v, attn_mask=added)"),
        std::string("return F.scaled_dot_product_attention(q, k, v, attn_mask=truth)"),
        std::string("return F.scaled_dot_product_attention(q, k, v, is_causal=True)"),
        spelledOut(kProduct), spelledOut(kProduct + " * 0.5"), spelledOut(kProduct + " / 2.0"),
        spelledOut("0.5 * (" + kProduct + ") + added"), spelledOut("added + " + kProduct),
        spelledOut("(" + kProduct + ").masked_fill(truth, float('-inf'))"),
        spelledOut("torch.where(truth, -1e9, " + kProduct + ")"),
        spelledOut("torch.einsum('bhid,bhjd->bhij', q, k)"),
        std::string("s = torch.softmax(torch.einsum('bhid,bhjd->bhij', q, k) * 0.5, -1)\n"
                    "    return torch.einsum('bhij,bhjd->bhid', s, v)")}) {
    const Planned planned(body);
    EXPECT_THAT(planned.found, SizeIs(1)) << body;
    std::vector<StepKind> kinds;
    for (const Step& step : planned.plan.steps) kinds.push_back(step.kind);
    EXPECT_THAT(kinds, ElementsAre(StepKind::attention)) << body;
  }
}

TEST(Attention, KeepsScaleMasksAndBorderInTheirOrder) {
  const Planned planned(
      spelledOut("(" + kProduct +
                 " / 4.0 + added).masked_fill(truth, -3.0)"
                 ".masked_fill(torch.triu(torch.ones(5, 7), diagonal=2) > 0, float('-inf'))"));
  ASSERT_THAT(planned.found, SizeIs(1));
  const AttentionCall& call = planned.found.front().call;
  EXPECT_EQ(call.scale, 0.25);
  ASSERT_THAT(call.steps, SizeIs(3));
  EXPECT_EQ(call.steps[0].kind, ScoreStep::Kind::add);
  EXPECT_EQ(call.steps[1].kind, ScoreStep::Kind::keep);
  EXPECT_FALSE(call.steps[1].keeps);
  EXPECT_EQ(call.steps[1].other, -3);
  EXPECT_EQ(call.steps[2].kind, ScoreStep::Kind::border);
  EXPECT_EQ(call.steps[2].border, (ScoreBorder{true, 1})) << "kept up to one column past the row";
  EXPECT_THAT(planned.found.front().operands, SizeIs(5)) << "the border is in no tensor";
}

TEST(Attention, KnowsTheBordersThatMasksDraw) {
  const struct {
    const char* kept;
    ScoreBorder border;
  } cases[] = {
      {"torch.tril(torch.ones(5, 7)) > 0", {true, 0}},
      {"torch.tril(torch.ones(5, 7, dtype=torch.bool), diagonal=2)", {true, 2}},
      {"torch.ones(5, 7).tril(-1) != 0", {true, -1}},
      {"~torch.triu(torch.ones(5, 7, dtype=torch.bool), diagonal=1)", {true, 0}},
      {"torch.tril(torch.ones(5, 7)) == 0", {false, 1}},
      {"torch.tril(torch.ones(5, 7))[None, None] > 0", {true, 0}},
      {"torch.tril(torch.ones(5, 7)).view(1, 1, 5, 7) > 0", {true, 0}},
      {"torch.arange(7)[None, :] <= torch.arange(5)[:, None]", {true, 0}},
      {"torch.arange(5)[:, None] > torch.arange(7)", {true, -1}},
      {"torch.arange(5)[:, None] + 2 >= torch.arange(7)", {true, 2}},
      {"torch.arange(7) >= torch.arange(5).unsqueeze(1)", {false, 0}},
  };
  for (const auto& each : cases) {
    const Planned planned(spelledOut("torch.where(" + std::string(each.kept) + ", " + kProduct +
                                     ", torch.tensor(float('-inf')))"));
    ASSERT_THAT(planned.found, SizeIs(1)) << each.kept;
    ASSERT_THAT(planned.found.front().call.steps, SizeIs(1)) << each.kept;
    const ScoreStep& step = planned.found.front().call.steps.front();
    EXPECT_EQ(step.kind, ScoreStep::Kind::border) << each.kept;
    EXPECT_EQ(step.border, each.border) << each.kept << ": " << step.border.at;
    EXPECT_THAT(planned.plan.steps, SizeIs(1)) << "nothing makes a mask: " << each.kept;
  }
}

TEST(Attention, ReadsMasksThatAreNoBorders) {
  for (const char* kept :
       {"torch.tril(added) > 0", "torch.tril(torch.ones(5, 7)).flip(0) > 0",
        "torch.arange(7)[None, :] <= torch.arange(5)[:, None] * 2",
        "torch.tril(torch.ones(7, 7))[2:] > 0", "torch.tril(torch.ones(5, 7) - 1) > 0"}) {
    const Planned planned(spelledOut("torch.where(" + std::string(kept) + ", " + kProduct +
                                     ", torch.tensor(float('-inf')))"));
    ASSERT_THAT(planned.found, SizeIs(1)) << kept;
    EXPECT_EQ(planned.found.front().call.steps.front().kind, ScoreStep::Kind::keep) << kept;
    EXPECT_GT(planned.plan.steps.size(), 1u) << kept;
  }
}

TEST(Attention, IsNotFoundWhereSomethingElseIsMeant) {
  for (const std::string& body :
       {"s = torch.softmax(" + kProduct + ", dim=-2)\n    return s @ v",
        "s = torch.softmax(" + kProduct + ", dim=-1)\n    return s @ v, s",
        "p = " + kProduct + "\n    return torch.softmax(p, dim=-1) @ v, p.sum()",
        "s = torch.softmax(" + kProduct + ", dim=-1)\n    return s @ v + s.sum()",
        "s = torch.exp(" + kProduct + ")\n    return (s / s.sum(-1, keepdim=True)) @ v",
        "s = torch.softmax(" + kProduct + " * added, dim=-1)\n    return s @ v",
        "s = torch.softmax(torch.tanh(" + kProduct + "), dim=-1)\n    return s @ v",
        "s = torch.softmax(" + kProduct + ", dim=-1)\n    v.mul_(2)\n    return s @ v",
        std::string("p = torch.softmax(added, dim=-1)\n    return p @ v"),
        "s = torch.softmax((" + kProduct + ").double(), dim=-1)\n    return s.float() @ v"}) {
    const Planned planned(body);
    for (const Attention& each : planned.found) EXPECT_THAT(each.ops, IsEmpty()) << body;
    for (const Step& step : planned.plan.steps) EXPECT_NE(step.kind, StepKind::attention) << body;
  }
}

TEST(Attention, ReadsWhatIsWrittenBeforeItsFirstOpAndRefusesWhatIsWrittenAfter) {
  EXPECT_THAT(
      Planned("k.mul_(2)\n    s = torch.softmax(" + kProduct + ", -1)\n    return s @ v").found,
      SizeIs(1));
  EXPECT_THAT(
      Planned("p = " + kProduct + "\n    k.mul_(2)\n    return torch.softmax(p, -1) @ v, k").found,
      IsEmpty());
}

TEST(Attention, IsFoundForAnySizes) {
  const Planned planned("return F.scaled_dot_product_attention(q, k, v, is_causal=True)",
                        Specialize::symbolic);
  ASSERT_THAT(planned.found, SizeIs(1));
  EXPECT_THAT(planned.plan.steps, SizeIs(1));
}

TEST(Attention, WritesItsResultAsTheCopyLiesThatJoinsHeads) {
  const std::string made = "y = F.scaled_dot_product_attention(q, k, v)\n    ";
  for (const char* joined :
       {"y.transpose(1, 2).reshape(2, 5, 18)", "y.transpose(1, 2).contiguous().view(2, 5, 18)",
        "y.permute(2, 0, 1, 3).reshape(5, 36)"}) {
    const Planned planned(made + "return " + joined + " * 2");
    EXPECT_THAT(planned.plan.steps, SizeIs(2)) << joined;
  }
  // Others read it as it is, or see a part of it.
  for (const char* body : {"return y.transpose(1, 2).reshape(2, 5, 18) * 2, y",
                           "return y.transpose(1, 2).reshape(2, 5, 18) * y.sum()",
                           "return y[:, 1:].transpose(1, 2).reshape(2, 5, 12) * 2"}) {
    const Planned planned(made + body);
    EXPECT_GE(planned.plan.steps.size(), 3u) << body;
  }
}

TEST(Attention, CountsOnlyTheScoresOnThisSideOfABorder) {
  for (const std::int64_t at : {-9, -3, -1, 0, 2, 6, 20}) {
    AttentionCall call{.is = true,
                       .steps = {{.kind = ScoreStep::Kind::border,
                                  .other = -std::numeric_limits<double>::infinity(),
                                  .border = {true, at}}}};
    AttentionSizes sizes;
    sizes.rows = 5;
    sizes.columns = 7;
    sizes.batch = {2, 3};
    std::int64_t kept = 0;
    for (std::int64_t row = 0; row < 5; ++row)
      for (std::int64_t column = 0; column < 7; ++column) kept += column - row <= at ? 1 : 0;
    EXPECT_EQ(scoresOf(call, sizes), 6 * kept) << at;
    call.steps.front().other = -1e9;
    EXPECT_EQ(scoresOf(call, sizes), 6 * 35) << "a finite number takes part: " << at;
  }
}

TEST(Attention, IsDescribedByItsPlanAndItsCall) {
  const Planned planned("return F.scaled_dot_product_attention(q, k, v, is_causal=True)");
  const std::string text = toText(planned.plan, {});
  EXPECT_THAT(text, HasSubstr("step 1: attention matmul_mul_..._matmul"));
  EXPECT_THAT(readableText(lowerCall(planned.plan, planned.plan.steps.front()).call),
              HasSubstr("scores where column - row <= 0, elsewhere -inf"));
  const StepCost cost = costsOf(planned.plan, {}).front();
  EXPECT_EQ(cost.bytes.read, 4 * (2 * 3 * 5 * 4 + 2 * 3 * 7 * 4 + 2 * 3 * 7 * 6));
  EXPECT_EQ(cost.bytes.written, 4 * 2 * 3 * 5 * 6);
  // 6 batches of 15 scores, each with two products, a scale, a border and its share of the softmax.
  EXPECT_EQ(cost.flops, 6 * 15 * (2 * (4 + 6) + 1 + 1 + 4) + 6 * 5 * 6);
}

}  // namespace
}  // namespace fusebench
