// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "engine/base/quantity_text.h"
#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "profiler/statistics/sessions.h"

namespace fusebench::wording {
namespace {

constexpr std::string_view kThinSpace = "\u202f";

/// Decimals that leave `digits` significant ones.
int decimalsFor(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return 0;
  return std::clamp(digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value)))), 0, 9);
}

std::string withDecimals(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  if (text == "-0") text = "0";
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::size_t first = text.front() == '-' ? 1 : 0;
  for (std::size_t end = point; end > first + 3; end -= 3) text.insert(end - 3, kThinSpace);
  return text;
}

/// The ends, called a range unless they are an interval; empty if there are none.
std::string asKind(const Estimate& estimate, const std::string& ends) {
  if (ends.empty()) return "";
  return estimate.kind == Estimate::Kind::range ? saying("few samples, range {}", ends) : ends;
}

/// The text of a run's environment under a key; empty if there is none.
std::string toldOf(const Run& run, const char* key) {
  if (!run.environment.is_object()) return "";
  const auto told = run.environment.find(key);
  return told != run.environment.end() && told->is_string() ? told->get<std::string>() : "";
}

}  // namespace

std::string number(double value) {
  if (!std::isfinite(value)) return "?";
  const double size = std::abs(value);
  // From 1,000 on whole numbers, of which three digits count.
  if (size >= 1000) {
    const double scale = std::pow(10, std::floor(std::log10(size)) - 2);
    return withDecimals(std::round(value / scale) * scale, 0);
  }
  return withDecimals(value, decimalsFor(value, 3));
}

std::string time(double nanoseconds) {
  return timeText(nanoseconds, Letters::page);
}

std::string timeInterval(const Estimate& estimate) {
  if (estimate.kind == Estimate::Kind::none) return "";
  return asKind(estimate, timeEndsText(estimate.value, estimate.low, estimate.high, Letters::page));
}

std::string ratio(double value) {
  return ratioText(value, Letters::page);
}

std::string ratioInterval(const Estimate& estimate) {
  if (estimate.kind == Estimate::Kind::none) return "";
  const std::string ends = endsText(estimate.value, estimate.low, estimate.high, Letters::page);
  return asKind(estimate, ends.empty() ? ends : ends + "×");
}

PlaceStyle placeStyle(std::span<const std::int64_t> values) {
  const auto isLarge = [](std::int64_t value) { return value >= 1024; };
  const bool whole = std::none_of(values.begin(), values.end(), [&](std::int64_t value) {
    return (isLarge(value) && value % 1024 != 0) || (value >= 1000 && value < 1024);
  });
  return whole && std::any_of(values.begin(), values.end(), isLarge) ? PlaceStyle::binary
                                                                     : PlaceStyle::decimal;
}

std::string place(double value, PlaceStyle style) {
  if (style == PlaceStyle::binary && value >= 1024) {
    constexpr std::array<std::string_view, 4> kPrefixes = {"Ki", "Mi", "Gi", "Ti"};
    std::size_t prefix = 0;
    for (value /= 1024; value >= 1024 && prefix + 1 < kPrefixes.size(); value /= 1024) ++prefix;
    return number(value) + std::string(kPrefixes[prefix]);
  }
  return value == std::round(value) ? withDecimals(value, 0) : number(value);
}

std::string place(const Axis& axis, double value) {
  return place(value, placeStyle(axis.values));
}

std::string unit(const Axis& axis) {
  return axis.unit.empty() ? axis.name : axis.unit;
}

std::string axisWord(std::string_view nameOrUnit) {
  return std::string(saidAs("axis", nameOrUnit));
}

std::string axisTitle(const Axis& axis) {
  std::string name = axisWord(axis.name);
  if (axis.unit.empty() || axis.unit == axis.name) return name;
  return name + inBrackets(axisWord(axis.unit));
}

std::string ended(Stop stop) {
  return std::string(saidAs("ended", name(stop)));
}

std::string step(const Axis& axis) {
  std::string name = unit(axis);
  if (name.size() < 2 || name.back() != 's') return saying("per {}", said(name));
  name.pop_back();
  return fmt::format(fmt::runtime(saidAs("one", "per {}")), said(name));
}

