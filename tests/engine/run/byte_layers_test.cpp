// SPDX-License-Identifier: GPL-3.0-or-later
// Layers in bytes on whatever backend there is: what they lose, that either kind of bytes gives the
// same bits, and that products of bytes are exact in every shape.
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "engine/plan/quantize.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/relative_noise.h"

namespace fusebench {
namespace {

constexpr ByteProducts kUnsignedBytes, kSignedBytes{.given = DType::int8, .alongDepth = true},
    kFilledBytes{.given = DType::int8, .alongDepth = true, .depths = 16, .channels = 4};

std::string network(const std::string& layers, const std::string& body) {
  return "class Net(nn.Module):\n  def __init__(self):\n    super().__init__()\n" + layers +
         "  def forward(self, x):\n" + body;
}

struct ByteCase {
  const char* name;
  std::string text;
  Shape given;
  bool across = false;  ///< the input is transposed
};

/// Depths and channels in multiples of sixteen, and of no multiple of four; a weight with its depth
/// first; two summed dimensions, of which the weight has the later one first.
std::vector<ByteCase> byteCases() {
  const std::string two = "    h = F.relu(self.fc1(x))\n    return self.fc2(h)";
  return {
      {"in sixteens",
       network("    self.fc1 = nn.Linear(48, 64)\n    self.fc2 = nn.Linear(64, 32)\n", two),
       {20, 48}},
      {"in no fours",
       network("    self.fc1 = nn.Linear(50, 30)\n    self.fc2 = nn.Linear(30, 10)\n", two),
       {3, 50}},
      {"of more dimensions",
       network("    self.fc1 = nn.Linear(32, 48)\n    self.fc2 = nn.Linear(48, 5, bias=False)\n",
               two),
       {2, 3, 32}},
      {"across",
       network("    self.w = nn.Parameter(torch.randn(48, 16))\n", "    return x @ self.w"),
       {17, 48},
       true},
      {"of two depths",
       network("    self.w = nn.Parameter(torch.randn(6, 8, 16))\n",
               "    return torch.einsum('bij,jio->bo', x, self.w)"),
       {9, 8, 6}},
  };
}

class ByteLayers : public testing::Test {
 protected:
  std::vector<Tensor> inputsOf(const Program& program, const ByteCase& of) {
    Shape lies = of.given;
    const int last = lies.rank() - 1;
    if (of.across) std::swap(lies[last], lies[last - 1]);
    const Tensor x = fixture_.random(lies, 1);
    std::vector<Tensor> inputs{of.across ? EngineFixture::transposed(x) : x};
    for (const HeldInput& held : program.held)
      inputs.push_back(
          fixture_.random(held.initial.extents, 7u + static_cast<unsigned>(held.input), 0.3F));
    return inputs;
  }
  static Program madeOfBytes(const Program& program, const std::vector<Tensor>& inputs,
                             Quantizing how, const ByteProducts& bytes) {
    const std::vector<LayerRange> ranges{{-3, 4}, {0, 8}};
    std::vector<ValueType> types;
    for (const Tensor& input : inputs) types.push_back({input.shape, input.dtype});
    return quantized(program, types, how, ranges, bytes);
  }

