// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/study_cells.h"

#include <fmt/format.h>

#include <algorithm>

#include "profiler/cell_json.h"
#include "profiler/clock.h"
#include "profiler/process.h"
#include "profiler/study_schedule.h"

namespace fusebench {
namespace {

using nlohmann::json;

constexpr int kDeathsAllowed = 2;  ///< of a worker, with the same cell in flight

json result(Reply reply) {
  if (!reply.ok) throw StudyFailed(reply.message);
  return std::move(reply.result);
}

json preparation(const CellKey& key, int compileRepeats, double compileSeconds) {
  json body = toJson(key);
  body["compile_repeats"] = compileRepeats;
  body["seconds"] = compileSeconds;
  return body;
}

}  // namespace

StudyCells::StudyCells(const Experiment& experiment, const StudyOptions& options,
                       StudyObserver& observer, std::stop_token stop)
    : options_(options),
      observer_(observer),
      stop_(std::move(stop)),
      rule_(ruleOf(experiment.measure)) {
  run_.experiment = experiment;
  run_.device = options.device;
  run_.quick = options.quick;
  run_.explored = options.explore;
  for (const CellKey& key : cells(experiment)) {
    run_.cells.emplace_back();
    run_.cells.back().key = key;
  }
  states_.resize(run_.cells.size());
}

double StudyCells::seconds() const {
  return options_.seconds ? options_.seconds() : static_cast<double>(nowNanoseconds()) * 1e-9;
}

std::vector<std::size_t> StudyCells::runningCells() const {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < run_.cells.size(); ++i)
    if (running(i)) indices.push_back(i);
  return indices;
}

int StudyCells::continueFrom(const Run& earlier) {
  if (toJson(earlier.experiment) != toJson(run_.experiment))
    throw InputError("the run to continue is of another experiment; open that one, or start anew");
  run_.cells = earlier.cells;
  int round = 0;
  for (Cell& cell : run_.cells) {
    for (const Sample& sample : cell.samples) round = std::max(round, sample.round + 1);
    if (cell.stop == Stop::converged || cell.stop == Stop::cap) continue;
    cell.stop = Stop::running;
    cell.error.reset();
  }
  return round;
}

// ---- the worker ----

void StudyCells::connect() {
  for (int attempt = 1; !client_; ++attempt) {
    try {
      client_ = std::make_unique<WorkerClient>(open(), stop_);
      const json hello = result(client_->ask(Verb::hello, json::object(), options_.replySeconds));
      if (integerMember(hello, "protocol", 0, 1 << 20) != kProtocolVersion)
        throw StudyFailed(
            "the worker speaks another version of the protocol; use the same version of "
            "Fusebench");
      if (run_.environment.is_null() && hello.contains("environment"))
        run_.environment = hello["environment"];
      result(client_->ask(Verb::load, {{"experiment", toJson(run_.experiment)}},
                          options_.replySeconds));
    } catch (const WorkerLost& lost) {
      client_.reset();
      observer_.workerLost(lost.what());
      if (attempt == kDeathsAllowed)
        throw StudyFailed(fmt::format("no worker can be had: {}", lost.what()));
    } catch (const RecordError& wrong) {
      throw StudyFailed(fmt::format("the worker's greeting is wrong: {}", wrong.what()));
    }
  }
}

std::unique_ptr<WorkerConnection> StudyCells::open() const {
  try {
    return options_.connect ? options_.connect() : startWorker(options_.workerCommand);
  } catch (const std::runtime_error& error) {
    throw StudyFailed(error.what());
  }
}

void StudyCells::quit() {
  if (client_) client_->quit();
}

/// Does something with one cell in flight; starts a new worker as often as a cell may cost one.
void StudyCells::withWorker(std::size_t index, const std::function<void()>& work) {
  while (states_[index].deaths < kDeathsAllowed) {
    connect();
    try {
      return work();
    } catch (const WorkerLost& lost) {
      lose(index, lost.what());
    } catch (const RecordError& wrong) {
      lose(index, fmt::format("the worker talked nonsense and was ended: {}", wrong.what()));
    } catch (const ProtocolError& wrong) {
      lose(index, fmt::format("the worker talked nonsense and was ended: {}", wrong.what()));
    }
  }
}

/// One request about a cell. A worker that says it ends is let go; the next request gets another.
Reply StudyCells::ask(std::size_t index, Verb verb, json body, double patience) {
  Reply reply = client_->ask(verb, std::move(body), patience);
  if (!reply.last) return reply;
  client_.reset();
  for (State& state : states_) state.prepared = false;
  ++states_[index].deaths;
  observer_.workerLost(reply.message);
  return reply;
}

void StudyCells::lose(std::size_t index, const std::string& what) {
  client_->kill();
  client_.reset();
  for (State& state : states_) state.prepared = false;
  observer_.workerLost(what);
  if (++states_[index].deaths < kDeathsAllowed) return;
  ++lost_;
  const std::string why = fmt::format("given up after two lost workers: {}", what);
  if (running(index)) return finish(index, Stop::failed, why);
  run_.cells[index].error = why;
  tell(index);
}

// ---- cells ----

