// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/experiment/experiment.h"
#include "profiler/files/input_error.h"

namespace fusebench {

/// The number of ranks of a variant at a place: the axis' value where `ranks` is one, else its own.
int ranksAt(const Experiment& experiment, const Variant& variant,
            const std::vector<std::int64_t>& at);
int ranksOf(const Experiment& experiment, const CellKey& key);

/// What "end", "each" and "K KiB" mean: see DataParallel::bucketBytes. Nothing for anything else.
std::optional<std::int64_t> bucketBytesOf(const std::string& buckets);

/// The file that belongs to rank number `rank`, derived from the path of the first rank's file.
std::string fileOfRank(const std::string& file, int rank);

/// Whether every rank has all of an input.
bool isHeld(const InputSpec& spec);

/// The rows cannot be divided evenly over the ranks.
class UnevenShare : public InputError {
 public:
  using InputError::InputError;
};

/// The shape that each of `ranks` ranks has of an input of this shape: its share of the rows,
/// unless the input is constant or each rank has as much as one alone. Throws InputError if the
/// rows cannot be divided evenly: UnevenShare.
Shape shareOf(const InputSpec& spec, const Shape& whole, const Variant& variant, int ranks);

/// How the ranks of a variant share its program at a place; for one rank, nothing is shared.
DataParallel parallelAt(const Experiment& experiment, const Variant& variant,
                        const std::vector<std::int64_t>& at, const Program& program);

/// The same with more ranks: the axis `ranks` is extended by doubling to `most`, which is its last
/// value; without such an axis, variants of several ranks get that many. Throws InputError where no
/// variant has any, or `most` is not allowed in an experiment.
Experiment withRanks(Experiment experiment, int most);

}  // namespace fusebench
