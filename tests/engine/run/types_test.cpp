// SPDX-License-Identifier: GPL-3.0-or-later
// Ops of every dtype against what PyTorch made of the same operands (tests/engine/values), on every
// executor, and against the reference.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/support/engine_fixture.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

/// What types_by_torch.py gives its operands.
const std::map<std::string, std::vector<double>>& valuesOfX() {
  static const std::map<std::string, std::vector<double>> values = {
      {"bool", {1, 0, 1, 1}},
      {"uint8", {7, 0, 200, 255}},
      {"int8", {7, -3, 100, -128}},
      {"int32", {7, -3, 100000, -2147483648.0}},
      {"int64", {7, -3, 0x1p40, 0}},
      {"float16", {7.5, -3.25, 0.1, 60000}},
      {"bfloat16", {7.5, -3.25, 0.1, 1e20}},
      {"float32", {7.5, -3.25, 0.1, 1e20}},
      {"float64", {7.5, -3.25, 0.1, 1e200}}};
  return values;
}

std::vector<double> valuesOfY(const std::string& dtype) {
  if (dtype == "bool") return {1, 1, 0, 1};
  if (dtype == "uint8") return {2, 3, 5, 1};
  if (dtype[0] == 'i') return {2, -2, 5, 1};
  return {2, -2, 0.3, 1.5};
}

/// Includes an int64 that a double cannot represent.
Tensor operandOf(EngineFixture& fixture, const std::string& name, const std::string& dtype) {
  const std::vector<double> values = name == "x" ? valuesOfX().at(dtype) : valuesOfY(dtype);
  if (name == "x" && dtype == "int64") {
    const std::vector<std::int64_t> exact = {7, -3, std::int64_t{1} << 40,
                                             -(std::int64_t{1} << 62) - 5};
    Tensor made = makeTensor(fixture.backend().allocator(), DType::int64, {4});
    fixture.backend().copyIn(made, exact.data(), exact.size() * sizeof(exact[0]));
    return made;
  }
  return fixture.typed(*findDType(dtype), {4}, values);
}

struct TorchCase {
  std::vector<std::string> dtypes;
  std::string result;  ///< dtype, or "error"
  std::vector<std::string> values;
};
struct TorchGroup {
  std::string expression;
  std::vector<TorchCase> cases;
};

std::vector<TorchGroup> torchGroups() {
  std::ifstream file(fusebench::test::sourcePath("/tests/engine/values/typed_ops.txt"));
  std::vector<TorchGroup> made;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '=') {
      made.push_back({line.substr(2), {}});
      continue;
    }
    std::istringstream words(line);
    TorchCase each;
    std::string word;
    while (words >> word && word != "|") each.dtypes.push_back(word);
    words >> each.result;
    while (words >> word) each.values.push_back(word);
    made.back().cases.push_back(each);
  }
  return made;
}

/// Where we take what PyTorch does not: truth values in differences, and a division of integers by
/// 0, whose quotient is 0 here.
bool isLenient(const std::string& expression, const TorchCase& each) {
  const auto has = [&](const char* text) { return expression.find(text) != std::string::npos; };
  bool truth = false;
  for (const std::string& dtype : each.dtypes) truth |= dtype == "bool";
  return truth && (has(" - ") || has("//") || has(" % ") || has("fmod"));
}

/// How far two computations of one value may be from each other.
double torchTolerance(DType dtype) {
  switch (dtype) {
    case DType::float16:
      return 0x1p-10;
    case DType::bfloat16:
      return 0x1p-7;
    case DType::float32:
      return 0x1p-21;
    case DType::float64:
      return 0x1p-50;
    default:
      return 0;
  }
}

void expectEqual(const TorchCase& each, const Tensor& got, const std::string& what) {
  ASSERT_EQ(info(got.dtype).name, each.result) << what;
  const std::vector<std::byte> bytes = EngineFixture::bytes(got);
  const std::size_t size = info(got.dtype).size;
  ASSERT_EQ(bytes.size(), each.values.size() * size) << what;
  for (std::size_t i = 0; i < each.values.size(); ++i) {
    const void* at = &bytes[i * size];
    if (!isFloat(got.dtype)) {
      EXPECT_EQ(std::to_string(loadInteger(at, got.dtype)), each.values[i]) << what << " at " << i;
      continue;
    }
    const double value = loadElement(at, got.dtype);
    const double expected = std::strtod(each.values[i].c_str(), nullptr);
    if (std::isnan(expected) || std::isinf(expected) || expected == 0)
      EXPECT_TRUE(value == expected || (std::isnan(value) && std::isnan(expected)))
          << what << " at " << i << ": " << value << ", not " << expected;
    else
      EXPECT_NEAR(value / expected, 1, torchTolerance(got.dtype))
          << what << " at " << i << ": " << value << ", not " << expected;
  }
}

