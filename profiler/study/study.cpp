// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/study/study.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <iterator>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/experiment/variant_executors.h"
#include "profiler/machine/environment.h"
#include "profiler/statistics/sessions.h"
#include "profiler/study/anatomy_pass.h"
#include "profiler/study/captured_study.h"
#include "profiler/study/compile_ahead.h"
#include "profiler/study/study_cells.h"
#include "profiler/study/study_schedule.h"

namespace fusebench {
namespace {

constexpr std::size_t kTellingSamples = 8;  ///< an interval is known from there on
constexpr double kProgressSeconds = 0.05;   ///< between two reports
/// This share of a quick run's sampling time may go to preparing points.
constexpr double kQuickPreparing = 0.5;

/// Estimates how long the cells of a quick run take until their first sample, from cells of the
/// same variant.
class QuickCosts {
 public:
  explicit QuickCosts(const Run& run) : run_(run), known_(run.experiment.variants.size()) {}

  void add(std::size_t index, double seconds) {
    Known& known = known_[variantOf(index)];
    known.seconds[sizeOf(index)] = seconds;
    if (callOf(index) >= callOf(known.slowest)) known.slowest = index;
  }
  /// Whether the variant has a cell to judge by. The first one is measured, unless `alike` and
  /// another variant of the same executor has one.
  bool isKnown(std::size_t index, bool alike = false) const {
    return !knownOf(index).seconds.empty() || (alike && alikeOf(index));
  }
  double expected(std::span<const std::size_t> cells) const {
    double seconds = 0;
    for (const std::size_t index : cells)
      if (isKnown(index, true)) seconds += expected(index);
    return seconds;
  }

 private:
  static constexpr auto kNoCell = static_cast<std::size_t>(-1);
  /// A variant's times for cells, by how much there is to compute, and the cell whose calls take
  /// longest.
  struct Known {
    std::map<double, double> seconds;
    std::size_t slowest = kNoCell;
  };

  /// How much there is to compute, compared with the first values of the axes.
  double sizeOf(std::size_t index) const {
    CellKey least;
    for (const Axis& axis : run_.experiment.axes) least.at.push_back(axis.values.front());
    return growthBetween(least, run_.cells[index].key);
  }

  /// Seconds per call; 0 if not known. A simulated call's time is not the time it takes us.
  double callOf(std::size_t index) const {
    if (index == kNoCell || run_.isSimulated() || run_.cells[index].samples.empty()) return 0;
    return 1e-9 * median(run_.cells[index].times());
  }

  std::size_t variantOf(std::size_t index) const {
    return static_cast<std::size_t>(run_.cells[index].key.variant);
  }
  const Known& knownOf(std::size_t index) const { return known_[variantOf(index)]; }
  /// What is known of another variant of the same executor; null: nothing.
  const Known* alikeOf(std::size_t index) const {
    const auto& variants = run_.experiment.variants;
    for (std::size_t v = 0; v < variants.size(); ++v)
      if (variants[v].executor == variants[variantOf(index)].executor && !known_[v].seconds.empty())
        return &known_[v];
    return nullptr;
  }
  /// Between two sizes that are known, times are on a line. Beyond them compiling takes the same
  /// time, and calls take longer as there is more to compute.
  double expected(std::size_t index) const {
    constexpr double kWarmUp = 20, kPasses = 5;  // counting, a check, a sample and what precedes it
    const Known* const alike = alikeOf(index);
    const Known& known = knownOf(index).seconds.empty() && alike ? *alike : knownOf(index);
    const double size = sizeOf(index);
    const auto larger = known.seconds.lower_bound(size);
    if (larger != known.seconds.end()) {
      if (larger == known.seconds.begin()) return larger->second;
      const auto& [lowSize, low] = *std::prev(larger);
      return low + (larger->second - low) * (size - lowSize) / (larger->first - lowSize);
    }
    double longest = 0;
    for (const auto& [_, seconds] : known.seconds) longest = std::max(longest, seconds);
    const double call = callOf(known.slowest);
    if (call == 0) return longest;
    const Cell& like = run_.cells[known.slowest];
    const double growth = growthBetween(like.key, run_.cells[index].key);
    return longest + (kWarmUp + kPasses * std::max(like.inputsUsed, 1)) * call * (growth - 1);
  }

