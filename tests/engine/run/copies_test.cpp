// SPDX-License-Identifier: GPL-3.0-or-later
// Copies that programs request do not change values, wherever the tensors are in memory.
#include <gmock/gmock.h>

#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

/// A copy in host memory if the device has its own memory; otherwise the tensor itself.
Tensor onHost(EngineFixture& fixture, HostMemory& host, Memory memory, const Tensor& like) {
  if (!fixture.backend().traits().hasOwnMemory) return like;
  Tensor made = like;
  made.memory = memory;
  made.offset = 0;
  made.block = BlockRef(host.pool(memory).allocate(like.bytes()));
  const std::vector<std::byte> bytes = EngineFixture::bytes(like);
  host.copies().onHost(made.data(), bytes.data(), bytes.size());
  return made;
}

TEST(Copies, BringTensorsToTheDeviceAndBack) {
  EngineFixture fixture;
  HostMemory host(fixture.backend());
  const Tensor x = fixture.random({8, 16});
  for (const Memory memory : {Memory::host, Memory::pinned}) {
    const Tensor there = onHost(fixture, host, memory, x);
    for (const ExecutorInfo& info : executorsOn(fixture.backend())) {
      if (info.captures) continue;
      // Each executor adds up a sum in its own order, and in another one if the same launch uses
      // the sum. This launch does not use it, like that of the copying program.
      const auto parts =
          fixture.run(std::string(info.name), "return torch.sin(x * 2), x.sum()", {x});
      std::vector<double> values = EngineFixture::values(parts[0]);
      const double sum = EngineFixture::values(parts[1])[0];
      for (double& value : values) value = static_cast<float>(value + sum);
      const auto executor = fixture.executor(
          std::string(info.name),
          "x = x.pin_memory().to('cuda', non_blocking=True)\ny = torch.sin(x * 2)\n"
          "n = x.sum().item()\nreturn (y + n).cpu(), y.to('cpu', non_blocking=True)");
      for (int call = 0; call < 5; ++call) {
        const auto results = executor->call(std::vector{there});
        fixture.backend().synchronize();
        ASSERT_EQ(EngineFixture::values(results[0]), values) << info.name;
        const bool own = fixture.backend().traits().hasOwnMemory;
        EXPECT_EQ(results[0].memory, own ? Memory::host : Memory::device);
        EXPECT_EQ(results[1].memory, own ? Memory::pinned : Memory::device);
      }
    }
  }
}

TEST(Copies, ManyThatNobodyWaitsForStayApart) {
  EngineFixture fixture;
  HostMemory host(fixture.backend());
  const auto executor =
      fixture.executor("static", "return x.pin_memory().cuda(non_blocking=True) * 3");
  std::vector<Tensor> inputs, results;
  for (unsigned i = 0; i < 7; ++i)
    inputs.push_back(onHost(fixture, host, Memory::host, fixture.random({64, 64}, i + 1)));
  for (std::size_t call = 0; call < 100; ++call) {
    const auto made = executor->call(std::vector{inputs[call % 7]});
    results.assign(made.begin(), made.end());
    if (call % 9 != 8) continue;
    fixture.backend().synchronize();
    std::vector<double> expected = EngineFixture::values(inputs[call % 7]);
    for (double& value : expected) value = static_cast<float>(value * 3);
    ASSERT_EQ(EngineFixture::values(results[0]), expected) << call;
  }
}

TEST(Copies, BesideTheLaunchesStayApart) {
  EngineFixture fixture;
  HostMemory host(fixture.backend());
  std::vector<Tensor> inputs;
  std::vector<std::vector<double>> expected;
  for (unsigned i = 0; i < 5; ++i) {
    const Tensor x = fixture.random({static_cast<std::int64_t>(16 + 16 * (i % 2)), 64}, i + 1);
    expected.push_back(EngineFixture::values(fixture.run("static", "return x * 3 + 1", {x})[0]));
    inputs.push_back(onHost(fixture, host, Memory::pinned, x));
  }
  for (const char* name : {"eager", "static", "dynamic"}) {
    const auto executor = fixture.executor(name, "return x.cuda() * 3 + 1", {.overlap = true});
    std::vector<Tensor> kept;
    for (std::size_t call = 0; call < 100; ++call)
      kept.push_back(executor->call(std::vector{inputs[call % 5]})[0]);
    fixture.backend().synchronize();
    for (std::size_t call = 0; call < kept.size(); ++call)
      ASSERT_EQ(EngineFixture::values(kept[call]), expected[call % 5]) << name << ", " << call;
    kept.clear();
  }
}

