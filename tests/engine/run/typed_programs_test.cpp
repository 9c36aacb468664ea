// SPDX-License-Identifier: GPL-3.0-or-later
// Programs of several dtypes on every executor, against the reference.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

struct TypedProgram {
  const char* name;
  const char* text;
  std::vector<DType> inputs;
  std::vector<DType> results;
  double bound;  ///< relative; 16-bit floats are rounded once for each op
};

const std::vector<TypedProgram>& typedPrograms() {
  using enum DType;
  static const std::vector<TypedProgram> programs = {
      {"places",
       "i = x.argmax(dim=1)\nj = i + 1\nreturn i, j, i == j - 1, j * 2.5",
       {float32},
       {int64, int64, boolean, float32},
       1e-6},
      {"counts",
       "m = x > 0\nn = m.sum()\nreturn n, n + m.sum(dim=0), m + m, m * 3",
       {float32},
       {int64, int64, boolean, int64},
       0},
      {"doubles",
       "y = torch.exp(x * 0.1) + torch.sin(x) / 3\nreturn y, y.sum(dim=1), y.mean(), y.var()",
       {float64},
       {float64, float64, float64, float64},
       1e-13},
      {"transcendental doubles",
       "y = torch.tanh(x) + torch.erf(x) * torch.log1p(torch.abs(x))\ny = torch.atan2(y, x) + "
       "torch.pow(torch.abs(x), 0.3)\nreturn y",
       {float64},
       {float64},
       1e-12},
      {"halves",
       "y = torch.abs(x) * 1.5 + 0.25\nreturn y, torch.relu(y), y.sum(), y.amax(dim=0)",
       {float16},
       {float16, float16, float16, float16},
       0x1p-8},
      {"bfloats",
       "y = torch.abs(x) * 1.5 + 0.25\nreturn torch.sigmoid(y), y.mean(dim=1)",
       {bfloat16},
       {bfloat16, bfloat16},
       0x1p-5},
      {"bytes",
       "y = x * 3 + 200\nreturn y, y.sum(), y // 7, y % 7, torch.bitwise_and(y, 15)",
       {uint8},
       {uint8, int64, uint8, uint8, uint8},
       0},
      {"signed bytes",
       "y = x * 3 - 100\nreturn y, -y, y.prod(dim=1), torch.abs(y), y.amin(), y.argmin()",
       {int8},
       {int8, int8, int64, int8, int8, int64},
       0},
      {"ints",
       "y = x * x - 7\nreturn y // 3, y % 5, torch.bitwise_left_shift(y, 2), y.amax(dim=0), y ** 3",
       {int32},
       {int32, int32, int32, int32, int32},
       0},
      {"quotients",
       "return x // y, x % y, torch.fmod(x, y), torch.div(x, y, rounding_mode='trunc'), x / y",
       {int32, int32},
       {int32, int32, int32, int32, float32},
       1e-6},
      {"mixed floats",
       "z = x + y\nreturn z, z.half(), (z * 2).bfloat16().float()",
       {float32, float64},
       {float64, float16, float32},
       0x1p-7},
      {"ints and floats",
       "z = x * y\nreturn z, z.long(), z > x, torch.where(x > 0, y, 0)",
       {int32, float32},
       {float32, int64, boolean, float32},
       1e-6},
      {"truths",
       "a = x > 0\nb = y > 0\nreturn a & b, a | b, torch.where(a, b, a), (a & b).long() + x.long()",
       {float32, float32},
       {boolean, boolean, boolean, int64},
       0},
  };
  return programs;
}

std::vector<double> drawn(DType dtype, std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, 2);
  std::vector<double> values(count);
  for (double& value : values) {
    value = normal(random);
    if (!isFloat(dtype)) value = std::trunc(10 * value);
    if (dtype == DType::uint8) value = std::abs(value);
    if (dtype == DType::boolean) value = value > 0;
    value = roundedTo(value, dtype);
  }
  return values;
}

class TypedPrograms : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Each, TypedPrograms,
                         ::testing::Range<std::size_t>(0, typedPrograms().size()));