std::string at(const Axis& axis, double value) {
  std::string name = unit(axis);
  const std::string figure = place(axis, value);
  if (name.empty() || name.back() != 's') return fmt::format("{} {}", said(name), figure);
  if (figure == "1") name.pop_back();
  return fmt::format("{} {}", figure, said(name));
}

std::string list(const std::vector<std::string>& names, std::size_t limit) {
  const std::size_t shown =
      names.size() > limit ? std::max<std::size_t>(1, limit - 1) : names.size();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == names.size();
    text += (i == 0 ? "" : last ? saying(" and ") : saying(", ")) + names[i];
  }
  if (shown < names.size()) text += saying(" and {} more", names.size() - shown);
  return text;
}

std::string baselines(const Experiment& experiment) {
  std::map<int, std::vector<std::string>> others;  // by what they are compared with
  for (std::size_t v = 0; v < experiment.variants.size(); ++v)
    if (const auto baseline = experiment.baselineOf(static_cast<int>(v));
        baseline && *baseline != experiment.baselineIndex())
      others[*baseline].push_back(experiment.variants[v].name);
  if (others.empty()) return experiment.baseline;
  std::vector<std::string> parts;
  for (const auto& [baseline, variants] : others)
    parts.push_back(saying("{}: {}", list(variants),
                           experiment.variants[static_cast<std::size_t>(baseline)].name));
  std::string joined;
  for (const std::string& part : parts)
    joined += (joined.empty() ? std::string() : saying("; ")) + part;
  return saying("{} ({})", experiment.baseline, joined);
}

std::string closedUp(std::string_view text) {
  // Ideographs, their punctuation and full-width forms, each of three bytes.
  const auto chinese = [&](std::size_t at) {
    if (at + 3 > text.size()) return false;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    return (byte(0) >= 0xe4 && byte(0) <= 0xe9) || (byte(0) == 0xe3 && byte(1) == 0x80) ||
           (byte(0) == 0xef && byte(1) >= 0xbc);
  };
  std::string result;
  bool after = false;  // whether the last character is one
  for (std::size_t i = 0; i < text.size();) {
    if (after && text[i] == ' ' && chinese(i + 1)) {
      ++i;
    } else if (after && text.substr(i, 2) == ": ") {
      result += "：";
      i += 2;
    } else {
      after = chinese(i);
      const std::size_t bytes = after ? 3 : 1;
      result += text.substr(i, bytes);
      i += bytes;
    }
  }
  return result;
}

std::string inBrackets(const std::string& text) {
  return text.empty() ? "" : saying(" ({})", text);
}

std::string sessions(const Run& run) {
  if (const auto error = run.modelError())
    return *error > 0 ? saying("by the model's error, ±{}%", number(100 * *error)) : "";
  std::size_t least = 0, most = 0;
  for (const Cell& cell : run.cells)
    if (const std::size_t count = cell.sessionCount(); count > 0) {
      least = least == 0 ? count : std::min(least, count);
      most = std::max(most, count);
    }
  if (most == 0) return "";
  if (most == 1) return saying("within one process");
  if (most < kTellingSessions) return saying("within two processes");
  return least == most ? saying("over {} sessions", most)
                       : saying("over {} to {} sessions", least, most);
}

std::string modelError(const Run& run) {
  const double error = run.modelError().value_or(0);
  if (error <= 0) return "";
  return saying(
      "In brackets: the model's error, ±{}%; nine in ten of the held-out figures of its fit are "
      "within it",
      number(100 * error));
}

std::string simulated(const Run& run) {
  if (!run.isSimulated()) return "";
  std::string what = toldOf(run, "simulated");
  if (what.empty()) what = run.device;
  if (what.starts_with("simulated ")) what.erase(0, 10);
  return saying("Simulated: all times come from a model, and nothing was measured. The device: {}",
                saidAgain(what));
}

std::string modelNote(const Run& run) {
  if (!run.isSimulated()) return "";
  const std::string note = toldOf(run, "model_note");
  return std::string(said(note));
}

}  // namespace fusebench::wording
