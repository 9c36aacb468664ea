// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/plan_options.h"

namespace fusebench {

PlanOptions planOptionsFor(PlanOptions row, const PlanTraits& device, const PlanChoices& chosen) {
  PlanOptions options = row;
  options.ownMemory = device.hasOwnMemory;
  options.overlap = chosen.overlap;
  if (row.grouping == PlanOptions::Grouping::perOp) return options;
  const bool lists = row.code == PlanOptions::StepCode::opList;
  options.narrowPieces = device.listsNarrowFloats;
  // Op lists are not used if a launch costs next to nothing and the kernels that eager launches
  // exist.
  options.phases = lists ? device.isSynchronous && device.shipsOps : device.runsPhases;
  options.rowLimits = device.rowLimits;
  options.totals = device.runsTotals;
  options.tails = device.takesTails;
  if (lists) return options;
  options.attention = device.runsAttention;
  options.joinsShortRows = device.joinsShortRows;
  options.foldsNorms = true;
  options.contract = chosen.contract;
  options.fastMath = chosen.fastMath;
  return options;
}

}  // namespace fusebench
