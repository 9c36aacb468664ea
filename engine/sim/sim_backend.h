// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/device/backend.h"
#include "engine/device/model_effects.h"
#include "engine/sim/parameters.h"
#include "engine/sim/script.h"

namespace fusebench {

struct SimOptions {
  sim::Parameters parameters;
  std::string title;  ///< "NVIDIA H100 80GB HBM3"
  std::string truth;  ///< how well it matches a real one, in a few words
  std::string note;   ///< the source of its figures and what they omit
  /// Nine in ten of the measured figures that its parameters were not fitted to are within this
  /// relative error; 0: the device is fictitious.
  std::optional<double> error;
  std::uint64_t seed = 0;  ///< for the noise
  /// Creates the backend whose code is shown as the device's; called when code is first read.
  /// Empty: the code is that of the backend that computes values.
  std::function<std::unique_ptr<Backend>()> makeCode;
  /// Whether its virtual time is this process' clock during its lifetime: everything that uses
  /// ticks() and steadyNanoseconds() then measures it. One at a time.
  bool drivesClock = false;
};

/// The facts about the model behind a simulated device.
struct SimTraits {
  std::string note;             ///< the source of its figures and what they omit; may be empty
  std::optional<double> error;  ///< as in SimOptions; nothing if it was never compared
  bool isExact = false;         ///< the same calls always take the same time
  /// Launches wait in a queue, as on a GPU; a CPU runs them in the call.
  bool hasQueue = false;
};

/// A simulated device: launches, copies and graphs go through sim::Simulation in virtual time, in
/// which everything takes the time given by its parameters. Another backend computes values while
/// this one computes (setComputing()), and this one uses its memory.
class SimBackend : public Backend {
 public:
  const SimTraits& model() const { return model_; }
  /// The host's virtual time, nanoseconds.
  virtual double now() const = 0;
  /// Effects that mattered to launches since the last call of this function and that the model
  /// omits.
  virtual sim::Effects takeMissingEffects() = 0;
  /// Sets a script that receives a copy of all later calls; null: none. Not between the beginning
  /// and the end of a capture.
  virtual void writeScript(sim::Script* script) = 0;
  /// Sets the number of devices that run the same program from now on, connected by links, each on
  /// its share. One rank is simulated and represents all, because their calls take the same time.
  /// The results of communication between them are not computed.
  virtual void setRankCount(int ranks) = 0;

 protected:
  explicit SimBackend(SimTraits model) : model_(std::move(model)) {}

 private:
  SimTraits model_;
};

/// `values`: computes values, and is destroyed with it; null: nothing is computed, and memory is an
/// unlimited range of addresses that must not be accessed.
std::unique_ptr<SimBackend> makeSimBackend(const SimOptions& options,
                                           std::unique_ptr<Backend> values);

}  // namespace fusebench
