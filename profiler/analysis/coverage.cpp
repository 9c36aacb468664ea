// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/analysis/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "profiler/analysis/cell_spreads.h"
#include "profiler/analysis/crossings.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/statistics/random.h"

namespace fusebench {
namespace {

constexpr std::array<double, 3> kDeviations = {0.005, 0.025, 0.06};
constexpr std::array<int, 3> kSessionCounts = {1, 3, 8};
constexpr std::size_t kOverall = 3;  ///< in Coverage::counts
constexpr std::size_t kTruthDraws = 60'000;
constexpr double kFlatTime = 250;      ///< ns, of the variant at every place
constexpr double kTimePerPlace = 100;  ///< ns, of the baseline
constexpr double kCompile = 2e6, kBaselineCompile = 1e6, kCompileDeviation = 0.05;
constexpr int kFewCases = 50;  ///< a share of fewer says nothing

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(mixBits(seed + 0x51e7)) {}
  double uniform() { return (static_cast<double>(nextBits(state_) >> 11) + 0.5) * 0x1p-53; }
  double normal() {  // Marsaglia's polar method
    while (true) {
      const double u = 2 * uniform() - 1, v = 2 * uniform() - 1, s = u * u + v * v;
      if (s > 0 && s < 1) return u * std::sqrt(-2 * std::log(s) / s);
    }
  }
  double shaped(SimulatedNoise::Shape shape) {
    switch (shape) {
      case SimulatedNoise::Shape::twoPeaked: {
        const double peak = uniform() < 0.65 ? 0 : 3;
        return peak + 0.3 * normal();
      }
      case SimulatedNoise::Shape::heavyTailed: {
        const double late = uniform() < 0.12 ? -4 * std::log(uniform()) : 0;
        return normal() + late;
      }
      case SimulatedNoise::Shape::normal:
        break;
    }
    return normal();
  }

 private:
  std::uint64_t state_;
};

/// One cell's times, one after another.
class SimulatedCell {
 public:
  SimulatedCell(const SimulatedNoise& noise, double deviation, double time, int variant)
      : noise_(noise),
        share_(variant == 0 ? 1 : noise.variant),
        deviation_(share_ * deviation),
        time_(time) {}

  void startSession(Draws& draws, bool differs) {
    session_ = differs ? share_ * noise_.session * draws.normal() : 0;
    drift_ = draws.normal();
  }
  double next(Draws& draws, double round) {
    const double rho = noise_.correlation;
    if (rho > 0) drift_ = rho * drift_ + std::sqrt(1 - rho * rho) * draws.normal();
    const double own = draws.shaped(noise_.shape) + (rho > 0 ? noise_.drift * drift_ : 0);
    return time_ * std::exp(session_ + round + deviation_ * own);
  }