  EngineFixture fixture_;
};

TEST_F(ByteLayers, GiveTheSameBitsOfEitherKindAndLoseWhatLevelsLeaveOut) {
  const std::vector<ByteCase> cases = byteCases();
  for (const ByteCase& of : cases) {
    const Program program = parseProgram(of.text);
    const std::vector<Tensor> inputs = inputsOf(program, of);
    std::vector<ReferenceTensor> plain;
    for (const Tensor& input : inputs) plain.push_back(EngineFixture::reference(input));
    const std::vector<double> exact = evaluateReference(program, plain)[0].value.values;
    const bool whole = &of == &cases.front();  // others: what differs by the plan
    for (const Quantizing how : {Quantizing::dynamicInt8, Quantizing::staticInt8})
      for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
        if (!whole && info.name != "eager" && info.name != "static") continue;
        SCOPED_TRACE(fmt::format("{}, {}, {}", of.name,
                                 quantizingNames()[static_cast<std::size_t>(how)].name, info.name));
        std::vector<double> first;
        for (const ByteProducts& bytes : {kUnsignedBytes, kSignedBytes, kFilledBytes}) {
          const auto executor = makePreparedExecutor(info.name, fixture_.backend(),
                                                     madeOfBytes(program, inputs, how, bytes));
          const auto got = EngineFixture::values(executor->call(inputs)[0]);
          ASSERT_EQ(got.size(), exact.size());
          EXPECT_LT(relativeNoise(exact, got), 0.03);
          EXPECT_GT(relativeNoise(exact, got), 1e-4) << "nothing was quantized";
          EXPECT_EQ(EngineFixture::values(executor->call(inputs)[0]), got);
          if (!first.empty()) {
            EXPECT_EQ(got, first);
          }
          first = got;
        }
      }
  }
}

TEST_F(ByteLayers, OfNothingAndOfNaNAreAlikeInEitherKind) {
  const ByteCase of = byteCases()[0];
  const Program program = parseProgram(of.text);
  std::vector<Tensor> inputs = inputsOf(program, of);
  std::vector<double> poisoned(20 * 48, 1);
  poisoned[5] = NAN;
  for (const auto& values : {std::vector<double>(20 * 48, 0), poisoned}) {
    inputs[0] = fixture_.typed(DType::float32, of.given, values);
    std::vector<double> first;
    for (const ByteProducts& bytes : {kUnsignedBytes, kSignedBytes, kFilledBytes}) {
      const auto executor =
          makePreparedExecutor("static", fixture_.backend(),
                               madeOfBytes(program, inputs, Quantizing::dynamicInt8, bytes));
      const auto got = EngineFixture::values(executor->call(inputs)[0]);
      for (const double value : got) EXPECT_EQ(std::isnan(value), std::isnan(values[5]));
      if (!first.empty() && !std::isnan(values[5])) {
        EXPECT_EQ(got, first);
      }
      first = got;
    }
  }
}

/// Includes the largest products, which would overflow narrower sums. The rows have any alignment,
/// and the depth is the inner or the outer dimension.
TEST_F(ByteLayers, ProductsOfInt8AreExactInEveryShapeAndLayout) {
  const std::string text = "def f(x, y):\n  return torch._int_mm(x, y)";
  const Program program = parseProgram(text);
  const auto bytes = [&](const Shape& shape, int seed) {
    std::vector<double> values(static_cast<std::size_t>(elementCount(shape)));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = i % 3 == 0
                      ? -128
                      : static_cast<double>((i * 37 + static_cast<std::size_t>(seed)) % 256) - 128;
    return fixture_.typed(DType::int8, shape, values);
  };
  for (const int depth : {1, 16, 18, 37, 400})
    for (const int rows : {1, 17})
      for (const int columns : {1, 8, 10}) {
        SCOPED_TRACE(fmt::format("{} x {} x {}", rows, depth, columns));
        const Tensor wide = bytes({rows, depth + 3}, 5);
        Tensor odd = wide;  // no row of it begins at a multiple of 4
        odd.shape[1] = depth;
        odd.offset += 1;
        odd.contiguous = false;
        const Tensor down = EngineFixture::transposed(bytes({columns, depth}, 2));
        const std::vector<std::vector<Tensor>> given = {
            {bytes({rows, depth}, 1), down},
            {odd, down},
            {bytes({rows, depth}, 1), bytes({depth, columns}, 3)}};
        for (const auto& inputs : given) {
          const auto expected =
              evaluateReference(program, std::vector{EngineFixture::reference(inputs[0]),
                                                     EngineFixture::reference(inputs[1])});
          for (const char* name : {"eager", "static"})
            EXPECT_EQ(EngineFixture::values(fixture_.run(name, text, inputs)[0]),
                      expected[0].value.values)
                << name;
        }
      }
}

}  // namespace
}  // namespace fusebench
