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

/// Ops that one op list could run, and how they are run in calls with the sizes of the plan.
struct Chain {
  struct Alone {
    ShortList<ValueId, 4> tensors;  ///< that it reads and writes
    bool reduces = false;
  };
  ShortList<int, 40> ops;  ///< indices of the program's ops, in order
  std::vector<Alone> alone;
  int space = 0;  ///< index space of the list; `reducedMask`: dimensions that it reduces
  std::uint32_t reducedMask = 0;
  ListWork counts;    ///< everything that does not depend on sizes
  bool ships = true;  ///< a kernel exists for each of the ops
  Route route = Route::together;
  RouteCosts costs;  ///< all kernels ship

  bool runsApart(std::size_t op) const {
    return route == Route::apart || (route == Route::reductionsApart && alone[op].reduces);
  }
};

/// The op lists of a plan whose values are known. `ships`: whether the kernel of one op ships.
std::vector<Chain> chainsOf(const Plan& plan, const std::function<bool(const Kernel&)>& ships);

/// Chooses the fastest way to run each chain in calls with these symbols.
void chooseRoutes(std::vector<Chain>& chains, const PlanValues& values,
                  std::span<const std::int64_t> symbols, const ListCosts& costs);
/// Whether this would not change any choice.
bool routesStay(std::span<const Chain> chains, const PlanValues& values,
                std::span<const std::int64_t> symbols, const ListCosts& costs);

/// By op of the program: whether it is run by a separate kernel. Empty: none is.
std::vector<char> opsApart(const Program& program, std::span<const Chain> chains);

}  // namespace fusebench
