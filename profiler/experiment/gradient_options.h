// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/experiment/experiment.h"

namespace fusebench {

/// Number of statements that are recomputed together by a variant's option `checkpoint`: 0 for
/// "none", K for "every K", -1 for "sqrt"; nothing for any other value.
std::optional<int> checkpointOf(const std::string& option);

/// Bytes that a variant's option `checkpoint` allows a call: for "budget 64 MB", 64 000 000; also
/// in KB, KiB, MiB, GB and GiB. Nothing if it is not a budget.
std::optional<std::int64_t> checkpointBudgetOf(const std::string& option);

/// The same for a variant of torch.compile, which keeps to it by its own activation_memory_budget
/// instead of segments of statements. Nothing for others.
std::optional<std::int64_t> budgetOfCompiler(const Variant& variant);

/// The checkpoint setting that an axis sweeps: "segment", the number of statements that are
/// recomputed together (0 for none), for variants that have segments; "budget", in KB, for those
/// that have one. Nothing if the axis sweeps something else, or no variant has either.
enum class CheckpointAxis : std::uint8_t { segment, budget };
std::optional<CheckpointAxis> checkpointAxisOf(const Experiment& experiment, std::string_view axis);
/// A variant with the checkpoints that it has at a place of the axes.
Variant placed(const Experiment& experiment, const Variant& variant,
               const std::vector<std::int64_t>& at);

/// The setting that a variant's option `autocast` asks for; nothing if there is none.
struct AutocastOption {
  DType lower = DType::bfloat16;
  AutocastMode::List list = AutocastMode::List::cpu;
};
std::optional<AutocastOption> autocastOf(const std::string& option);

/// The values that a variant's gradients are taken with respect to: the parameters that belong to
/// the program or, if there are none, its float inputs.
std::vector<ValueId> differentiatedBy(const Experiment& experiment, const Variant& variant,
                                      const Program& program);

/// The program with the variant's options `gradients`, `checkpoint`, `autocast` and `lossScale`
/// applied.
Program differentiated(const Experiment& experiment, const Variant& variant, Program program);
/// Without gradients, which PyTorch computes itself.
Program withSwitches(const Variant& variant, Program program);

}  // namespace fusebench
