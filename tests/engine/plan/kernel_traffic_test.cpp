// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes that launches read and write, as a weighing recorder receives them.
#include "engine/plan/kernel_traffic.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

using ::testing::_;
using ::testing::ElementsAre;

class LaunchTraffic : public ::testing::Test {
 protected:
  /// The traffic of one warm call, launch by launch.
  std::vector<KernelBytes> traffic(const char* executor, const char* program,
                                   const std::vector<Tensor>& inputs) {
    const auto made = makeExecutor(executor, fixture_.backend(), parseProgram(program));
    made->call(inputs);
    Recorder recorder(Recorder::Level::split, 1, 100, 100);
    recorder.weigh();
    {
      const RecorderScope scope(fixture_.backend(), &recorder);
      made->call(inputs);
      fixture_.backend().synchronize();
    }
    std::vector<KernelBytes> bytes;
    for (const LaunchNote& note : recorder.notes()) bytes.push_back(note.bytes);
    return bytes;
  }
  EngineFixture fixture_;
};

TEST_F(LaunchTraffic, OfEagerIsEachOpsOwn) {
  const std::vector<Tensor> inputs{fixture_.random({8, 16})};
  EXPECT_THAT(traffic("eager", "y = torch.exp(x)\nreturn y.sum(1)\n", inputs),
              ElementsAre(KernelBytes{512, 512}, KernelBytes{512, 32}));
}

TEST_F(LaunchTraffic, OfAFusedKernelIsWhatComesInAndGoesOut) {
  const std::vector<Tensor> inputs{fixture_.random({8, 16})};
  for (const char* executor : {"static", "dynamic"})
    EXPECT_THAT(traffic(executor, "y = torch.exp(x) * 2\nreturn y + 1\n", inputs),
                ElementsAre(KernelBytes{512, 512}))
        << executor;
  if (!fixture_.backend().traits().runsOpLists) return;
  EXPECT_THAT(traffic("instant", "y = torch.exp(x) * 2\nreturn y + 1\n", inputs),
              ElementsAre(KernelBytes{512, 512}));
}

TEST_F(LaunchTraffic, OfAReplayIsThatOfItsLaunches) {
  const std::vector<Tensor> inputs{fixture_.random({8, 16})};
  EXPECT_THAT(traffic("replay", "y = torch.exp(x)\nreturn y.sum(1)\n", inputs),
              ElementsAre(KernelBytes{512, 512}, KernelBytes{512, 32}));
}

TEST_F(LaunchTraffic, OfAWriteByAnIndexIsWhatTheIndexNames) {
  const Tensor x = fixture_.random({100, 16}), y = fixture_.random({3, 16}, 2);
  const Tensor i = fixture_.typed(DType::int64, {3}, {7, 0, 99});
  const KernelBytes check{24, 8};
  const auto of = [&](const std::string& line) {
    return traffic("eager", ("def f(x, i, y):\n    " + line + "\n    return x").c_str(), {x, i, y});
  };
  EXPECT_THAT(of("x[i] = y"), ElementsAre(check, KernelBytes{24 + 192, 192}));
  EXPECT_THAT(of("x.index_add_(0, i, y)"), ElementsAre(check, KernelBytes{24 + 192 + 192, 192}));
  // One number for all of a column's places, which is a tensor of one element.
  EXPECT_THAT(of("x[:, i[:1] * 0] = 2"), ElementsAre(_, _, _, KernelBytes{8 + 4, 400}));
  // Another tensor begins as what is written to.
  EXPECT_THAT(traffic("eager", "def f(x, i, y): return torch.index_copy(x, 0, i, y)", {x, i, y}),
              ElementsAre(check, KernelBytes{6400 + 24 + 192, 6400}));
}

