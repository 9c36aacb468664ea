// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/program_autocast.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "engine/language/program_source.h"

namespace fusebench {
namespace {

/// Whether a contraction has a loop that its result does not have.
bool sums(const Op& op) {
  const std::string& equation = op.equation;
  const std::size_t arrow = std::min(equation.find("->"), equation.size());
  const std::string_view result = std::string_view(equation).substr(arrow);
  return std::any_of(equation.begin(), equation.begin() + static_cast<std::ptrdiff_t>(arrow),
                     [&](char letter) {
                       const bool loop = letter != ',' && letter != '.';
                       return loop && result.find(letter) == std::string_view::npos;
                     });
}

bool isEligible(DType dtype) {
  return isFloat(dtype) && dtype != DType::float64;
}

// Functions with the rule `none` are one op as well, so that autocast does not see their parts.
constexpr std::array kListedFunctions{
    ListedFunction{"addbmm", kLowered},
    ListedFunction{"addmv", kLoweredOnCuda},
    ListedFunction{"addr", kLoweredOnCuda},
    ListedFunction{"batch_norm", {}},
    ListedFunction{"bilinear", kWidestOnCuda},
    ListedFunction{"cdist", kSingle},
    ListedFunction{"cosine_embedding_loss", kSingle},
    ListedFunction{"dist", kSingleOnCuda},
    ListedFunction{"multi_margin_loss", kSingle, "target"},
    ListedFunction{"prelu", kLowered},
    ListedFunction{"quantile", {Autocast::single, Autocast::none}},
    ListedFunction{"renorm", kSingleOnCuda},
    ListedFunction{"trace", {Autocast::single, Autocast::none}},
    ListedFunction{"triplet_margin_loss", kSingle},
    ListedFunction{"binary_cross_entropy", kSingle},
    ListedFunction{"binary_cross_entropy_with_logits", kSingle},
    ListedFunction{"cosine_similarity", kSingleOnCuda},
    ListedFunction{"cross_entropy", kSingle, "target"},
    ListedFunction{"group_norm", kSingleOnCuda},
    ListedFunction{"hinge_embedding_loss", kSingle},
    ListedFunction{"huber_loss", kSingle},
    ListedFunction{"instance_norm", {}},
    ListedFunction{"kl_div", kSingle},
    ListedFunction{"l1_loss", kSingle},
    ListedFunction{"layer_norm", kSingleOnCuda},
    ListedFunction{"log_softmax", kSingleOnCuda},
    ListedFunction{"logsumexp", kSingleOnCuda},
    ListedFunction{"margin_ranking_loss", kSingle},
    ListedFunction{"mse_loss", kSingle},
    ListedFunction{"nll_loss", kSingle, "target"},
    ListedFunction{"poisson_nll_loss", kSingle},
    ListedFunction{"rms_norm", kSingleOnCuda},
    ListedFunction{"scaled_dot_product_attention", kLowered},
    ListedFunction{"smooth_l1_loss", kSingle},
    ListedFunction{"soft_margin_loss", kSingle},
    ListedFunction{"softmax", kSingleOnCuda},
};

}  // namespace

const ListedFunction* listedFunction(std::string_view name) {
  const auto found = std::ranges::find(kListedFunctions, name, &ListedFunction::name);
  return found == kListedFunctions.end() ? nullptr : &*found;
}

void castOperands(const Op& op, std::span<DType> operands) {
  if (op.writesInto()) return;  // autocast knows no x.op_() and no out=
  const bool within = op.listed.call >= 0;
  const auto tensor = [&](std::size_t i) {
    return !op.operands[i].isNumber() && (!within || op.operands[i].listed) &&
           isEligible(operands[i]);
  };
  const auto become = [&](DType dtype) {
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (tensor(i)) operands[i] = dtype;
  };
  switch (op.autocast.of(within ? op.listed.rule : op.row->autocast)) {
    case Autocast::none:
      return;
    case Autocast::lowerWhereSummed:
      if (!sums(op)) return;
      [[fallthrough]];
    case Autocast::lower:
      return become(op.autocast.lower);
    case Autocast::single:
      return become(DType::float32);
    case Autocast::widest:
      for (std::size_t i = 0; i < operands.size(); ++i)
        if (tensor(i) && operands[i] == DType::float32) return become(DType::float32);
  }
}

void setAutocast(Program& program, DType lower, AutocastMode::List list) {
  int context = -1;
  for (const Op& op : program.ops) context = std::max<int>(context, op.autocast.context);
  for (Op& op : program.ops)
    if (op.autocast.context < 0 && op.row->kind != OpKind::gradient)
      op.autocast = {lower, list, true, context + 1};
  program.autocasts = true;
  if (!program.source) return;
  ProgramSource source = *program.source;
  source.autocast = ProgramSource::Autocast{lower, list};
  program.source = std::make_shared<const ProgramSource>(std::move(source));
}

}  // namespace fusebench
