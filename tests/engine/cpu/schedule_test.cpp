// SPDX-License-Identifier: GPL-3.0-or-later
// How a kernel's loops are arranged and compiled, by what the kernel is and where it runs.
#include "engine/cpu/codegen/schedule.h"

#include <gmock/gmock.h>

#include <string>

#include "engine/cpu/codegen/jit.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

class Schedules : public testing::Test {
 protected:
  cpu::Schedule of(const char* executor, const char* expression, const Shape& shape,
                   const cpu::Target& target) {
    const std::string text = std::string("def program(x):\n    return ") + expression;
    const auto kernels = fixture_.executor(executor, text)->kernels({{fixture_.random(shape, 1)}});
    return cpu::schedule(kernels.at(0), target, 0);
  }
  static cpu::Target cpu(const char* name) {
    return cpu::namedTarget("x86_64-unknown-linux-gnu", name, "-prefer-256-bit");
  }
  const cpu::Target avx2_ = cpu("x86-64-v3"), avx512_ = cpu("x86-64-v4");

  EngineFixture fixture_{EngineFixture::withoutDisk(8, 0, 1)};
};

constexpr const char* kLong = "torch.sin(torch.exp(torch.cos(torch.tanh(x))))";

TEST_F(Schedules, CutLongChainsInSegmentsWhereverElementsAreInnermost) {
  for (const cpu::Target& target : {avx2_, avx512_}) {
    EXPECT_GT(of("static", kLong, {4096}, target).tile, 0);
    EXPECT_EQ(of("static", "torch.sin(torch.exp(x)).sum(0)", {64, 64}, target).tile, 0);
  }
  // Fewer vectors are less code to compile, and less for nothing in a last step.
  EXPECT_EQ(of("static", kLong, {4096}, avx512_).interleave, 2);
  EXPECT_EQ(of("static", kLong, {4096}, avx2_).interleave, 4);
}

TEST_F(Schedules, GiveABareSumManyAccumulators) {
  EXPECT_EQ(of("static", "x.sum()", {4096}, avx2_).interleave, 8);
  EXPECT_EQ(of("static", "(x + 1).sum()", {4096}, avx2_).interleave, 4);
}

TEST_F(Schedules, SpreadAKnownRowEvenlyOverItsSteps) {
  const auto vectors = [&](std::int64_t extent) {
    return of("static", "x + 1", {extent}, avx512_).interleave;
  };
  EXPECT_EQ(vectors(16 * 4), 4);
  EXPECT_EQ(vectors(16 * 8 + 3), 3);  // nine vectors: three times three
  EXPECT_EQ(vectors(16 * 4 + 1), 3);  // five: three and two
  EXPECT_EQ(vectors(5), 1);
  EXPECT_EQ(vectors(0), 1);
  EXPECT_EQ(of("dynamic", "x + 1", {131}, avx512_).interleave, 4);
}

TEST_F(Schedules, TakeShortRowsInVectorsThatTheyFill) {
  const auto width = [&](const char* executor, std::int64_t length, const cpu::Target& target) {
    const auto kernels =
        fixture_.executor(executor, "def program(x):\n    return torch.softmax(x, -1)")
            ->kernels({{fixture_.random({6, length}, 1)}});
    return cpu::targetOfRow(kernels.at(0), target, cpu::schedule(kernels.at(0), target, 0))
        .vector.width;
  };
  EXPECT_EQ(width("static", 2, avx512_), 4);
  EXPECT_EQ(width("static", 8, avx512_), 8);
  EXPECT_EQ(width("static", 12, avx512_), 16);
  EXPECT_EQ(width("static", 15, avx512_), 16);
  EXPECT_EQ(width("static", 16, avx512_), 16);
  EXPECT_EQ(width("static", 24, avx512_), 8);
  EXPECT_EQ(width("static", 72, avx512_), 16);  // a long row's last vector is little of it
  EXPECT_EQ(width("static", 24, avx2_), 8);
  EXPECT_EQ(width("static", 4, avx2_), 4);
  EXPECT_EQ(width("dynamic", 8, avx512_), 16);
}

TEST_F(Schedules, KeepWholeWhatIsKnownToBeShort) {
  const auto splits = [&](const char* executor, const char* expression, const Shape& shape) {
    return of(executor, expression, shape, avx512_).splits;
  };
  EXPECT_FALSE(splits("static", "x + 1", {8192}));
  EXPECT_TRUE(splits("static", "x + 1", {1 << 20}));
  EXPECT_TRUE(splits("static", kLong, {8192}));  // long not by its elements but by their ops
  EXPECT_TRUE(splits("static", "x.sum(1)", {4, 1 << 18}));
  EXPECT_FALSE(splits("static", kLong, {0, 4096}));
  EXPECT_TRUE(splits("dynamic", "x + 1", {16}));
}

