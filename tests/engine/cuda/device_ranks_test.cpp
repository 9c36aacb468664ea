// SPDX-License-Identifier: GPL-3.0-or-later
// What connects ranks on GPUs: NCCL where all have it and a GPU of their own, host memory else. On
// the double; and what the double of NCCL refuses, so that what runs on it may run on devices.
#include <gmock/gmock.h>

#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "engine/cuda/library/nccl.h"
#include "engine/cuda/runtime/device_ranks.h"
#include "tests/engine/cuda/backend_fixture.h"
#include "tests/engine/support/passing_ranks.h"
#include "tests/engine/support/rank_programs.h"
#include "tests/support/built_paths.h"

namespace fusebench::test {
namespace {

using namespace cuda;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kAllReduces =
    "import torch.distributed as dist\ndef f(x):\n    y = x * 2\n    dist.all_reduce(y)\n"
    "    return y";

class DeviceRanksTest : public CudaBackendTest {
 protected:
  /// Two ranks on these devices, rank 1 with this library.
  void meet(const std::vector<std::string>& devices, const std::string& library,
            const std::function<void(EngineFixture&, int rank)>& then) {
    std::vector<std::unique_ptr<EngineFixture>> fixtures;
    for (std::size_t r = 0; r < devices.size(); ++r) {
      CudaOptions options = onDouble(devices[r]);
      if (r == 1 && !library.empty()) options.nccl = library;
      fixtures.push_back(std::make_unique<EngineFixture>(makeCudaBackend(options)));
    }
    asRanks(static_cast<int>(devices.size()), [&](const std::shared_ptr<RankGroup>& group) {
      EngineFixture& fixture = *fixtures[static_cast<std::size_t>(group->rank())];
      const EngineFixture::ReadsAlone reads(fixture);
      fixture.backend().setRanks(group);
      then(fixture, group->rank());
    });
  }

  /// Each rank's result of the sum over ranks of 2 (r + 1).
  static double summed(EngineFixture& fixture, int rank) {
    const Program program = parseProgram(kAllReduces);
    const auto made = makeExecutor("static", fixture.backend(), program);
    const std::vector<Tensor> inputs{
        fixture.tensor({3}, std::vector<float>(3, static_cast<float>(rank + 1)))};
    return EngineFixture::values(made->call(inputs)[0])[2];
  }
};

TEST_F(DeviceRanksTest, WithAGpuEachMeetByNccl) {
  const std::uint64_t before = cudaDouble().counts.collectives;
  meet({"0", "1"}, "", [](EngineFixture& fixture, int rank) {
    EXPECT_EQ(fixture.backend().ranksBy(), "NCCL 2.99.0");
    EXPECT_EQ(summed(fixture, rank), 6);
    const Program program = parseProgram(kAllReduces);
    const auto executor = makeExecutor("static", fixture.backend(), program);
    const auto inputs = std::vector{fixture.tensor({3}, {1, 1, 1})};
    const std::uint64_t launched = fixture.backend().launches();
    executor->call(inputs);
    EXPECT_EQ(fixture.backend().launches(), launched + 2) << "the product and NCCL's kernel";
  });
  EXPECT_EQ(cudaDouble().counts.collectives, before + 4);
}

TEST_F(DeviceRanksTest, OnOneGpuMeetInHostMemoryAndSayWhy) {
  const std::uint64_t before = cudaDouble().counts.collectives;
  meet({"1", "1"}, "", [](EngineFixture& fixture, int rank) {
    EXPECT_THAT(fixture.backend().ranksBy(),
                AllOf(HasSubstr("threads, through host memory: ranks 0 and 1 share GPU-"),
                      HasSubstr(", and NCCL needs a GPU for each")));
    EXPECT_EQ(summed(fixture, rank), 6);
  });
  EXPECT_EQ(cudaDouble().counts.collectives, before);
}

TEST_F(DeviceRanksTest, OnOneGpuMeetByNcclWhereItIsToldToShare) {
  setenv("NCCL_MULTI_RANK_GPU_ENABLE", "1", 1);
  meet({"1", "1"}, "", [](EngineFixture& fixture, int rank) {
    EXPECT_EQ(fixture.backend().ranksBy(), "NCCL 2.99.0");
    EXPECT_EQ(summed(fixture, rank), 6);
  });
  // An earlier release refuses all the same.
  setenv("FUSEBENCH_DOUBLE_NCCL", "22800", 1);
  meet({"1", "1"}, "", [](EngineFixture& fixture, int rank) {
    EXPECT_THAT(fixture.backend().ranksBy(),
                HasSubstr("through host memory: ncclCommInitRank: invalid usage"));
    EXPECT_EQ(summed(fixture, rank), 6);
  });
  unsetenv("FUSEBENCH_DOUBLE_NCCL");
  unsetenv("NCCL_MULTI_RANK_GPU_ENABLE");
}

TEST_F(DeviceRanksTest, OfWhichOneHasNoNcclAllDoWithout) {
  meet({"0", "1"}, "/nowhere/libnccl.so.2", [](EngineFixture& fixture, int rank) {
    EXPECT_THAT(fixture.backend().ranksBy(),
                HasSubstr(rank == 0 ? "through host memory: another rank has no NCCL"
                                    : "/nowhere/libnccl.so.2"));
    EXPECT_EQ(summed(fixture, rank), 6);
  });
}

TEST_F(DeviceRanksTest, ThatNcclRefusesMeetInHostMemory) {
  cudaDouble().faults.ncclInit = kNcclSystemError;
  meet({"0", "1"}, "", [](EngineFixture& fixture, int rank) {
    EXPECT_THAT(fixture.backend().ranksBy(), HasSubstr("ncclCommInitRank: unhandled system error"));
    EXPECT_EQ(summed(fixture, rank), 6);
  });
}

TEST_F(DeviceRanksTest, ACollectiveThatFailsIsNamed) {
  meet({"0", "1"}, "", [](EngineFixture& fixture, int rank) {
    // Before either of them enqueues anything, which would wait for the other.
    cudaDouble().faults.collective = 1;
    cudaDouble().faults.lasting = true;
    try {
      summed(fixture, rank);
      ADD_FAILURE() << "it ran";
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), HasSubstr("ncclAllReduce failed: internal error"));
    }
  });
}

