// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/study/study_cells.h"
#include "profiler/measure/cell_runner.h"
#include "profiler/measure/checkpoint_budget.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/said_again.h"
#include "engine/base/saying.h"
#include "engine/language/program_source.h"
#include "profiler/doctor/device_list.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/gradient_options.h"
#include "profiler/experiment/rank_options.h"
#include "profiler/experiment/variant_executors.h"
#include "profiler/files/files.h"
#include "profiler/machine/backend_table.h"
#include "profiler/run/cell_json.h"
#include "profiler/study/captured_study.h"
#include "profiler/study/study_schedule.h"

namespace fusebench {
namespace {

using nlohmann::json;

/// mpirun and as many programs as there are ranks start one after the other.
constexpr double kRanksSeconds = 60;

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
  lanes_.emplace_back(options_, nullptr, stop_);
  for (const GuestWorker& guest : options_.guests) lanes_.emplace_back(options_, &guest, stop_);
  addRanks();
  for (const Cell& cell : run_.cells) laneOf_.push_back(laneFor(cell.key));
}

/// A worker for each number of ranks that cells have. One simulates as many as are wanted.
void StudyCells::addRanks() {
  if (run_.isSimulated()) return;
  for (const Cell& cell : run_.cells) {
    const int ranks = ranksOf(run_.experiment, cell.key);
    const std::string& executor = variantOf(cell.key).executor;
    const auto serves = [&](const GuestWorker& worker) { return worker.serves(executor, ranks); };
    if (ranks <= 1 || std::ranges::any_of(ranks_, serves)) continue;
    GuestWorker worker;
    worker.command = options_.workerCommand;
    const auto runs = [&](const GuestWorker& guest) { return guest.runs(executor); };
    if (const auto guest = std::ranges::find_if(options_.guests, runs);
        guest != options_.guests.end()) {
      if (guest->ranksArguments.empty() || worker.command.empty()) continue;
      worker = *guest;
      worker.connect = nullptr;
      worker.command = {options_.workerCommand.front()};
      worker.command.insert(worker.command.end(), guest->ranksArguments.begin(),
                            guest->ranksArguments.end());
    }
    worker.name += fmt::format("{}ranks {}", worker.name.empty() ? "" : " ", ranks);
    worker.ranks = ranks;
    worker.command.insert(worker.command.end(), {"--ranks", std::to_string(ranks)});
    worker.remedy = saying("ranks need MPI: install openmpi-bin or mpich");
    worker.aliveSeconds = worker.greetSeconds = kRanksSeconds;
    ranks_.push_back(std::move(worker));
  }
  for (const GuestWorker& worker : ranks_) lanes_.emplace_back(options_, &worker, stop_);
}

std::size_t StudyCells::laneFor(const CellKey& key) const {
  // On a simulated device nobody else runs anything.
  if (run_.isSimulated()) return 0;
  const int ranks = ranksOf(run_.experiment, key);
  for (std::size_t lane = lanes_.size() - 1; lane > 0; --lane)
    if (lanes_[lane].serves(variantOf(key).executor, ranks)) return lane;
  return 0;
}

StudyCells::SharedFolder::~SharedFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

const std::string& StudyCells::SharedFolder::path() {
  if (!path_.empty()) return path_;
  std::string made = (std::filesystem::temp_directory_path() / "fusebench-values-XXXXXX").string();
  if (!mkdtemp(made.data()))
    throw StudyFailed(systemMessage(made, saying("could not create a folder that workers share")));
  return path_ = made;
}

double StudyCells::seconds() const {
  return options_.now();
}

std::vector<std::size_t> StudyCells::runningCells() const {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < run_.cells.size(); ++i)
    if (running(i)) indices.push_back(i);
  return indices;
}