TEST_P(TypedPrograms, AgreeWithTheReferenceOnEveryExecutorSizeAndLayout) {
  const TypedProgram& test = typedPrograms()[GetParam()];
  SCOPED_TRACE(test.name);
  EngineFixture fixture;
  const Program program = parseProgram(test.text);
  ASSERT_EQ(program.inputs.size(), test.inputs.size());
  struct Case {
    const char* layout;
    Shape shape;
  };
  const std::vector<Case> cases = {
      {"plain", {3, 5}}, {"plain", {40, 67}}, {"transposed", {33, 21}}, {"every second", {4, 38}}};
  for (const Case& each : cases) {
    SCOPED_TRACE(each.layout + std::string(" ") + toString(each.shape));
    std::vector<Tensor> inputs;
    std::vector<ReferenceTensor> references;
    for (std::size_t i = 0; i < test.inputs.size(); ++i) {
      const DType dtype = test.inputs[i];
      Tensor tensor = fixture.typed(dtype, each.shape,
                                    drawn(dtype, static_cast<std::size_t>(elementCount(each.shape)),
                                          7 + static_cast<unsigned>(i)));
      if (each.layout == std::string("transposed")) tensor = EngineFixture::transposed(tensor);
      if (each.layout == std::string("every second")) tensor = EngineFixture::everySecond(tensor);
      references.push_back(EngineFixture::reference(tensor));
      inputs.push_back(std::move(tensor));
    }
    const std::vector<ReferenceResult> expected = evaluateReference(program, references);
    for (const ExecutorInfo& executor : executorsOn(fixture.backend())) {
      SCOPED_TRACE(executor.name);
      const auto made = makeExecutor(executor.name, fixture.backend(), program, {});
      for (int call = 0; call < 2; ++call) {
        const auto outputs = made->call(inputs);
        ASSERT_EQ(outputs.size(), test.results.size());
        for (std::size_t o = 0; o < outputs.size(); ++o) {
          EXPECT_EQ(info(outputs[o].dtype).name, info(test.results[o]).name) << "result " << o;
          EXPECT_LE(relativeError(expected[o], EngineFixture::values(outputs[o])), test.bound)
              << "result " << o;
        }
      }
    }
  }
}

TEST(TypedProgramsToo, GiveTheSameBitsOnEveryExecutorWhereTheyAreOf16Bits) {
  EngineFixture fixture;
  const Program program =
      parseProgram("y = torch.exp(x * 0.3)\nz = y * y - x\nreturn torch.sin(z) / y");
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    const Tensor input = fixture.typed(dtype, {1000}, drawn(dtype, 1000, 5));
    std::vector<std::byte> eager;
    for (const ExecutorInfo& executor : executorsOn(fixture.backend())) {
      const auto made = makeExecutor(executor.name, fixture.backend(), program, {});
      const std::vector<std::byte> bytes = EngineFixture::bytes(made->call({&input, 1})[0]);
      if (eager.empty()) eager = bytes;
      EXPECT_EQ(bytes, eager) << executor.name << " " << info(dtype).name;
    }
  }
}

/// Every value that a 16-bit float has, bit pattern after bit pattern.
std::vector<std::uint16_t> everyPattern() {
  std::vector<std::uint16_t> patterns;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits)
    patterns.push_back(static_cast<std::uint16_t>(bits));
  return patterns;
}

template <typename Element>
Tensor tensorOf(EngineFixture& fixture, DType dtype, const std::vector<Element>& elements) {
  Tensor made = makeTensor(fixture.backend().allocator(), dtype,
                           {static_cast<std::int64_t>(elements.size())});
  fixture.backend().copyIn(made, elements.data(), elements.size() * sizeof(Element));
  return made;
}

/// Expects an element to be that number, or NaN where it is.
void expectElements(const Tensor& got, const std::vector<double>& expected,
                    const std::string& what) {
  const std::vector<double> values = EngineFixture::values(got);
  ASSERT_EQ(values.size(), expected.size());
  int shown = 0;
  for (std::size_t i = 0; i < values.size() && shown < 3; ++i) {
    if (std::isnan(expected[i]) ? std::isnan(values[i]) : values[i] == expected[i]) continue;
    ++shown;
    ADD_FAILURE() << what << ": element " << i << " is " << values[i] << ", not " << expected[i];
  }
}