TEST_F(DeviceRanksTest, AnOldLibraryIsNoneThatCanBeUsed) {
  setenv("FUSEBENCH_DOUBLE_NCCL", "2804", 1);
  std::string why;
  EXPECT_EQ(Nccl::find(unopenedDouble(), 0, why), nullptr);
  unsetenv("FUSEBENCH_DOUBLE_NCCL");
  EXPECT_THAT(why, AllOf(HasSubstr("it is version 2.8.4; 2.10 or newer is needed"),
                         HasSubstr("install NCCL 2.10 or newer")));
}

/// The group, in which is counted how often this rank waited for the others elsewhere.
class CountedWaits final : public PassingRanks {
 public:
  using PassingRanks::PassingRanks;
  void beginWaiting() override { ++begun; }
  void endWaiting() override { ++ended; }

  int begun = 0, ended = 0;
};

TEST_F(DeviceRanksTest, WhoWaitsForADeviceThatWaitsForOthersIsKnownToWait) {
  std::vector<std::unique_ptr<EngineFixture>> fixtures;
  for (const char* device : {"0", "1"})
    fixtures.push_back(std::make_unique<EngineFixture>(makeCudaBackend(onDouble(device))));
  asRanks(2, [&](const std::shared_ptr<RankGroup>& group) {
    EngineFixture& fixture = *fixtures[static_cast<std::size_t>(group->rank())];
    const EngineFixture::ReadsAlone reads(fixture);
    const auto counted = std::make_shared<CountedWaits>(group);
    fixture.backend().setRanks(counted);
    EXPECT_EQ(counted->begun, 1) << "to meet";
    for (const char* name : {"static", "replay"}) {
      const Program program = parseProgram(kAllReduces);
      const auto executor = makeExecutor(name, fixture.backend(), program);
      const std::vector<Tensor> inputs{fixture.tensor({3}, {1, 1, 1})};
      executor->call(inputs);
      fixture.backend().synchronize();
      const int begun = counted->begun;
      executor->call(inputs);
      fixture.backend().synchronize();
      EXPECT_EQ(counted->begun, begun + 1) << name;
      fixture.backend().synchronize();
      EXPECT_EQ(counted->begun, begun + 1) << "nobody was asked";
      EXPECT_EQ(counted->ended, counted->begun);
    }
  });
}

