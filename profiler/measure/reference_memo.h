// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "engine/run/reference.h"
#include "profiler/experiment/experiment.h"

namespace fusebench {

/// The latest results of the reference: cells that compute the same on the same inputs in several
/// ways are checked against one evaluation, which can take seconds where a call takes microseconds.
class ReferenceMemo {
 public:
  /// Per rank, its results.
  using Results = std::vector<std::vector<ReferenceResult>>;

  /// A key for a cell's computation, however it is executed, on one entry of its inputs.
  static std::string keyOf(const Experiment& experiment, const CellKey& cell, std::int64_t entry);

  /// Null: it was not kept, or has been dropped.
  std::shared_ptr<const Results> find(const std::string& key) const;
  /// The oldest ones are dropped if there are more than kMostNumbers in total.
  std::shared_ptr<const Results> keep(const std::string& key, Results results);

  static constexpr std::size_t kMostNumbers = 8'000'000;  ///< 8 bytes each

 private:
  struct Kept {
    std::string key;
    std::shared_ptr<const Results> results;
    std::size_t numbers;
  };
  std::deque<Kept> kept_;
  std::size_t numbers_ = 0;
};

}  // namespace fusebench
