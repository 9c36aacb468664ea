// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/ops/op_choices.h"

#include <cmath>
#include <limits>

namespace fusebench {
namespace {

using enum OpChoice::By;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kAnyOther = std::numeric_limits<double>::quiet_NaN();

// Exponents: those that PyTorch computes without pow.
constexpr OpChoice kChoices[] = {
    {"add", given, "alpha", "", 0, "add_scaled"},
    {"sub", given, "alpha", "", 0, "sub_scaled"},
    {"div", text, "rounding_mode", "floor", 0, "floor_divide"},
    {"div", text, "rounding_mode", "trunc", 0, "trunc_divide"},
    {"gelu", text, "approximate", "none", 0, "gelu"},
    {"gelu", text, "approximate", "tanh", 0, "gelu_tanh"},
    {"quantize_per_tensor", dtype, "dtype", "torch.int8", 0, "quantize_per_tensor"},
    {"quantize_per_tensor", dtype, "dtype", "torch.uint8", 0, "quantize_per_tensor_uint8"},
    {"pow", exponent, "", "", 2, "square"},
    {"pow", exponent, "", "", 3, "cube"},
    {"pow", exponent, "", "", 0.5, "sqrt"},
    {"pow", exponent, "", "", -1, "reciprocal"},
    {"pow", exponent, "", "", -0.5, "rsqrt"},
    {"norm", parameter, "p", "", 1, "norm_1"},
    {"norm", parameter, "p", "", 0, "norm_0"},
    {"norm", parameter, "p", "", kInf, "norm_inf"},
    {"norm", parameter, "p", "", -kInf, "norm_minus_inf"},
    {"norm", parameter, "p", "", kAnyOther, "norm_p"},
};

constexpr KeywordAlias kAliases[] = {
    {"unbiased", "correction", true},
    {"axis", "dim", false},
    {"keepdims", "keepdim", false},
    {"ord", "p", false},
};

constexpr Remedy kRemedies[] = {
    {"stride", "how a tensor lies in memory is the plan's, which fusebench-cli code --plan prints"},
    {"is_contiguous",
     "how a tensor lies in memory is the plan's; .contiguous() copies only where it has to"},
    {"storage_offset",
     "how a tensor lies in memory is the plan's, which fusebench-cli code --plan prints"},
    {"data_ptr", "where a tensor lies is known when it runs; views share memory, clone() does not"},
    {"ReLU", "modules hold state: write F.relu(x)"},
    {"GELU", "modules hold state: write F.gelu(x)"},
    {"SiLU", "modules hold state: write F.silu(x)"},
    {"Sigmoid", "modules hold state: write torch.sigmoid(x)"},
    {"Tanh", "modules hold state: write torch.tanh(x)"},
    {"all_reduce",
     "it changes its tensor and returns nothing: write dist.all_reduce(x) on a line of its own"},
    {"broadcast",
     "it changes its tensor and returns nothing: write dist.broadcast(x, src=0) on a line of its "
     "own"},
    {"all_gather",
     "it changes its tensors and returns nothing: write dist.all_gather(list, x) on a line of its "
     "own"},
    {"swish", "write F.silu(x)"},
};

}  // namespace

std::span<const OpChoice> opChoices() {
  return kChoices;
}
const OpRow* chosenByParameter(const OpRow& row, std::span<const double> parameters) {
  for (const OpChoice& choice : kChoices) {
    if (choice.by != parameter || choice.from != row.name) continue;
    std::size_t i = 0;
    while (row.parameters.begin()[i].name != choice.keyword) ++i;
    const double value = parameters[i];
    if (value == choice.number ||
        (std::isnan(choice.number) && value != row.parameters.begin()[i].fallback))
      return &namedOp(choice.to);
  }
  return nullptr;
}

const OpChoice* parameterChoiceOf(const OpRow& row) {
  for (const OpChoice& choice : kChoices)
    if (choice.by == parameter && choice.to == row.name) return &choice;
  return nullptr;
}

std::span<const KeywordAlias> keywordAliases() {
  return kAliases;
}

const Remedy* findRemedy(std::string_view name) {
  for (const Remedy& remedy : kRemedies)
    if (remedy.name == name) return &remedy;
  return nullptr;
}

}  // namespace fusebench
