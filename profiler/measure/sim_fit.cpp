// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/sim_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "engine/base/saying.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/files/input_error.h"
#include "profiler/measure/calibration.h"
#include "profiler/measure/prediction.h"
#include "profiler/run/cell_json.h"

namespace fusebench {
namespace {

/// Every so manieth cell is held out.
constexpr std::size_t kHeldOut = 4;
/// Calls of a list that are played: what they cost repeats.
constexpr std::size_t kCalls = 40;

/// The parameters that the fit may change. The others are published, or cannot be found from such
/// runs.
constexpr std::string_view kFitted[] = {
    "launch_ns",      "graph_launch_ns",      "graph_launch_node_ns", "wait_ns",
    "gap_ns",         "kernel_floor_ns",      "instruction_ns",       "reduce_step_ns",
    "merge_ns",       "interpreter_floor_ns", "interpreter_op_ns",    "interpreter_throughput",
    "special_per_ns",
};
/// The same of a processor's core, which is a device that its host waits for: only what calls take
/// is known of it.
constexpr std::string_view kFittedOnProcessor[] = {
    "kernel_floor_ns", "contract_per_ns", "bandwidth_bytes_per_ns", "cache_bandwidth_bytes_per_ns",
    "float32_per_ns",  "special_per_ns",
};
/// Where a library is asked for products, where loops make them, and where something is copied
/// between host and device.
constexpr std::string_view kFittedOfLibraries[] = {"library_call_ns", "contract_per_ns"};
constexpr std::string_view kFittedOfLoops[] = {"loop_product_ns", "loop_products_per_ns"};
constexpr std::string_view kFittedOfCopies[] = {"copy_call_ns",
                                                "copy_latency_ns",
                                                "pinned_bytes_per_ns",
                                                "pageable_bytes_per_ns",
                                                "pageable_cached_bytes_per_ns",
                                                "copy_wait_ns"};
/// Where kernels move so much that it takes longer than they take without.
constexpr std::string_view kFittedOfMemory[] = {"bandwidth_bytes_per_ns"};
constexpr std::string_view kFittedOfCache[] = {"cache_bandwidth_bytes_per_ns"};
constexpr double kMovesLong = 5000, kMovesLongInCache = 2000;  ///< ns
/// Cells that tell of such a part at least.
constexpr std::size_t kFewestOfPart = 4;
/// Where a multiply-add of a loop begins, if the device to begin with says nothing of them.
constexpr double kLoopProduct = 50;
/// Where something passes between ranks.
constexpr std::string_view kFittedOfLinks[] = {"link_latency_ns", "link_bytes_per_ns"};
/// Fewest cells: for a device, and for a processor, which has fewer parameters.
constexpr std::size_t kFewestCells = 2 * kHeldOut, kFewestOnProcessor = kHeldOut;

struct MeasuredCell {
  std::unique_ptr<CellScript> script;
  double host = 1;  ///< its run's host: so many times as slow as the runs' median one
  std::size_t firstFigure = 0;
  std::vector<double DeviceTimes::*> times;  ///< null: the call's
  bool heldOut = false;
};

struct Problem {
  std::vector<MeasuredCell> cells;
  bool links = false, processor = false;
  std::size_t libraries = 0, loops = 0, copies = 0, memory = 0, cache = 0;  ///< cells with such
  std::vector<FitFigure> figures;
};

double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t count = values.size();
  return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

double medianTime(const Cell& cell, double DeviceTimes::*which) {
  std::vector<double> values;
  for (const Sample& sample : cell.samples)
    if (!which)
      values.push_back(sample.nanoseconds);
    else if (sample.device)
      values.push_back((*sample.device).*which);
  return values.empty() ? 0 : medianOf(std::move(values));
}

/// By one thread: the model has one core for each rank.
bool isOfProcessor(const Run& run, const Cell& cell) {
  return run.device == "cpu" && !cell.samples.empty() && threadsAt(run.experiment, cell.key) == 1;
}

/// What an empty launch took where the run was measured; 0: it does not say.
double launchThere(const Run& run) {
  const auto calibration = calibrationOf(run.environment);
  return calibration ? calibration->launch.value : 0;
}

/// Over the runs that have it.
double medianLaunch(const std::vector<Run>& runs) {
  std::vector<double> launches;
  for (const Run& run : runs)
    if (const double launch = launchThere(run); launch > 0) launches.push_back(launch);
  return launches.empty() ? 0 : medianOf(std::move(launches));
}

/// Whether anything passes between host and device.
bool copiesBetween(const sim::Script& script) {
  return std::ranges::any_of(script.copies, [](const sim::Copy& copy) {
    return copy.kind != sim::CopyKind::within && copy.kind != sim::CopyKind::onHost;
  });
}

/// Counts a cell among those that tell of a part.
void noteParts(Problem& problem, const sim::Script& script, const sim::Parameters& begin) {
  bool library = false, loops = false, moves = false, movesInCache = false;
  for (const sim::Work& work : script.works) {
    problem.links |= work.kind == sim::Work::Kind::links && work.ranks > 1;
    library |= work.kind == sim::Work::Kind::library && !work.loops;
    loops |= work.kind == sim::Work::Kind::library && work.loops;
    const bool fits = work.bytes <= begin.cacheBytes;
    moves |= !fits && work.bytes / begin.bandwidth > kMovesLong;
    movesInCache |= fits && work.bytes / begin.cacheBandwidth > kMovesLongInCache;
  }
  problem.libraries += library ? 1 : 0;
  problem.loops += loops ? 1 : 0;
  problem.memory += moves ? 1 : 0;
  problem.cache += movesInCache ? 1 : 0;
  problem.copies += copiesBetween(script) ? 1 : 0;
}

/// The kind of cost that a cell's time consists of besides launches, by its first bound.
std::string costOf(const sim::Script& script, const sim::Parameters& begin) {
  if (copiesBetween(script)) return "copies";
  bool library = false, lists = false, moves = false;
  for (const sim::Work& work : script.works) {
    library |= work.kind == sim::Work::Kind::library;
    lists |= work.kind == sim::Work::Kind::opList;
    moves |= work.bytes / begin.bandwidth > begin.kernelFloor;
  }
  if (library) return "products";
  if (!script.graphs.empty()) return "graphs";
  if (lists) return "op lists";
  return moves ? "bytes" : "launches";
}

Problem problemOf(const std::vector<Run>& runs, const std::vector<std::string>& names,
                  const sim::Parameters& begin) {
  Problem problem;
  const double usual = medianLaunch(runs);
  std::size_t number = 0;
  for (std::size_t r = 0; r < runs.size(); ++r)
    for (const Cell& cell : runs[r].cells) {
      const bool processor = isOfProcessor(runs[r], cell);
      if (!cell.hasDeviceTimes() && !processor) continue;
      if (!isPredictable(runs[r].experiment, cell.key)) continue;
      problem.processor |= processor;
      MeasuredCell measured;
      measured.script = std::make_unique<CellScript>(runs[r].experiment, cell.key);
      measured.heldOut = ++number % kHeldOut == 0;
      if (const double launch = launchThere(runs[r]); launch > 0) measured.host = launch / usual;
      measured.firstFigure = problem.figures.size();
      const std::string cost = costOf(measured.script->script(), begin);
      const auto add = [&](const char* metric, double DeviceTimes::*which) {
        const double time = medianTime(cell, which);
        if (time <= 0) return;
        FitFigure figure;
        figure.run = names[r];
        figure.variant =
            runs[r].experiment.variants[static_cast<std::size_t>(cell.key.variant)].name;
        figure.metric = metric;
        figure.at = cell.key.at;
        figure.measured = time;
        figure.heldOut = measured.heldOut;
        figure.cost = cost;
        problem.figures.push_back(std::move(figure));
        measured.times.push_back(which);
      };
      add("latency_ns", nullptr);
      if (cell.hasDeviceTimes())
        for (const DeviceTimeField& field : kDeviceTimeFields) add(field.key, field.member);
      noteParts(problem, measured.script->script(), begin);
      problem.cells.push_back(std::move(measured));
    }
  return problem;
}

/// The same device at a host that takes so many times as long for what it does itself.
sim::Parameters onHost(sim::Parameters device, double times) {
  for (double sim::Parameters::*cost :
       {&sim::Parameters::dispatch, &sim::Parameters::allocate, &sim::Parameters::launch,
        &sim::Parameters::copyCall, &sim::Parameters::graphLaunch,
        &sim::Parameters::graphLaunchNode, &sim::Parameters::libraryCall, &sim::Parameters::event,
        &sim::Parameters::opListOp})
    device.*cost *= times;
  return device;
}

/// The device's predicted time for each figure.
std::vector<double> predict(const Problem& problem, const sim::Parameters& device) {
  std::vector<double> predicted(problem.figures.size());
  for (const MeasuredCell& cell : problem.cells) {
    const CellScript::Predicted times = cell.script->on(onHost(device, cell.host), kCalls);
    for (std::size_t t = 0; t < cell.times.size(); ++t)
      predicted[cell.firstFigure + t] = cell.times[t] ? times.times.*cell.times[t] : times.call;
  }
  return predicted;
}

/// Relative errors of what is not held out. Their logarithms: too short by half weighs as much as
/// twice too long.
std::vector<double> residuals(const Problem& problem, const std::vector<double>& predicted) {
  std::vector<double> left;
  for (std::size_t f = 0; f < predicted.size(); ++f)
    if (!problem.figures[f].heldOut)
      left.push_back(std::log(std::max(predicted[f], 1e-3) / problem.figures[f].measured));
  return left;
}

double squares(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

/// Solves a symmetric positive system by Cholesky's decomposition; false if it is none.
bool solve(std::vector<std::vector<double>> matrix, std::vector<double>& right) {
  const std::size_t n = right.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = matrix[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= matrix[i][k] * matrix[j][k];
      if (i == j) {
        if (sum <= 0) return false;
        matrix[i][i] = std::sqrt(sum);
      } else {
        matrix[i][j] = sum / matrix[j][j];
      }
    }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= matrix[i][k] * right[k];
    right[i] /= matrix[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) right[i] -= matrix[k][i] * right[k];
    right[i] /= matrix[i][i];
  }
  return true;
}

/// The search goes over logarithms, so that costs stay above 0.
class Search {
 public:
  Search(const Problem& problem, const sim::Parameters& begin)
      : problem_(problem), at_(begin), begin_(begin) {
    for (const std::string_view key :
         problem.processor ? std::span<const std::string_view>(kFittedOnProcessor) : kFitted)
      add(key);
    if (problem.links)
      for (const std::string_view key : kFittedOfLinks) add(key);
    if (!problem.processor) {
      const auto addWhere = [&](std::size_t cells, std::span<const std::string_view> keys) {
        if (cells >= kFewestOfPart)
          for (const std::string_view key : keys) add(key);
      };
      addWhere(problem.libraries, kFittedOfLibraries);
      addWhere(problem.loops, kFittedOfLoops);
      addWhere(problem.copies, kFittedOfCopies);
      addWhere(problem.memory, kFittedOfMemory);
      addWhere(problem.cache, kFittedOfCache);
    }
    begin_ = at_;
  }

