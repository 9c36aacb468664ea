// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/targets/measure.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <stdexcept>

#include "engine/run/executor.h"
#include "tests/bench/study.h"

namespace fusebench::targets {

Tensor filled(Backend& backend, const Shape& shape) {
  Tensor tensor = makeTensor(backend.allocator(), DType::float32, shape);
  auto* values = static_cast<float*>(tensor.data());
  // Any values around zero; computing a sine of each of 64 Mi would take longer than measuring.
  for (std::int64_t i = 0; i < elementCount(shape); ++i)
    values[i] =
        static_cast<float>((static_cast<std::uint32_t>(i) * 2654435761u) >> 8) * 0x1p-22f - 2;
  return tensor;
}

Contender executing(std::string name, Backend& backend, const char* executor,
                    const Program& program, std::vector<Tensor> inputs) {
  std::shared_ptr<Executor> made = makeExecutor(executor, backend, program);
  return calling(std::move(name), [made, inputs = std::move(inputs)] { made->call(inputs); });
}

double resultOf(Backend& backend, const Program& program, const std::vector<Tensor>& inputs) {
  const auto executor = makeExecutor("static", backend, program);
  return *static_cast<const float*>(executor->call(inputs)[0].data());
}

void requireSame(const std::string& contender, double given, double ours) {
  // Sums of float32 in another order.
  constexpr double kTolerance = 1e-3;
  if (!(std::abs(given - ours) <= kTolerance * std::abs(ours)))
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
