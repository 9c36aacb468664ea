// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// Changes the program as if all of it were inside torch.autocast with this dtype for a device. Ops
/// inside an autocast of their own keep it, and gradients are taken outside, as PyTorch's users do.
void setAutocast(Program& program, DType lower, AutocastMode::List list);

/// A function of PyTorch that is several rows here, but one op to autocast.
struct ListedFunction {
  std::string_view name;
  AutocastRule rule;
  /// Arguments that are not numbers to compute with, such as classes: they are not cast.
  std::string_view kept{};
};
/// Null: autocast treats the ops of the function separately.
const ListedFunction* listedFunction(std::string_view name);

}  // namespace fusebench
