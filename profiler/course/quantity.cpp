// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/course/quantity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "profiler/analysis/crossings.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/catalogue/catalogue.h"
#include "profiler/files/input_error.h"

namespace fusebench::course {
namespace {

using Kind = Quantity::Kind;

struct KindRow {
  Kind kind;
  std::string_view words;
  bool ofVariant, atPlace;
  bool over = false;  ///< whether another variant may be named to compare with
  std::string_view unit = {};
};
constexpr KindRow kKinds[] = {
    {Kind::latency, "latency", true, true, false, "ns"},
    {Kind::speedUp, "speed-up", true, true, true, "times"},
    {Kind::launchCost, "launch cost", true, false, false, "ns"},
    {Kind::launches, "launches", true, true, false, "launches"},
    {Kind::breakEven, "break-even", true, false},
    {Kind::payback, "payback", true, true, false, "calls"},
    {Kind::memory, "memory", true, true, false, "bytes"},
    {Kind::memoryShare, "memory share", true, true, true},
    {Kind::compile, "compile", true, true, false, "ns"},
    {Kind::error, "error", true, true},
    {Kind::growth, "growth", true, false, false, "times"},
    {Kind::gap, "gap", true, true, true, "times"},
    {Kind::launchSaved, "saving per launch", true, true, true, "ns"},
    {Kind::fastest, "fastest", false, true},
    {Kind::slowest, "slowest", false, true},
    {Kind::leastMemory, "least memory", false, true},
};

const KindRow& rowOf(Kind kind) {
  return *std::find_if(std::begin(kKinds), std::end(kKinds),
                       [kind](const KindRow& row) { return row.kind == kind; });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// "fastest, slowest or least memory": the kinds that are asked in one way.
std::string kindsListed(bool ofVariant, bool atPlace) {
  std::vector<std::string_view> words;
  for (const KindRow& row : kKinds)
    if (row.ofVariant == ofVariant && row.atPlace == atPlace) words.push_back(row.words);
  const std::string_view last = words.back();
  words.pop_back();
  return saying("{} or {}", fmt::join(words, ", "), last);
}

std::vector<std::int64_t> placesIn(std::string_view text) {
  std::vector<std::int64_t> places;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view word = trimmed(text.substr(0, comma));
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (problem != std::errc() || end != word.data() + word.size())
      throw InputError(saying("\"{}\" is not a point on an axis; give a whole number", word));
    places.push_back(value);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return places;
}

std::optional<int> variantNamed(const Experiment& experiment, std::string_view name) {
  for (std::size_t v = 0; v < experiment.variants.size(); ++v)
    if (experiment.variants[v].name == name) return static_cast<int>(v);
  return std::nullopt;
}

/// The cell with samples, or why there is none.
const Cell* cellWith(const Run& run, std::string_view variant, const std::vector<std::int64_t>& at,
                     std::string& missing) {
  const auto index = variantNamed(run.experiment, variant);
  const Cell* cell = index ? run.find({*index, at}) : nullptr;
  if (!cell)
    missing = saying("this run has no data for {} there", variant);
  else if (cell->samples.empty())
    missing = run.quick && cell->stop == Stop::budget
                  ? saying(
                        "{} is not measured there: a quick run leaves points out; measure "
                        "without Quick (--quick)",
                        variant)
                  : saying("{} is not measured there", variant);
  return missing.empty() ? cell : nullptr;
}

Measured ofCount(double value) {
  return {{value, value, value, Estimate::Kind::interval}, {}, {}};
}

/// The variant of an experiment that one is compared with.
std::string baselineOf(const Experiment& experiment, std::string_view name) {
  const auto variant = variantNamed(experiment, name);
  const auto baseline = variant ? experiment.baselineOf(*variant) : std::nullopt;
  return baseline ? experiment.variants[static_cast<std::size_t>(*baseline)].name : std::string();
}

/// The variant that another is compared with: the one that is named, else its baseline.
std::string comparedWith(const Quantity& quantity, const Run& run) {
  return quantity.over.empty() ? baselineOf(run.experiment, quantity.variant) : quantity.over;
}

/// The cell that is asked about and the one that it is compared with; null: `missing` says which is
/// not there.
struct Compared {
  const Cell* cell = nullptr;
  const Cell* other = nullptr;
};
Compared comparedCells(const Quantity& quantity, const Run& run, std::string& missing) {
  Compared found{cellWith(run, quantity.variant, quantity.at, missing)};
  if (found.cell) found.other = cellWith(run, comparedWith(quantity, run), quantity.at, missing);
  return found;
}

Measured speedUp(const Quantity& quantity, const Run& run) {
  Measured measured;
  const auto [cell, other] = comparedCells(quantity, run, measured.missing);
  if (other) measured.estimate = speedUpOf(pairByRound(*other, *cell));
  if (other && measured.estimate.kind == Estimate::Kind::none)
    measured.missing = saying("too few samples there");
  return measured;
}

Measured gap(const Quantity& quantity, const Run& run) {
  Measured measured;
  std::array<const Cell*, 4> cells{};
  const std::string names[] = {quantity.variant, baselineOf(run.experiment, quantity.variant),
                               quantity.over, baselineOf(run.experiment, quantity.over)};
  for (std::size_t c = 0; c < cells.size() && measured.missing.empty(); ++c)
    cells[c] = cellWith(run, names[c], quantity.at, measured.missing);
  if (!measured.missing.empty()) return measured;
  measured.estimate = gapOver(*cells[0], *cells[1], *cells[2], *cells[3]);
  if (measured.estimate.kind == Estimate::Kind::none)
    measured.missing = saying("{} and {} are within noise of each other there", names[2], names[3]);
  return measured;
}

/// The time saved per launch that is saved: the time besides the work, which both variants do.
Measured launchSaved(const Quantity& quantity, const Run& run) {
  Measured measured;
  const auto [cell, other] = comparedCells(quantity, run, measured.missing);
  if (!other) return measured;
  const double spared =
      cell->launches && other->launches ? other->launches->mean - cell->launches->mean : 0;
  measured.estimate = gainOf(pairByRound(*other, *cell));
  if (spared <= 0 || measured.estimate.kind == Estimate::Kind::none)
    return {{}, {}, saying("{} saves no launches there", quantity.variant)};
  for (double* end : {&measured.estimate.value, &measured.estimate.low, &measured.estimate.high})
    *end /= spared;
  return measured;
}

Measured memoryShare(const Quantity& quantity, const Run& run) {
  Measured measured;
  const auto [cell, other] = comparedCells(quantity, run, measured.missing);
  if (!other) return measured;
  if (cell->peakBytes && other->peakBytes && *other->peakBytes > 0)
    return ofCount(static_cast<double>(*cell->peakBytes) / static_cast<double>(*other->peakBytes));
  measured.missing = saying("it is not counted there");
  return measured;
}

/// The median of a cell's first compiles.
Measured compileTime(const Cell& cell) {
  std::vector<double> totals;
  for (const CompileTimes& times : cell.firstCompiles)
    totals.push_back(static_cast<double>(times.total()));
  if (totals.empty()) return {{}, {}, saying("it is not counted there")};
  return {medianInterval(totals), {}, {}};
}

Measured launchCost(const Quantity& quantity, const Facts& facts) {
  for (const LaunchModel& model : facts.launches)
    if (model.variant == quantity.variant) return {model.fit.slope, {}, {}};
  return {{}, {}, saying("the times of {} do not fit a straight line", quantity.variant)};
}

Measured crossing(const Quantity& quantity, const Facts& facts) {
  const auto kind =
      quantity.kind == Kind::payback ? Crossing::Kind::payback : Crossing::Kind::breakEven;
  for (const Crossing& one : facts.crossings) {
    if (one.variant != quantity.variant || one.kind != kind || one.backwards) continue;
    if (kind == Crossing::Kind::payback && one.cell != quantity.at) continue;
    if (one.status == CrossingStatus::always) return {{}, "always", {}};
    if (one.status == CrossingStatus::never) return {{}, "never", {}};
    if (one.status == CrossingStatus::found)
      return {{one.at, one.low, one.high,
               one.hasInterval ? Estimate::Kind::interval : Estimate::Kind::range},
              {},
              {}};
  }
  return {{}, {}, saying("the data of {} are inconclusive", quantity.variant)};
}

Measured growth(const Quantity& quantity, const Run& run) {
  Measured measured;
  std::vector<std::int64_t> first, last;
  for (const Axis& axis : run.experiment.axes) {
    first.push_back(first.empty() ? axis.values.front() : axis.values.back());
    last.push_back(axis.values.back());
  }
  const Cell* from = cellWith(run, quantity.variant, first, measured.missing);
  const Cell* to = from ? cellWith(run, quantity.variant, last, measured.missing) : nullptr;
  if (!to) return measured;
  measured.estimate = ratioOf(from->latency(), to->latency());
  if (measured.estimate.kind == Estimate::Kind::none)
    measured.missing = saying("too few samples there");
  return measured;
}

/// Whether a run does not settle which of two cells has less of what an extreme is about.
bool alike(const Quantity& quantity, const Cell& one, const Cell& other) {
  if (quantity.kind == Kind::leastMemory) return one.peakBytes == other.peakBytes;
  const Estimate ratio = speedUpOf(pairByRound(one, other));
  return ratio.kind == Estimate::Kind::interval && ratio.low <= 1 && ratio.high >= 1;
}

/// The variant with the least (or most) of a figure, among cells that have one.
Measured extreme(const Quantity& quantity, const Run& run) {
  Measured measured;
  double best = 0;
  std::vector<const Cell*> asked;
  const Cell* found = nullptr;
  for (std::size_t v = 0; v < run.experiment.variants.size(); ++v) {
    const Cell* cell = run.find({static_cast<int>(v), quantity.at});
    if (!cell || cell->samples.empty()) continue;
    if (quantity.kind == Kind::leastMemory && !cell->peakBytes) continue;
    asked.push_back(cell);
    const double value = quantity.kind == Kind::leastMemory ? static_cast<double>(*cell->peakBytes)
                                                            : cell->latency().value;
    const bool better = quantity.kind == Kind::slowest ? value > best : value < best;
    if (!measured.word.empty() && !better) continue;
    best = value;
    found = cell;
    measured.word = run.experiment.variants[v].name;
  }
  for (const Cell* cell : asked)
    if (cell != found && alike(quantity, *found, *cell))
      measured.alike.push_back(
          run.experiment.variants[static_cast<std::size_t>(cell->key.variant)].name);
  if (measured.word.empty()) measured.missing = saying("nothing is measured there");
  return measured;
}

}  // namespace

std::string_view unitOf(const Quantity& quantity) {
  return rowOf(quantity.kind).unit;
}

Quantity parseQuantity(std::string_view text) {
  text = trimmed(text);
  const KindRow* row = nullptr;
  for (const KindRow& each : kKinds) {
    const std::string head = std::string(each.words) + (each.ofVariant ? " of " : " at ");
    if (!text.starts_with(head)) continue;
    row = &each;
    text = text.substr(head.size());
  }
  if (!row)
    throw InputError(
        saying("\"{}\" is not a known metric; write {} \"of VARIANT at PLACE\", {} \"of VARIANT\", "
               "or {} \"at PLACE\"",
               text, kindsListed(true, true), kindsListed(true, false), kindsListed(false, true)));
  Quantity quantity;
  quantity.kind = row->kind;
  if (!row->ofVariant) {
    quantity.at = placesIn(text);
    return quantity;
  }
  if (row->atPlace) {
    const std::size_t at = text.rfind(" at ");
    if (at == std::string_view::npos)
      throw InputError(saying("{} of a variant needs a point; add \" at N\"", row->words));
    quantity.at = placesIn(text.substr(at + 4));
    text = text.substr(0, at);
  }
  if (const std::size_t over = text.rfind(" over "); row->over && over != std::string_view::npos) {
    quantity.over = trimmed(text.substr(over + 6));
    text = text.substr(0, over);
  }
  quantity.variant = trimmed(text);
  return quantity;
}

std::string problemOf(const Quantity& quantity, const Experiment& experiment) {
  for (const std::string* name : {&quantity.variant, &quantity.over})
    if (!name->empty() && !variantNamed(experiment, *name))
      return saying("the experiment has no variant \"{}\"", *name);
  if (quantity.kind == Kind::gap && quantity.over.empty())
    return saying("a gap is relative to another variant's; add \" over VARIANT\"");
  if (!rowOf(quantity.kind).atPlace) return {};
  if (quantity.at.size() != experiment.axes.size())
    return saying("the experiment has {} axes, and {} values are given", experiment.axes.size(),
                  quantity.at.size());
  for (std::size_t a = 0; a < quantity.at.size(); ++a) {
    const std::vector<std::int64_t>& values = experiment.axes[a].values;
    if (std::find(values.begin(), values.end(), quantity.at[a]) == values.end())
      return saying("the axis {} has no value {}", experiment.axes[a].name, quantity.at[a]);
  }
  return {};
}

Facts factsOf(const Run& run) {
  return {run, findCrossings(run), launchModels(run)};
}

Measured measure(const Quantity& quantity, const Facts& facts) {
  const Run& run = facts.run;
  Measured measured;
  switch (quantity.kind) {
    case Kind::speedUp:
      return speedUp(quantity, run);
    case Kind::memoryShare:
      return memoryShare(quantity, run);
    case Kind::launchCost:
      return launchCost(quantity, facts);
    case Kind::breakEven:
    case Kind::payback:
      return crossing(quantity, facts);
    case Kind::growth:
      return growth(quantity, run);
    case Kind::gap:
      return gap(quantity, run);
    case Kind::launchSaved:
      return launchSaved(quantity, run);
    case Kind::fastest:
    case Kind::slowest:
    case Kind::leastMemory:
      return extreme(quantity, run);
    case Kind::latency:
    case Kind::launches:
    case Kind::memory:
    case Kind::compile:
    case Kind::error:
      break;
  }
  const Cell* cell = cellWith(run, quantity.variant, quantity.at, measured.missing);
  if (!cell) return measured;
  if (quantity.kind == Kind::latency) return {cell->latency(), {}, {}};
  if (quantity.kind == Kind::launches && cell->launches) return ofCount(cell->launches->mean);
  if (quantity.kind == Kind::memory && cell->peakBytes)
    return ofCount(static_cast<double>(*cell->peakBytes));
  if (quantity.kind == Kind::compile) return compileTime(*cell);
  if (quantity.kind == Kind::error && cell->relativeError) return ofCount(*cell->relativeError);
  measured.missing = saying("it is not counted there");
  return measured;
}

}  // namespace fusebench::course