TEST(Conversions, WidenEveryValueOfThe16BitFloatsOnEveryExecutor) {
  EngineFixture fixture;
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    const Tensor x = tensorOf(fixture, dtype, everyPattern());
    const bool half = dtype == DType::float16;
    std::vector<double> wide, other;
    for (const std::uint16_t bits : everyPattern()) {
      wide.push_back(static_cast<double>(half ? fromHalfBits(bits) : fromBfloatBits(bits)));
      other.push_back(roundedTo(wide.back(), half ? DType::bfloat16 : DType::float16));
    }
    const std::string text =
        std::string("return x.float(), x.double(), x.") + (half ? "bfloat16()" : "half()");
    for (const ExecutorInfo& executor : executorsOn(fixture.backend())) {
      const auto outputs = fixture.run(std::string(executor.name), text, {x});
      const std::string what = std::string(executor.name) + " of " + std::string(info(dtype).name);
      expectElements(outputs[0], wide, what + " to float32");
      expectElements(outputs[1], wide, what + " to float64");
      expectElements(outputs[2], other, what + " to the other one");
    }
  }
}

TEST(Conversions, RoundToEveryValueOfThe16BitFloatsOnEveryExecutor) {
  EngineFixture fixture;
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    const bool half = dtype == DType::float16;
    // Each value, half way to the next, and what is on either side of that.
    std::vector<float> values;
    for (const std::uint16_t bits : everyPattern()) {
      const auto next = static_cast<std::uint16_t>(bits + 1);
      const float value = half ? fromHalfBits(bits) : fromBfloatBits(bits);
      const float above = half ? fromHalfBits(next) : fromBfloatBits(next);
      const float middle = value / 2 + above / 2;
      for (const float each :
           {value, middle, std::nextafter(middle, value), std::nextafter(middle, above)})
        values.push_back(each);
    }
    std::vector<double> wide, expected;
    for (const float value : values) {
      wide.push_back(static_cast<double>(value));
      expected.push_back(static_cast<double>(half ? fromHalfBits(halfBits(value))
                                                  : fromBfloatBits(bfloatBits(value))));
    }
    const Tensor x = tensorOf(fixture, DType::float32, values);
    const Tensor y = tensorOf(fixture, DType::float64, wide);
    const std::string cast = half ? ".half()" : ".bfloat16()";
    for (const ExecutorInfo& executor : executorsOn(fixture.backend())) {
      const auto outputs =
          fixture.run(std::string(executor.name), "return x" + cast + ", y" + cast, {x, y});
      const std::string what = std::string(executor.name) + " to " + std::string(info(dtype).name);
      expectElements(outputs[0], expected, what + " of float32");
      expectElements(outputs[1], expected, what + " of float64");
    }
  }
}

TEST(TypedProgramsToo, FollowTheDtypesOfEachCall) {
  EngineFixture fixture;
  for (const ExecutorInfo& executor : executorsOn(fixture.backend())) {
    SCOPED_TRACE(executor.name);
    const auto made =
        makeExecutor(executor.name, fixture.backend(), parseProgram("return x * 3"), {});
    for (const DType dtype : {DType::int32, DType::float64, DType::float32, DType::int8}) {
      const Tensor input = fixture.typed(dtype, {3}, {1, 2, 50});
      const Tensor output = made->call({&input, 1})[0];
      EXPECT_EQ(info(output.dtype).name, info(dtype).name);
      EXPECT_EQ(EngineFixture::values(output),
                (std::vector<double>{3, 6, dtype == DType::int8 ? -106.0 : 150.0}));
    }
  }
}

TEST(TypedProgramsToo, AreRefusedWhereNumbersHaveNoPlace) {
  EngineFixture fixture;
  const Tensor bytes = fixture.typed(DType::uint8, {2}, {1, 2});
  const auto message = [&](const std::string& text) {
    try {
      fixture.run("static", text, {bytes});
    } catch (const ProgramError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_EQ(
      message("return torch.where(x > 1, x, 300)"),
      "where: 300 cannot be converted to uint8 without overflow; cast the tensor first, as in "
      "x.long() (in return torch.where(x > 1, x, 300))");
  EXPECT_EQ(
      message("return x.mean()"),
      "mean of uint8 is not defined in PyTorch either; convert them to floats with .float() first "
      "(in return x.mean())");
  EXPECT_EQ(
      message("return torch.bitwise_left_shift(x > 1, x > 1)"),
      "bitwise_left_shift of truth values is not defined in PyTorch either; it takes integers "
      "(in return torch.bitwise_left_shift(x > 1, x > 1))");
  EXPECT_EQ(
      message("return torch.add(x, x, alpha=0.5)"),
      "add_scaled of uint8 takes an integer as alpha; convert them to floats with .float() first "
      "(in return torch.add(x, x, alpha=0.5))");
}

}  // namespace
}  // namespace fusebench
