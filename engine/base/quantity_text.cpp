// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace fusebench {
namespace {

constexpr std::string_view kThinSpaceOfUnits = "\u202f";
constexpr int kLeastDigits = 3, kMostDigits = 5;

int decimalsOf(double value, int significant) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  const int decimals = std::clamp(significant - 1 - magnitude, 0, 9);
  // 9.996 rounds up to 10.00, which has a digit too many.
  const double scale = std::pow(10.0, decimals);
  const double rounded = std::abs(std::round(value * scale) / scale);
  return rounded >= std::pow(10.0, magnitude + 1) ? std::max(decimals - 1, 0) : decimals;
}

std::string withDecimalsOf(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  // Nothing is below 0 that is written as 0.
  if (text.front() == '-' && text.find_first_of("123456789") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string_view spaceOf(Letters letters) {
  return letters == Letters::page ? kThinSpaceOfUnits : " ";
}

}  // namespace

TimeUnit unitOfTime(double nanoseconds) {
  const double size = std::abs(nanoseconds);
  // 999.5 would be written as 1000: it belongs to the next unit already.
  if (size >= 999.5e6) return {1e9, "s", "s"};
  if (size >= 999.5e3) return {1e6, "ms", "ms"};
  if (size >= 999.5) return {1e3, "µs", "us"};
  if (size >= 0.9995 || size == 0 || std::isnan(size)) return {1, "ns", "ns"};
  return {1e-3, "ps", "ps"};
}

std::string digits(double value, int significant) {
  if (!std::isfinite(value)) return "?";
  return withDecimalsOf(value, decimalsOf(value, significant));
}

std::string timeText(double nanoseconds, Letters letters) {
  if (!std::isfinite(nanoseconds)) return "?";
  const TimeUnit unit = unitOfTime(nanoseconds);
  return fmt::format("{}{}{}", digits(nanoseconds / unit.nanoseconds), spaceOf(letters),
                     unit.symbol(letters));
}

std::string endsText(double value, double low, double high, Letters letters) {
  // A value of 0 says nothing of its digits; the distance of the ends does.
  const double like = value != 0 ? value : high - low;
  for (int significant = kLeastDigits; significant <= kMostDigits; ++significant) {
    const int decimals = decimalsOf(like, significant);
    const std::string first = withDecimalsOf(low, decimals), last = withDecimalsOf(high, decimals);
    if (first != last)
      return fmt::format("{}{}{}", first, letters == Letters::page ? " – " : "-", last);
  }
  return "";
}

std::string timeEndsText(double value, double low, double high, Letters letters) {
  const TimeUnit unit = unitOfTime(value != 0 ? value : std::max(std::abs(low), std::abs(high)));
  const double size = unit.nanoseconds;
  const std::string ends = endsText(value / size, low / size, high / size, letters);
  if (ends.empty()) return "";
  return fmt::format("{}{}{}", ends, spaceOf(letters), unit.symbol(letters));
}

std::string ratioText(double ratio, Letters letters) {
  return digits(ratio) + (letters == Letters::page ? "×" : "x");
}

std::string bytesText(double bytes) {
  constexpr double kMostExact = 9999.5, kNextUnit = 1023.5;  // what would be written as 1024
  if (!std::isfinite(bytes)) return "?";
  if (std::abs(bytes) < kMostExact) return fmt::format("{:.0f} B", bytes);
  std::string_view unit = "B";
  for (const std::string_view next : {"KiB", "MiB", "GiB", "TiB"}) {
    if (std::abs(bytes) < kNextUnit) break;
    bytes /= 1024;
    unit = next;
  }
  return fmt::format("{} {}", digits(bytes), unit);
}

std::string inPlainLetters(std::string text) {
  for (const auto& [fine, plain] :
       {std::pair<std::string_view, std::string_view>{kThinSpaceOfUnits, " "},
        {"\u00b5", "u"},
        {"\u00d7", "x"}})
    for (std::size_t at = text.find(fine); at != std::string::npos; at = text.find(fine, at)) {
      // Between two digits it divides thousands.
      const std::size_t next = at + fine.size();
      const bool divides =
          plain == " " && next < text.size() && text[next] >= '0' && text[next] <= '9';
      text.replace(at, fine.size(), divides ? std::string_view() : plain);
    }
  return text;
}

}  // namespace fusebench
