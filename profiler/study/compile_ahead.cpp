// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/study/compile_ahead.h"

#include <nlohmann/json.hpp>

#include <exception>
#include <utility>

#include "profiler/protocol/worker_client.h"
#include "profiler/run/cell_json.h"

namespace fusebench {

CompileAhead::CompileAhead(const StudyOptions& options, const Experiment& experiment,
                           std::vector<CellKey> order) {
  if (!options.connectAhead || order.size() < 2) return;
  thread_ = std::jthread(
      [this, &options, &experiment, order = std::move(order)](const std::stop_token& ended) {
        try {
          compile(options, experiment, order, ended);
        } catch (const std::exception&) {
          // The study meets the same trouble, if it is one, and says so.
        }
      });
}

void CompileAhead::compile(const StudyOptions& options, const Experiment& experiment,
                           const std::vector<CellKey>& order, const std::stop_token& stop) const {
  WorkerClient client(options.connectAhead(), stop);
  if (!client.ask(Verb::hello, nlohmann::json::object(), options.replySeconds).ok ||
      !client.ask(Verb::load, {{"experiment", toJson(experiment)}}, options.replySeconds).ok)
    return client.quit();
  for (std::size_t place = order.size() - 1; place > reached_; --place) {
    nlohmann::json body = toJson(order[place]);
    body["compile_repeats"] = 0;
    body["seconds"] = 0;
    client.ask(Verb::prepare, std::move(body), options.replySeconds);
  }
  client.quit();
}

}  // namespace fusebench