  void run() {
    constexpr int kSteps = 60;
    errors_ = errorsAt(at_);
    double damping = 1e-2;
    for (int step = 0; step < kSteps && damping < 1e8; ++step) {
      differentiate();
      const double before = squares(errors_);
      bool better = false;
      while (!better && damping < 1e8) {
        std::vector<double> move = gradient_;
        auto matrix = curvature_;
        for (std::size_t i = 0; i < move.size(); ++i)
          matrix[i][i] += damping * (matrix[i][i] + 1e-6);
        if (!solve(std::move(matrix), move)) {
          damping *= 4;
          continue;
        }
        sim::Parameters tried = at_;
        // Within the limits of a device's file: a parameter that does not affect the runs can move
        // anywhere.
        for (std::size_t i = 0; i < rows_.size(); ++i) {
          double& value = tried.*rows_[i]->member;
          value = std::clamp(value * std::exp(std::clamp(-move[i], -1.0, 1.0)), rows_[i]->least,
                             rows_[i]->most);
        }
        const auto errors = errorsAt(tried);
        better = squares(errors) < before;
        if (better) {
          at_ = tried;
          errors_ = errors;
          damping = std::max(damping / 5, 1e-9);
        } else {
          damping *= 4;
        }
      }
      if (before - squares(errors_) < 1e-7 * before) break;
    }
    differentiate();
  }

