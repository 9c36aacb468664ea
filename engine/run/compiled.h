// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/plan/lowering.h"
#include "engine/plan/trace.h"
#include "engine/run/eager.h"
#include "engine/run/executor.h"

namespace fusebench {

/// How fused kernels come about.
enum class Making : std::uint8_t {
  compiled,  ///< by the backend's compiler
  chained    ///< put together from what is there: instant
};

/// Fuses a program into few kernels for the inputs it meets: static for their exact shapes, dynamic
/// for their rank and layout. Guards at each call choose among what has been compiled; a call that
/// none fits compiles anew, until the recompile limit, and then runs eagerly.
class CompiledExecutor final : public Executor {
 public:
  CompiledExecutor(Backend& backend, SharedProgram program, Specialise specialise,
                   ExecutorOptions options, Making making = Making::compiled);

  std::span<const Tensor> call(std::span<const Tensor> inputs) override;
  const ExecutorStatistics& statistics() const override { return statistics_; }
  std::vector<Kernel> kernels(std::span<const Tensor> inputs) override;
  std::vector<Chain> chains(std::span<const Tensor> inputs) override;

 private:
  /// A value as a variant numbers it: the program's inputs, then what its steps make.
  using Place = std::size_t;
  /// A tensor that a step makes.
  struct Result {
    Result() {}  // NOLINT(modernize-use-equals-default): the lists' room would be set to 0
    Place place = 0;
    SizeList<SymbolicSize> extents;
    SizeList<SymbolicSize> strides;  ///< empty: row-major
    std::size_t bytes = 0;
  };
  struct Step {
    std::shared_ptr<const Executable> executable;
    ShortList<Place, 4> inputs;
    std::vector<Result> results;
    LaunchSizes sizes;                    ///< of the launch's integers
    ShortList<std::int64_t, 2> integers;  ///< these, for the symbols settled for
    ShortList<void*, 6> pointers;         ///< of the launch
    ShortList<Place, 2> lastUses;         ///< of what steps make
  };
  using Symbols = ShortList<std::int64_t, 4>;  ///< what they are in a call
  /// The program compiled for one kind of inputs.
  struct Variant {
    explicit Variant(std::size_t stepCount) : steps(stepCount) {}
    Guards guards;
    std::vector<Step> steps;
    Symbols symbols;
    /// The symbols that integers, shapes and sizes in bytes were worked out for: calls tend to be
    /// like the one before. Nothing: not yet.
    std::optional<Symbols> settled;
    std::vector<Tensor> made;     ///< by the steps, in order
    ShortList<Place, 4> outputs;  ///< the program's

    bool isSettled() const {
      if (!settled) return false;
      // One by one: they are fewer than a call of memcmp is worth.
      for (std::size_t i = 0; i < symbols.size(); ++i)
        if (symbols[i] != (*settled)[i]) return false;
      return true;
    }
  };

  /// Moments of a first call, for how long its phases take. Those of an executor that builds in
  /// microseconds are told by the processor's ticks, since reading steady_clock would be 0.13 of
  /// two; on a device, where a launch alone is microseconds, and where compiling is milliseconds,
  /// by that clock.
  using Moment = std::int64_t;
  Moment now() const;
  std::int64_t nanoseconds(Moment span) const;

  Moment make(const ProgramTrace& traced, std::span<const FusionGroup> groups,
              std::vector<Step>& steps, CompileTimes& times);
  void makeChains(const ProgramTrace& traced, std::span<const FusionGroup> groups,
                  std::vector<Step>& steps, Moment begin, CompileTimes& times);
  std::unique_ptr<Variant> compile(std::span<const Tensor> inputs, Moment begin,
                                   CompileTimes& times);
  static void addResult(const ProgramTrace& traced, ValueId value, Place place, Step& step,
                        Variant& variant);
  static void setLastUses(Variant& variant, std::size_t inputs);
  void run(Variant& variant, std::span<const Tensor> inputs);
  void runSteps(Variant& variant, std::span<const Tensor> inputs);
  void settle(Variant& variant);
  void prepare(const Variant& variant);

  SharedProgram shared_;
  const Program& program_;
  Backend& backend_;
  Specialise specialise_;
  Making making_;
  bool inTicks_;  ///< moments are
  ExecutorOptions options_;
  std::vector<std::unique_ptr<Variant>> variants_;
  std::unique_ptr<EagerExecutor> fallback_;
  const Variant* prepared_ = nullptr;  ///< the one whose shapes the outputs have
  std::vector<Tensor> outputs_;
  ExecutorStatistics statistics_;
};

}  // namespace fusebench
