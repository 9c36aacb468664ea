// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/accuracy/row_errors.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/base/elements.h"
#include "engine/device/host_memory.h"
#include "engine/ops/op_numbers.h"
#include "engine/run/executor.h"
#include "tests/engine/accuracy/exact_row.h"
#include "tests/engine/support/one_op.h"

namespace fusebench::test {
namespace {

constexpr std::size_t kExamples = 3;
/// Where float64's points are moved out: its exponents go 8 times as far.
constexpr double kFar = 0x1p16;

bool isTruthOperand(const OpRow& row, int operand) {
  return ((row.truthOperands >> operand) & 1u) != 0;
}

/// As far in float64's range as it was in float32's.
double furtherOut(double x) {
  const double size = std::fabs(x);
  if (x == 0 || !std::isfinite(x)) return x;
  if (size < kFar && size > 1 / kFar) return 8 * x;
  return std::copysign(std::pow(size, 8.0), x);
}

bool isInDomain(const OpRow& row, std::span<const double> point) {
  for (std::size_t o = 0; o < row.domain.size(); ++o) {
    const Interval& domain = row.domain.begin()[o];
    if (point[o] < domain.low || point[o] > domain.high) return false;
  }
  return true;
}

/// Adds the committed points, changed by `moved` and rounded, if they are in the domain.
template <typename Moved>
void addPoints(std::vector<std::vector<double>>& columns, const OpRow& row, const OpValues& block,
               DType dtype, Moved moved) {
  std::vector<double> point(static_cast<std::size_t>(block.arity));
  for (std::size_t i = 0; i < block.size(); ++i) {
    for (int o = 0; o < block.arity; ++o) {
      const auto at = static_cast<std::size_t>(o);
      const auto x = static_cast<double>(block.point(i)[at]);
      point[at] = isTruthOperand(row, o) ? x : roundedTo(moved(x), dtype);
    }
    if (!isInDomain(row, point)) continue;
    for (std::size_t o = 0; o < point.size(); ++o) columns[o].push_back(point[o]);
  }
}

Tensor tensorOf(Backend& backend, DType dtype, const std::vector<double>& values) {
  Tensor made = makeTensor(backend.allocator(), dtype, {static_cast<std::int64_t>(values.size())});
  const std::size_t size = info(dtype).size;
  std::vector<std::byte> elements(values.size() * size);
  for (std::size_t i = 0; i < values.size(); ++i)
    storeElement(&elements[i * size], dtype, values[i]);
  if (!elements.empty()) backend.copyIn(made, elements.data(), elements.size());
  return made;
}

std::vector<double> valuesOf(Backend& backend, const Tensor& tensor) {
  backend.synchronize();
  const std::size_t size = info(tensor.dtype).size;
  const auto count = static_cast<std::size_t>(elementCount(tensor.shape));
  std::vector<std::byte> copy(count * size);
  if (count > 0) readTensor(backend, copy.data(), tensor, copy.size());
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(loadElement(&copy[i * size], tensor.dtype));
  return values;
}

std::string pointText(std::span<const double> point, std::span<const double> parameters) {
  std::string text;
  for (const double x : point) text += fmt::format("{}{} ({:a})", text.empty() ? "" : ", ", x, x);
  for (const double p : parameters) text += fmt::format(", parameter {}", p);
  return text;
}

/// Compares the executors' results for one set of parameters with the exact ones.
class Comparison {
 public:
  Comparison(const OpRow& row, DType dtype, const OpValues& block, RowErrors& errors)
      : row_(row),
        dtype_(dtype),
        block_(block),
        columns_(typedPoints(row, block, dtype)),
        errors_(errors) {}

  void run(Backend& backend, std::span<const std::string> executors) {
    std::vector<Tensor> inputs;
    for (int o = 0; o < row_.arity; ++o)
      inputs.push_back(tensorOf(backend, isTruthOperand(row_, o) ? DType::boolean : dtype_,
                                columns_[static_cast<std::size_t>(o)]));
    std::vector<std::vector<double>> results;
    for (const std::string& name : executors) {
      const auto executor = makeExecutor(name, backend, programOf(row_, block_.parameters));
      const Tensor result = executor->call(inputs)[0];
      const DType wanted = row_.result == ResultType::truth ? DType::boolean : dtype_;
      if (result.dtype != wanted)
        throw std::runtime_error(fmt::format("{} of {} by {} is of {}", row_.name,
                                             info(dtype_).name, name, info(result.dtype).name));
      results.push_back(valuesOf(backend, result));
    }
    std::vector<double> parameters;  // as an op of this dtype takes them
    for (std::size_t p = 0; p < block_.parameters.size(); ++p)
      parameters.push_back(parameterIn(row_, p, block_.parameters[p], dtype_));
    ExactRow exactly(row_, parameters);
    std::vector<double> point(columns_.size());
    for (std::size_t i = 0; i < columns_[0].size(); ++i) {
      for (std::size_t o = 0; o < point.size(); ++o) point[o] = columns_[o][i];
      const ManyBits& exact = exactly(point);
      for (std::size_t e = 0; e < results.size(); ++e)
        if (e == 0 || !same(results[e][i], results[0][i]))
          compare(executors[e], point, exact, results[e][i]);
    }
    errors_.points += columns_[0].size();
  }

 private:
  static bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

  void compare(const std::string& executor, std::span<const double> point, const ManyBits& exact,
               double got) {
    const double error = ulpError(dtype_, exact, got);
    if (error > errors_.worst) {
      errors_.worst = error;
      errors_.at = pointText(point, block_.parameters);
    }
    if (keepsBound(row_, dtype_, exact, got)) return;
    ++errors_.broken;
    if (errors_.examples.size() < kExamples)
      errors_.examples.push_back({executor, pointText(point, block_.parameters), got,
                                  mpfr_get_d(exact, MPFR_RNDN), error});
  }

  const OpRow& row_;
  DType dtype_;
  const OpValues& block_;
  std::vector<std::vector<double>> columns_;
  RowErrors& errors_;
};

}  // namespace

std::vector<const OpRow*> functionRows() {
  std::vector<const OpRow*> rows = rowsOf(OpKind::pointwise);
  std::erase_if(rows, [](const OpRow* row) { return row->result == ResultType::cast; });
  return rows;
}

std::vector<std::vector<double>> typedPoints(const OpRow& row, const OpValues& block, DType dtype) {
  constexpr double kMove = 0x1p-7;
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(row.arity));
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(1 - kMove, 1 + kMove);
  const auto moved = [&](double x) { return x * uniform(random); };
  addPoints(columns, row, block, dtype, [](double x) { return x; });
  addPoints(columns, row, block, dtype, moved);
  if (dtype == DType::float64)
    addPoints(columns, row, block, dtype, [&](double x) { return moved(furtherOut(x)); });
  else
    addPoints(columns, row, block, dtype, [&](double x) { return moved(x); });
  if (!isRounded(dtype) || row.arity > 1 || isTruthOperand(row, 0)) return columns;
  for (std::uint32_t bits = 0; bits < 0x10000; bits += 13) {
    const auto pattern = static_cast<std::uint16_t>(bits);
    const double value = loadElement(&pattern, dtype);
    if (std::isfinite(value) && isInDomain(row, {&value, 1})) columns[0].push_back(value);
  }
  return columns;
}

RowErrors errorsOf(const OpRow& row, DType dtype, Backend& backend,
                   std::span<const std::string> executors) {
  RowErrors errors;
  for (const OpValues& block : loadOpValues(row))
    Comparison(row, dtype, block, errors).run(backend, executors);
  return errors;
}

}  // namespace fusebench::test