  /// Parameters that the figures do not determine keep their initial values, unless that makes them
  /// worse.
  void takeBackWhatIsNotTold() {
    constexpr double kWorse = 1.001;
    for (const FitParameter& parameter : parameters()) {
      if (std::isfinite(parameter.error)) continue;
      sim::Parameters tried = at_;
      tried.*parameter.row->member = begin_.*parameter.row->member;
      auto errors = errorsAt(tried);
      if (squares(errors) > kWorse * squares(errors_)) continue;
      at_ = tried;
      errors_ = std::move(errors);
    }
    differentiate();
  }

  const sim::Parameters& found() const { return at_; }

  /// Standard errors, as fractions of the values: from variance times the inverse of the curvature.
  std::vector<FitParameter> parameters() const {
    const std::size_t n = rows_.size();
    const double freedom =
        std::max<double>(1, static_cast<double>(errors_.size()) - static_cast<double>(n));
    const double variance = squares(errors_) / freedom;
    std::vector<FitParameter> made;
    for (std::size_t i = 0; i < n; ++i) {
      auto matrix = curvature_;
      for (std::size_t j = 0; j < n; ++j) matrix[j][j] += 1e-9;
      std::vector<double> column(n, 0);
      column[i] = 1;
      const bool solved = solve(std::move(matrix), column);
      const double error = solved && column[i] > 0 ? std::sqrt(variance * column[i]) : INFINITY;
      made.push_back({rows_[i], at_.*rows_[i]->member, error < 1 ? error : INFINITY});
    }
    return made;
  }