TEST(Copies, ThatLieAsTheirOperandsDo) {
  EngineFixture fixture;
  const Tensor x = fixture.random({8, 16});
  for (const char* name : {"eager", "static", "dynamic"}) {
    const auto results = fixture.run(name, "y = x.t() * 2\nreturn y.cpu(), y", {x});
    fixture.backend().synchronize();
    EXPECT_EQ(results[0].strides, results[1].strides) << name;
    EXPECT_EQ(EngineFixture::values(results[0]), EngineFixture::values(results[1])) << name;
    const auto rows = fixture.run(name, "y = x[3:]\nreturn y.cpu(), y", {x});
    fixture.backend().synchronize();
    EXPECT_EQ(EngineFixture::values(rows[0]), EngineFixture::values(rows[1])) << name;
  }
}

TEST(Copies, OfWhatHasGapsSayWhatToWrite) {
  EngineFixture fixture;
  const Tensor x = fixture.random({8, 16});
  const auto run = [&](const char* name, const std::string& copied) {
    const auto results =
        fixture.run(name, "y = (x.t() * 2)[3:]\nreturn " + copied + ".cpu(), y", {x});
    fixture.backend().synchronize();
    EXPECT_EQ(EngineFixture::values(results[0]), EngineFixture::values(results[1])) << name;
  };
  for (const char* name : {"eager", "static", "dynamic"}) {
    run(name, "y.contiguous()");
    if (!fixture.backend().traits().hasOwnMemory) {
      run(name, "y");  // nothing is copied
      continue;
    }
    try {
      run(name, "y");
      ADD_FAILURE() << name;
    } catch (const ProgramError& error) {
      EXPECT_NE(std::string(error.what()).find("write .contiguous() before it"), std::string::npos)
          << error.what();
    }
  }
}

TEST(Copies, AreNoneWhereATensorIsAlready) {
  EngineFixture fixture;
  const Tensor x = fixture.random({8, 16});
  for (const char* name : {"eager", "static", "dynamic"}) {
    const auto shared = fixture.run(name, "return torch.as_tensor(x.cuda())", {x});
    EXPECT_EQ(shared[0].data(), x.data()) << name;
    const auto copied = fixture.run(name, "return torch.tensor(x)", {x});
    fixture.backend().synchronize();
    EXPECT_NE(copied[0].data(), x.data()) << name;
    EXPECT_EQ(EngineFixture::values(copied[0]), EngineFixture::values(x)) << name;
  }
}

TEST(Copies, HaveNoPlaceInARecording) {
  EngineFixture fixture;
  if (!fixture.backend().traits().canCapture || !fixture.backend().traits().hasOwnMemory) {
    GTEST_SKIP() << "no GPU nor its double: nothing is copied and nothing recorded";
  }
  const Tensor x = fixture.random({8, 16});
  for (const char* name : {"replay", "static+replay"}) {
    try {
      fixture.run(name, "return (x + 1).cpu()", {x});
      ADD_FAILURE() << name << " recorded a copy";
    } catch (const ProgramError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("a recording contains launches only"));
    }
    EXPECT_NO_THROW(fixture.run(name, "return x.cuda() + 1", {x})) << "no copy: it is there";
  }
}

TEST(Copies, GradientsGoBackThroughThem) {
  EngineFixture fixture;
  const Tensor x = fixture.random({8, 16});
  const std::string text =
      "x.requires_grad_(True)\nl = (x.cuda() * 3).sum()\nl.backward()\nreturn x.grad";
  for (const char* name : {"eager", "static"}) {
    const auto results = fixture.run(name, text, {x});
    fixture.backend().synchronize();
    EXPECT_EQ(EngineFixture::values(results[0]), std::vector<double>(128, 3.0)) << name;
  }
}

}  // namespace
}  // namespace fusebench