int StudyCells::continueFrom(const Run& earlier) {
  if (toJson(earlier.experiment) != toJson(run_.experiment))
    throw InputError(saying(
        "the run to continue is from another experiment; open that one, or start a new run"));
  // By whatever name: connect() sees whether it is the same GPU.
  earlierDevice_ = namesGpu(run_.device) ? deviceId(earlier.environment) : "";
  if (earlierDevice_.empty() && plainDevice(earlier.device) != plainDevice(run_.device))
    throw InputError(saying(
        "the run to continue was measured on {}, not on {}; choose that device, or start a new run",
        earlier.device, run_.device));
  run_.cells = earlier.cells;
  int round = 0;
  for (Cell& cell : run_.cells) {
    for (const Sample& sample : cell.samples) {
      round = std::max(round, sample.round + 1);
      earlierSessions_ = std::max(earlierSessions_, sample.session + 1);
    }
    if (cell.stop == Stop::converged || cell.stop == Stop::cap) continue;
    cell.stop = Stop::running;
    cell.error.reset();
  }
  return round;
}

// ---- the workers ----

void StudyCells::connect() {
  if (!lanes_[0].connected()) {
    lanes_[0].connect(run_, observer_);
    run_.takeModelError();
  }
  const std::string here = deviceId(run_.environment);
  if (earlierDevice_.empty() || here.empty() || here == earlierDevice_) return;
  throw StudyFailed(
      saying("the run to continue was measured on {}, and {} is {}; choose that device, or start a "
             "new run",
             earlierDevice_, run_.device, here));
}

void StudyCells::connectGuests() {
  for (const std::size_t index : runningCells())
    if (running(index)) reach(laneOf(index));
}

/// False if the lane is a guest's that is not available: then its cells have ended.
bool StudyCells::reach(std::size_t lane) {
  try {
    lanes_[lane].connect(run_, observer_);
    return true;
  } catch (const GuestMissing& missing) {
    for (const std::size_t index : runningCells()) {
      if (laneOf(index) != lane) continue;
      lost_ += missing.stop() == Stop::failed ? 1 : 0;
      finish(index, missing.stop(), missing.what());
    }
    return false;
  }
}

int StudyCells::laneSession(std::size_t lane, int session) const {
  return lane == 0 ? session : session * std::min(kGuestSessions, rule_.sessions) / rule_.sessions;
}

void StudyCells::nextSession() {
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
    if (laneSession(lane, session_) != laneSession(lane, session_ + 1)) {
      lanes_[lane].end();
      release(lane, false);
    }
  ++session_;
  for (State& state : states_) {
    state.inSession = 0;
    state.rests = false;
  }
}

void StudyCells::quit() {
  for (StudyLane& lane : lanes_) lane.quit();
}

/// Does something with one cell in flight; starts a new worker as often as a cell may cost one.
void StudyCells::withWorker(std::size_t index, const std::function<void()>& work) {
  while (states_[index].deaths < kDeathsAllowed) {
    connect();
    if (!reach(laneOf(index))) return;
    try {
      return work();
    } catch (const WorkerLost& lost) {
      lose(index, asked_, lost.what());
    } catch (const RecordError& wrong) {
      lose(index, asked_,
           saying("the worker sent an invalid message and was terminated: {}", wrong.what()));
    } catch (const ProtocolError& wrong) {
      lose(index, asked_,
           saying("the worker sent an invalid message and was terminated: {}", wrong.what()));
    }
  }
}

/// One request about a cell. A worker that announces its end is dropped; the next request gets
/// another.
Reply StudyCells::ask(std::size_t index, std::size_t lane, Verb verb, json body, double patience) {
  asked_ = lane;
  Reply reply = lanes_[lane].ask(verb, std::move(body), patience);
  if (!reply.last) return reply;
  release(lane, false);
  ++states_[index].deaths;
  observer_.workerLost(reply.message);
  return reply;
}

/// Has our own worker write a cell's tensors for another one.
Reply StudyCells::askValues(std::size_t index, const char* what) {
  json body = toJson(run_.cells[index].key);
  body["what"] = what;
  body["folder"] = folder_.path();
  return ask(index, 0, Verb::values, std::move(body), options_.replySeconds);
}

