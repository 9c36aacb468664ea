// SPDX-License-Identifier: GPL-3.0-or-later
// Which roundings to 16 bits do nothing, and that what is left of them gives PyTorch's numbers.
#include "engine/cpu/math/roundings.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>

#include <gmock/gmock.h>

#include "engine/cpu/codegen/jit.h"
#include "engine/cpu/codegen/schedule.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

using cpu::Rounding;
using ::testing::ElementsAre;

/// The roundings of the program's only kernel for one input of this dtype.
std::vector<Rounding> roundingsOf(const std::string& text, DType dtype) {
  EngineFixture fixture{EngineFixture::withoutDisk(0, 0, 1)};
  const Tensor x = fixture.typed(dtype, {64}, std::vector<double>(64, 1));
  const auto kernels = fixture.executor("static", text)->kernels({&x, 1});
  EXPECT_EQ(kernels.size(), 1u);
  const std::vector<Rounding> all = cpu::roundings(kernels.at(0));
  std::vector<Rounding> found;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (kernels[0].body.nodes()[i].primitive == Primitive::narrow) found.push_back(all[i]);
  return found;
}

TEST(Roundings, AreLeftOutWhereTheNumberIsSuchAFloatAlready) {
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    SCOPED_TRACE(info(dtype).name);
    EXPECT_THAT(roundingsOf("return torch.relu(x)", dtype), ElementsAre(Rounding::none));
    EXPECT_THAT(roundingsOf("return torch.abs(x)", dtype), ElementsAre(Rounding::none));
    EXPECT_THAT(roundingsOf("return torch.floor(-x)", dtype),
                ElementsAre(Rounding::none, Rounding::none));
    EXPECT_THAT(roundingsOf("return torch.clamp(x, -0.5, 6)", dtype), ElementsAre(Rounding::none));
  }
  // No 16-bit float is 0.1.
  EXPECT_THAT(roundingsOf("return torch.clamp(x, -0.1, 6)", DType::float16),
              ElementsAre(Rounding::whole));
  EXPECT_THAT(roundingsOf("return x.bfloat16()", DType::uint8), ElementsAre(Rounding::none));
  EXPECT_THAT(roundingsOf("return x.half()", DType::uint8), ElementsAre(Rounding::none));
}

TEST(Roundings, MindNaNsOnlyWhereTheseMayHaveLowerBits) {
  EXPECT_THAT(roundingsOf("return torch.sqrt(x * 1.5)", DType::bfloat16),
              ElementsAre(Rounding::ofPlainNans, Rounding::ofPlainNans));
  EXPECT_THAT(roundingsOf("return x.bfloat16()", DType::int32), ElementsAre(Rounding::ofPlainNans));
  for (const DType dtype : {DType::float16, DType::float32, DType::float64}) {
    SCOPED_TRACE(info(dtype).name);
    EXPECT_THAT(roundingsOf("return x.bfloat16()", dtype), ElementsAre(Rounding::whole));
  }
  EXPECT_THAT(roundingsOf("return torch.exp(x)", DType::bfloat16), ElementsAre(Rounding::whole));
  // A value that has been rounded has no lower bits.
  EXPECT_THAT(roundingsOf("return torch.exp(x) + 1", DType::bfloat16),
              ElementsAre(Rounding::whole, Rounding::ofPlainNans));
}

double readAs(DType dtype, std::uint16_t bits) {
  return loadElement(&bits, dtype);
}

/// Expects the result to be, of each element, what float32 ops give that round to the dtype.
void expectChain(EngineFixture& fixture, const std::string& executor, DType dtype,
                 const std::vector<Tensor>& inputs, const std::string& text,
                 const std::function<double(std::size_t)>& expected) {
  const Tensor result = fixture.run(executor, text, inputs)[0];
  ASSERT_EQ(result.dtype, dtype);
  const std::vector<double> got = EngineFixture::values(result);
  int shown = 0;
  for (std::size_t i = 0; i < got.size() && shown < 3; ++i) {
    const double wanted = expected(i);
    if (std::isnan(wanted) ? std::isnan(got[i])
                           : got[i] == wanted && std::signbit(got[i]) == std::signbit(wanted))
      continue;
    ++shown;
    ADD_FAILURE() << executor << " of " << info(dtype).name << ", " << got.size()
                  << " elements: " << text << " at " << i << " is " << got[i] << ", not " << wanted;
  }
}

/// Elements with bit patterns starting at 1: neighboring elements differ in every way.
Tensor patterns(EngineFixture& fixture, DType dtype, std::size_t count, std::uint32_t step) {
  std::vector<std::uint16_t> elements;
  for (std::size_t i = 0; i < count; ++i)
    elements.push_back(static_cast<std::uint16_t>(i * step + 1));
  Tensor made =
      makeTensor(fixture.backend().allocator(), dtype, {static_cast<std::int64_t>(count)});
  fixture.backend().copyIn(made, elements.data(), count * sizeof elements[0]);
  return made;
}

