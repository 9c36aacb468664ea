// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/sim/script.h"
#include "profiler/experiment/experiment.h"
#include "profiler/run/run.h"

namespace fusebench {

/// One cell's calls to a device, recorded once and replayed on any simulated device within
/// microseconds: no value is computed, so sizes do not matter.
class CellScript {
 public:
  /// Runs the cell's executor on a simulated device that computes nothing. Throws ProgramError,
  /// std::runtime_error, and std::invalid_argument for a variant that is not ours (PyTorch's).
  CellScript(const Experiment& experiment, const CellKey& key);

  struct Predicted {
    double call = 0;  ///< W: calls in a row and one wait, nanoseconds a call
    DeviceTimes times;
  };
  /// `mostCalls`: the most per pass; 0: the whole list.
  Predicted on(const sim::Parameters& device, std::size_t mostCalls = 0) const;

  const CellKey& key() const { return key_; }
  const sim::Script& script() const { return script_; }
  std::size_t calls() const { return ends_.size(); }

 private:
  /// Plays one call; returns its launches.
  std::uint64_t play(const sim::Player& player, sim::Simulation& simulation,
                     std::size_t number) const;
  /// The times of `calls` calls in a row and one wait: W, H and E.
  void predictQueued(const sim::Parameters& device, std::size_t calls, Predicted& predicted) const;
  double predictedSingle(const sim::Parameters& device, std::size_t calls) const;
  /// D: the calls are enqueued while the device is busy. It is 0 where one of them waits for the
  /// device.
  double predictedDevice(const sim::Parameters& device, std::size_t calls) const;

  CellKey key_;
  sim::Script script_;             ///< the actions of one pass
  std::vector<std::size_t> ends_;  ///< per call: the number of actions up to its end
};

/// Whether a cell can be predicted: its executor is ours.
bool isPredictable(const Experiment& experiment, const CellKey& key);

/// A run as the device would give it: one sample per cell. Cells that cannot be predicted contain
/// the reason. A WorkStop of the thread stops everything by std::runtime_error.
class Prediction {
 public:
  explicit Prediction(Experiment experiment);
  /// Predicts everything again with other parameters.
  Run on(const sim::Parameters& device, const std::string& name, std::size_t mostCalls = 0) const;
  std::size_t cells() const { return scripts_.size(); }

 private:
  struct One {
    CellKey key;
    std::unique_ptr<CellScript> script;
    std::string problem;
    std::optional<LaunchCounts> launches;
    std::vector<std::string> notModeled;  ///< see Cell
  };
  Experiment experiment_;
  std::vector<One> scripts_;
};

}  // namespace fusebench