TEST_F(Schedules, LeaveStrengthReductionToShortChainsAndPanels) {
  std::string x = "x";
  for (int i = 0; i < 6; ++i) x.insert(0, "torch.sin(").append(" * 1.1) + 0.1");
  const auto reduces = [&](const std::string& expression) {
    return of("static", expression.c_str(), {4096}, avx512_).strengthReduction;
  };
  EXPECT_TRUE(reduces(kLong));
  EXPECT_FALSE(reduces(x));

  const auto pools = [&](const std::string& expression, const cpu::Target& target) {
    return of("static", expression.c_str(), {64, 64}, target).pooledConstants;
  };
  EXPECT_TRUE(pools(x, avx512_));
  EXPECT_FALSE(pools(x, avx2_));
  EXPECT_FALSE(pools("(" + x + ").sum(0)", avx512_));
  EXPECT_FALSE(pools(kLong, avx512_));

  const std::string text = "def program(x, y):\n    return " + x + " + y";
  const Tensor dense = fixture_.random({64, 256}, 1);
  const auto kernels =
      fixture_.executor("static", text)
          ->kernels({{dense, EngineFixture::transposed(fixture_.random({256, 64}, 2))}});
  const cpu::Schedule panels = cpu::schedule(kernels.at(0), avx512_, 0);
  ASSERT_TRUE(panels.hasPanels());
  EXPECT_TRUE(panels.strengthReduction);

  const auto gathering =
      fixture_.executor("dynamic", "def program(x, y):\n    return (x * y).sum(dim=-1)")
          ->kernels({{dense, EngineFixture::transposed(fixture_.random({256, 64}, 2))}});
  EXPECT_FALSE(cpu::schedule(gathering.at(0), avx512_, 0).strengthReduction);
}

/// Memory that exceeds every cache is not fetched in order to be overwritten.
TEST_F(Schedules, StoreLargeResultsPastCaches) {
  const auto kernel = [&](const char* executor, const char* text, const Shape& shape) {
    return fixture_.executor(executor, text)->kernels({{fixture_.tensor(shape, {})}}).at(0);
  };
  const auto streamed = [&](const char* executor, const char* text, const Shape& shape) {
    return cpu::schedule(kernel(executor, text, shape), avx2_, 0).streamed;
  };
  constexpr std::int64_t kLarge = 1 << 23;
  const std::vector<int> first{0}, both{0, 1}, none;
  EXPECT_EQ(streamed("static", "return x + 1", {kLarge}), first);
  EXPECT_EQ(streamed("static", "return x + 1, x * 2", {kLarge}), both);
  EXPECT_EQ(streamed("static", "return x + 1", {kLarge / 2}), none);
  // Two tensors of 16 MiB may fit into a cache, but four do not.
  EXPECT_EQ(streamed("static", "return x + 1, x * 2, x * 3", {kLarge / 2}).size(), 3u);
  EXPECT_EQ(streamed("static", "return x + 1, x * 2", {kLarge / 2}), none);
  EXPECT_EQ(streamed("dynamic", "return x + 1", {kLarge}), none);
  EXPECT_EQ(streamed("static", "return x.sum(1)", {kLarge, 4}), none);
  // Not for a partial last vector, for the short vectors of bools, or for writes in place.
  EXPECT_EQ(streamed("static", "return x + 1", {kLarge + 1}), none);
  EXPECT_EQ(streamed("static", "return x > 1", {kLarge}), none);
  EXPECT_EQ(streamed("static", "x += 1\nreturn x", {kLarge}), none);

  const auto assembly = [&](const Kernel& of) {
    return cpu::Jit(avx2_).assemblyText(of, cpu::schedule(of, avx2_, 0));
  };
  for (const char* text : {"return x + 1", "return torch.softmax(x, -1)"}) {
    const std::string large = assembly(kernel("static", text, {kLarge / 1024, 1024}));
    EXPECT_THAT(large, testing::HasSubstr("movntps"));
    EXPECT_THAT(large, testing::HasSubstr("sfence"));
    const std::string small = assembly(kernel("static", text, {64, 1024}));
    EXPECT_THAT(small, testing::Not(testing::HasSubstr("movnt")));
    EXPECT_THAT(small, testing::Not(testing::HasSubstr("sfence")));
  }
}

/// Code is made with the passes that the schedule wants.
TEST_F(Schedules, ChooseThePassesOfTheCodeGenerator) {
  const auto kernels =
      fixture_.executor("dynamic", "def program(x, y):\n    return (x * y).sum(dim=0)")
          ->kernels({{fixture_.random({64, 64}, 1), fixture_.random({1, 64}, 2)}});
  cpu::Jit jit(avx2_);
  cpu::Schedule schedule = cpu::schedule(kernels.at(0), avx2_, 0);
  const std::string with = jit.assemblyText(kernels.at(0), schedule);
  schedule.strengthReduction = false;
  EXPECT_NE(jit.assemblyText(kernels.at(0), schedule), with);
}

}  // namespace
}  // namespace fusebench