  const Run& run_;
  std::vector<Known> known_;
};

std::string now() {
  std::tm utc{};
  const std::time_t seconds = std::time(nullptr);
  gmtime_r(&seconds, &utc);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", utc);
}

/// The order of a study: what is done to which cell when, and until when.
class Study {
 public:
  Study(const Experiment& experiment, const StudyOptions& options, StudyObserver& observer,
        std::stop_token stop)
      : options_(options),
        observer_(observer),
        measure_(experiment.measure),
        rule_(ruleOf(experiment.measure)),
        plan_(planTime(experiment.measure, options.quick)),
        stop_(stop),
        cells_(experiment, options, observer, std::move(stop)) {}

  void continueFrom(const Run& earlier) { round_ = cells_.continueFrom(earlier); }

  StudyOutcome run() {
    start_ = cells_.seconds();
    share_ = TimeShare(start_);
    Run& run = cells_.run();
    run.startedAt = now();
    StudyOutcome outcome;
    try {
      cells_.connect();
      if (!options_.target.is_null() && run.environment.is_object())
        run.environment["target"] = options_.target;
      if (!options_.module.is_null() && run.environment.is_object())
        run.environment["module"] = options_.module["name"];
      observer_.started(run);
      if (!options_.explore)
        cells_.connectGuests();  // exploring, the first curve comes before them
      if (options_.explore)
        explore();
      else if (options_.quick)
        measureQuickly();
      else
        measure();
      cells_.quit();
      if (options_.trace && !options_.explore) trace(stop_);
    } catch (const StopRequested&) {
      run.interrupted = !cells_.runningCells().empty();
      cells_.endRunning(Stop::interrupted);
      outcome.message = saying("the study was stopped before it finished");
    } catch (const std::runtime_error& failure) {
      cells_.endRunning(Stop::failed, failure.what());
      outcome.failed = true;
      outcome.message = failure.what();
    }
    if (run.environment.is_object()) run.environment["load_at_end"] = systemLoad();
    outcome.failed = outcome.failed || cells_.lost() > 0;
    if (outcome.message.empty() && cells_.lost() > 0)
      outcome.message = saying("{} of {} data points are missing because their worker process died",
                               cells_.lost(), run.cells.size());
    report("done", 0, true);
    outcome.run = std::move(run);
    return outcome;
  }

 private:
  void measure() {
    prepareAll();
    const double begin = cells_.seconds();
    sampleAll(std::min(begin + plan_.samplingSeconds,
                       std::max(start_ + plan_.totalSeconds, begin + 0.2 * plan_.samplingSeconds)),
              sessions());
  }

  /// As many as were asked for, unless preparing in all of them would take more than half of the
  /// time: then fewer, or one, since the difference of two says nothing sure.
  int sessions() {
    // A model has no sessions that differ.
    if (cells_.run().isSimulated()) return 1;
    const double again = std::max(cells_.preparationSeconds() / plan_.samplingSeconds, 1e-9);
    const auto affordable = 1 + static_cast<int>(std::min(0.5 / again, 1e6));
    const int wanted = std::min(measure_.sessions, affordable);
    return wanted < static_cast<int>(kTellingSessions) ? 1 : wanted;
  }

  /// Points coarse to fine, each prepared and sampled once, as long as there is time for them and
  /// for a few samples of all that were begun. The others are left out.
  void measureQuickly() {
    const Run& run = cells_.run();
    const double begin = start_ + plan_.compileSeconds + kQuickPreparing * plan_.samplingSeconds,
                 end = start_ + plan_.totalSeconds, grace = start_ + options_.quickGraceSeconds;
    QuickCosts costs(run);
    // A point that seems to take too long may fit once more is known.
    std::vector<std::vector<std::size_t>> later;
    const auto begins = [&](const std::vector<std::size_t>& wanted) {
      const double after = cells_.seconds() + costs.expected(wanted);
      const double least = after + leastOfBegun();
      const bool fits = (after <= begin && least <= end) || least <= grace;
      for (const std::size_t index : wanted)
        if (fits || !costs.isKnown(index, cells_.isGuest(index))) startQuickly(index, costs);
      return fits;
    };
    // The first cells of guests, such as compiled ones, take most of the time.
    const auto areNew = [&](std::span<const std::size_t> wanted) {
      return std::ranges::any_of(
          wanted, [&](std::size_t i) { return cells_.isGuest(i) && !costs.isKnown(i); });
    };
    const auto points = fillPoints(run.experiment, run.cells);
    for (const Pace pace : {Pace::own, Pace::guest, Pace::compiledGuest}) {
      for (const std::vector<std::size_t>& point : points) {
        std::vector<std::size_t> wanted;
        for (const std::size_t index : point)
          if (paceOf(index) == pace) wanted.push_back(index);
        bool begun = true;
        if (areNew(wanted))
          for (const std::size_t index : wanted) begun = begins({index}) && begun;
        else
          begun = begins(wanted);
        if (!begun) later.push_back(std::move(wanted));
      }
      for (const std::vector<std::size_t>& wanted : std::exchange(later, {}))
        if (!begins(wanted))
          for (const std::size_t index : wanted)
            if (cells_.running(index) && !cells_.isBegun(index)) cells_.leaveOut(index);
    }
    ++round_;
    const double now = cells_.seconds();
    sampleAll(std::min(now + plan_.samplingSeconds, std::max(end, now)), 1);
  }