/// Reports a cell; one that exploring still refines shows as coarse as soon as it may.
void StudyCells::tell(std::size_t index) {
  const Cell& cell = run_.cells[index];
  if (!options_.explore || !running(index) || cell.samples.size() < kCoarseSamples)
    return observer_.cellChanged(static_cast<int>(index), cell);
  Cell coarse = cell;
  coarse.stop = Stop::coarse;
  observer_.cellChanged(static_cast<int>(index), coarse);
}

void StudyCells::finish(std::size_t index, Stop stop, std::optional<std::string> error) {
  run_.cells[index].stop = stop;
  if (error) run_.cells[index].error = std::move(error);
  tell(index);
}

void StudyCells::endRunning(Stop stop, const std::optional<std::string>& error) {
  for (const std::size_t index : runningCells()) {
    const bool coarse = options_.explore && stop == Stop::interrupted &&
                        run_.cells[index].samples.size() >= kCoarseSamples;
    finish(index, coarse ? Stop::coarse : stop, error);
  }
}

/// True if the reply is fine; else the cell ends with the reply's reason.
bool StudyCells::accept(std::size_t index, const Reply& reply) {
  if (reply.ok) return true;
  finish(index, reply.kind == ErrorKind::unavailable ? Stop::unavailable : Stop::failed,
         reply.message);
  return false;
}

void StudyCells::prepareNow(std::size_t index, int compileRepeats, double compileSeconds) {
  Cell& cell = run_.cells[index];
  const int repeats = cell.firstCompiles.empty() ? compileRepeats : 0;
  const Reply reply = ask(index, Verb::prepare, preparation(cell.key, repeats, compileSeconds),
                          options_.replySeconds + compileSeconds);
  if (!accept(index, reply)) return;
  readMeasured(reply.result, cell);
  states_[index].prepared = true;
  if (!cell.relativeError && !options_.explore) askCheck(index);
  tell(index);
}

void StudyCells::askCheck(std::size_t index) {
  Cell& cell = run_.cells[index];
  const Reply reply = ask(index, Verb::check, toJson(cell.key), options_.replySeconds);
  if (reply.ok)
    readMeasured(reply.result, cell);
  else
    cell.error = fmt::format("the results could not be checked: {}", reply.message);
  // A cell whose check costs one worker after another is not asked for more.
  if (reply.last && states_[index].deaths >= kDeathsAllowed && running(index))
    finish(index, Stop::failed, reply.message);
}

void StudyCells::sampleNow(std::size_t index, int round) {
  Cell& cell = run_.cells[index];
  State& state = states_[index];
  if (!state.prepared) prepareNow(index, 0, 0);
  if (!state.prepared) return;
  const double asked = seconds();
  const double patience = state.replySeconds > 0
                              ? std::max(options_.replySeconds / 4, 50 * state.replySeconds)
                              : options_.replySeconds;
  const Reply reply = ask(index, Verb::sample, toJson(cell.key), patience);
  if (!accept(index, reply)) return;
  cell.samples.push_back({round, sampleTime(reply.result)});
  state.replySeconds = seconds() - asked;
  switch (verdict(rule_, cell.times())) {
    case Verdict::converged:
      return finish(index, Stop::converged, std::nullopt);
    case Verdict::cap:
      return finish(index, Stop::cap, std::nullopt);
    case Verdict::goOn:
      break;
  }
  tell(index);
}

/// Measuring compile times replaces the compiled cell in the worker, so no samples come after it.
void StudyCells::compileNow(std::size_t index, double compileSeconds) {
  Cell& cell = run_.cells[index];
  const int repeats = run_.experiment.measure.compileRepeats;
  if (!cell.firstCompiles.empty() || repeats == 0) return;
  const Reply reply = ask(index, Verb::prepare, preparation(cell.key, repeats, compileSeconds),
                          options_.replySeconds + compileSeconds);
  if (reply.ok)
    readMeasured(reply.result, cell);
  else
    cell.error = fmt::format("compile time could not be measured: {}", reply.message);
  tell(index);
}

/// After the sampling a new worker may have to prepare the cell once more.
void StudyCells::checkNow(std::size_t index) {
  Cell& cell = run_.cells[index];
  if (cell.relativeError) return;
  if (!states_[index].prepared) {
    const Reply reply =
        ask(index, Verb::prepare, preparation(cell.key, 0, 0), options_.replySeconds);
    states_[index].prepared = reply.ok;
    if (!reply.ok) cell.error = fmt::format("the results could not be checked: {}", reply.message);
  }
  if (states_[index].prepared) askCheck(index);
  tell(index);
}

void StudyCells::prepare(std::size_t index, int compileRepeats, double compileSeconds) {
  withWorker(index, [&] {
    if (running(index)) prepareNow(index, compileRepeats, compileSeconds);
  });
}

void StudyCells::sample(std::size_t index, int round) {
  withWorker(index, [&] {
    if (running(index)) sampleNow(index, round);
  });
}

void StudyCells::check(std::size_t index) {
  withWorker(index, [&] { checkNow(index); });
}

void StudyCells::measureCompile(std::size_t index, double compileSeconds) {
  withWorker(index, [&] { compileNow(index, compileSeconds); });
}

}  // namespace fusebench
