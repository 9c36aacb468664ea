// SPDX-License-Identifier: GPL-3.0-or-later
// Findings about where a variant gets ahead, how far, and when its compile is repaid.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "engine/base/saying.h"
#include "engine/run/executor.h"
#include "profiler/analysis/findings_parts.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/analysis/wording.h"

namespace fusebench::findings {
namespace {

using Kind = Finding::Kind;

/// " (3 – 5 over 8 sessions)"; along the axis its places, else calls.
std::string interval(const Context& context, const Crossing& crossing, const Axis* axis) {
  if (!crossing.hasInterval || !(crossing.high > crossing.low)) return "";
  const auto end = [&](double value) -> std::string {
    if (std::isinf(value)) return saying("never");
    return axis ? wording::place(*axis, value) : wording::number(value);
  };
  return context.inBrackets(fmt::format("{} – {}", end(crossing.low), end(crossing.high)));
}

/// "1 and 5 statements"
std::string placesText(const Context& context, const std::vector<double>& at) {
  if (at.size() == 1) return wording::at(context.axis(), at[0]);
  std::vector<std::string> places;
  for (const double place : at) places.push_back(wording::place(context.axis(), place));
  const std::string unit = wording::unit(context.axis());
  return fmt::format("{} {}", wording::list(places, 5), said(unit));
}

/// "; at 1 and 5 statements they cannot be told apart", or nothing.
std::string tiedText(const Context& context, const Crossing& crossing) {
  std::string text;
  if (!crossing.unsure.empty())
    text += saying("; at {} it was slower, with too few samples to be sure",
                   placesText(context, crossing.unsure));
  if (!crossing.tied.empty() && crossing.ofModel)
    text += saying("; at {} they differ by less than the model's error",
                   placesText(context, crossing.tied));
  else if (!crossing.tied.empty())
    text += saying("; at {} the difference is within noise", placesText(context, crossing.tied));
  return text;
}

/// " (5.6 us against 12 us at 30 statements)" at the last of these places.
std::string timesAt(const Context& context, const Crossing& crossing, double place) {
  const auto cellAt = [&](const std::string& variant) -> const Cell* {
    const CurveCells& curve = context.curves[static_cast<std::size_t>(context.indexOf(variant))];
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      if (curve.x[i] == place) return curve.cells[i];
    return nullptr;
  };
  const Cell *ours = cellAt(crossing.variant), *theirs = cellAt(crossing.baseline);
  if (!ours || !theirs) return "";
  return saying(" ({} against {} at {})", wording::time(ours->latency().value),
                wording::time(theirs->latency().value), wording::at(context.axis(), place));
}

/// Without any interval: states only what a few samples can show.
void describeFew(const Context& context, const Crossing& crossing, Finding& finding) {
  const std::string &name = crossing.variant, &baseline = crossing.baseline;
  const std::string held = context.held();
  const auto &faster = crossing.fasterInAll, &slower = crossing.slowerInAll;
  const std::string kFew = saying("There are too few samples for an interval.");
  if (faster.empty() && slower.empty()) {
    finding.text = saying("The samples of {} and {}{} overlap. {}", name, baseline, held, kFew);
    return;
  }
  const bool mostlyFaster = faster.size() >= slower.size();
  const auto& places = mostlyFaster ? faster : slower;
  const std::string how = mostlyFaster ? saying("faster") : saying("slower");
  finding.headline = places.size() < crossing.open
                         ? saying("{}: {} in every sample at {} of {} points", name, how,
                                  places.size(), crossing.open)
                         : saying("{}: {} in every sample", name, how);
  finding.text =
      saying("In every sample {} was {} than {}{}{}{}{}. {}", name, how, baseline, held,
             crossing.open == 1 ? "" : saying(" at {} of {} points", places.size(), crossing.open),
             timesAt(context, crossing, places.back()),
             faster.empty() || slower.empty()
                 ? ""
                 : saying(", {} at {}", mostlyFaster ? saying("slower") : saying("faster"),
                          (mostlyFaster ? slower : faster).size()),
             kFew);
  finding.at = places.back();
}

/// Neither a crossing nor the same answer everywhere.
void describeUndecided(const Context& context, const Crossing& crossing, Finding& finding) {
  const CurveCells& curve =
      context.curves[static_cast<std::size_t>(context.indexOf(crossing.variant))];
  const std::string &name = crossing.variant, &baseline = crossing.baseline;
  const std::string held = context.held();
  finding.headline = saying("{}: not decided", name);
  if (crossing.places == 0 && crossing.open > 0) {
    describeFew(context, crossing, finding);
  } else if (curve.empty() || !curve.hasIntervals()) {
    finding.text =
        saying("Too few samples of {} to say where it crosses {}{}.", name, baseline, held);
  } else if (crossing.ahead == 0 && !crossing.unsure.empty()) {
    finding.text = saying("{} was slower than {} at {}, with too few samples to be sure{}.", name,
                          baseline, placesText(context, crossing.unsure), held);
  } else if (crossing.ahead == 0 && crossing.ofModel) {
    finding.text =
        saying("{} and {} differ by less than the model's error{}.", name, baseline, held);
  } else if (crossing.ahead == 0) {
    finding.text = saying("{} and {} are within noise of each other{}.", name, baseline, held);
  } else {
    finding.headline =
        saying("{}: ahead at {} of {} points", name, crossing.ahead, crossing.places);
    finding.text = saying("{} is faster than {} at {} of {} points{}{}.", name, baseline,
                          crossing.ahead, crossing.places, held, tiedText(context, crossing));
    finding.shownBy = Metric::speedUp;
  }
}

Finding breakEven(const Context& context, const Crossing& crossing) {
  const std::string &name = crossing.variant, &baseline = crossing.baseline;
  const std::string held = context.held();
  const CurveCells& curve = context.curves[static_cast<std::size_t>(context.indexOf(name))];
  Finding finding{Kind::breakEven, context.indexOf(name), {}, {}, Metric::latency, {}};
  const std::string tied = tiedText(context, crossing);
  switch (crossing.status) {
    case CrossingStatus::found: {
      const std::string place = wording::at(context.axis(), crossing.at);
      finding.at = crossing.at;
      if (crossing.until) {
        finding.headline =
            saying("{}: ahead from {} to {}", name, wording::place(context.axis(), crossing.at),
                   wording::at(context.axis(), *crossing.until));
        finding.text = saying("{} is faster than {} only between {} and {}{}{}{}{}.", name,
                              baseline, wording::place(context.axis(), crossing.at),
                              wording::at(context.axis(), *crossing.until),
                              interval(context, crossing, &context.axis()), held, tied,
                              crossing.preliminary ? saying(" (still being measured)") : "");
        break;
      }
      finding.headline = saying("{}: {} from {}", name,
                                crossing.backwards ? saying("behind") : saying("ahead"), place);
      finding.text =
          saying("{} is {} than {} at {} or more{}{}{}{}.", name,
                 crossing.backwards ? saying("slower") : saying("faster"), baseline, place,
                 crossing.fromTie ? "" : interval(context, crossing, &context.axis()), held, tied,
                 crossing.preliminary ? saying(" (still being measured)") : "");
      break;
    }
    case CrossingStatus::always:
      finding.headline = saying("{}: ahead throughout", name);
      if (crossing.places == 1) {
        finding.headline = saying("{}: ahead", name);
        finding.text = saying("{} is faster than {}{}: {} as fast.", name, baseline, held,
                              wording::ratio(crossing.ratioAtStart));
        break;
      }
      finding.text = saying("{} is faster than {} at every point measured{}: {} as fast at {}.",
                            name, baseline, held, wording::ratio(crossing.ratioAtStart),
                            curve.empty() ? saying("the start of the axis")
                                          : wording::at(context.axis(), curve.x.front()));
      break;
    case CrossingStatus::never:
      finding.headline = saying("{}: never ahead", name);
      finding.text = crossing.places == 1
                         ? saying("{} is not faster than {}{}.", name, baseline, held)
                         : saying("{} is not faster than {} at any point measured{}{}.", name,
                                  baseline, held, tied);
      break;
    case CrossingStatus::undefined:
      describeUndecided(context, crossing, finding);
      break;
  }
  if (crossing.status == CrossingStatus::always || crossing.status == CrossingStatus::never) {
    finding.shownBy = Metric::speedUp;
    if (!curve.empty()) finding.at = curve.x.front();
  }
  return finding;
}

/// For a device with a queue: the time of synchronized calls, which the time of pipelined calls
/// does not show. " Waited for one by one, ..."; else nothing.
std::string aloneText(const Context& context, const Finding& finding, const std::string& baseline) {
  const int against = context.indexOf(baseline);
  if (finding.variant < 0 || against < 0) return "";
  const CurveCells &ours = context.curves[static_cast<std::size_t>(finding.variant)],
                   &theirs = context.curves[static_cast<std::size_t>(against)];
  if (ours.empty() || theirs.empty() || ours.x.back() != theirs.x.back()) return "";
  const Cell &our = *ours.cells.back(), &their = *theirs.cells.back();
  if (!our.hasDeviceTimes() || !their.hasDeviceTimes()) return "";
  const Estimate one = our.deviceTime(&DeviceTimes::single),
                 other = their.deviceTime(&DeviceTimes::single);
  return saying(
      " These are pipelined times per call; the synchronized latency is {}{} against {}{} at {}.",
      wording::time(one.value), context.inBrackets(wording::timeInterval(one)),
      wording::time(other.value), wording::inBrackets(wording::timeInterval(other)),
      wording::at(context.axis(), ours.x.back()));
}

/// Many variants with the same answer, in one sentence.
Finding together(const Context& context, const std::vector<const Crossing*>& crossings) {
  std::vector<std::string> names;
  for (const Crossing* crossing : crossings) names.push_back(crossing->variant);
  const std::string who = wording::list(names, 6), held = context.held();
  const std::string& baseline = crossings.front()->baseline;
  Finding finding{Kind::breakEven, -1, {}, {}, Metric::speedUp, {}};
  switch (crossings.front()->status) {
    case CrossingStatus::found: {
      const auto [first, last] =
          std::minmax_element(crossings.begin(), crossings.end(),
                              [](const Crossing* a, const Crossing* b) { return a->at < b->at; });
      finding.headline = saying("{} more crossings", crossings.size());
      finding.text = saying("{} cross {} between {} and {}{}.", who, baseline,
                            wording::place(context.axis(), (*first)->at),
                            wording::at(context.axis(), (*last)->at), held);
      finding.shownBy = Metric::latency;
      break;
    }
    case CrossingStatus::always:
      finding.headline = saying("{} variants: ahead throughout", crossings.size());
      finding.text =
          saying("{} are faster than {} at every point measured{}.", who, baseline, held);
      break;
    case CrossingStatus::never:
      finding.headline = saying("{} variants: never ahead", crossings.size());
      finding.text =
          saying("{} are not faster than {} at any point measured{}.", who, baseline, held);
      break;
    case CrossingStatus::undefined:
      if (crossings.front()->ahead > 0) {
        finding.headline = saying("{} variants: ahead at some points", crossings.size());
        finding.text = saying("{} are faster than {} at some points, but not everywhere{}.", who,
                              baseline, held);
        break;
      }
      finding.headline = saying("{} variants: not decided", crossings.size());
      // With too few samples it is not known that they are alike.
      finding.text =
          std::ranges::any_of(crossings, [](const Crossing* c) { return c->open > 0; })
              ? saying("Too few samples to compare {} with {}{}.", who, baseline, held)
          : crossings.front()->ofModel
              ? saying("{} did not differ from {} by more than the model's error{}.", who, baseline,
                       held)
              : saying("{} did not differ from {} by more than noise{}.", who, baseline, held);
      break;
  }
  return finding;
}

double medianTotal(const std::vector<CompileTimes>& compiles) {
  std::vector<double> totals;
  for (const CompileTimes& times : compiles) totals.push_back(static_cast<double>(times.total()));
  return median(totals);
}

/// ", a kernel for each kind of op", of a baseline's first call.
std::string kernelsText(const Variant& variant, const Cell& cell) {
  if (ships(cell)) return saying(", whose kernels are prebuilt");
  const ExecutorInfo* const executor = findExecutor(variant.executor);
  return executor && executor->runsEveryOp() ? saying(", a kernel for each kind of op") : "";
}

/// "eager in 91 ms, a kernel for each op"
std::string baselineCompile(const Context& context, const std::string& name, const Cell& cell) {
  const int index = context.indexOf(name);
  const Cell* baseline = context.run.find({index, cell.key.at});
  if (!baseline || baseline->firstCompiles.empty()) return saying("{} takes no less", name);
  const auto& variant = context.run.experiment.variants[static_cast<std::size_t>(index)];
  return saying("{} in {}{}", name, wording::time(medianTotal(baseline->firstCompiles)),
                kernelsText(variant, *baseline));
}

/// Against whom, where that is not the baseline of all; how many compiles say it, where they are
/// too few for an interval.
std::string compilesText(const Context& context, const Crossing& crossing) {
  std::string text;
  if (crossing.baseline != context.name(context.baseline))
    text += saying(" against {}", crossing.baseline);
  if (!crossing.hasInterval)
    text += saying(
        ", from {} of each, too few for an interval",
        crossing.compiles == 1 ? saying("one compile") : saying("{} compiles", crossing.compiles));
  return text;
}

Finding payback(const Context& context, const Crossing& crossing, const Cell& cell) {
  const int variant = context.indexOf(crossing.variant);
  const std::string where =
      wording::at(context.axis(), static_cast<double>(cell.key.at[0])) + context.held();
  Finding finding{
      Kind::payback, variant, {}, {}, Metric::payback, static_cast<double>(cell.key.at[0])};
  std::string cost = wording::time(medianTotal(cell.firstCompiles));
  std::string disk;
  if (cell.diskCompile)
    disk = saying(" Loading it from disk takes {}.",
                  wording::time(static_cast<double>(cell.diskCompile->total())));
  const std::string &name = crossing.variant, &baseline = crossing.baseline;
  if (crossing.status == CrossingStatus::always && ships(cell)) {
    finding.headline = saying("{}: no compile to repay", name);
    finding.text =
        saying("{} compiles nothing: a first call takes {} more than later ones at {}, {}.", name,
               cost, where, baselineCompile(context, baseline, cell));
    return finding;
  }
  switch (crossing.status) {
    case CrossingStatus::found:
      finding.headline = saying("{}: repaid after {} calls", name, wording::number(crossing.at));
      finding.text =
          saying("The first compile of {}, {} at {}, pays back after {} calls{}{}.{}", name, cost,
                 where, wording::number(crossing.at), interval(context, crossing, nullptr),
                 compilesText(context, crossing), disk);
      break;
    case CrossingStatus::always:
      finding.headline = saying("{}: repaid from the first call", name);
      finding.text = saying("{} compiles in {} at {}, {}: it is ahead from the first call.", name,
                            cost, where, baselineCompile(context, baseline, cell));
      break;
    case CrossingStatus::never:
      finding.headline = saying("{}: never repaid", name);
      finding.text = saying(
          "The compile of {}, {} at {}, is never repaid: its calls are not measurably faster than "
          "{}'s.",
          name, cost, where, baseline);
      break;
    case CrossingStatus::undefined:
      finding.headline = saying("{}: payback not decided", name);
      finding.text =
          saying("Too few samples at {} to say when the compile of {} pays back.", where, name);
      break;
  }
  return finding;
}

}  // namespace

Findings breakEvens(const Context& context) {
  // Those that cross come first, then those ahead at some places, of which that may be so.
  std::vector<const Crossing*> groups[5];
  auto &found = groups[0], &partly = groups[1];
  for (const Crossing* crossing : context.of(Crossing::Kind::breakEven)) {
    // A crossing that is not decided yet is not a finding; one that is still undecided at the end
    // is.
    const bool undecided = crossing->status == CrossingStatus::undefined;
    if (context.measuring && undecided) continue;
    if (crossing->status == CrossingStatus::found)
      found.push_back(crossing);
    else if (undecided && crossing->ahead > 0)
      partly.push_back(crossing);
    else
      groups[1 + static_cast<std::size_t>(crossing->status)].push_back(crossing);
  }
  // In the order of the axis, but a variant that crosses twice keeps its two together, where its
  // first one is.
  std::map<int, double> first;
  for (const Crossing* crossing : found) {
    const auto [entry, added] = first.emplace(context.indexOf(crossing->variant), crossing->at);
    if (!added) entry->second = std::min(entry->second, crossing->at);
  }
  std::stable_sort(found.begin(), found.end(), [&](const Crossing* a, const Crossing* b) {
    const int left = context.indexOf(a->variant), right = context.indexOf(b->variant);
    return std::tuple(first.at(left), left, a->at) < std::tuple(first.at(right), right, b->at);
  });
  Findings findings;
  const auto add = [&](const Crossing& crossing) {
    findings.push_back(breakEven(context, crossing));
    if (findings.size() == 1)
      findings[0].text += aloneText(context, findings[0], crossing.baseline);
  };
  for (const auto& crossings : groups) {
    const bool isFound = &crossings == &found;
    const std::size_t most = isFound || &crossings == &partly ? 2 * kMany : kMany;
    if (crossings.size() <= most) {
      for (const Crossing* crossing : crossings) add(*crossing);
      continue;
    }
    const std::size_t alone = isFound ? most - 1 : 0;
    for (std::size_t i = 0; i < alone; ++i) add(*crossings[i]);
    std::map<std::string, std::vector<const Crossing*>> byBaseline;
    for (std::size_t i = alone; i < crossings.size(); ++i)
      byBaseline[crossings[i]->baseline].push_back(crossings[i]);
    for (const auto& [baseline, rest] : byBaseline)
      findings.push_back(rest.size() == 1 ? breakEven(context, *rest[0]) : together(context, rest));
  }
  return findings;
}

namespace {

/// How far ahead of one variant those are that are compared with it, at the end of the axis.
Findings speedUpsOver(const Context& context, int against) {
  const CurveCells& baseline = context.curves[static_cast<std::size_t>(against)];
  if (baseline.empty()) return {};
  struct Ahead {
    int variant;
    Estimate ratio;
  };
  std::vector<Ahead> told;
  std::vector<std::string> same;
  for (std::size_t v = 0; v < context.curves.size(); ++v) {
    const CurveCells& curve = context.curves[v];
    if (context.run.experiment.baselineOf(static_cast<int>(v)) != against || curve.empty() ||
        curve.x.back() != baseline.x.back() || !isModeled(*baseline.cells.back()) ||
        !isModeled(*curve.cells.back()))
      continue;
    const auto ratio = speedUpOver(*baseline.cells.back(), *curve.cells.back());
    if (!ratio || ratio->kind != Estimate::Kind::interval) continue;  // too few samples to say
    if (ratio->low <= 1 && ratio->high >= 1)
      same.push_back(context.name(static_cast<int>(v)));
    else
      told.push_back({static_cast<int>(v), *ratio});
  }
  if (told.empty() && same.empty()) return {};
  std::sort(told.begin(), told.end(),
            [](const Ahead& a, const Ahead& b) { return a.ratio.value > b.ratio.value; });
  const std::string where = wording::at(context.axis(), baseline.x.back());
  Finding finding{
      Kind::speedUp,    told.empty() ? -1 : told.front().variant, {}, {}, Metric::speedUp,
      baseline.x.back()};
  // "static is 4× as fast as eager (…), dynamic 2× (…)": the comparison is written once.
  std::string text;
  const std::size_t shown = told.size() > kMany + 1 ? kMany : told.size();
  for (std::size_t i = 0; i < shown; ++i)
    text += i == 0 ? saying("{} is {} as fast as {}{}", context.name(told[i].variant),
                            wording::ratio(told[i].ratio.value), context.name(against),
                            context.inBrackets(wording::ratioInterval(told[i].ratio)))
                   : saying(", {} {}{}", context.name(told[i].variant),
                            wording::ratio(told[i].ratio.value),
                            wording::inBrackets(wording::ratioInterval(told[i].ratio)));
  if (!told.empty()) {
    finding.headline = saying("{}: {} at {}", context.name(told.front().variant),
                              wording::ratio(told.front().ratio.value), where);
    finding.text = saying("At {}{} {}", where, context.held(), text);
    if (shown < told.size())
      finding.text +=
          saying("; {} more are between {} and {}", told.size() - shown,
                 wording::ratio(told.back().ratio.value), wording::ratio(told[shown].ratio.value));
    finding.text += said(".");
  }
  if (!same.empty()) {
    if (finding.headline.empty()) finding.headline = saying("No difference at {}", where);
    const std::string before = told.empty() ? "" : " ", held = told.empty() ? context.held() : "";
    const std::string names = wording::list(same), &other = context.name(against);
    finding.text +=
        context.run.modelError().value_or(0) > 0
            ? saying("{}{} did not differ from {} at {} by more than the model's error{}.", before,
                     names, other, where, held)
            : saying("{}{} did not differ from {} at {} by more than noise{}.", before, names,
                     other, where, held);
  }
  return {finding};
}

}  // namespace

Findings speedUps(const Context& context) {
  Findings all = speedUpsOver(context, context.baseline);
  for (int v = 0; v < static_cast<int>(context.curves.size()); ++v) {
    if (v == context.baseline) continue;
    Findings others = speedUpsOver(context, v);
    std::move(others.begin(), others.end(), std::back_inserter(all));
  }
  return all;
}

Findings paybacks(const Context& context) {
  // A payback for every cell would bury the rest: the last place on the axis stands for them.
  Findings findings;
  std::vector<std::string> never, undecided;
  std::set<std::string> neverAgainst;
  const auto possessive = [](const std::set<std::string>& names) {
    std::vector<std::string> all;
    for (const std::string& name : names) all.push_back(saying("{}'s", name));
    return all;
  };
  Findings neverFindings, undecidedFindings;
  if (context.axis().values.empty()) return {};
  for (const Crossing* crossing : context.of(Crossing::Kind::payback)) {
    if (crossing->cell.empty() || crossing->cell[0] != context.axis().values.back()) continue;
    const Cell* cell = context.run.find({context.indexOf(crossing->variant), crossing->cell});
    if (!cell || cell->firstCompiles.empty()) continue;
    if (context.measuring && crossing->status == CrossingStatus::undefined) continue;
    if (!hasPayback(context.run, *crossing, *cell)) continue;
    Finding finding = payback(context, *crossing, *cell);
    if (crossing->status == CrossingStatus::never) {
      never.push_back(crossing->variant);
      neverAgainst.insert(crossing->baseline);
      neverFindings.push_back(finding);
    } else if (crossing->status == CrossingStatus::undefined) {
      undecided.push_back(crossing->variant);
      undecidedFindings.push_back(finding);
    } else {
      findings.push_back(finding);
    }
  }
  if (findings.size() > kMany) {  // the first to be repaid stand for the others
    const std::size_t more = findings.size() - (kMany - 1);
    findings.resize(kMany - 1);
    findings.push_back({Kind::payback, -1, saying("{} more paybacks", more),
                        saying("{} more variants repay their compile; the payback view has "
                               "the calls that each needs.",
                               more),
                        Metric::payback, static_cast<double>(context.axis().values.back())});
  }
  const auto add = [&](const std::vector<std::string>& names, Findings& single,
                       const std::string& headline, const std::string& text) {
    if (names.size() < kMany)
      for (Finding& finding : single) findings.push_back(std::move(finding));
    else
      findings.push_back({Kind::payback, -1, headline, text, Metric::payback,
                          static_cast<double>(context.axis().values.back())});
  };
  add(never, neverFindings, saying("{} variants: never repaid", never.size()),
      saying("The compiles of {} are never repaid: their calls are not measurably faster than "
             "{}.",
             wording::list(never, 6), wording::list(possessive(neverAgainst))));
  add(undecided, undecidedFindings, saying("{} variants: payback not decided", undecided.size()),
      saying("Too few samples to say when the compiles of {} pay back.",
             wording::list(undecided, 6)));
  return findings;
}

}  // namespace fusebench::findings
