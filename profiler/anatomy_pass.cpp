// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/anatomy_pass.h"

#include "profiler/cell_json.h"
#include "profiler/process.h"
#include "profiler/worker_client.h"

namespace fusebench {
namespace {

using nlohmann::json;

/// What the worker says, or what is wrong with it.
struct Answer {
  bool ok = false;
  bool goOn = true;  ///< whether other cells may do better
  std::string message;
};

class TracingWorker {
 public:
  TracingWorker(const StudyOptions& options, std::stop_token stop)
      : seconds_(options.replySeconds),
        client_(options.connectTrace ? options.connectTrace() : startWorker(options.workerCommand),
                std::move(stop)) {}

  Answer load(const Experiment& experiment) {
    return ask(Verb::load, {{"experiment", toJson(experiment)}}, nullptr);
  }

  /// Fills in the cell's anatomy.
  Answer trace(Cell& cell) {
    json preparation = toJson(cell.key);
    preparation["compile_repeats"] = 0;
    const Answer prepared = ask(Verb::prepare, std::move(preparation), nullptr);
    if (!prepared.ok) return prepared;
    json result;
    Answer answer = ask(Verb::trace, toJson(cell.key), &result);
    if (!answer.ok) return answer;
    Cell traced;
    readMeasured(result, traced);
    if (!traced.anatomy) return {false, false, "the worker sent no anatomy"};
    cell.anatomy = std::move(traced.anatomy);
    return answer;
  }

  void quit() { client_.quit(); }

 private:
  Answer ask(Verb verb, json body, json* result) {
    Reply reply = client_.ask(verb, std::move(body), seconds_);
    if (reply.ok && result) *result = std::move(reply.result);
    const bool hopeless = reply.last || reply.kind == ErrorKind::unsupported;
    return {reply.ok, reply.ok || !hopeless, reply.message};
  }

  double seconds_;
  WorkerClient client_;
};

}  // namespace

std::string traceCells(Run& run, const StudyOptions& options, std::stop_token stop,
                       const std::function<void(std::size_t)>& changed,
                       const std::function<void(std::size_t, std::size_t)>& progress) {
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < run.cells.size(); ++i)
    if (!run.cells[i].samples.empty() && !run.cells[i].anatomy) wanted.push_back(i);
  if (wanted.empty()) return {};
  try {
    TracingWorker worker(options, std::move(stop));
    if (const Answer loaded = worker.load(run.experiment); !loaded.ok) return loaded.message;
    for (std::size_t done = 0; done < wanted.size(); ++done) {
      progress(done, wanted.size());
      const Answer answer = worker.trace(run.cells[wanted[done]]);
      if (answer.ok) changed(wanted[done]);
      if (!answer.goOn) return answer.message;
    }
    worker.quit();
    return {};
  } catch (const StopRequested&) {
    return "it was stopped";
  } catch (const std::runtime_error& lost) {  // no worker, a lost one, or one that talks nonsense
    return lost.what();
  }
}

}  // namespace fusebench
