// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/device/pages.h"
#include "engine/plan/plan_options.h"

namespace fusebench {

/// Where the inputs of a call come from, and where its results go.
struct Delivery {
  enum class From : std::uint8_t {
    device,    ///< they are on the device
    pageable,  ///< ordinary host memory
    pinned     ///< host memory from which the device copies directly
  };
  From from = From::device;
  /// The rows of a batch are shuffled in a data set and gathered at each call; otherwise a batch is
  /// a slice of the data set, which is copied as it is.
  bool gathers = false;
  int prefetch = 0;      ///< number of calls by which inputs are copied ahead, during launches
  bool results = false;  ///< each call's results are copied back, and waited for
  /// Number of threads that gather the batches of later calls, if inputs are prefetched; 0: the
  /// calling thread.
  int workers = 0;

  bool delivers() const { return from != From::device || results; }
  friend bool operator==(const Delivery&, const Delivery&) = default;
};
inline constexpr std::array<std::string_view, 3> kDeliveryNames = {"device", "pageable", "pinned"};

struct ExecutorOptions {
  int recompileLimit =
      8;  ///< maximum number of specializations; beyond it, calls fall back to eager
  bool contract = false;  ///< let fused kernels contract a*b+c across ops: faster, other bits
  /// Let fused kernels use the device's approximate functions and division, and flush denormals to
  /// 0: faster, and less exact than the op table's bounds. Only where BackendTraits::hasFastMath.
  bool fastMath = false;
  /// Try libraries' algorithms at the first use of each form instead of using the libraries' own
  /// choice: a slower first call, and possibly faster ones after it.
  bool search = false;
  /// Copies (see PlanOptions) and the gradients that ranks average (see DataParallel) overlap
  /// with computation.
  bool overlap = false;
  /// Programs with data-dependent control flow are split there; see BranchingExecutor. Eager does
  /// not need this option.
  bool graphBreaks = false;
  /// The kind of pages for memory that a call takes; only where BackendTraits::choosesPages.
  Pages pages = Pages::kept;
  int recordings = 64;  ///< kept by replay, one per set of shapes; least recently used out
  /// Per input: whether all calls pass the same tensor, which replay then reads without a copy. If
  /// the length is not the number of inputs: the program's constant inputs.
  std::vector<bool> stays = {};
  Delivery delivery{};

  PlanChoices planChoices() const {
    return {.overlap = overlap, .contract = contract, .fastMath = fastMath};
  }
};

}  // namespace fusebench