  /// How long cells take: other workers' may take a thousand times as long as ours, and longer
  /// where they compile. The slow ones do not keep the others out.
  enum class Pace : std::uint8_t { own, guest, compiledGuest };
  Pace paceOf(std::size_t index) {
    if (!cells_.isGuest(index)) return Pace::own;
    const Run& run = cells_.run();
    const auto variant = static_cast<std::size_t>(run.cells[index].key.variant);
    const ExecutorInfo* const executor =
        findVariantExecutor(run.experiment.variants[variant].executor);
    return executor && executor->runsEveryOp() ? Pace::guest : Pace::compiledGuest;
  }

  /// Seconds until every cell that has a sample has the least.
  double leastOfBegun() {
    double left = 0;
    for (const std::size_t i : cells_.runningCells())
      left += static_cast<double>(kQuickSamples - 1) * cells_.replySeconds(i);
    return left;
  }

  /// Prepares a cell, measures its compile if there is time for that, and takes a first sample.
  void startQuickly(std::size_t index, QuickCosts& costs) {
    if (!cells_.running(index) || cells_.isBegun(index)) return;
    const double begin = cells_.seconds(), spent = begin - start_;
    const auto left = static_cast<double>(cells_.runningCells().size());
    const double share = std::max(plan_.compileSeconds - spent, 0.0) / left;
    report("preparing", std::max(start_ + plan_.totalSeconds - begin, 0.0));
    // A guest compiles for seconds: once, and without asking what caches save.
    if (cells_.isGuest(index))
      cells_.prepare(index, share > 0 ? std::min(measure_.compileRepeats, 1) : 0, 0);
    else
      cells_.prepare(index, share > 0 ? measure_.compileRepeats : 0, share);
    cells_.sample(index, round_);
    costs.add(index, cells_.seconds() - begin);
  }

  void explore() {
    const double deadline = start_ + plan_.samplingSeconds;
    sampleOnce(deadline);
    ++round_;
    sampleAll(deadline, 1);
    completeAll();
  }

  void sampleOnce(double deadline) {
    const Run& run = cells_.run();
    auto order = fillOrder(run.experiment, run.cells);
    // Our own curves come in milliseconds, a guest's in seconds.
    const auto guests = std::stable_partition(
        order.begin(), order.end(), [this](std::size_t index) { return !cells_.isGuest(index); });
    std::vector<CellKey> keys;
    for (auto own = order.begin(); own != guests; ++own) keys.push_back(run.cells[*own].key);
    CompileAhead ahead(options_, run.experiment, std::move(keys));
    for (std::size_t place = 0; place < order.size(); ++place) {
      ahead.reached(place);
      sample(order[place], deadline);
    }
  }

  void prepareAll() {
    const std::vector<std::size_t> waiting = cells_.runningCells();
    for (std::size_t done = 0; done < waiting.size(); ++done) {
      const double spent = cells_.seconds() - start_,
                   left = static_cast<double>(waiting.size() - done);
      const double perCell = done > 0 ? spent / static_cast<double>(done) : 0.1;
      report("preparing", perCell * left + std::min(plan_.samplingSeconds, expectedSampling()));
      const double share = std::max(plan_.compileSeconds - spent, 0.0) / left;
      cells_.prepare(waiting[done], measure_.compileRepeats, share);
    }
  }

  /// False when the time is up.
  bool sample(std::size_t index, double deadline) {
    if (cells_.seconds() >= deadline) return false;
    cells_.sample(index, round_);
    report(samplingPhase(), samplingLeft(deadline));
    return true;
  }