/// The text that PyTorch runs in a cell: the source and the switches of the variant.
std::string StudyCells::textForTorch(const CellKey& key, const Variant& variant,
                                     const Program& forward) const {
  const bool own = budgetOfCompiler(variant).has_value();
  return torchText(
      withSwitches(variant, own ? forward : forwardWithinBudget(run_.experiment, key)));
}

json StudyCells::gradientsForTorch(const Variant& variant, const Program& forward) const {
  return {{"by", differentiatedBy(run_.experiment, variant, forward)},
          {"back", variant.gradients == "all"},
          {"scale", variant.lossScale}};
}

/// Prepares a cell in its worker, which gets what it wants with it.
Reply StudyCells::askPrepare(std::size_t index, int compileRepeats, double compileSeconds) {
  const CellKey& key = run_.cells[index].key;
  const std::size_t lane = laneOf(index);
  json body = preparation(key, compileRepeats, compileSeconds);
  if (lanes_[lane].wantsProgram()) {
    const Variant variant = placed(run_.experiment, variantOf(key), key.at);
    const Program forward = forwardAt(run_.experiment, variant, key.at);
    const DataParallel parallel = parallelAt(run_.experiment, variant, key.at, forward);
    if (parallel.ranks > 1 && forward.differentiates()) {
      Reply refusal;
      refusal.kind = ErrorKind::unavailable;
      refusal.message = saying(
          "PyTorch's ranks average the gradients that a variant asks for (\"gradients\": true), "
          "not those that a program computes itself");
      return refusal;
    }
    if (parallel.ranks > 1 && variant.lossScale != 1) {
      Reply refusal;
      refusal.kind = ErrorKind::unavailable;
      refusal.message = saying(
          "PyTorch's ranks compute the gradients of the unscaled loss: leave out \"lossScale\", or "
          "have one rank");
      return refusal;
    }
    if (parallel.ranks > 1)
      body["parallel"] = {{"shared", parallel.shared}, {"bucket_bytes", parallel.bucketBytes}};
    try {
      if (const std::optional<std::int64_t> own = budgetOfCompiler(variant))
        body["memory_budget"] = *own;
      body["program"] = textForTorch(key, variant, forward);
    } catch (const std::runtime_error& e) {  // no segments within the budget, or no such text
      Reply refusal;
      refusal.kind = ErrorKind::unavailable;
      refusal.message = saidAgain(e.what());
      return refusal;
    }
    if (!options_.module.is_null() && variant.quantize.empty() && parallel.ranks == 1)
      body["module"] = moduleOf(options_.module, forward);
    body["records"] = forward.differentiates();
    const std::vector<bool> written = writtenInputs(forward);
    body["writes"] = json::array();
    for (std::size_t i = 0; i < written.size(); ++i)
      if (written[i]) body["writes"].push_back(i);
    if (run_.experiment.measure.resetsEachCall()) body["reset"] = "each call";
    if (!variant.gradients.empty()) body["gradients"] = gradientsForTorch(variant, forward);
    if (!variant.quantize.empty()) body["quantise"] = variant.quantize;
    if (!variant.calibration.empty()) body["calibration"] = variant.calibration;
    body["executor"] = variant.executor;
    body["threads"] = threadsAt(run_.experiment, key);
    body["recompile_limit"] = variant.options.recompileLimit;
  }
  if (lanes_[lane].wantsInputs()) {
    Reply inputs = askValues(index, "inputs");
    if (!inputs.ok) return inputs;
    body["inputs"] = stringMember(inputs.result, "file");
  }
  return ask(index, lane, Verb::prepare, std::move(body), options_.replySeconds + compileSeconds);
}

void StudyCells::release(std::size_t lane, bool kill) {
  lanes_[lane].drop(kill);
  for (std::size_t i = 0; i < states_.size(); ++i)
    if (laneOf(i) == lane) states_[i].prepared = false;
}

