// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/base/short_list.h"
#include "engine/plan/fusion.h"
#include "engine/plan/list_costs.h"

namespace fusebench {

struct Plan;
struct Kernel;

/// Ops that one op list could run, and how they are run in calls of the sizes that the plan is for.
struct Chain {
  struct Alone {
    ShortList<ValueId, 4> tensors;  ///< that it reads and writes
    bool reduces = false;
  };
  ShortList<int, 40> ops;  ///< indices of the program's ops, in order
  std::vector<Alone> alone;
  int space = 0;  ///< index space of the list; `reducedMask`: dimensions that it reduces
  std::uint32_t reducedMask = 0;
  ListWork counts;    ///< all but what depends on sizes
  bool ships = true;  ///< a kernel of each of the ops does
  Route route = Route::together;
  RouteCosts costs;  ///< where all kernels ship

  bool runsApart(std::size_t op) const {
    return route == Route::apart || (route == Route::reductionsApart && alone[op].reduces);
  }
};

/// The op lists of a plan whose values are known. `ships`: whether a kernel of one op does.
std::vector<Chain> chainsOf(const Plan& plan, const std::function<bool(const Kernel&)>& ships);

/// Has each chain run as takes least in calls whose symbols are these.
void chooseRoutes(std::vector<Chain>& chains, const PlanValues& values,
                  std::span<const std::int64_t> symbols, const ListCosts& costs);
/// Whether that would change none.
bool routesStay(std::span<const Chain> chains, const PlanValues& values,
                std::span<const std::int64_t> symbols, const ListCosts& costs);

/// By op of the program: whether it is to be run by a kernel of its own. Empty: none is.
std::vector<char> opsApart(const Program& program, std::span<const Chain> chains);

}  // namespace fusebench
