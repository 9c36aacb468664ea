// SPDX-License-Identifier: GPL-3.0-or-later
// Op lists of 16-bit floats: pieces of float32 with loads, stores and roundings around them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/engine/support/engine_fixture.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

Tensor drawn(EngineFixture& fixture, DType dtype, const Shape& shape, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, 2);
  std::vector<double> values(static_cast<std::size_t>(elementCount(shape)));
  for (double& value : values) value = normal(random);
  return fixture.typed(dtype, shape, values);
}

/// Programs of x and y whose pointwise results have the same bits whatever runs them.
constexpr const char* kPrograms[] = {
    "return x + y",
    "z = torch.sin(x * 2.0)\nz = torch.relu(z + 1.0)\nreturn torch.exp(z * 0.5) - y",
    "z = x * 1.1\nw = torch.sigmoid(z) + z\nreturn w, z, w > z",
    "z = torch.where(x > y, x * 3.0, y)\nreturn z, -z",
    "z = x.float() * 1.1\nreturn z, z.half(), z.bfloat16() + 1.0",
    "z = (x > 0).half() * 0.1\nreturn z + x",
    "z = torch.tanh(x / 3.0)\nz = torch.atan2(z, y) * 100.0\nreturn torch.pow(torch.abs(z), 1.7)",
    "z = torch.exp(x * 4.0)\nreturn torch.sin(z), torch.log(z)",
};

class NarrowLists : public testing::TestWithParam<DType> {};
INSTANTIATE_TEST_SUITE_P(Each, NarrowLists, testing::Values(DType::float16, DType::bfloat16));

TEST_P(NarrowLists, GiveTheBitsOfCompiledKernels) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  for (const char* program : kPrograms)
    for (const Shape& shape : {Shape{8, 16}, Shape{3, 37}, Shape{1}, Shape{70, 130}}) {
      Tensor x = drawn(fixture, GetParam(), shape, 1), y = drawn(fixture, GetParam(), shape, 2);
      for (int layout = 0; layout < (shape.rank() == 2 ? 4 : 1); ++layout) {
        if (layout == 1)
          y = EngineFixture::transposed(drawn(fixture, GetParam(), {shape[1], shape[0]}, 3));
        if (layout == 2) y = drawn(fixture, GetParam(), {shape[1]}, 4);
        if (layout == 3) y = drawn(fixture, GetParam(), {1}, 5);
        std::vector<Tensor> inputs{x, y};
        if (parseProgram(program).inputs.size() == 1) inputs.pop_back();
        const auto expected = fixture.run("static", program, inputs);
        const auto got = fixture.run("instant", program, inputs);
        ASSERT_EQ(got.size(), expected.size());
        for (std::size_t o = 0; o < got.size(); ++o) {
          EXPECT_EQ(got[o].dtype, expected[o].dtype);
          EXPECT_EQ(EngineFixture::bytes(got[o]), EngineFixture::bytes(expected[o]))
              << program << ", result " << o << ", layout " << layout << ", " << toString(shape);
        }
      }
    }
}

TEST_P(NarrowLists, ReduceInFloat32) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  const char* program =
      "z = x * 1.1\nreturn z.sum(), z.mean(dim=1), z.amax(dim=0), z.var(), z.argmax(dim=1), "
      "torch.norm(z)";
  for (const Shape& shape : {Shape{8, 16}, Shape{33, 70}, Shape{300, 5}}) {
    const Tensor x = drawn(fixture, GetParam(), shape, 7);
    const auto expected = evaluateReference(parseProgram(program), {{EngineFixture::reference(x)}});
    const auto got = fixture.run("instant", program, {x});
    const auto compiled = fixture.run("static", program, {x});
    for (std::size_t o = 0; o < got.size(); ++o) {
      EXPECT_EQ(got[o].dtype, compiled[o].dtype) << o;
      if (o == 4) continue;  // the reference does not round z, so another place may be the greatest
      EXPECT_LT(relativeError(expected[o], EngineFixture::values(got[o])),
                GetParam() == DType::float16 ? 0x1p-8 : 0x1p-5)
          << o;
    }
    EXPECT_EQ(EngineFixture::bytes(got[4]), EngineFixture::bytes(compiled[4]));
  }
}

TEST_P(NarrowLists, AreOneLaunchOfPiecesThatShip) {
  const test::TemporaryFolder folder;
  CpuOptions options;
  options.cacheDirectory = folder.string();
  options.threads = 1;
  EngineFixture fixture(options);
  if (!fixture.backend().traits().shipsOps) GTEST_SKIP() << "no pieces ship for this processor";
  const auto executor = fixture.executor(
      "instant", "x = torch.sin(x * 2.0)\nx = torch.relu(x + 1.0)\nreturn x.half(), x.sum()");
  const std::vector<Tensor> inputs{drawn(fixture, GetParam(), {8, 16}, 1)};
  executor->call(inputs);
  const CompileTimes times = executor->statistics().compiles.at(0).times;
  EXPECT_EQ(times.compiled(), 0);
  EXPECT_GT(times.shipped, 5);
  const std::uint64_t before = fixture.backend().launches();
  executor->call(inputs);
  EXPECT_EQ(fixture.backend().launches() - before, 1u);
}

TEST_P(NarrowLists, SayWhereTheyRound) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  const auto executor = fixture.executor("instant", "z = x * 2.0\nreturn torch.exp(z) + z");
  const std::vector<Tensor> inputs{drawn(fixture, GetParam(), {8, 16}, 1)};
  const auto lists = executor->opLists(inputs);
  ASSERT_EQ(lists.size(), 1u);
  const std::string text = fixture.backend().code(lists[0])[0].text;
  const std::string name(info(GetParam()).name);
  EXPECT_THAT(text, testing::HasSubstr("load input 0 as " + name));
  EXPECT_THAT(text, testing::HasSubstr("round to " + name));
  EXPECT_THAT(text, testing::HasSubstr("store to tensor 1 as " + name));
}

TEST(NarrowListsBeside, OpsOfOtherTypesAreKernelsOfTheirOwn) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  const char* program = "z = x * 1.5\nw = (z.double() * 0.1).half()\nreturn w + z, z.long() + 1";
  const Tensor x = drawn(fixture, DType::float16, {8, 16}, 1);
  const auto expected = fixture.run("static", program, {x});
  const auto got = fixture.run("instant", program, {x});
  for (std::size_t o = 0; o < got.size(); ++o)
    EXPECT_EQ(EngineFixture::bytes(got[o]), EngineFixture::bytes(expected[o])) << o;
}

/// As in PyTorch, a zero-dimensional float32 is first converted to the 16-bit type of its operand.
TEST(NarrowListsBeside, ASingleFloat32IsRoundedBeforeItIsUsed) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  const Tensor x = drawn(fixture, DType::float16, {8, 16}, 1);
  const Tensor one = fixture.typed(DType::float32, Shape{}, {1.0001});
  const auto expected = fixture.run("static", "return x * y", {x, one});
  const auto got = fixture.run("instant", "return x * y", {x, one});
  EXPECT_EQ(got[0].dtype, DType::float16);
  EXPECT_EQ(EngineFixture::bytes(got[0]), EngineFixture::bytes(expected[0]));
}

}  // namespace
}  // namespace fusebench
