// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/quantity_text.h"
#include "engine/base/saying.h"
#include "profiler/analysis/crossings.h"
#include "profiler/analysis/wording.h"

namespace fusebench {
namespace {

/// Whole places of an axis are exact, such as those that were measured; calls are rounded.
std::string number(const Crossing& crossing, double value) {
  if (crossing.kind == Crossing::Kind::breakEven && value == std::round(value))
    return fmt::format("{:.0f}", value);
  return inPlainLetters(wording::number(value));
}

std::string intervalText(const Crossing& crossing) {
  if (!crossing.hasInterval)
    return crossing.compiles == 0
               ? ""
               : saying(" (from {} of each: too few for an interval)",
                        crossing.compiles == 1 ? saying("one compile")
                                               : saying("{} compiles", crossing.compiles));
  if (!(crossing.high > crossing.low)) return "";
  return saying(" ({} to {})", number(crossing, crossing.low),
                std::isinf(crossing.high) ? saying("never") : number(crossing, crossing.high));
}

/// The conclusion from a few samples: the places where all of one side are below all of the
/// other's.
std::string fewSamplesSentence(const Crossing& c, const std::string& held) {
  const std::string kFew = saying("too few samples for an interval");
  const auto at = [&](std::size_t count) {
    if (c.open == 1) {
      const double place = c.fasterInAll.empty() ? c.slowerInAll.front() : c.fasterInAll.front();
      // An experiment without axes has one point, on this axis.
      if (c.along == "threads" && place == 1) return std::string();
      return saying(" at {}", wording::place(place, wording::PlaceStyle::decimal));
    }
    return count == c.open ? saying(" at all {} points", count)
                           : saying(" at {} of {} points", count, c.open);
  };
  if (c.fasterInAll.empty() && c.slowerInAll.empty())
    return saying("{} and {}{}: the samples overlap, and are too few for an interval", c.variant,
                  c.baseline, held);
  if (c.slowerInAll.empty())
    return saying("{} was faster than {}{} in every sample{}; {}", c.variant, c.baseline, held,
                  at(c.fasterInAll.size()), kFew);
  if (c.fasterInAll.empty())
    return saying("{} was slower than {}{} in every sample{}; {}", c.variant, c.baseline, held,
                  at(c.slowerInAll.size()), kFew);
  return saying("{} was faster than {}{} in every sample{}, slower{}; {}", c.variant, c.baseline,
                held, at(c.fasterInAll.size()), at(c.slowerInAll.size()), kFew);
}

std::string paybackSentence(const Crossing& c) {
  std::string at;
  for (const std::int64_t& value : c.cell)
    at += (at.empty() ? "" : saying(", ")) +
          wording::place(static_cast<double>(value), wording::placeStyle({&value, 1}));
  const std::string where = at.empty() ? "" : saying(" at {}", at);
  switch (c.status) {
    case CrossingStatus::found:
      return saying("{}{}: compiling pays for itself after {} calls compared with {}{}", c.variant,
                    where, number(c, c.at), c.baseline, intervalText(c));
    case CrossingStatus::always:
      if (c.baselineCompileTime > 0)
        return saying("{}{}: no compile to pay back: {} takes {} to compile, this variant {}",
                      c.variant, where, c.baseline, timeText(c.baselineCompileTime),
                      timeText(c.compileTime));
      return saying("{}{}: no compile to pay back compared with {}", c.variant, where, c.baseline);
    case CrossingStatus::never:
      return saying(
          "{}{}: compiling never pays for itself, calls are not measurably faster than {}",
          c.variant, where, c.baseline);
    case CrossingStatus::undefined:
      break;
  }
  return saying("{}{}: too few samples to tell when compiling pays for itself", c.variant, where);
}

}  // namespace

std::string aroundTie(const Crossing& c) {
  const auto isBefore = [&](double place) { return place < c.at; };
  const auto unsureBefore = std::ranges::count_if(c.unsure, isBefore);
  const auto unsureAfter = std::ssize(c.unsure) - unsureBefore;
  std::string text = unsureBefore > 0 ? saying("before that there are too few samples to be sure")
                     : c.ofModel ? saying("before that they differ by less than the model's error")
                                 : saying("before that the difference is within noise");
  if (unsureAfter > 0)
    text += saying("; at {} more {} there are too few samples to be sure", unsureAfter,
                   unsureAfter == 1 ? "point" : "points");
  return text;
}

std::string heldText(const Crossing& crossing) {
  std::string text;
  for (std::size_t i = 0; i < crossing.cell.size(); ++i)
    text += i < crossing.heldAxes.size()
                ? saying(" at {} = {}", crossing.heldAxes[i], crossing.cell[i])
                : saying(" at {}", crossing.cell[i]);
  return text;
}

std::string sentence(const Crossing& c, const std::string& unit) {
  if (c.kind == Crossing::Kind::payback) return paybackSentence(c);
  const std::string held = heldText(c);
  switch (c.status) {
    case CrossingStatus::found:
      if (c.fromTie)
        return saying("{} is faster than {}{} at {} or more {}; {}", c.variant, c.baseline, held,
                      number(c, c.at), said(unit), aroundTie(c));
      if (c.until)
        return saying("{} is faster than {}{} only between {} and {} {}{}", c.variant, c.baseline,
                      held, number(c, c.at), number(c, *c.until), said(unit), intervalText(c));
      return saying("{} is {} than {}{} at {} or more {}{}", c.variant,
                    c.backwards ? saying("slower again") : saying("faster"), c.baseline, held,
                    number(c, c.at), said(unit), intervalText(c));
    case CrossingStatus::always:
      if (c.places == 1)
        return saying("{} is faster than {}{} (speedup {})", c.variant, c.baseline, held,
                      ratioText(c.ratioAtStart));
      return saying(
          "{} is faster than {} at every point measured{} (speedup {} at the start of the axis)",
          c.variant, c.baseline, held, ratioText(c.ratioAtStart));
    case CrossingStatus::never:
      if (c.places == 1)
        return saying("{} is not faster than {}{} (speedup {})", c.variant, c.baseline, held,
                      ratioText(c.ratioAtStart));
      return saying(
          "{} is not faster than {} at any point measured{} (speedup {} at the start of the axis)",
          c.variant, c.baseline, held, ratioText(c.ratioAtStart));
    case CrossingStatus::undefined:
      break;
  }
  if (c.places == 0 && c.open == 0)
    return saying("{} and {}{}: too few samples to be sure which is faster", c.variant, c.baseline,
                  held);
  if (c.places == 0) return fewSamplesSentence(c, held);
  const std::size_t all = c.places + c.open;  // number of places of the axis
  if (!c.unsure.empty()) {
    const std::string behind = saying("slower at {} of {} points", c.unsure.size(), all);
    if (c.ahead > 0)
      return saying(
          "{} is faster than {}{} at {} and {}: too few samples to be sure where "
          "they cross",
          c.variant, c.baseline, held, c.ahead, behind);
    if (c.unsure.size() == all)
      return saying(
          "{} is slower than {}{} at each of {} points, but with too few samples to be sure",
          c.variant, c.baseline, held, all);
    return saying("{} is {} than {}{}: too few samples to be sure of the rest", c.variant, behind,
                  c.baseline, held);
  }
  if (c.ahead > 0 && c.ahead == c.places)
    return saying(
        "{} is faster than {}{} at {} of {} points; at the rest there are too few samples to tell",
        c.variant, c.baseline, held, c.ahead, all);
  if (c.ahead > 0 && c.ofModel)
    return saying("{} is faster than {}{} at {} of {} points, within the model's error elsewhere",
                  c.variant, c.baseline, held, c.ahead, c.places);
  if (c.ahead > 0)
    return saying("{} is faster than {}{} at {} of {} points, within noise elsewhere", c.variant,
                  c.baseline, held, c.ahead, c.places);
  if (c.ofModel)
    return saying("{} and {}{} differ by less than the model's error", c.variant, c.baseline, held);
  return saying("{} and {}{} are within noise of each other", c.variant, c.baseline, held);
}

}  // namespace fusebench