 private:
  const SimulatedNoise& noise_;
  double share_, deviation_, time_, session_ = 0, drift_ = 0;
};

/// The true values that the intervals should contain, from many draws.
struct Truth {
  double factor = 1;          ///< a median over its time
  std::vector<double> gains;  ///< median of baseline - variant at places 1, 2, 3
};

Truth truthOf(const SimulatedNoise& noise, double deviation, bool differs, Draws& draws) {
  Truth truth;
  std::vector<double> factors(kTruthDraws), gains(kTruthDraws);
  SimulatedCell a(noise, deviation, 1, 0), b(noise, deviation, 1, 1);
  for (int place = 1; place <= 3; ++place) {
    for (std::size_t i = 0; i < kTruthDraws; ++i) {
      a.startSession(draws, differs);
      b.startSession(draws, differs);
      const double round = noise.round * draws.normal();
      factors[i] = a.next(draws, round);
      gains[i] = kTimePerPlace * place * factors[i] - kFlatTime * b.next(draws, round);
    }
    truth.gains.push_back(median(gains));
  }
  truth.factor = median(factors);
  return truth;
}

Run simulatedRun() {
  Run run;
  run.experiment.variants.resize(2);
  run.experiment.variants[0].name = run.experiment.baseline = "baseline";
  run.experiment.variants[1].name = "variant";
  run.experiment.axes.push_back({"statements", "statements", {1, 2, 3}});
  for (const CellKey& key : cells(run.experiment)) {
    run.cells.emplace_back();
    run.cells.back().key = key;
  }
  return run;
}

double timeOf(const CellKey& key) {
  return key.variant == 0 ? kTimePerPlace * static_cast<double>(key.at[0]) : kFlatTime;
}

/// Rounds and sessions as a study has them; every third study runs out of time.
Run drawRun(const SimulatedNoise& noise, double deviation, int sessions, bool outOfTime,
            Draws& draws) {
  Run run = simulatedRun();
  StoppingRule rule;
  rule.sessions = sessions;
  const int most = outOfTime ? static_cast<int>(40 + 60 * draws.uniform()) / sessions : 1 << 20;
  std::vector<SimulatedCell> machine;
  for (const Cell& cell : run.cells)
    machine.emplace_back(noise, deviation, timeOf(cell.key), cell.key.variant);
  CellSpreads spreads;
  int round = 0;
  for (int session = 0; session < sessions; ++session) {
    std::vector<std::size_t> taken(run.cells.size(), 0);
    std::vector<bool> rests(run.cells.size(), false);
    for (SimulatedCell& cell : machine) cell.startSession(draws, sessions > 1);
    bool going = true;
    for (int inSession = 0; going && inSession < most; ++inSession, ++round) {
      going = false;
      const double common = noise.round * draws.normal();
      for (std::size_t c = 0; c < run.cells.size(); ++c) {
        Cell& cell = run.cells[c];
        const double time = machine[c].next(draws, common);  // time passes for those that rest, too
        if (rests[c] || cell.stop != Stop::running) continue;
        going = true;
        cell.samples.push_back({round, time, {}, 0, session});
        switch (spreads.judge(rule, run.cells, c, {session, ++taken[c]})) {
          case Verdict::converged:
            cell.stop = Stop::converged;
            break;
          case Verdict::cap:
            cell.stop = Stop::cap;
            break;
          case Verdict::rest:
            rests[c] = true;
            break;
          case Verdict::goOn:
            break;
        }
      }
    }
  }
  for (std::size_t c = 0; c < run.cells.size(); ++c) {
    Cell& cell = run.cells[c];
    if (cell.stop == Stop::running)
      cell.stop = spreads.suffice(rule, run.cells, c) ? Stop::converged : Stop::budget;
    for (std::size_t repeat = 0; repeat < 5; ++repeat) {
      const double compile = cell.key.variant == 0 ? kBaselineCompile : kCompile;
      cell.firstCompiles.emplace_back();
      cell.firstCompiles.back().compiler =
          static_cast<std::int64_t>(compile * std::exp(kCompileDeviation * draws.normal()));
    }
  }
  return run;
}

void tally(Coverage& coverage, Covered what, Stop stop, bool held) {
  auto& counts = coverage.counts[static_cast<std::size_t>(what)];
  const std::size_t reason = stop == Stop::converged ? 0 : stop == Stop::cap ? 1 : 2;
  for (const std::size_t of : {reason, kOverall}) {
    ++counts[of].cases;
    counts[of].held += held;
  }
}

void tally(Coverage& coverage, const Run& run, const Truth& truth) {
  const auto within = [](double low, double high, double value) {
    return low <= value && value <= high;
  };
  for (const Cell& cell : run.cells) {
    const Estimate latency = cell.latency();
    tally(coverage, Covered::median, cell.stop,
          within(latency.low, latency.high, truth.factor * timeOf(cell.key)));
    if (cell.key.variant == 0) continue;
    const Cell& baseline = *run.find({0, cell.key.at});
    // The noise of both sides has one shape and, where that leans, one size: their ratio's is
    // symmetric about the true one.
    const Estimate ratio = speedUpOf(pairByRound(baseline, cell));
    tally(coverage, Covered::ratio, cell.stop,
          within(ratio.low, ratio.high, timeOf(baseline.key) / timeOf(cell.key)));
  }
  const Stop last = run.cells.back().stop;
  const double crossing = 2 + truth.gains[1] / (truth.gains[1] - truth.gains[2]);
  for (const Crossing& found : findCrossings(run)) {
    if (found.status != CrossingStatus::found || found.fromTie) continue;
    if (found.kind == Crossing::Kind::breakEven)
      tally(coverage, Covered::breakEven, last, within(found.low, found.high, crossing));
    else if (found.cell[0] == 3 && found.hasInterval)
      tally(
          coverage, Covered::payback, last,
          within(found.low, found.high, std::ceil((kCompile - kBaselineCompile) / truth.gains[2])));
  }
}

std::string countText(const CoverageCount& count) {
  if (count.cases < kFewCases) return "–";
  return fmt::format("{:.1f}% of {}", 100 * count.share(), count.cases);
}

}  // namespace