  void sampleAll(double deadline, int sessions) {
    cells_.spread(sessions);
    samplingStart_ = cells_.seconds();
    for (int left = sessions; left > 0; --left) {
      const double begin = cells_.seconds();
      sampleSession(begin + (deadline - begin) / left);
      if (cells_.runningCells().empty()) return;
      if (left == 1 || cells_.seconds() >= deadline) break;
      cells_.nextSession();
      // A cell that is prepared only when it is first sampled would disturb the cells around it.
      for (const std::size_t index : cells_.runningCells()) {
        cells_.prepare(index, 0, 0);
        report("measuring", samplingLeft(deadline));
      }
    }
    takeTheLeast();
    cells_.endRunning(Stop::budget);
  }

  /// Until the time is up or all is known well enough; exploring has its time and no more.
  double samplingLeft(double deadline) {
    const double left = std::min(deadline - cells_.seconds(), expectedSampling());
    return options_.explore ? left : std::max(left, leastLeft());
  }

  /// However soon the time was up: samples dropped count as taken, or this would not end.
  bool hasTheLeast(std::size_t index) {
    const Cell& cell = cells_.run().cells[index];
    return cell.samples.size() + static_cast<std::size_t>(cell.dropped) >= leastSamples();
  }

  std::size_t leastSamples() const { return options_.quick ? kQuickSamples : kLeastSamples; }

  void takeTheLeast() {
    while (true) {
      auto order = roundOrder(cells_.run().cells, measure_.seed, round_);
      std::erase_if(order, [this](std::size_t index) { return hasTheLeast(index); });
      if (order.empty()) return;
      for (const std::size_t index : order) {
        cells_.sample(index, round_);
        report(samplingPhase(), leastLeft());
      }
      ++round_;
    }
  }

  /// Seconds until every cell has the least, by how long its samples, or those of the others, took.
  double leastLeft() {
    const Run& run = cells_.run();
    double known = 0, seconds = 0, left = 0, unknown = 0;
    for (const std::size_t i : cells_.runningCells()) {
      const double reply = cells_.replySeconds(i);
      const Cell& cell = run.cells[i];
      const auto missing = static_cast<double>(leastSamples()) -
                           static_cast<double>(cell.samples.size()) - cell.dropped;
      if (reply > 0) {
        ++known;
        seconds += reply;
      }
      if (missing <= 0) continue;
      left += missing * reply;
      if (reply <= 0) unknown += missing;
    }
    return left + (known > 0 ? unknown * seconds / known : 0);
  }

  /// Reports an exceeded budget as soon as it can be judged: after a round, or when the time is up
  /// before one is over. If preparing used part of the time, the least samples are taken all the
  /// same; nothing is reported if they are within the requested time.
  void demandTheLeast() {
    if (demanded_ || options_.explore) return;
    demanded_ = true;
    const double needed = cells_.seconds() - samplingStart_ + leastLeft();
    if (needed <= plan_.samplingSeconds + kProgressSeconds) return;
    observer_.overBudget(
        {needed, plan_.samplingSeconds, cells_.run().cells.size(), leastSamples()});
  }

  /// Until all cells have enough of this session, or its time is up.
  void sampleSession(double until) {
    while (true) {
      auto order = roundOrder(cells_.run().cells, measure_.seed, round_);
      std::erase_if(order, [this](std::size_t index) { return cells_.rests(index); });
      if (order.empty()) return;
      for (const std::size_t index : order)
        if (!sample(index, until)) return demandTheLeast();
      ++round_;
      demandTheLeast();
    }
  }

  /// Checks first: a wrong result matters more than what compiling cost.
  void completeAll() {
    const double start = cells_.seconds();
    const auto order = measuredCells();
    for (std::size_t done = 0; done < order.size(); ++done) {
      cells_.check(order[done]);
      report("completing", plan_.compileSeconds);
    }
    for (std::size_t done = 0; done < order.size(); ++done) {
      const double left = start + plan_.compileSeconds - cells_.seconds();
      report("completing", left);
      const double share = std::max(left, 0.0) / static_cast<double>(order.size() - done);
      cells_.measureCompile(order[done], share);
    }
  }

