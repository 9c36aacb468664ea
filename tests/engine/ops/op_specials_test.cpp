// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "engine/run/reference.h"
#include "tests/engine/support/float32_row.h"
#include "tests/engine/support/op_values.h"

namespace fusebench::test {
namespace {

std::string kindOf(float value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "infinity" : "-infinity";
  if (value == 0) return std::signbit(value) ? "-0" : "0";
  return value > 0 ? "a positive number" : "a negative number";
}

/// The same kind and about the same magnitude; denormals may differ in the last bit.
bool near(float a, float b) {
  if (std::signbit(a) == std::signbit(b) && std::fabs(a - b) <= 0x1p-149f) return true;
  return kindOf(a) == kindOf(b) &&
         (!std::isfinite(a) ||
          std::fabs(a - b) <= 1e-4f * std::max(std::fabs(a), std::fabs(b)) + 1e-36f);
}

/// Where a row departs from PyTorch 1.13 on purpose.
struct Exception {
  std::string_view row;
  bool (*applies)(float x, float torch);  ///< x: the first operand
  std::string_view reason;
};

constexpr float kDenormal = 0x1p-149f;
constexpr auto atNoughtOrDenormal = [](float x, float) {
  return x == 0 || std::fabs(x) == kDenormal;
};

constexpr Exception kExceptions[] = {
    {"log1p", atNoughtOrDenormal, "PyTorch 1.13's vector library makes 0 of denormals"},
    {"log1p", [](float x, float) { return x > 1e38f; }, "PyTorch 1.13's vector library overflows"},
    {"sinc",
     [](float x, float torch) {
       return std::fabs(x) >= 1 && (std::isnan(torch) || std::fabs(torch) < 1e-7f);
     },
     "PyTorch takes the sine of the rounded pi x: noise at whole numbers, which are exactly 0"},
    {"elu", atNoughtOrDenormal, "PyTorch's exp(x) - 1 makes +0 of what expm1 keeps"},
    {"selu", atNoughtOrDenormal, "as elu"},
    {"celu", atNoughtOrDenormal, "as elu"},
    {"hardswish", [](float x, float) { return x > 1e38f; }, "PyTorch overflows on the way"},
    {"softshrink", [](float x, float) { return std::isnan(x); },
     "PyTorch 1.13 makes 0 of NaN; versions from 2.6 on keep it"},
    {"softshrink", [](float x, float torch) { return std::signbit(x) && torch == 0; },
     "as the one above"},
};

const Exception* exceptionFor(const OpRow& row, float x, float torch) {
  const auto found =
      std::find_if(std::begin(kExceptions), std::end(kExceptions),
                   [&](const Exception& e) { return e.row == row.name && e.applies(x, torch); });
  return found == std::end(kExceptions) ? nullptr : found;
}

std::string shown(const OpRow& row, std::span<const float> point) {
  return std::string(row.name) +
         ::testing::PrintToString(std::vector<float>(point.begin(), point.end()));
}

TEST(OpSpecialsTest, SpecialValuesInFloat32ArePyTorchs) {
  std::map<const Exception*, int> used;
  for (const OpRow* row : rowsOf(OpKind::pointwise)) {
    const auto blocks = loadSpecialValues(*row);
    EXPECT_FALSE(blocks.empty()) << row->name
                                 << " has no special values; add it to make_specials.py";
    for (const SpecialValues& block : blocks) {
      Float32Row function(*row, block.parameters);
      for (std::size_t i = 0; i < block.size(); ++i) {
        const auto point = block.point(i);
        const float ours = function(point), torch = block.torch[i];
        if (near(ours, torch)) continue;
        const Exception* exception = exceptionFor(*row, point[0], torch);
        ++used[exception];
        EXPECT_TRUE(exception) << shown(*row, point) << " is " << ours << " (" << kindOf(ours)
                               << "), PyTorch's " << torch << " (" << kindOf(torch) << ")";
      }
    }
  }
  for (const Exception& exception : kExceptions)
    EXPECT_GT(used[&exception], 0) << exception.row << ": no longer needed: " << exception.reason;
}

/// The double reference differs only where a float32 overflows or underflows on the way.
TEST(OpSpecialsTest, TheReferenceHasTheSameSpecialValues) {
  const auto extreme = [](float x) {
    return std::isfinite(x) && x != 0 && (std::fabs(x) > 50 || std::fabs(x) < 1e-30f);
  };
  for (const OpRow* row : rowsOf(OpKind::pointwise))
    for (const SpecialValues& block : loadSpecialValues(*row)) {
      RowFunction reference(*row, block.parameters);
      Float32Row function(*row, block.parameters);
      for (std::size_t i = 0; i < block.size(); ++i) {
        const auto point = block.point(i);
        if (std::any_of(point.begin(), point.end(), extreme)) continue;
        const float expected = function(point);
        const auto got =
            static_cast<float>(reference(std::vector<double>(point.begin(), point.end())));
        EXPECT_TRUE(near(got, expected))
            << shown(*row, point) << ": " << got << " in double, " << expected << " in float32";
      }
    }
}

}  // namespace
}  // namespace fusebench::test