/// While a bucket's collective overlaps, the device runs work that does not depend on it.
TEST_F(DeviceRanksTest, BucketsThatOverlapPassBesideKernels) {
  constexpr std::int64_t kCollective = 5'000'000, kKernel = 2'000'000;
  cudaDouble().costs.collective = kCollective;
  cudaDouble().costs.kernel = kKernel;
  const auto timeOf = [&](bool overlaps) {
    Program program = parseProgram(
        "def f(x, w, b):\n    w.requires_grad_()\n    b.requires_grad_()\n"
        "    loss = ((torch.relu(x * w) * b) ** 2).sum()\n    loss.backward()\n"
        "    return loss, w.grad, b.grad");
    program.parallel = {2, {1, 2}, 0, overlaps};
    std::vector<std::unique_ptr<EngineFixture>> fixtures;
    for (const char* device : {"0", "1"})
      fixtures.push_back(std::make_unique<EngineFixture>(makeCudaBackend(onDouble(device))));
    std::vector<double> times(2);
    asRanks(2, [&](const std::shared_ptr<RankGroup>& group) {
      EngineFixture& fixture = *fixtures[static_cast<std::size_t>(group->rank())];
      const EngineFixture::ReadsAlone reads(fixture);
      fixture.backend().setRanks(group);
      const auto executor = makeExecutor("eager", fixture.backend(), program);
      const std::vector<Tensor> inputs{fixture.tensor({2}, {1, 2}), fixture.tensor({2}, {3, 4}),
                                       fixture.tensor({2}, {5, 6})};
      executor->call(inputs);
      fixture.backend().synchronize();
      group->barrier();
      const auto timer = fixture.backend().makeTimer();
      timer->start();
      const auto got = executor->call(inputs);
      timer->stop();
      times[static_cast<std::size_t>(group->rank())] = timer->nanoseconds();
      // b.grad = 2 b relu(x w)^2
      EXPECT_EQ(EngineFixture::values(got[2]), (std::vector<double>{90, 768}));
    });
    return times[0];
  };
  const double after = timeOf(false), beside = timeOf(true);
  EXPECT_GE(after, 2.0 * kCollective);
  EXPECT_LT(beside, after - kKernel);
}

class NcclDouble : public CudaBackendTest {
 protected:
  NcclDouble() {
    device_.use();
    driver_.streamCreate(&stream_, kStreamNonBlocking);
    driver_.memAlloc(&block_, kBytes);
    std::string why;
    nccl_ = Nccl::find(fusebench::test::cudaDoublePath(), 0, why);
    NcclId id{};
    EXPECT_EQ(nccl_->getUniqueId(&id), kNcclSuccess);
    EXPECT_EQ(nccl_->commInitRank(&comm_, 1, id, 0), kNcclSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(nccl_->commAbort(comm_), kNcclSuccess);
    driver_.memFree.attempt(block_);
    driver_.streamDestroy.attempt(stream_);
  }
  NcclResult sum(std::size_t count, int type, int how) {
    void* const at = reinterpret_cast<void*>(static_cast<std::uintptr_t>(block_));
    return nccl_->allReduce(at, at, count, type, how, comm_, stream_);
  }

  static constexpr std::size_t kBytes = 64;
  std::shared_ptr<const Driver> opened_ = Driver::open(fusebench::test::cudaDoublePath());
  const Driver& driver_ = *opened_;
  const Device device_{opened_, listDevices(driver_).front()};
  std::shared_ptr<const Nccl> nccl_;
  NcclComm comm_ = nullptr;
  Stream stream_ = nullptr;
  DevicePointer block_ = 0;
};

TEST_F(NcclDouble, RefusesWhatTheLibraryRefuses) {
  EXPECT_EQ(sum(16, kNcclFloat32, kNcclSum), kNcclSuccess);
  EXPECT_EQ(sum(17, kNcclFloat32, kNcclSum), kNcclInvalidArgument) << "beyond the block";
  EXPECT_EQ(sum(4, 12, kNcclSum), kNcclInvalidArgument) << "no such type";
  EXPECT_EQ(sum(4, kNcclInt8, 5), kNcclInvalidArgument) << "no such operation";
  void* const at = reinterpret_cast<void*>(static_cast<std::uintptr_t>(block_));
  EXPECT_EQ(nccl_->broadcast(at, at, 4, kNcclUint8, 1, comm_, stream_), kNcclInvalidArgument)
      << "no such root";
  EXPECT_EQ(nccl_->allGather(at, nullptr, 4, kNcclUint8, comm_, stream_), kNcclInvalidArgument);
  EXPECT_EQ(nccl_->allGather(at, at, 4, kNcclUint8, nullptr, stream_), kNcclInvalidArgument);
  NcclComm other = nullptr;
  EXPECT_EQ(nccl_->commInitRank(&other, 1, NcclId{}, 0), kNcclInvalidArgument) << "nobody's id";
  NcclId id{};
  EXPECT_EQ(nccl_->getUniqueId(&id), kNcclSuccess);
  EXPECT_EQ(nccl_->commInitRank(&other, 2, id, 2), kNcclInvalidArgument) << "no such rank";
  EXPECT_EQ(nccl_->commAbort(other), kNcclInvalidArgument);
}

}  // namespace
}  // namespace fusebench::test