class TypedOps : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(AsInPyTorch, TypedOps,
                         ::testing::Range<std::size_t>(0, torchGroups().size()));

TEST_P(TypedOps, GiveWhatPyTorchGives) {
  const TorchGroup group = torchGroups()[GetParam()];
  SCOPED_TRACE(group.expression);
  EngineFixture fixture;
  const std::vector<std::string> executors = {"eager",   "static", "dynamic",
                                              "instant", "replay", "static+replay"};
  std::size_t number = 0;
  for (const TorchCase& each : group.cases) {
    const Program program = parseProgram("return " + group.expression);
    std::vector<Tensor> inputs;
    std::string what = group.expression + " of";
    for (const std::string& name : program.inputs) {
      const std::string& dtype = each.dtypes[name == "x" ? 0 : 1];
      inputs.push_back(operandOf(fixture, name, dtype));
      what += " " + dtype;
    }
    if (isLenient(group.expression, each)) continue;
    // All executors of the first cases, then one after the other.
    ++number;
    for (std::size_t e = 0; e < executors.size(); ++e) {
      if (number > 9 && number % executors.size() != e) continue;
      SCOPED_TRACE(executors[e]);
      const auto executor = makeExecutor(executors[e], fixture.backend(), program, {});
      if (each.result == "error") {
        EXPECT_THROW(executor->call(inputs), ProgramError) << what;
        continue;
      }
      try {
        const auto outputs = executor->call(inputs);
        expectEqual(each, outputs[0], what);
      } catch (const std::exception& error) {
        ADD_FAILURE() << what << ": " << error.what();
      }
    }
  }
}

/// The reference is exact of integers, and near of floats.
TEST_P(TypedOps, AgreeWithTheReference) {
  const TorchGroup group = torchGroups()[GetParam()];
  EngineFixture fixture;
  for (const TorchCase& each : group.cases) {
    if (each.result == "error" || isLenient(group.expression, each)) continue;
    const Program program = parseProgram("return " + group.expression);
    std::vector<ReferenceTensor> inputs;
    std::string what = group.expression + " of";
    for (const std::string& name : program.inputs) {
      const std::string& dtype = each.dtypes[name == "x" ? 0 : 1];
      const Tensor operand = operandOf(fixture, name, dtype);
      ReferenceTensor input = EngineFixture::reference(operand);
      if (isInteger(classOf(operand.dtype))) {
        const std::vector<std::byte> bytes = EngineFixture::bytes(operand);
        for (std::size_t i = 0; i < 4; ++i)
          input.integers.push_back(
              loadInteger(&bytes[i * info(operand.dtype).size], operand.dtype));
      }
      inputs.push_back(std::move(input));
      what += " " + dtype;
    }
    const ReferenceResult made = evaluateReference(program, inputs).at(0);
    ASSERT_EQ(info(made.value.type.dtype).name, each.result) << what;
    ASSERT_EQ(made.value.values.size(), each.values.size()) << what;
    std::vector<double> got;
    for (std::size_t i = 0; i < each.values.size(); ++i) {
      if (isInteger(classOf(made.value.type.dtype))) {
        EXPECT_EQ(std::to_string(made.value.integers[i]), each.values[i]) << what << " at " << i;
      }
      got.push_back(std::strtod(each.values[i].c_str(), nullptr));
    }
    // PyTorch may round an intermediate result to the type of a narrower operand.
    double bound = torchTolerance(made.value.type.dtype);
    for (const std::string& dtype : each.dtypes)
      bound =
          std::max(bound, isFloat(made.value.type.dtype) ? torchTolerance(*findDType(dtype)) : 0);
    EXPECT_LE(relativeError(made, got), 4 * bound) << what;
  }
}

}  // namespace
}  // namespace fusebench