void StudyCells::lose(std::size_t index, std::size_t lane, const std::string& what) {
  release(lane, true);
  observer_.workerLost(what);
  if (++states_[index].deaths < kDeathsAllowed) return;
  ++lost_;
  const std::string why = saying("stopped after two worker processes died: {}", what);
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
    const Cell& cell = run_.cells[index];
    if (stop == Stop::budget && spreads_.suffice(rule_, run_.cells, index)) {
      finish(index, Stop::converged, std::nullopt);
      continue;
    }
    const bool coarse =
        options_.explore && stop == Stop::interrupted && cell.samples.size() >= kCoarseSamples;
    const bool throttled = stop == Stop::budget && cell.samples.empty() && cell.dropped > 0;
    finish(index, coarse ? Stop::coarse : stop,
           throttled ? std::optional(saying(
                           "all {} samples were dropped: the device was {}; let it cool down, or "
                           "give the study more time",
                           cell.dropped, cell.droppedWhy))
                     : error);
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
  const int repeats = cell.firstCompiles.empty() ? repeatsOf(compileRepeats) : 0;
  const Reply reply = askPrepare(index, repeats, compileSeconds);
  if (!accept(index, reply)) return;
  readMeasured(reply.result, cell);
  states_[index].prepared = true;
  const double begin = seconds();
  if (!cell.relativeError && !options_.explore) askCheck(index);
  checkSeconds_ += seconds() - begin;
  tell(index);
}

void StudyCells::askCheck(std::size_t index) {
  Cell& cell = run_.cells[index];
  const std::size_t lane = laneOf(index);
  if (run_.isSimulated() && ranksOf(run_.experiment, cell.key) > 1) {
    cell.checkNote = saying("not checked: simulated ranks take time and compute no values");
    return;
  }
  json body = toJson(cell.key);
  Reply reply;
  reply.ok = true;
  if (lanes_[lane].wantsInputs() &&
      drawsNumbers(forwardAt(run_.experiment, variantOf(cell.key), cell.key.at))) {
    cell.checkNote = saying("not comparable: draws random numbers");
    return;
  }
  if (lanes_[lane].wantsInputs()) {
    reply = askValues(index, "reference");
    if (reply.ok) body["values"] = stringMember(reply.result, "file");
  }
  if (reply.ok) reply = ask(index, lane, Verb::check, std::move(body), options_.replySeconds);
  if (reply.ok) readMeasured(reply.result, cell);
  if (reply.ok && lane == 0) sayWhatIsDrawn(cell);
  if (reply.ok && lane == 0) compare(index);
  if (!reply.ok) cell.error = saying("the results could not be checked: {}", reply.message);
  // A cell whose check costs one worker after another is not asked for more.
  if (reply.last && states_[index].deaths >= kDeathsAllowed && running(index))
    finish(index, Stop::failed, reply.message);
}

/// Our random numbers are those of a seed in each call, where PyTorch's training mode draws new
/// ones.
void StudyCells::sayWhatIsDrawn(Cell& cell) const {
  if (!drawsNumbers(forwardAt(run_.experiment, variantOf(cell.key), cell.key.at))) return;
  if (!cell.checkNote.empty()) cell.checkNote += "; ";
  cell.checkNote += saying("each call draws the same random numbers");
}

