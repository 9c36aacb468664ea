// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "profiler/protocol/connection.h"
#include "profiler/protocol/protocol.h"

namespace fusebench {

/// What fake workers share: a clock that only they move, what they are to do, and what they were
/// asked.
struct FakeWorld {
  double seconds = 0;
  double prepareSeconds = 0.01;
  double sampleSeconds = 0.002;
  /// Nanoseconds of a cell's sample; `count` counts that cell's samples from 0.
  std::function<double(const CellKey& key, int count)> time = [](const CellKey&, int) {
    return 100.0;
  };
  /// Further members of a device's sample.
  std::function<nlohmann::json(int count)> device;
  /// Replaces the reply to a request; nothing: the usual reply. "die" closes the connection, "hang"
  /// sends nothing, any other text is sent as it is.
  std::function<std::optional<std::string>(const Request&)> misbehave;

  /// Added to the greeting: what the worker wants with each cell, or why it is of no use.
  nlohmann::json greeting = nlohmann::json::object();

  int workersStarted = 0;
  int workersKilled = 0;
  std::vector<Request> asked;
  std::map<std::pair<int, std::vector<std::int64_t>>, int> sampled;

  std::function<std::unique_ptr<WorkerConnection>()> connector();
};

}  // namespace fusebench
