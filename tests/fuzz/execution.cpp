// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/execution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <stdexcept>

#include "engine/base/checked_size.h"
#include "engine/base/elements.h"
#include "engine/cpu/runtime/cpu_backend.h"
#include "engine/device/host_memory.h"
#include "engine/language/program_source.h"
#include "engine/plan/storages.h"
#include "engine/run/executor.h"
#include "tests/engine/support/pasted_values.h"

namespace fusebench::fuzz {
namespace {

using test::PastedRead;

constexpr std::int64_t kMostElements = 1 << 14;
constexpr std::int64_t kMostPoints = 1 << 22;
constexpr std::size_t kMostOps = 200;

/// Steps at which a little rounding decides: what such a program gives is not compared.
constexpr std::array<std::string_view, 14> kSteps = {
    "floor", "ceil",      "round",        "trunc",     "frac",     "sign",    "sgn",
    "fmod",  "remainder", "floor_divide", "heaviside", "copysign", "signbit", "nextafter"};

bool isStep(const Program& program, std::span<const ValueType> types, int index) {
  const Op& op = program.ops[static_cast<std::size_t>(index)];
  if (std::ranges::find(kSteps, op.row->name) != kSteps.end()) return true;
  if (isFloat(types[static_cast<std::size_t>(program.result(index))].dtype)) return false;
  return std::ranges::any_of(op.operands, [&](const Operand& operand) {
    return !operand.isNumber() && isFloat(types[static_cast<std::size_t>(operand.value)].dtype);
  });
}

/// How coarse the program's coarsest numbers are, as a multiple of float32's.
double coarsenessOf(std::span<const ValueType> types) {
  double most = 1;
  for (const ValueType& type : types) {
    if (type.dtype == DType::float16) most = std::max(most, 8192.0);
    if (type.dtype == DType::bfloat16) most = std::max(most, 65536.0);
  }
  return most;
}

std::vector<ReferenceTensor> nudged(std::vector<ReferenceTensor> values) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> part(-0x1p-18, 0x1p-18);
  for (ReferenceTensor& each : values)
    if (isFloat(each.type.dtype))
      for (double& value : each.values) value *= 1 + part(engine);
  return values;
}

Tensor tensorOf(Backend& backend, const ReferenceTensor& from) {
  Tensor made = makeTensor(backend.allocator(), from.type.dtype, from.type.shape);
  const std::size_t size = info(from.type.dtype).size;
  std::vector<std::byte> elements(from.values.size() * size);
  for (std::size_t i = 0; i < from.values.size(); ++i)
    storeElement(&elements[i * size], from.type.dtype, from.values[i]);
  if (!elements.empty()) backend.copyIn(made, elements.data(), elements.size());
  return made;
}

std::vector<double> valuesOf(Backend& backend, const Tensor& tensor) {
  const std::int64_t count = elementCount(tensor.shape);
  std::vector<double> values;
  if (count == 0) return values;
  std::int64_t last = 0;
  for (int d = 0; d < tensor.shape.rank(); ++d) last += (tensor.shape[d] - 1) * tensor.strides[d];
  const std::size_t size = info(tensor.dtype).size;
  std::vector<std::byte> copy(static_cast<std::size_t>(last + 1) * size);
  backend.synchronize();
  readTensor(backend, copy.data(), tensor, copy.size());
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i, at = 0;
    for (int d = tensor.shape.rank() - 1; d >= 0; --d) {
      at += rest % tensor.shape[d] * tensor.strides[d];
      rest /= tensor.shape[d];
    }
    values.push_back(loadElement(&copy[static_cast<std::size_t>(at) * size], tensor.dtype));
  }
  return values;
}

/// A program's correct results, and how far rounding may lead from them.
struct Expected {
  std::vector<ReferenceResult> results;
  std::vector<std::vector<double>> allowed;  ///< per element; empty: values are not compared

