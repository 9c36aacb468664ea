// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "engine/base/quantity_text.h"

namespace fusebench {
namespace {

constexpr std::size_t kLongestUnit = 16;

/// The place of the first time beyond `time`.
std::size_t firstBeyond(const CounterTrack& counter, Nanoseconds time) {
  return static_cast<std::size_t>(
      std::upper_bound(counter.times.begin(), counter.times.end(), time) - counter.times.begin());
}

}  // namespace

std::pair<std::string, std::string> nameAndUnit(std::string_view name) {
  const char close = name.empty() ? '\0' : name.back();
  if (close == ']' || close == ')') {
    const std::size_t open = name.rfind(close == ']' ? '[' : '(');
    const std::string_view inside = open == std::string_view::npos
                                        ? std::string_view()
                                        : name.substr(open + 1, name.size() - open - 2);
    std::string_view before = name.substr(0, open == std::string_view::npos ? 0 : open);
    while (before.ends_with(' ')) before.remove_suffix(1);
    // Nsight Systems writes "[Throughput %]".
    const std::string_view unit = inside.ends_with('%') ? std::string_view("%") : inside;
    const bool number = std::ranges::all_of(unit, [](unsigned char c) { return std::isdigit(c); });
    if (!before.empty() && !number && unit.size() <= kLongestUnit)
      return {std::string(before), std::string(unit)};
  }
  std::string small(name);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
  const char* unit = small.find("bytes") != std::string::npos     ? "bytes"
                     : small.find("percent") != std::string::npos ? "%"
                                                                  : "";
  return {std::string(name), unit};
}

std::optional<double> valueAt(const CounterTrack& counter, Nanoseconds time) {
  const std::size_t beyond = firstBeyond(counter, time);
  if (beyond == 0) return std::nullopt;
  return counter.values[beyond - 1];
}

std::optional<CounterFigures> figuresOf(const CounterTrack& counter, TimeRange range) {
  const std::size_t beyond = firstBeyond(counter, range.from), all = counter.times.size();
  std::size_t at = beyond > 0 ? beyond - 1 : 0;
  if (at >= all || counter.times[at] >= range.to) return std::nullopt;
  CounterFigures figures;
  figures.least = figures.most = counter.values[at];
  double sum = 0, held = 0;
  for (; at < all && counter.times[at] < range.to; ++at) {
    const double value = counter.values[at];
    figures.samples += counter.times[at] >= range.from;
    figures.least = std::min(figures.least, value);
    figures.most = std::max(figures.most, value);
    figures.last = value;
    const Nanoseconds from = std::max(range.from, counter.times[at]);
    const Nanoseconds to = at + 1 < all ? std::min(range.to, counter.times[at + 1]) : range.to;
    sum += value * static_cast<double>(to - from);
    held += static_cast<double>(to - from);
  }
  figures.mean = held > 0 ? sum / held : figures.last;
  return figures;
}

std::optional<CounterFigures> figuresOf(const Trace& trace, const CounterTrack& counter) {
  if (counter.times.empty()) return std::nullopt;
  if (trace.windows().empty())
    return figuresOf(counter, {counter.times.front(), trace.length() + 1});
  std::optional<CounterFigures> all;
  double held = 0;
  for (const auto& [from, to] : trace.windows()) {
    const auto one = figuresOf(counter, {from, std::max(to, from + 1)});
    if (!one) continue;
    const double time =
        static_cast<double>(std::max(to, from + 1) - std::max(from, counter.times.front()));
    if (!all) all = CounterFigures{0, one->least, one->most, 0, 0};
    all->samples += one->samples;
    all->least = std::min(all->least, one->least);
    all->most = std::max(all->most, one->most);
    held += time;
    all->mean += (one->mean - all->mean) * time / held;
    all->last = one->last;
  }
  return all;
}

bool isMadeOfCounters(const Trace& trace) {
  if (trace.counters().empty()) return false;
  for (EventId e = 0; e < trace.size(); ++e)
    if (trace.kind(e) != SpanKind::profiler) return false;
  return true;
}

std::string valueText(double value, std::string_view unit) {
  if (unit == "bytes" || unit == "B")
    return fmt::format("{}{}", value < 0 ? "-" : "", bytesText(std::abs(value)));
  const bool whole = value == std::floor(value) && std::abs(value) < 1e6;
  const std::string number = whole ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
  return unit.empty() ? number : fmt::format("{} {}", number, unit);
}

}  // namespace fusebench