std::span<const SimulatedNoise> simulatedNoises() {
  static const std::vector<SimulatedNoise> kNoises = {
      {.name = "independent"},
      {.name = "correlated from round to round", .correlation = 0.7},
      {.name = "strongly correlated", .correlation = 0.9, .drift = 3},
      {.name = "shared by a round's data points", .round = 0.02},
      {.name = "processes differ", .session = 0.02},
      {.name = "processes differ, one variant less", .session = 0.02, .variant = 0.2},
      {.name = "two peaks", .shape = SimulatedNoise::Shape::twoPeaked},
      {.name = "heavy tails", .shape = SimulatedNoise::Shape::heavyTailed},
      {.name = "all combined, two peaks",
       .shape = SimulatedNoise::Shape::twoPeaked,
       .correlation = 0.7,
       .round = 0.01,
       .session = 0.01},
      {.name = "all combined, heavy tails",
       .shape = SimulatedNoise::Shape::heavyTailed,
       .correlation = 0.7,
       .round = 0.01,
       .session = 0.01},
  };
  return kNoises;
}

std::string_view name(Covered what) {
  constexpr std::array<std::string_view, kCovered> kNames = {"median", "ratio", "break-even",
                                                             "payback"};
  return kNames[static_cast<std::size_t>(what)];
}

void Coverage::add(const Coverage& other) {
  for (std::size_t what = 0; what < kCovered; ++what)
    for (std::size_t reason = 0; reason <= kOverall; ++reason) {
      counts[what][reason].cases += other.counts[what][reason].cases;
      counts[what][reason].held += other.counts[what][reason].held;
    }
}

std::vector<Coverage> simulateCoverage(const CoverageSettings& settings) {
  std::vector<Coverage> rows;
  std::uint64_t stream = settings.seed << 32;
  for (const int sessions : kSessionCounts)
    for (const SimulatedNoise& noise : simulatedNoises()) {
      Coverage row;
      row.noise = noise.name;
      row.sessions = sessions;
      for (const double deviation : kDeviations) {
        Draws draws(++stream);
        const Truth truth = truthOf(noise, deviation, sessions > 1, draws);
        for (int study = 0; study < settings.studies; ++study)
          tally(row, drawRun(noise, deviation, sessions, study % 3 == 2, draws), truth);
      }
      rows.push_back(std::move(row));
    }
  return rows;
}

std::vector<Coverage> bySessions(const std::vector<Coverage>& rows) {
  std::vector<Coverage> sums;
  for (const Coverage& row : rows) {
    if (sums.empty() || sums.back().sessions != row.sessions) {
      sums.emplace_back();
      sums.back().noise = "all of these";
      sums.back().sessions = row.sessions;
    }
    sums.back().add(row);
  }
  return sums;
}

std::string coverageText(const std::vector<Coverage>& rows) {
  std::string text =
      "| sessions | noise | interval of | overall | converged | cap | budget |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const Coverage& row : rows)
    for (std::size_t what = 0; what < kCovered; ++what) {
      const auto& counts = row.counts[what];
      text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", row.sessions, row.noise,
                          name(static_cast<Covered>(what)), countText(counts[kOverall]),
                          countText(counts[0]), countText(counts[1]), countText(counts[2]));
    }
  return text;
}

}  // namespace fusebench
