// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/saying.h"

namespace fusebench::cli {

TimeUnit unitFor(double nanoseconds) {
  if (!(nanoseconds >= 1e3)) return {"ns", 1};
  if (nanoseconds < 1e6) return {"us", 1e3};
  if (nanoseconds < 1e9) return {"ms", 1e6};
  return {"s", 1e9};
}

std::string digits(double value, int significant) {
  if (!std::isfinite(value)) return "?";
  if (value == 0) return "0";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  const int decimals = std::clamp(significant - 1 - magnitude, 0, 9);
  return fmt::format("{:.{}f}", value, decimals);
}

std::string timeText(double nanoseconds) {
  const TimeUnit unit = unitFor(std::abs(nanoseconds));
  return fmt::format("{} {}", digits(nanoseconds / unit.nanoseconds), unit.name);
}

std::string leftText(double seconds) {
  const auto whole = static_cast<long>(std::ceil(std::max(seconds, 0.0)));
  if (whole < 60) return fmt::format("{} s", whole);
  return saying("{} min {} s", whole / 60, whole % 60);
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  return widths;
}

std::size_t Table::width() const {
  std::size_t total = 0;
  for (const std::size_t column : widths()) total += column + 2;
  return total - 2;
}

std::string Table::text() const {
  const auto columns = widths();
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line += "  ";
      line += c >= leftFrom_ ? fmt::format("{:<{}}", row[c], columns[c])
                             : fmt::format("{:>{}}", row[c], columns[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string wrapped(std::string_view text, std::string_view indent, std::size_t width) {
  std::string out, line(indent);
  bool empty = true;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string_view word = text.substr(start, end - start);
    if (!empty && line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line = indent;
      empty = true;
    }
    if (!empty) line += ' ';
    line += word;
    empty = false;
    start = end + 1;
  }
  return out + line + "\n";
}

}  // namespace fusebench::cli