/// With masks and without, in pairs and one by one, of a last block that is whole and one that is
/// not: all numbers there are, signed zeros, infinities and NaNs among them.
TEST(Roundings, GiveTheNumbersOfOneRoundingAnOp) {
  for (const int width : {0, 8, 4}) {
    EngineFixture fixture{EngineFixture::withoutDisk(width, 0, 1)};
    for (const DType dtype : {DType::float16, DType::bfloat16}) {
      const auto rounded = [dtype](float value) {
        return static_cast<float>(roundedTo(static_cast<double>(value), dtype));
      };
      const auto at = [dtype](std::size_t i, std::uint32_t step) {
        return static_cast<float>(readAs(dtype, static_cast<std::uint16_t>(i * step + 1)));
      };
      for (const std::size_t count : {std::size_t{0x10000}, std::size_t{0x10000 - 37}}) {
        const Tensor x = patterns(fixture, dtype, count, 1),
                     y = patterns(fixture, dtype, count, 25173);
        for (const char* executor : {"static", "dynamic", "instant", "eager"}) {
          SCOPED_TRACE(width);
          expectChain(fixture, executor, dtype, {x}, "x = torch.relu(x)\nreturn x * 1.5 + 0.25",
                      [&](std::size_t i) {
                        const float given = at(i, 1);
                        return rounded(rounded((given < 0 ? 0 : given) * 1.5f) + 0.25f);
                      });
          expectChain(fixture, executor, dtype, {x, y}, "return torch.abs(x * y) - x",
                      [&](std::size_t i) {
                        return rounded(std::abs(rounded(at(i, 1) * at(i, 25173))) - at(i, 1));
                      });
        }
      }
    }
  }
}

/// The rest of a NaN's bits must not make a number of it.
TEST(Roundings, LeaveEveryNaNOfAFloat32OneThatIsCastDown) {
  std::vector<float> values;
  for (std::uint32_t bits = 0; bits < 0x20000; ++bits) {
    const std::uint32_t pattern = (bits & 1 ? 0xff800001u : 0x7f800001u) + bits / 2 * 127;
    values.push_back(std::bit_cast<float>(pattern));
  }
  values.push_back(std::bit_cast<float>(0x7fffffffu));
  values.push_back(std::bit_cast<float>(0xffffffffu));
  for (const int width : {0, 8}) {
    EngineFixture fixture{EngineFixture::withoutDisk(width, 0, 1)};
    const Tensor x = fixture.tensor({static_cast<std::int64_t>(values.size())}, values);
    for (const char* text :
         {"return x.bfloat16()", "return torch.relu(x).bfloat16()", "return (-x).bfloat16() + 1"})
      for (const double each : EngineFixture::values(fixture.run("static", text, {x})[0]))
        ASSERT_TRUE(std::isnan(each)) << text << " gives " << each;
  }
}

/// Full lines past the caches: taken apart and put together two by two, nothing is shuffled.
TEST(Roundings, LoadAndStoreWholeLinesWhereAllAreBfloat16) {
  EngineFixture fixture{EngineFixture::withoutDisk(16, 0, 1)};
  const cpu::Target target =
      cpu::namedTarget("x86_64-unknown-linux-gnu", "skylake-avx512", "-prefer-256-bit");
  const auto codeOf = [&](const char* text, const std::vector<Tensor>& inputs) {
    const auto kernels = fixture.executor("static", text)->kernels(inputs);
    const cpu::Schedule schedule = cpu::schedule(kernels.at(0), target, 0);
    return std::pair(schedule.paired, cpu::Jit(target).assemblyText(kernels[0], schedule));
  };
  const std::vector<double> ones(1024, 1);
  const Tensor x = fixture.typed(DType::bfloat16, {32, 32}, ones);
  const auto [paired, code] = codeOf("return x * 1.5 + 0.25", {x});
  EXPECT_TRUE(paired);
  for (const char* spread : {"vpmovzx", "vpmovdw"})
    EXPECT_THAT(code, ::testing::Not(::testing::HasSubstr(spread)));
  // Lanes of others are not where these are.
  const Tensor wide = fixture.typed(DType::float32, {32, 32}, ones);
  EXPECT_FALSE(codeOf("return x * y", {x, wide}).first);
  EXPECT_FALSE(codeOf("return x.float()", {x}).first);
  EXPECT_FALSE(codeOf("return (x * 1.5).sum(1)", {x}).first);
}

}  // namespace
}  // namespace fusebench
