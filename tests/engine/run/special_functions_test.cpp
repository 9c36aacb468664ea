// SPDX-License-Identifier: GPL-3.0-or-later
// torch.erfinv, lgamma and digamma against exact values and against PyTorch's special values: see
// tests/engine/values/special_functions_by_mpmath.py.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/support/expect_reference.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

struct RecordedFunction {
  std::string name;
  DType dtype = DType::float32;
  std::vector<double> x, exact;
  std::vector<double> special, torch;
};

/// The recorded values of each function in each dtype.
std::vector<RecordedFunction> recordedFunctions() {
  std::ifstream file(test::sourcePath("/tests/engine/values/special_functions.txt"));
  std::map<std::string, RecordedFunction> found;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream words(line);
    std::string name, dtype, x, value;
    words >> name;
    const bool special = name == "torch";
    if (special) words >> name;
    words >> dtype >> x >> value;
    RecordedFunction& function = found[name + " " + dtype];
    function.name = name;
    function.dtype = dtype == "float64" ? DType::float64 : DType::float32;
    (special ? function.special : function.x).push_back(std::strtod(x.c_str(), nullptr));
    (special ? function.torch : function.exact).push_back(std::strtod(value.c_str(), nullptr));
  }
  std::vector<RecordedFunction> all;
  for (auto& [key, function] : found) all.push_back(std::move(function));
  return all;
}

/// |got - exact| in units in the last place of the exact value.
double unitsOff(double got, double exact, DType dtype) {
  const int digits = dtype == DType::float64 ? 52 : 23,
            least = dtype == DType::float64 ? -1022 : -126;
  const int exponent = exact == 0 ? least : std::max(std::ilogb(exact), least);
  return std::fabs(got - exact) / std::ldexp(1.0, exponent - digits);
}

std::vector<double> valuesBy(EngineFixture& fixture, const ExecutorInfo& executor,
                             const RecordedFunction& function, const std::vector<double>& x) {
  const std::vector<Tensor> inputs{
      fixture.typed(function.dtype, {static_cast<std::int64_t>(x.size())}, x)};
  const std::string text = "def f(x): return torch." + function.name + "(x)";
  const Program program = parseProgram(text, hintsOf(text, inputs));
  const auto made = makeExecutor(executor.name, fixture.backend(), program);
  const auto results = made->call(inputs);
  EXPECT_EQ(info(results[0].dtype).name, info(function.dtype).name);
  return EngineFixture::values(results[0]);
}

TEST(SpecialFunctions, AreExactToTheLastPlaceOfFloat32AndNearlyOfFloat64) {
  EngineFixture fixture;
  const std::vector<RecordedFunction> all = recordedFunctions();
  ASSERT_EQ(all.size(), 6u);
  for (const RecordedFunction& function : all)
    for (const ExecutorInfo& executor : executorsOn(fixture.backend())) {
      SCOPED_TRACE(function.name + " by " + std::string(executor.name));
      ASSERT_GE(function.x.size(), 70u);
      const std::vector<double> got = valuesBy(fixture, executor, function, function.x);
      double worst = 0;
      for (std::size_t i = 0; i < got.size(); ++i) {
        const double off = unitsOff(got[i], function.exact[i], function.dtype);
        // Around a zero a float64 has the absolute error of the terms that cancel there.
        const bool near = function.dtype == DType::float64 && function.name != "erfinv" &&
                          std::fabs(got[i] - function.exact[i]) <= 4e-15;
        if (!near) worst = std::max(worst, off);
        EXPECT_TRUE(near || off <= (function.dtype == DType::float64 ? 4 : 0.501))
            << function.x[i] << ": " << got[i] << ", exactly " << function.exact[i] << ", " << off
            << " ULP";
      }
      RecordProperty(function.name + std::string(info(function.dtype).name), std::to_string(worst));
    }
}

TEST(SpecialFunctions, HavePyTorchsValuesAtPolesAndEnds) {
  EngineFixture fixture;
  for (const RecordedFunction& function : recordedFunctions())
    for (const ExecutorInfo& executor : executorsOn(fixture.backend())) {
      SCOPED_TRACE(function.name + " by " + std::string(executor.name));
      ASSERT_GE(function.special.size(), 18u);
      const std::vector<double> got = valuesBy(fixture, executor, function, function.special);
      for (std::size_t i = 0; i < got.size(); ++i) {
        const double wanted = function.torch[i];
        const bool same = std::isnan(wanted) ? std::isnan(got[i])
                          : std::isinf(wanted) || wanted == 0
                              ? got[i] == wanted && std::signbit(got[i]) == std::signbit(wanted)
                              : std::fabs(got[i] - wanted) <= 2e-6 * std::fabs(wanted);
        EXPECT_TRUE(same) << function.special[i] << ": " << got[i] << ", PyTorch has " << wanted;
      }
    }
}

TEST(SpecialFunctions, GiveTheDtypesThatPyTorchGives) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.tensor({2}, {3, 5})};
  const std::string text =
      "def f(x): return torch.lgamma(x.half()), x.bfloat16().digamma(), torch.lgamma(x.long()), "
      "torch.erfinv(x.long() * 0), torch.polygamma(2, x.double())";
  const auto executor =
      makeExecutor("static", fixture.backend(), parseProgram(text, hintsOf(text, inputs)));
  const auto results = executor->call(inputs);
  ASSERT_EQ(results.size(), 5u);
  EXPECT_EQ(info(results[0].dtype).name, info(DType::float16).name);
  EXPECT_EQ(info(results[1].dtype).name, info(DType::bfloat16).name);
  EXPECT_EQ(info(results[2].dtype).name, info(DType::float32).name);
  EXPECT_EQ(info(results[3].dtype).name, info(DType::float32).name);
  EXPECT_EQ(info(results[4].dtype).name, info(DType::float64).name);
  EXPECT_FLOAT_EQ(static_cast<float>(EngineFixture::values(results[2])[1]), 3.1780539F);
  // PyTorch 2.15: torch.polygamma(2, torch.tensor([3., 5.]).double())
  EXPECT_NEAR(EngineFixture::values(results[4])[0], -0.154113806319188, 1e-13);
  EXPECT_NEAR(EngineFixture::values(results[4])[1], -0.048789732245114, 1e-13);
}

}  // namespace
}  // namespace fusebench