 private:
  void add(std::string_view key) {
    const sim::ParameterRow* row = sim::findParameter(key);
    double& value = at_.*row->member;
    value = std::max(value, 1e-3);
    rows_.push_back(row);
  }

  std::vector<double> errorsAt(const sim::Parameters& device) const {
    return residuals(problem_, predict(problem_, device));
  }

  void differentiate() {
    constexpr double kStep = 0.02;
    const std::size_t n = rows_.size();
    std::vector<std::vector<double>> slopes(n);
    for (std::size_t i = 0; i < n; ++i) {
      sim::Parameters up = at_, down = at_;
      (up.*rows_[i]->member) *= 1 + kStep;
      (down.*rows_[i]->member) /= 1 + kStep;
      slopes[i] = errorsAt(up);
      const auto below = errorsAt(down);
      for (std::size_t f = 0; f < below.size(); ++f)
        slopes[i][f] = (slopes[i][f] - below[f]) / (2 * std::log(1 + kStep));
    }
    gradient_.assign(n, 0);
    curvature_.assign(n, std::vector<double>(n, 0));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t f = 0; f < errors_.size(); ++f) {
        gradient_[i] += slopes[i][f] * errors_[f];
        for (std::size_t j = 0; j <= i; ++j) curvature_[i][j] += slopes[i][f] * slopes[j][f];
      }
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) curvature_[i][j] = curvature_[j][i];
  }

  const Problem& problem_;
  sim::Parameters at_, begin_;
  std::vector<const sim::ParameterRow*> rows_;
  std::vector<double> errors_, gradient_;
  std::vector<std::vector<double>> curvature_;
};

/// Reads the costs that runs contain separately and that calls alone cannot separate: a call that
/// copies comes with a graph's launch, and a step's dispatch with its launch.
void readCosts(sim::Parameters& device, const std::vector<Run>& runs) {
  std::vector<double> events, copies, dispatches, allocations;
  for (const Run& run : runs) {
    if (const auto calibration = calibrationOf(run.environment)) {
      events.push_back(calibration->eventPair.value / 2);
      copies.push_back(calibration->copy.value);
    }
    for (const Cell& cell : run.cells)
      if (cell.anatomy && cell.launches && cell.launches->mean == 1 &&
          cell.anatomy->of(CallPart::copy) == 0) {
        // A fused call has one mark before its step, one after it; memory once.
        dispatches.push_back(cell.anatomy->of(CallPart::dispatch) / 2);
        allocations.push_back(cell.anatomy->of(CallPart::allocate));
      }
  }
  const auto take = [](double& cost, std::vector<double>& seen) {
    if (!seen.empty()) cost = medianOf(std::move(seen));
  };
  take(device.event, events);
  take(device.copyCall, copies);
  take(device.dispatch, dispatches);
  take(device.allocate, allocations);
}

/// Fits the compile times of cells that have one kernel, by a line over the ops of the kernel.
void fitCompiles(sim::Parameters& device, const std::vector<Run>& runs) {
  std::vector<double> ops, times, loads;
  for (const Run& run : runs)
    for (const Cell& cell : run.cells) {
      if (cell.firstCompiles.empty() || cell.firstCompiles.front().compiled() != 1) continue;
      const CompileTimes& compile = cell.firstCompiles.front();
      ops.push_back(static_cast<double>(programAt(run.experiment, cell.key).ops.size()));
      times.push_back(static_cast<double>(compile.compiler));
      if (cell.diskCompile && cell.diskCompile->fromDisk == 1)
        loads.push_back(static_cast<double>(cell.diskCompile->load));
    }
  if (!loads.empty()) device.load = medianOf(std::move(loads));
  if (ops.size() < 3) return;
  double sumX = 0, sumY = 0, sumXX = 0, sumXY = 0;
  const auto n = static_cast<double>(ops.size());
  for (std::size_t i = 0; i < ops.size(); ++i) {
    sumX += ops[i];
    sumY += times[i];
    sumXX += ops[i] * ops[i];
    sumXY += ops[i] * times[i];
  }
  const double spread = n * sumXX - sumX * sumX;
  if (spread <= 0) return;
  device.compileOp = std::max(0.0, (n * sumXY - sumX * sumY) / spread);
  device.compile = std::max(0.0, (sumY - device.compileOp * sumX) / n);
}

}  // namespace

