// SPDX-License-Identifier: GPL-3.0-or-later
// What launches read and write, as a recorder that weighs hears of it.
#include "engine/plan/kernel_traffic.h"

#include <gmock/gmock.h>

#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

using ::testing::ElementsAre;

class LaunchTraffic : public ::testing::Test {
 protected:
  /// Of one warm call, launch by launch.
  std::vector<KernelBytes> traffic(const char* executor, const char* program,
                                   const std::vector<Tensor>& inputs) {
    const auto made = makeExecutor(executor, fixture_.backend(), parseProgram(program));
    made->call(inputs);
    Recorder recorder(Recorder::Level::split, 1, 100, 100);
    recorder.weigh();
    {
      const RecorderScope scope(fixture_.backend(), &recorder);
      made->call(inputs);
      fixture_.backend().synchronise();
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
  if (!fixture_.backend().runsOpLists()) return;
  EXPECT_THAT(traffic("instant", "y = torch.exp(x) * 2\nreturn y + 1\n", inputs),
              ElementsAre(KernelBytes{512, 512}));
}

TEST_F(LaunchTraffic, OfAReplayIsThatOfItsLaunches) {
  const std::vector<Tensor> inputs{fixture_.random({8, 16})};
  EXPECT_THAT(traffic("replay", "y = torch.exp(x)\nreturn y.sum(1)\n", inputs),
              ElementsAre(KernelBytes{512, 512}, KernelBytes{512, 32}));
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
