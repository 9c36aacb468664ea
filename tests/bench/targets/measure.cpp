// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/targets/measure.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>

#include "engine/base/elements.h"
#include "engine/run/executor.h"
#include "tests/bench/study.h"

namespace fusebench::targets {

Tensor filled(Backend& backend, const Shape& shape, DType dtype) {
  Tensor tensor = makeTensor(backend.allocator(), dtype, shape);
  // Any values around zero; computing a sine of each of 64 Mi would take longer than measuring.
  const auto value = [](std::int64_t i) {
    return static_cast<float>((static_cast<std::uint32_t>(i) * 2654435761u) >> 8) * 0x1p-22f - 2;
  };
  if (dtype == DType::float32) {
    auto* values = static_cast<float*>(tensor.data());
    for (std::int64_t i = 0; i < elementCount(shape); ++i) values[i] = value(i);
    return tensor;
  }
  auto* element = static_cast<std::byte*>(tensor.data());
  for (std::int64_t i = 0; i < elementCount(shape); ++i, element += info(dtype).size)
    storeElement(element, dtype, static_cast<double>(value(i)));
  return tensor;
}

Contender executing(std::string name, Backend& backend, const char* executor,
                    const Program& program, std::vector<Tensor> inputs) {
  std::shared_ptr<Executor> made = makeExecutor(executor, backend, program);
  return calling(std::move(name), [made, inputs = std::move(inputs)] { made->call(inputs); });
}

double resultOf(Backend& backend, const Program& program, const std::vector<Tensor>& inputs) {
  const auto executor = makeExecutor("static", backend, program);
  const Tensor result = executor->call(inputs)[0];
  return loadElement(result.data(), result.dtype);
}

void requireSame(const std::string& contender, double given, double ours, double tolerance) {
  if (!(std::abs(given - ours) <= tolerance * std::abs(ours)))
    throw std::runtime_error(
        fmt::format("{} computes {:.9g} where the engine computes {:.9g}: they cannot be compared",
                    contender, given, ours));
}

Contender study(std::string name, Backend& backend, const char* executor, int statements,
                std::int64_t rows) {
  return executing(std::move(name), backend, executor, firstStatements(studyProgram(), statements),
                   {filled(backend, {rows, 16})});
}

Estimate scaled(const Estimate& estimate, double factor) {
  return {estimate.value * factor, estimate.low * factor, estimate.high * factor, estimate.kind};
}

}  // namespace fusebench::targets