sim::Parameters atHostOf(const SimDevice& device, const Run& run) {
  const double usual = device.accuracy ? device.accuracy->hostLaunch : 0;
  const double there = launchThere(run);
  return usual > 0 && there > 0 ? onHost(device.parameters, there / usual) : device.parameters;
}

SimFit fitSimDevice(const SimDevice& begin, const std::vector<Run>& runs,
                    const std::vector<std::string>& names) {
  Problem problem = problemOf(runs, names, begin.parameters);
  const std::size_t fewest = problem.processor ? kFewestOnProcessor : kFewestCells;
  if (problem.cells.size() < fewest)
    throw InputError(
        saying("{}: it has {} data points that Fusebench's own executors timed on a device, or on "
               "the CPU with one thread; a fit needs at least {}",
               names.empty() ? saying("no run") : names.front(), problem.cells.size(), fewest));
  SimFit fit;
  fit.device = begin;
  if (!problem.processor) readCosts(fit.device.parameters, runs);
  fitCompiles(fit.device.parameters, runs);
  if (problem.loops >= kFewestOfPart && fit.device.parameters.loopProduct == 0)
    fit.device.parameters.loopProduct = kLoopProduct;
  Search search(problem, fit.device.parameters);
  search.run();
  search.takeBackWhatIsNotTold();
  fit.device.parameters = search.found();
  fit.parameters = search.parameters();
  const std::vector<double> predicted = predict(problem, fit.device.parameters);
  std::vector<double> apart;
  SimAccuracy accuracy;
  for (std::size_t f = 0; f < predicted.size(); ++f) {
    FitFigure& figure = problem.figures[f];
    figure.predicted = predicted[f];
    if (figure.heldOut)
      apart.push_back(std::abs(figure.error()));
    else
      ++accuracy.fitted;
  }
  std::sort(apart.begin(), apart.end());
  accuracy.heldOut = static_cast<int>(apart.size());
  accuracy.hostLaunch = medianLaunch(runs);
  accuracy.median = medianOf(apart);
  accuracy.ninth = apart[std::min(apart.size() - 1, apart.size() * 9 / 10)];
  for (const std::string& name : names) accuracy.from += (accuracy.from.empty() ? "" : ", ") + name;
  fit.device.accuracy = accuracy;
  fit.figures = std::move(problem.figures);
  return fit;
}

std::string fitJson(const SimFit& fit) {
  const SimAccuracy& accuracy = *fit.device.accuracy;
  const auto rounded = [](double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(std::round(value * 1e4) / 1e4)
                                : nlohmann::ordered_json(nullptr);
  };
  nlohmann::ordered_json object = {{"from", accuracy.from},
                                   {"fitted", accuracy.fitted},
                                   {"held_out", accuracy.heldOut},
                                   {"median_error", rounded(accuracy.median)},
                                   {"nine_in_ten_within", rounded(accuracy.ninth)}};
  if (accuracy.hostLaunch > 0) object["host_launch_ns"] = rounded(accuracy.hostLaunch);
  // By kind of time, and by parameter how well the figures tell it.
  std::map<std::string, std::vector<double>> kinds;
  for (const FitFigure& figure : fit.figures)
    if (figure.heldOut) kinds[figure.metric].push_back(std::abs(figure.error()));
  for (auto& [metric, errors] : kinds)
    object["median_error_by_metric"][metric] = rounded(medianOf(errors));
  std::map<std::string, std::vector<double>> costs;
  for (const FitFigure& figure : fit.figures)
    if (figure.heldOut) costs[figure.cost].push_back(std::abs(figure.error()));
  for (auto& [cost, errors] : costs) {
    std::sort(errors.begin(), errors.end());
    object["by_cost"][cost] = {
        {"held_out", errors.size()},
        {"median_error", rounded(medianOf(errors))},
        {"nine_in_ten_within",
         rounded(errors[std::min(errors.size() - 1, errors.size() * 9 / 10)])}};
  }
  for (const FitParameter& parameter : fit.parameters)
    object["standard_error"][std::string(parameter.row->key)] = rounded(parameter.error);
  return object.dump();
}

}  // namespace fusebench
