// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/fill_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/base/saying.h"
#include "profiler/experiment/inputs.h"

namespace fusebench {
namespace {

/// Doubles, which elements are made from, have every integer up to here.
constexpr std::int64_t kLargestDrawn = std::int64_t{1} << 53;

bool holdsIntegers(DType dtype) {
  return isInteger(classOf(dtype));
}

/// The least and the greatest integer that can be drawn for a dtype.
std::array<std::int64_t, 2> endsOf(DType dtype) {
  if (dtype == DType::uint8) return {0, 255};
  const int bits = bitsOf(classOf(dtype));
  if (bits == 64) return {-kLargestDrawn, kLargestDrawn - 1};
  const std::int64_t half = std::int64_t{1} << (bits - 1);
  return {-half, half - 1};
}

bool canBeDrawn(const std::array<double, 2>& range, DType dtype) {
  const auto [least, greatest] = endsOf(dtype);
  return range[0] >= static_cast<double>(least) && range[1] <= static_cast<double>(greatest) &&
         std::ranges::all_of(range, [](double end) { return end == std::floor(end); });
}

void readCode(const JsonReader& fill, InputSpec& spec) {
  fill.expectObject({"code"}, {});
  spec.code = fill["code"].string();
  if (spec.code.find_first_not_of(" \t\r\n") == std::string::npos)
    fill["code"].fail(saying("write an expression such as \"torch.rand(4, 8) * 2\""));
  if (spec.range || !spec.data.empty() || !spec.values.empty())
    fill.fail(saying("leave out \"range\", \"data\" and \"values\" next to \"code\""));
}

}  // namespace

void readFill(const JsonReader& fill, InputSpec& spec) {
  if (!fill.json().is_object()) {
    spec.fill = fill.string();
    return;
  }
  if (fill.has("code")) return readCode(fill, spec);
  fill.expectObject({"integers"}, {});
  const JsonReader ends = fill["integers"];
  ends.expectArray(2, 2, "numbers");
  const std::int64_t low = ends[std::size_t{0}].integer(-kLargestDrawn, kLargestDrawn);
  const std::int64_t high = ends[std::size_t{1}].integer(-kLargestDrawn, kLargestDrawn);
  if (low >= high)
    ends.fail(
        saying("no integer is at least {} and below {}; write the lower end first", low, high));
  if (spec.range || !spec.data.empty() || !spec.values.empty())
    fill.fail(saying("leave out \"range\", \"data\" and \"values\" next to \"integers\""));
  spec.range = {static_cast<double>(low), static_cast<double>(high - 1)};
  const DType* const dtype = findDType(spec.dtype);
  if (!dtype) return;  // the check of dtypes reports it
  if (!holdsIntegers(*dtype))
    fill.fail(saying("integers fill a tensor of integers; add \"dtype\": \"int64\""));
  const auto [least, greatest] = endsOf(*dtype);
  if (low < least || high - 1 > greatest)
    ends.fail(
        saying("a tensor of {} contains integers from {} to {}; narrow the range, or choose "
               "\"dtype\": \"int64\"",
               spec.dtype, least, greatest));
}

nlohmann::ordered_json fillOf(const InputSpec& spec) {
  if (!spec.code.empty()) return {{"code", spec.code}};
  const DType dtype = dtypeOf(spec);
  const bool drawn = spec.range && !spec.rangeByDefault && holdsIntegers(dtype) &&
                     spec.data.empty() && spec.values.empty() && canBeDrawn(*spec.range, dtype);
  if (!drawn) return spec.fill;
  const auto low = static_cast<std::int64_t>((*spec.range)[0]);
  const auto high = static_cast<std::int64_t>((*spec.range)[1]) + 1;
  nlohmann::ordered_json fill = nlohmann::ordered_json::object();
  fill["integers"] = {low, high};
  return fill;
}

}  // namespace fusebench
