// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/language/parser.h"
#include "profiler/experiment/experiment.h"
#include "profiler/experiment/experiment_rules.h"
#include "profiler/files/json_reader.h"

namespace fusebench {

/// Throws InputError for the first of problemsOf(), at its place in the file. `root` is the JSON of
/// the experiment.
void checkExperiment(const Experiment& experiment, const JsonReader& root);

namespace rules {
/// The values allowed for the figure of a claim.
constexpr NumberRange claimedFigure(Claim::Metric metric) {
  if (metric == Claim::Metric::breakEven) return kClaimedPlace;
  return metric == Claim::Metric::latencyDifference ? kClaimedNanoseconds : kClaimedRatio;
}
}  // namespace rules

/// The values of the axes by name, as extent expressions see them; `i` first.
std::vector<Binding> bindingsFor(const Experiment& experiment, const std::vector<std::int64_t>& at,
                                 std::int64_t i);

/// The sizes of a set's tensors at a place, by name: those of entry 0, on one of the ranks that run
/// the variant. Sizes that are not known are left out.
ProgramHints hintsAt(const Experiment& experiment, const InputSet& set,
                     const std::vector<std::int64_t>& at, const Variant& variant = {});

/// A variant's program at this point: with the parameters of its header that are axes set, and
/// truncated to the value of the axis `statements` if there is one. Throws ProgramError if an op
/// does not accept the value.
Program forwardAt(const Experiment& experiment, const Variant& variant,
                  const std::vector<std::int64_t>& at);
/// The program that runs there: the same one, with the gradients that the variant requests.
Program programAt(const Experiment& experiment, const Variant& variant,
                  const std::vector<std::int64_t>& at);
/// That of a cell.
Program programAt(const Experiment& experiment, const CellKey& key);

/// The types that a cell's program gets from an entry of its list, on each of its ranks. Throws
/// InputError.
std::vector<ValueType> inputTypesAt(const Experiment& experiment, const CellKey& key,
                                    const Program& program, std::int64_t entry);

/// The threads of a cell: the axis' value where they are swept, otherwise the variant's.
int threadsAt(const Experiment& experiment, const CellKey& key);

/// Shape of one input of an entry; throws InputError for a wrong extent.
Shape shapeOf(const InputSpec& spec, std::span<const Binding> bindings);

/// How an input that belongs to the program is made.
InputSpec heldSpec(const Program& program, const HeldInput& held);

/// Whether an extent expression names `name`.
bool mentions(const std::string& expression, std::string_view name);

/// Whether anything except statements and threads depends on an axis of this name.
bool dependsOn(const Experiment& experiment, std::string_view axis);

/// The greatest number of input list entries.
inline constexpr std::int64_t kMaxInputCount = rules::kCount.high;

}  // namespace fusebench