/// Our results against those of a guest that can tell. Trouble with it costs the guest, not the
/// cell.
void StudyCells::compare(std::size_t index) {
  Cell& cell = run_.cells[index];
  // PyTorch would compute in float32 what the variant does not.
  const Variant& variant = run_.experiment.variants[static_cast<std::size_t>(cell.key.variant)];
  if (!variant.quantize.empty()) return;
  const Variant here = placed(run_.experiment, variant, cell.key.at);
  json body;
  try {
    const Program forward = forwardAt(run_.experiment, here, cell.key.at);
    if (drawsNumbers(forward)) return;
    body["program"] = torchText(withSwitches(here, forward));
    if (!options_.module.is_null()) body["module"] = moduleOf(options_.module, forward);
    if (!here.gradients.empty()) body["gradients"] = gradientsForTorch(here, forward);
  } catch (const ProgramError&) {
    return;  // its own cell says why PyTorch cannot run it
  }
  for (std::size_t lane = 1; lane < lanes_.size(); ++lane) {
    if (!lanes_[lane].compares()) continue;
    const Reply values = askValues(index, "results");
    if (!values.ok) return;
    try {
      body["values"] = stringMember(values.result, "file");
      const Reply reply = ask(index, lane, Verb::compare, body, options_.replySeconds);
      if (reply.ok && reply.result.contains("difference"))
        cell.torchDifference = numberMember(reply.result, "difference");
    } catch (const WorkerLost& lost) {
      release(lane, true);
      lanes_[lane].compareNoMore();
      observer_.workerLost(lost.what());
    }
  }
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
  const Reply reply = ask(index, laneOf(index), Verb::sample, toJson(cell.key), patience);
  if (!accept(index, reply)) return;
  TakenSample taken = takenSample(reply.result);
  state.replySeconds = seconds() - asked;
  if (!taken.throttled.empty()) {
    ++cell.dropped;
    cell.droppedWhy = taken.throttled;
    return tell(index);
  }
  taken.sample.round = round;
  taken.sample.session = earlierSessions_ + lanes_[laneOf(index)].started() - 1;
  cell.samples.push_back(taken.sample);
  ++state.inSession;
  // Another one would be the same.
  if (run_.isExact()) return finish(index, Stop::converged, std::nullopt);
  switch (spreads_.judge(rule_, run_.cells, index, {session_, state.inSession})) {
    case Verdict::converged:
      return finish(index, Stop::converged, std::nullopt);
    case Verdict::cap:
      return finish(index, Stop::cap, std::nullopt);
    case Verdict::rest:
      state.rests = true;
      break;
    case Verdict::goOn:
      break;
  }
  tell(index);
}

/// Measuring compile times replaces the compiled cell in the worker, so no samples come after it.
void StudyCells::compileNow(std::size_t index, double compileSeconds) {
  Cell& cell = run_.cells[index];
  const int repeats = repeatsOf(run_.experiment.measure.compileRepeats);
  if (!cell.firstCompiles.empty() || repeats == 0) return;
  const Reply reply = askPrepare(index, repeats, compileSeconds);
  if (reply.ok)
    readMeasured(reply.result, cell);
  else
    cell.error = saying("compile time could not be measured: {}", reply.message);
  tell(index);
}

/// After the sampling a new worker may have to prepare the cell once more.
void StudyCells::checkNow(std::size_t index) {
  Cell& cell = run_.cells[index];
  if (cell.relativeError) return;
  if (!states_[index].prepared) {
    const Reply reply = askPrepare(index, 0, 0);
    states_[index].prepared = reply.ok;
    if (!reply.ok) cell.error = saying("the results could not be checked: {}", reply.message);
  }
  if (states_[index].prepared) askCheck(index);
  tell(index);
}

void StudyCells::prepare(std::size_t index, int compileRepeats, double compileSeconds) {
  const double begin = seconds(), checked = checkSeconds_;
  const std::size_t measured = run_.cells[index].firstCompiles.size();
  withWorker(index, [&] {
    if (running(index)) prepareNow(index, compileRepeats, compileSeconds);
  });
  if (session_ > 0) return;
  const auto& compiles = run_.cells[index].firstCompiles;
  double once = checkSeconds_ - checked;  // a session further on neither checks nor measures this
  for (std::size_t i = measured; i < compiles.size(); ++i)
    once += static_cast<double>(compiles[i].total()) * 1e-9;
  const double share =
      isGuest(index) ? static_cast<double>(kGuestSessions) / run_.experiment.measure.sessions : 1;
  preparationSeconds_ += std::max(seconds() - begin - once, 0.0) * std::min(share, 1.0);
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
