// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "profiler/analysis/crossings.h"

namespace fusebench {
namespace {

/// Three significant digits, no exponent, no trailing zeros after the point.
std::string number(double value) {
  if (!std::isfinite(value)) return "?";
  const double magnitude = std::abs(value);
  const int decimals = magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

std::string intervalText(const Crossing& crossing) {
  if (!crossing.hasInterval)
    return crossing.compiles == 0
               ? ""
               : fmt::format(" (by {} of each: too few for an interval)",
                             crossing.compiles == 1
                                 ? "one compile"
                                 : fmt::format("{} compiles", crossing.compiles));
  if (!(crossing.high > crossing.low)) return "";
  return fmt::format(" ({} to {})", number(crossing.low),
                     std::isinf(crossing.high) ? "never" : number(crossing.high));
}

/// What a handful of samples can carry: where all of one side lie below all of the other's.
std::string fewSamplesSentence(const Crossing& c, const std::string& held) {
  constexpr const char* kFew = "too few samples for an interval";
  const auto at = [&](std::size_t count) {
    return count == c.open ? fmt::format("at all {} places", count)
                           : fmt::format("at {} of {} places", count, c.open);
  };
  if (c.fasterInAll.empty() && c.slowerInAll.empty())
    return fmt::format("{} and {}{}: the samples overlap, and are too few for an interval",
                       c.variant, c.baseline, held);
  if (c.slowerInAll.empty())
    return fmt::format("{} was faster than {}{} in every sample {}; {}", c.variant, c.baseline,
                       held, at(c.fasterInAll.size()), kFew);
  if (c.fasterInAll.empty())
    return fmt::format("{} was slower than {}{} in every sample {}; {}", c.variant, c.baseline,
                       held, at(c.slowerInAll.size()), kFew);
  return fmt::format("{} was faster than {}{} in every sample {}, slower {}; {}", c.variant,
                     c.baseline, held, at(c.fasterInAll.size()), at(c.slowerInAll.size()), kFew);
}

std::string paybackSentence(const Crossing& c) {
  std::string at;
  for (const std::int64_t value : c.cell) at += fmt::format("{}{}", at.empty() ? "" : ", ", value);
  const std::string where = at.empty() ? "" : fmt::format(" at {}", at);
  switch (c.status) {
    case CrossingStatus::found:
      return fmt::format("{}{}: compiling has paid for itself after {} calls against {}{}",
                         c.variant, where, number(c.at), c.baseline, intervalText(c));
    case CrossingStatus::always:
      return fmt::format("{}{}: no compile to pay back against {}", c.variant, where, c.baseline);
    case CrossingStatus::never:
      return fmt::format(
          "{}{}: compiling never pays for itself, calls are not measurably faster than {}",
          c.variant, where, c.baseline);
    case CrossingStatus::undefined:
      break;
  }
  return fmt::format("{}{}: not enough was measured to tell when compiling pays for itself",
                     c.variant, where);
}

}  // namespace

std::string aroundTie(const Crossing& c) {
  const auto isBefore = [&](double place) { return place < c.at; };
  const auto unsureBefore = std::ranges::count_if(c.unsure, isBefore);
  const auto unsureAfter = std::ssize(c.unsure) - unsureBefore;
  std::string text = unsureBefore > 0 ? "before that there are too few samples to be sure"
                                      : "before that they cannot be told apart";
  if (unsureAfter > 0)
    text += fmt::format("; at {} {} further on there are too few samples to be sure", unsureAfter,
                        unsureAfter == 1 ? "place" : "places");
  return text;
}

std::string sentence(const Crossing& c, const std::string& unit) {
  if (c.kind == Crossing::Kind::payback) return paybackSentence(c);
  std::string held;
  for (const std::int64_t value : c.cell) held += fmt::format(" at {}", value);
  switch (c.status) {
    case CrossingStatus::found:
      if (c.fromTie)
        return fmt::format("{} is faster than {}{} from {} {} on; {}", c.variant, c.baseline, held,
                           number(c.at), unit, aroundTie(c));
      return fmt::format("{} is {} than {}{} from {} {} on{}", c.variant,
                         c.backwards ? "slower again" : "faster", c.baseline, held, number(c.at),
                         unit, intervalText(c));
    case CrossingStatus::always:
      return fmt::format(
          "{} is faster than {} throughout{} ({} times as fast at the start of the axis)",
          c.variant, c.baseline, held, number(c.ratioAtStart));
    case CrossingStatus::never:
      return fmt::format(
          "{} is nowhere faster than {}{} ({} times as fast at the start of the axis)", c.variant,
          c.baseline, held, number(c.ratioAtStart));
    case CrossingStatus::undefined:
      break;
  }
  if (c.places == 0 && c.open == 0)
    return fmt::format("{} and {}{}: too few samples to be sure which is faster", c.variant,
                       c.baseline, held);
  if (c.places == 0) return fewSamplesSentence(c, held);
  if (!c.unsure.empty()) {
    const std::string behind = fmt::format("slower at {} of {} places", c.unsure.size(), c.places);
    if (c.ahead > 0)
      return fmt::format(
          "{} is faster than {}{} at {} and {}: too few samples to be sure where "
          "they cross",
          c.variant, c.baseline, held, c.ahead, behind);
    return fmt::format("{} is {} than {}{}: too few samples to be sure of the rest", c.variant,
                       behind, c.baseline, held);
  }
  if (c.ahead > 0)
    return fmt::format("{} is faster than {}{} at {} of {} places, at the others not measurably",
                       c.variant, c.baseline, held, c.ahead, c.places);
  return fmt::format("{} and {}{} cannot be told apart by what was measured", c.variant, c.baseline,
                     held);
}

}  // namespace fusebench
