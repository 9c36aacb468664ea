// SPDX-License-Identifier: GPL-3.0-or-later
// Programs nobody thought of over tensors of several dtypes: fused against eager, and both against
// PyTorch, to the last bit. Their ops are exact, or rounded once: then there is one right result.
#include <array>
#include <cmath>
#include <random>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/engine/support/random_graphs.h"
#include "tests/engine/support/torch_python.h"

namespace fusebench {
namespace {

/// Statements over x, y and z, each of a dtype of its own; the last three are returned.
class MixedProgram {
 public:
  explicit MixedProgram(unsigned seed) : random_(seed) {
    using enum DType;
    // PyTorch combines int8 and uint8 to int16, which is not supported; programs use only one.
    const DType bytes = pick(2) == 0 ? uint8 : int8;
    const std::array known = {boolean, bytes, int32, int64, float16, bfloat16, float32, float64};
    for (DType& dtype : dtypes_) dtype = known[pick(known.size())];
    std::vector<std::string> names{"x", "y", "z"};
    const std::size_t statements = 3 + pick(8);
    for (std::size_t i = 0; i < statements; ++i) {
      const auto operand = [&] {
        return names[names.size() - 1 - pick(std::min<std::size_t>(names.size(), 5))];
      };
      const std::string a = operand(), b = operand(), input = names[pick(3)];
      constexpr std::array kCasts = {"float", "half", "bfloat16", "double", "long", "int"};
      const std::array made = {a + " + " + b,
                               a + " * 0.5",
                               "torch.where(" + a + " > " + b + ", " + a + ", " + input + ")",
                               "torch.maximum(" + a + ", " + b + ")",
                               "torch.minimum(" + a + ", " + input + ")",
                               a + "." + kCasts[pick(kCasts.size())] + "()",
                               a + "." + kCasts[pick(kCasts.size())] + "()",
                               a + " > " + b,
                               a + " * " + input,
                               a + " + 1.25",
                               "torch.abs(" + a + ".float()) * " + input};
      names.push_back("v" + std::to_string(i));
      text_ += "    " + names.back() + " = " + made[pick(made.size())] + "\n";
    }
    const std::string last = names.back();
    text_ = "def program(x, y, z):\n" + text_ + "    return " + names[names.size() - 3] + ", " +
            names[names.size() - 2] + ", " + last + "\n";
  }

  const std::string& text() const { return text_; }

  /// Small numbers with few digits, of each dtype what it has of them.
  std::vector<Tensor> inputs(EngineFixture& fixture, std::int64_t elements) {
    std::vector<Tensor> made;
    for (const DType dtype : dtypes_) {
      std::vector<double> values;
      for (std::int64_t i = 0; i < elements; ++i) {
        const double value = static_cast<double>(pick(97)) / 16 - 3;
        values.push_back(isFloat(dtype)            ? value
                         : dtype == DType::boolean ? (value > 0 ? 1 : 0)
                         : dtype == DType::uint8   ? std::trunc(std::abs(value))
                                                   : std::trunc(value));
      }
      made.push_back(fixture.typed(dtype, {elements}, values));
    }
    return made;
  }

 private:
  std::size_t pick(std::size_t below) { return random_() % below; }
  std::mt19937 random_;
  std::array<DType, 3> dtypes_{};
  std::string text_;
};

TEST(RandomMixedPrograms, FusedAgreesWithEagerBitForBit) {
  EngineFixture fixture;
  for (unsigned seed = 1; seed <= 80; ++seed) {
    MixedProgram random(seed);
    const std::vector<Tensor> inputs = random.inputs(fixture, seed % 2 == 0 ? 128 : 77);
    const auto eager = fixture.run("eager", random.text(), inputs);
    for (const char* name : {"static", "dynamic", "instant"}) {
      const auto fused = fixture.run(name, random.text(), inputs);
      ASSERT_EQ(fused.size(), eager.size());
      for (std::size_t o = 0; o < fused.size(); ++o) {
        ASSERT_EQ(info(fused[o].dtype).name, info(eager[o].dtype).name) << name << random.text();
        expectSameBits(fused[o], eager[o], name + ("\n" + random.text()));
      }
    }
  }
}

std::string listOf(const std::vector<double>& values) {
  std::string text;
  for (const double value : values)
    text += (text.empty() ? "" : ", ") + (std::isnan(value)   ? std::string("nan")
                                          : std::isinf(value) ? (value > 0 ? "inf" : "-inf")
                                                              : fmt::format("{:.17g}", value));
  return "[" + text + "]";
}

std::string tensorText(const Tensor& tensor) {
  return fmt::format("('{}', {})", info(tensor.dtype).name, listOf(EngineFixture::values(tensor)));
}

constexpr const char* kCheck = R"(import torch
from math import inf, nan, isnan
wrong = 0

def check(seed, program, inputs, expected):
    global wrong
    outputs = program(*[torch.tensor(v, dtype=torch.float64).to(getattr(torch, t)) for t, v in inputs])
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    if len(outputs) != len(expected):
        wrong += 1
        print(f'{seed}: {len(outputs)} results, expected {len(expected)}')
        return
    for o, (dtype, values) in zip(outputs, expected):
        if o.dtype != getattr(torch, dtype):
            wrong += 1
            print(f'{seed}: {o.dtype}, expected {dtype}')
            return
        for got, want in zip(o.double().tolist(), values):
            if got != want and not (isnan(got) and isnan(want)):
                wrong += 1
                print(f'{seed} {dtype}: {got}, expected {want}')
                return
)";

TEST(RandomMixedPrograms, GivePyTorchsDtypesAndBits) {
  const std::string python = test::newestPythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  EngineFixture fixture;
  std::string script = kCheck;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    MixedProgram random(seed);
    const std::vector<Tensor> inputs = random.inputs(fixture, 24);
    std::string given, expected;
    for (const Tensor& input : inputs) given += tensorText(input) + ", ";
    for (const Tensor& result : fixture.run("instant", random.text(), inputs))
      expected += tensorText(result) + ", ";
    script +=
        fmt::format("{}check({}, program, [{}], [{}])\n", random.text(), seed, given, expected);
  }
  const std::string printed = test::runPython(python, script + "print('wrong:', wrong)\n");
  EXPECT_NE(printed.find("wrong: 0\n"), std::string::npos) << printed;
}

}  // namespace
}  // namespace fusebench