  /// The timing is kept whatever the result of this.
  void trace(std::stop_token stop) {
    Run& run = cells_.run();
    const double start = cells_.seconds();
    const std::string problem = traceCells(
        run, options_, plan_.traceSeconds, std::move(stop),
        [&](std::size_t index) {
          observer_.cellChanged(static_cast<int>(index), run.cells[index]);
        },
        [&](std::size_t done, std::size_t of) {
          const double each =
              done > 0 ? (cells_.seconds() - start) / static_cast<double>(done) : 0.2;
          // It ends when its time is up, however many are left.
          report("tracing", std::min(each * static_cast<double>(of - done),
                                     plan_.traceSeconds - (cells_.seconds() - start)));
        });
    if (!problem.empty()) run.traceProblem = problem;
  }

  std::vector<std::size_t> measuredCells() {
    std::vector<std::size_t> measured;
    for (std::size_t i = 0; i < cells_.run().cells.size(); ++i)
      if (!cells_.run().cells[i].samples.empty()) measured.push_back(i);
    return measured;
  }

  const char* samplingPhase() {
    if (!options_.explore) return "measuring";
    for (const Cell& cell : cells_.run().cells)
      if (cell.stop == Stop::running && cell.samples.size() < kCoarseSamples) return "exploring";
    return "refining";
  }

  /// Seconds that the stopping rule will probably still take. A cell whose few samples say nothing
  /// of how many it wants is taken to want as many as the others do.
  double expectedSampling() {
    const std::vector<Cell>& cells = cells_.run().cells;
    double wanted = 0, known = 0;
    for (const Cell& cell : cells) {
      if (cell.samples.size() < kTellingSamples) continue;
      wanted += static_cast<double>(cell.samples.size()) +
                (cell.stop == Stop::running ? samplesToGo(cell, rule_) : 0);
      ++known;
    }
    const double usual = known > 0 ? wanted / known : (rule_.minimum + rule_.maximum) / 2.0;
    double total = 0;
    for (const std::size_t i : cells_.runningCells()) {
      const auto have = static_cast<double>(cells[i].samples.size());
      const double left = cells[i].samples.size() < kTellingSamples ? std::max(usual - have, 1.0)
                                                                    : samplesToGo(cells[i], rule_);
      total += left * (cells_.replySeconds(i) > 0 ? cells_.replySeconds(i) : 0.003);
    }
    return total;
  }

  void report(const char* phase, double secondsLeft, bool always = false) {
    const double at = cells_.seconds();
    if (!always && phase == lastPhase_ && at - lastReport_ < kProgressSeconds) return;
    lastReport_ = at;
    lastPhase_ = phase;
    StudyProgress progress;
    progress.phase = phase;
    progress.secondsLeft = std::max(secondsLeft, 0.0);
    progress.round = round_;
    const double share = share_.at(at, progress.secondsLeft);
    progress.fraction = progress.phase == "done" ? 1 : share;
    observer_.progressed(progress);
  }

  const StudyOptions& options_;
  StudyObserver& observer_;
  MeasureSettings measure_;
  StoppingRule rule_;
  TimePlan plan_;
  std::stop_token stop_;
  StudyCells cells_;
  int round_ = 0;
  std::string_view lastPhase_;
  double start_ = 0, samplingStart_ = 0, lastReport_ = -1e9;
  bool demanded_ = false;  ///< whether it was looked at what the least samples take
  TimeShare share_;
};

}  // namespace

std::string sentence(const BudgetNeed& need) {
  // As few digits as tell the one from the other.
  int digits = need.budget < 10 ? 1 : 0;
  const auto seconds = [&](double value) { return fmt::format("{:.{}f}", value, digits); };
  while (digits < 2 && seconds(need.seconds) == seconds(need.budget)) ++digits;
  return saying("{} samples of each of {} data points take about {} s, and the budget is {} s",
                need.samples, need.cells, seconds(need.seconds), seconds(need.budget));
}

StudyOptions onDevice(StudyOptions options, const std::string& device) {
  options.device = device;
  std::vector<std::string>& command = options.workerCommand;
  if (command.empty()) return options;
  if (const auto named = std::find(command.begin(), command.end(), "--device");
      named != command.end())
    command.erase(named, command.end() - named > 2 ? named + 2 : command.end());
  command.insert(command.end(), {"--device", device});
  return options;
}

StudyOutcome runStudy(const Experiment& experiment, const StudyOptions& options,
                      StudyObserver& observer, std::stop_token stop, const Run* continueFrom) {
  const WeightsCopy weights(experiment);
  StudyOptions here = options;
  if (here.weights.empty()) here.weights = weights.path();
  Study study(experiment, here, observer, std::move(stop));
  if (continueFrom) study.continueFrom(*continueFrom);
  return study.run();
}

}  // namespace fusebench
