// SPDX-License-Identifier: GPL-3.0-or-later
// Compares executors with the reference, in double, for every number of each dtype in every op row
// of one operand, and for every float32 converted to both 16-bit floats. Takes minutes, with one
// float32 in FUSEBENCH_SWEEP_STRIDE (1021 if that is not set); with 1 it takes hours.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/base/elements.h"
#include "engine/cpu/runtime/cpu_backend.h"
#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "engine/run/reference.h"
#include "tests/engine/support/one_op.h"
#include "tests/engine/support/op_values.h"

namespace fusebench::test {
namespace {

constexpr std::uint64_t kFloats = std::uint64_t{1} << 32;
constexpr std::size_t kChunk = std::size_t{1} << 18;

std::uint64_t strideAsked() {
  const char* text = std::getenv("FUSEBENCH_SWEEP_STRIDE");
  const std::uint64_t stride = text ? std::strtoull(text, nullptr, 10) : 0;
  return stride > 0 ? stride : 1021;  // odd: every lower half is met
}

std::vector<const OpRow*> rowsOfOneNumber() {
  std::vector<const OpRow*> rows = rowsOf(OpKind::pointwise);
  std::erase_if(rows, [](const OpRow* row) {
    return row->arity != 1 || row->truthOperands != 0 || row->result == ResultType::cast;
  });
  return rows;
}

bool isInDomainOf(const OpRow& row, double x) {
  return row.domain.size() == 0 ||
         (std::isfinite(x) && x >= row.domain.begin()->low && x <= row.domain.begin()->high);
}

bool isSame(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

/// Whether a 16-bit float is what some float32 within the row's bound is rounded to.
bool keepsNarrowBound(const OpRow& row, DType dtype, double exact, double got) {
  if (!std::isfinite(exact)) return isSame(exact, got);
  const int exponent = exact == 0 ? -126 : std::max(std::ilogb(exact), -126);
  const double within =
      std::max(row.bound.ulp * std::ldexp(1.0, exponent - 23), row.bound.absolute);
  return roundedTo(exact - within, dtype) <= got && got <= roundedTo(exact + within, dtype);
}

/// The findings for one row in one dtype by one executor.
struct Found {
  std::uint64_t numbers = 0, broken = 0;
  double worst = 0;  ///< float32, in units in the last place, unless an absolute bound allows it
  double at = 0;
  std::string first;  ///< bound that was broken
};

/// A backend, and a row's program on it with room for so many elements.
class Sweep {
 public:
  Sweep(const std::string& executor, const Program& program, DType dtype, std::size_t elements)
      : backend_(makeCpuBackend(options())),
        executor_(makeExecutor(executor, *backend_, program)),
        input_(makeTensor(backend_->allocator(), dtype, {static_cast<std::int64_t>(elements)})) {}

  /// The results for elements with these bits; valid until the next call.
  template <typename Bits>
  const void* operator()(const std::vector<Bits>& bits) {
    backend_->copyIn(input_, bits.data(), bits.size() * sizeof(Bits));
    result_ = executor_->call({&input_, 1})[0];
    backend_->synchronize();
    return result_.data();
  }
  DType dtype() const { return result_.dtype; }

 private:
  static CpuOptions options() {
    CpuOptions options;
    options.diskCache = false;
    options.threads = 1;
    return options;
  }
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<Executor> executor_;
  Tensor input_, result_;
};

void compare(const OpRow& row, DType dtype, double x, double exact, double got, Found& found) {
  ++found.numbers;
  bool kept = isSame(exact, got);
  if (!kept && row.result != ResultType::truth) {
    if (dtype == DType::float32) {
      const auto single = static_cast<float>(got);
      kept = keepsBound(row, exact, single);
      const double error = ulpError(exact, single);
      if (std::abs(got - exact) > row.bound.absolute && error > found.worst) {
        found.worst = error;
        found.at = x;
      }
    } else {
      kept = keepsNarrowBound(row, dtype, exact, got);
    }
  }
  if (kept) return;
  if (found.broken++ == 0) found.first = fmt::format("of {} {}, not {}", x, got, exact);
}

/// The numbers with these bits, which are all of the dtype's or every `stride`th.
template <typename Bits>
Found sweepOf(const OpRow& row, const std::vector<double>& parameters, DType dtype,
              const std::string& executor, std::uint64_t count, std::uint64_t stride) {
  const std::size_t chunk = std::min<std::uint64_t>(kChunk, (count + stride - 1) / stride);
  Sweep sweep(executor, programOf(row, parameters), dtype, chunk);
  RowFunction exactly(row, parameters);
  std::vector<Bits> bits(chunk);
  Found found;
  for (std::uint64_t begin = 0; begin < count; begin += chunk * stride) {
    for (std::size_t i = 0; i < chunk; ++i)
      bits[i] = static_cast<Bits>(std::min(begin + i * stride, count - 1));
    const auto* results = static_cast<const std::byte*>(sweep(bits));
    const std::size_t size = info(sweep.dtype()).size;
    for (std::size_t i = 0; i < chunk; ++i) {
      const double x = loadElement(&bits[i], dtype);
      if (!isInDomainOf(row, x)) continue;
      compare(row, dtype, x, exactly({&x, 1}), loadElement(results + i * size, sweep.dtype()),
              found);
    }
  }
  return found;
}

void report(const OpRow& row, DType dtype, const std::string& executor, const Found& found) {
  fmt::print("{} of {} by {}: {} numbers", row.name, info(dtype).name, executor, found.numbers);
  if (dtype == DType::float32 && row.result != ResultType::truth)
    fmt::print(", at most {:.3f} of {} ULP, at {}", found.worst, row.bound.ulp, found.at);
  fmt::print("\n");
  EXPECT_EQ(found.broken, 0u) << row.name << " of " << info(dtype).name << " by " << executor
                              << ": " << found.first;
}

TEST(OneOperandSweep, KeepsEachRowsBoundAtEveryNumberOfThe16BitFloats) {
  for (const OpRow* row : rowsOfOneNumber())
    for (const OpValues& block : loadOpValues(*row))
      for (const DType dtype : {DType::float16, DType::bfloat16})
        for (const char* executor : {"static", "dynamic", "eager", "instant"})
          report(*row, dtype, executor,
                 sweepOf<std::uint16_t>(*row, block.parameters, dtype, executor, 0x10000, 1));
}

TEST(OneOperandSweep, KeepsEachRowsBoundAtFloat32Numbers) {
  for (const OpRow* row : rowsOfOneNumber())
    for (const OpValues& block : loadOpValues(*row))
      report(*row, DType::float32, "static",
             sweepOf<std::uint32_t>(*row, block.parameters, DType::float32, "static", kFloats,
                                    strideAsked()));
}

/// A 16-bit float's bits of a float32's, by integers: another statement of it than elements.h has.
std::uint16_t bfloatOf(std::uint32_t bits) {
  const std::uint32_t kept = bits >> 16, rest = bits & 0xffff;
  return static_cast<std::uint16_t>(kept + (rest > 0x8000 || (rest == 0x8000 && kept % 2 != 0)));
}

std::uint16_t halfOf(std::uint32_t bits) {
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
  const std::uint32_t size = bits & 0x7fffffff;
  if (size >= 0x477ff000) return static_cast<std::uint16_t>(sign | 0x7c00);  // from 65,520 on
  if (size < 0x33000000) return sign;                                        // below 2^-25
  // The significand in units of a half's last place, of which there are none below 2^-24.
  const int exponent = static_cast<int>(size >> 23);
  const bool normal = exponent >= 113;
  const std::uint32_t significand = (size & 0x7fffff) | 0x800000;
  const int dropped = normal ? 13 : 126 - exponent;
  std::uint32_t kept = significand >> dropped;
  const std::uint32_t rest = significand & ((1u << dropped) - 1), middle = 1u << (dropped - 1);
  kept += rest > middle || (rest == middle && kept % 2 != 0);
  if (normal) kept += static_cast<std::uint32_t>(exponent - 113) << 10;
  return static_cast<std::uint16_t>(sign | kept);
}

/// Expects every float32 to become that, or NaN where it is.
void expectEvery(const char* text, const std::string& executor, DType dtype,
                 std::uint16_t (*expected)(std::uint32_t)) {
  Sweep sweep(executor, parseProgram(text), DType::float32, kChunk);
  const std::uint16_t infinity = dtype == DType::float16 ? 0x7c00 : 0x7f80;
  std::vector<std::uint32_t> bits(kChunk);
  std::uint64_t wrong = 0;
  for (std::uint64_t begin = 0; begin < kFloats; begin += kChunk) {
    for (std::size_t i = 0; i < kChunk; ++i) bits[i] = static_cast<std::uint32_t>(begin + i);
    const auto* got = static_cast<const std::uint16_t*>(sweep(bits));
    ASSERT_EQ(sweep.dtype(), dtype);
    for (std::size_t i = 0; i < kChunk; ++i) {
      const bool nan = (bits[i] & 0x7fffffff) > 0x7f800000;
      if (nan ? (got[i] & 0x7fff) > infinity : got[i] == expected(bits[i])) continue;
      if (wrong++ == 0)
        ADD_FAILURE() << fmt::format("{} by {} of bits {:#x}: {:#x}, not {:#x}", text, executor,
                                     bits[i], got[i], expected(bits[i]));
    }
  }
  EXPECT_EQ(wrong, 0u);
}

TEST(OneOperandSweep, RoundsEveryFloat32ToTheNearestBfloat16) {
  for (const char* executor : {"static", "instant"})
    expectEvery("return x.bfloat16()", executor, DType::bfloat16, bfloatOf);
}

TEST(OneOperandSweep, RoundsEveryFloat32ToTheNearestFloat16) {
  for (const char* executor : {"static", "instant"})
    expectEvery("return x.half()", executor, DType::float16, halfOf);
}

/// What arithmetic makes, whose NaNs have no lower bits: rounded without minding them.
TEST(OneOperandSweep, RoundsEveryInteger32ToTheNearestBfloat16) {
  Sweep sweep("static", parseProgram("return x.bfloat16()"), DType::int32, kChunk);
  std::vector<std::int32_t> numbers(kChunk);
  std::uint64_t wrong = 0;
  for (std::uint64_t begin = 0; begin < kFloats; begin += kChunk) {
    for (std::size_t i = 0; i < kChunk; ++i)
      numbers[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(begin + i));
    const auto* got = static_cast<const std::uint16_t*>(sweep(numbers));
    for (std::size_t i = 0; i < kChunk; ++i) {
      const auto wanted = bfloatOf(std::bit_cast<std::uint32_t>(static_cast<float>(numbers[i])));
      if (got[i] != wanted && wrong++ == 0)
        ADD_FAILURE() << fmt::format("{}: {:#x}, not {:#x}", numbers[i], got[i], wanted);
    }
  }
  EXPECT_EQ(wrong, 0u);
}

}  // namespace
}  // namespace fusebench::test