  Expected(const PastedRead& read, std::span<const ValueType> types) {
    const Program& program = read.program;
    results = evaluateReference(program, read.values);
    for (int op = 0; op < static_cast<int>(program.ops.size()); ++op)
      if (isStep(program, types, op)) return;
    if (drawsNumbers(program)) return;
    const std::vector<ReferenceResult> other = evaluateReference(program, nudged(read.values));
    const double coarse = coarsenessOf(types);
    for (std::size_t o = 0; o < results.size(); ++o) {
      std::vector<double>& all = allowed.emplace_back();
      for (std::size_t e = 0; e < results[o].value.values.size(); ++e) {
        const double moved = std::abs(other[o].value.values[e] - results[o].value.values[e]);
        all.push_back(coarse * (1e-5 + 1e-3 * results[o].scale[e] + 64 * moved));
      }
    }
  }

  /// Throws std::logic_error where `got` is too far from the output number `o`.
  void compare(std::string_view executor, std::size_t o, const std::vector<double>& got) const {
    const std::vector<double>& right = results[o].value.values;
    if (got.size() != right.size())
      throw std::logic_error(std::string(executor) + " gives another size");
    if (allowed.empty()) return;
    for (std::size_t e = 0; e < got.size(); ++e) {
      // Doubles have a wider range than float16 and float32.
      if (!std::isfinite(got[e]) || !(std::abs(right[e]) < 6e4)) continue;
      if (!(std::abs(got[e] - right[e]) <= allowed[o][e]))
        throw std::logic_error(std::string(executor) + " gives " + std::to_string(got[e]) +
                               " as element " + std::to_string(e) + " of result " +
                               std::to_string(o) + ", which is " + std::to_string(right[e]));
    }
  }
};

bool isSmall(const Program& program, std::span<const ValueType> types) {
  return program.ops.size() <= kMostOps && std::ranges::all_of(types, [](const ValueType& type) {
           return elementCount(type.shape) <= kMostElements;
         });
}

bool endsSoon(const Plan& plan, std::span<const Tensor> inputs) {
  const std::vector<std::int64_t> symbols = symbolsOf(plan, inputs);
  std::int64_t points = 0;
  for (const StepCost& cost : costsOf(plan, symbols)) points = cappedAdd(points, cost.points);
  return points <= kMostPoints;
}

std::optional<std::string> execute(const std::string& text) {
  static const std::unique_ptr<Backend> kBackend = [] {
    CpuOptions options;
    options.diskCache = false;
    return makeCpuBackend(options);
  }();
  const PastedRead read = test::readWithValues(text, kMostElements);
  std::vector<ValueType> inputTypes;
  for (const ReferenceTensor& value : read.values) inputTypes.push_back(value.type);
  const std::vector<ValueType> types = inferTypes(read.program, inputTypes);
  if (!isSmall(read.program, types)) return std::nullopt;
  std::optional<Expected> expected;
  for (const ExecutorInfo& info : executorsOn(*kBackend)) {
    std::vector<Tensor> inputs;
    for (const ReferenceTensor& value : read.values) inputs.push_back(tensorOf(*kBackend, value));
    const auto executor = makeExecutor(info.name, *kBackend, read.program);
    if (!endsSoon(executor->plan(inputs), inputs)) return std::nullopt;
    const std::span<const Tensor> results = executor->call(inputs);
    // Only now: a call refuses bad inputs, which the reference takes as given.
    if (!expected) expected.emplace(read, types);
    if (results.size() != expected->results.size())
      throw std::logic_error(std::string(info.name) + " gives another number of results");
    for (std::size_t o = 0; o < results.size(); ++o)
      expected->compare(info.name, o, valuesOf(*kBackend, results[o]));
  }
  return std::to_string(read.program.ops.size());
}

}  // namespace

Tried executions() {
  std::vector<std::string> corpus = filesIn("tests/corpus", 1 << 12, ".py");
  for (std::string& text : filesIn("tests/corpus/pasted", 1 << 12, ".py"))
    corpus.push_back(std::move(text));
  std::erase_if(corpus, [](const std::string& text) {
    return !readOrRefuse({execute, {}}, text);  // it is too large, or waits for an op
  });
  return {execute, std::move(corpus)};
}

}  // namespace fusebench::fuzz
