// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/device/device_collector.h"
#include "engine/sim/simulation.h"
#include "engine/sim/work.h"

namespace fusebench::sim {

/// The simulation's activity, in the form that collectors of real devices report.
class SimCollector final : public DeviceCollector, public Observer {
 public:
  /// Kinds of calls. Launches have the same numbers as in CUPTI, by which they are identified.
  enum Call : std::uint32_t { launch = 307, graphLaunch = 514, copy = 1, wait = 2, fill = 3 };
  /// The tag of work that is left out.
  static constexpr std::uint32_t kUnrecorded = ~std::uint32_t{0};
  /// One kernel of a call's work, one after another, or a copy.
  struct Piece {
    std::string name;
    double nanoseconds = 0;
    double bytes = 0;
    Grid grid;
  };

  explicit SimCollector(Simulation& simulation) : simulation_(simulation) {}

  bool collects() const { return collecting_; }
  /// A call that took from `start` to now and enqueues these; returns their tag, which has to be
  /// passed to the simulation before it is called. `gap`: between pieces.
  std::uint32_t expect(Call call, DeviceWork::Kind kind, std::vector<Piece> pieces, double gap,
                       std::uint32_t graph);
  /// The call of the last expect(), or one that enqueues nothing, is over.
  void called(Call call, double start);

  void begin() override;
  void settle() override;
  Collected end() override;
  std::string callName(const ApiCall& call) const override;
  void done(const Done& work) override;

 private:
  struct Expected {
    DeviceWork::Kind kind{};
    std::vector<Piece> pieces;
    double gap = 0;
    std::uint32_t correlation = 0, graph = 0;
  };
  ClockReading reading() const;

  Simulation& simulation_;
  bool collecting_ = false;
  ClockReading begun_;
  std::uint32_t correlation_ = 0;
  std::vector<Expected> expected_;
  Activities activities_;
};

}  // namespace fusebench::sim