TEST_F(LaunchTraffic, OfAWriteBySeveralIndicesIsWhatTheyNameHoweverTheTensorLies) {
  const Tensor i = fixture_.typed(DType::int64, {3}, {7, 0, 5});
  for (const char* const line : {"x[i, i + 1] = 2", "x.T[i, i] = 2", "x[:, ::2][i, i - 4] = 2"}) {
    const Tensor x = fixture_.random({100, 20});
    const std::vector<KernelBytes> launches = traffic(
        "eager", ("def f(x, i):\n    " + std::string(line) + "\n    return x").c_str(), {x, i});
    ASSERT_FALSE(launches.empty()) << line;
    EXPECT_EQ(launches.back(), (KernelBytes{24 + 4, 12})) << line;
  }
  // An index of rows counts all elements of these rows.
  const Tensor x = fixture_.random({10, 20, 16});
  EXPECT_EQ(traffic("eager", "def f(x, i):\n    x[i, i] = 2\n    return x", {x, i}).back(),
            (KernelBytes{24 + 4, 3 * 64}));
}

TEST_F(LaunchTraffic, OfElementsThatAnIndexNamesIsOneForEach) {
  const Tensor x = fixture_.random({2, 50}), y = fixture_.random({2, 3}, 2);
  const Tensor i = fixture_.typed(DType::int64, {2, 3}, {7, 0, 49, 1, 2, 3});
  EXPECT_THAT(traffic("eager", "def f(x, i, y):\n    x.scatter_(1, i, y)\n    return x", {x, i, y}),
              ElementsAre(KernelBytes{48, 8}, KernelBytes{48 + 24, 24}));
  // If indices name more elements than the tensor has, all of its elements are counted once.
  const Tensor all = fixture_.typed(DType::int64, {400}, std::vector<double>(400, 1));
  EXPECT_THAT(traffic("eager", "def f(x, i):\n    x[i] = 0\n    return x", {x, all}),
              ElementsAre(_, KernelBytes{3200, 8}, KernelBytes{3200 + 4, 400}));
}

TEST_F(LaunchTraffic, CountsAnElementOnceHoweverOftenItIsRead) {
  const Tensor x = fixture_.random({8, 16}), row = fixture_.random({16}, 2);
  for (const char* executor : {"eager", "static"}) {
    EXPECT_THAT(traffic(executor, "return x + y\n", {x, row}),
                ElementsAre(KernelBytes{512 + 64, 512}))
        << executor;
    EXPECT_THAT(traffic(executor, "return x * x\n", {x}), ElementsAre(KernelBytes{512, 512}))
        << executor;
    EXPECT_THAT(traffic(executor, "return x + y\n", {x, x}), ElementsAre(KernelBytes{512, 512}))
        << executor;  // given twice
  }
}

TEST_F(LaunchTraffic, FollowsTypesLayoutsAndShapesOfEachCall) {
  const Tensor x = fixture_.random({8, 16});
  EXPECT_THAT(traffic("eager", "return x > 0\n", {x}), ElementsAre(KernelBytes{512, 128}));
  EXPECT_THAT(traffic("eager", "return torch.exp(x)\n", {EngineFixture::everySecond(x)}),
              ElementsAre(KernelBytes{256, 256}));
  EXPECT_THAT(traffic("dynamic", "return torch.exp(x)\n", {fixture_.random({4, 32})}),
              ElementsAre(KernelBytes{512, 512}));
  EXPECT_THAT(traffic("dynamic", "return torch.exp(x)\n", {fixture_.random({4, 33})}),
              ElementsAre(KernelBytes{528, 528}));
}

TEST_F(LaunchTraffic, IsNotWorkedOutForARecorderThatTellsTimes) {
  const auto made = makeExecutor("eager", fixture_.backend(), parseProgram("return x + 1\n"));
  const std::vector<Tensor> inputs{fixture_.random({8, 16})};
  made->call(inputs);
  Recorder recorder(Recorder::Level::split, 1, 100, 100);
  const RecorderScope scope(fixture_.backend(), &recorder);
  made->call(inputs);
  for (const LaunchNote& note : recorder.notes()) EXPECT_EQ(note.bytes, KernelBytes());
}

}  // namespace
}  // namespace fusebench
