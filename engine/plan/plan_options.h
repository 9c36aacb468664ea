// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "engine/plan/guards.h"
#include "engine/plan/list_costs.h"
#include "engine/plan/row_limits.h"

namespace fusebench {

/// How library calls include the ops that read their results; see tails.h.
enum class Tails : std::uint8_t {
  none,
  epilogues,  ///< one op that the library supports, while it writes a matmul's result
  kernels     ///< several ops as a kernel over the result in place, in the call's launch
};

/// How a program becomes steps.
struct PlanOptions {
  enum class Grouping : std::uint8_t {
    perOp,  ///< a step for each op, whose kernel serves any shape: as in a framework
    fused   ///< as few steps as fuse() finds
  };
  enum class StepCode : std::uint8_t {
    kernel,  ///< a step is one expression, to be compiled
    opList   ///< a step is a list of ops, run from prebuilt pieces
  };
  Grouping grouping = Grouping::fused;
  Specialize specialize = Specialize::exact;
  StepCode code = StepCode::kernel;
  bool narrowPieces = true;  ///< op lists may also contain ops of 16-bit floats
  bool phases =
      true;  ///< ops along rows: joins them in kernels, leaves them out of op lists (row_fusion.h)
  RowLimits rowLimits = {};  ///< of phases
  bool totals = true;        ///< kernels may also sum over all rows: see fuseRows()
  /// Each call copies its inputs into buffers that the plan owns, and keeps all memory, so that a
  /// replayed recording finds it at the same addresses.
  bool keepsMemory = false;
  /// The device has separate memory, so data is copied between host and device.
  bool ownMemory = true;
  /// Copies from pinned memory to the device overlap with the launches, into two alternating
  /// buffers: only the launches that follow in the same call wait for them.
  bool overlap = false;
  Tails tails = Tails::none;
  /// Norms after layers are folded into prepared weights; see folded_norms.h.
  bool foldsNorms = false;
  bool attention = false;  ///< attentions are one call each; see attention.h
  /// Kernels with short rows get their sizes at launch, where rows are joined: see joined_rows.h.
  bool joinsShortRows = false;
  bool contract = false;  ///< see Kernel
  bool fastMath = false;  ///< see Kernel
};

/// The properties of a device that plans depend on. By default a device has none of them.
struct PlanTraits {
  /// launch() runs the kernel itself and returns when it is done.
  bool isSynchronous = false;
  /// Tensors are in the device's own memory, so those of the host have to be copied.
  bool hasOwnMemory = false;
  /// Kernels of single ops ship with it. Eager then needs no compiler, except for ops, dtypes and
  /// layouts without such a kernel.
  bool shipsOps = false;
  bool runsPhases = false;   ///< kernels may have phases, see LoopNest
  bool runsTotals = false;   ///< phases may also sum over all rows
  RowLimits rowLimits = {};  ///< the rows for which phases use several launches
  Tails takesTails = Tails::none;
  bool joinsShortRows = false;  ///< launches join rows shorter than a vector; see joined_rows.h
  bool runsAttention = false;   ///< there are calls for a whole attention, see AttentionCall
  /// Op lists may contain ops of 16-bit floats, which compute in float32.
  bool listsNarrowFloats = false;
  /// The costs of op lists compared with the shipped kernels; nothing if they are not known.
  std::optional<ListCosts> listCosts = std::nullopt;
};

/// A variant's choices for its plans.
struct PlanChoices {
  bool overlap = false;
  bool contract = false;
  bool fastMath = false;
};

/// The options of the plans that an executor makes for a device. `row`: the executor's own, see
/// ExecutorInfo::plan. Executors, estimates of memory and time, and budgets all use this function.
PlanOptions planOptionsFor(PlanOptions row, const PlanTraits& device, const PlanChoices& chosen);

}  // namespace fusebench
