// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "engine/language/program.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

/// Calls `work`, whose ContractError becomes the op's ProgramError.
template <class Work>
auto ofContraction(const Op& op, Work&& work) {
  try {
    return work();
  } catch (const ContractError& error) {
    failProgram(op.place, std::string(op.row->name) + ": " + error.what());
  } catch (const SizeOverflow&) {
    failOverflow(op);
  }
}

}  // namespace

ContractForm contractFormOf(const Op& op, std::span<const int> ranks) {
  const ContractRule& rule = op.row->contract;
  return ofContraction(op, [&] {
    return contractForm(rule.indices.empty() ? std::string_view(op.equation) : rule.indices,
                        rule.addend, ranks);
  });
}

ContractSettings contractSettingsOf(const Op& op) {
  if (op.settings) return *op.settings;
  ContractSettings settings;
  std::size_t p = 0, next = 0;
  for (const Parameter& parameter : op.row->parameters) {
    const double number = op.parameters[p++];
    if (parameter.kind == Parameter::Kind::sizes) {
      const auto count = static_cast<std::size_t>(parameter.high);
      std::vector<std::int64_t>& list = parameter.name == "stride"     ? settings.stride
                                        : parameter.name == "padding"  ? settings.padding
                                        : parameter.name == "dilation" ? settings.dilation
                                                                       : settings.kernel;
      for (std::size_t i = 0; i < count && next < op.sizeNumbers.size(); ++i)
        list.push_back(op.sizeNumbers[next++]);
    } else if (parameter.name == "groups") {
      settings.groups = std::llround(number);
    } else if (parameter.name == "alpha") {
      settings.alpha = number;
    } else if (parameter.name == "beta") {
      settings.beta = number;
    } else if (parameter.name == "ceil_mode") {
      settings.ceiling = number != 0;
    } else if (parameter.name == "count_include_pad") {
      settings.countsPadding = number != 0;
    }
  }
  const std::size_t windows = std::max(settings.stride.size(), settings.kernel.size());
  settings.dilation.resize(windows, 1);  // an average has none
  for (std::size_t w = 0; w < settings.kernel.size(); ++w)
    if (settings.stride[w] == 0) settings.stride[w] = settings.kernel[w];
  return settings;
}

void setUsualWindows(Op& op) {
  if (op.row->kind != OpKind::contract) return;
  op.sizeNumbers.clear();
  for (const Parameter& parameter : op.row->parameters)
    if (parameter.kind == Parameter::Kind::sizes)
      op.sizeNumbers.resize(op.sizeNumbers.size() + static_cast<std::size_t>(parameter.high),
                            static_cast<std::int64_t>(parameter.fallback));
  op.sizes.assign(op.sizeNumbers.size(), -1);
}

std::vector<std::int64_t> contractLoopsOf(const Op& op, const ContractForm& form,
                                          std::span<const SizeList<std::int64_t>> operands) {
  return ofContraction(op, [&] {
    return contractLoops<std::int64_t>(form, contractSettingsOf(op), operands,
                                       SizeMath<std::int64_t>());
  });
}

std::vector<HintedSize> contractLoopsOf(const Op& op, const ContractForm& form,
                                        std::span<const SizeList<HintedSize>> operands,
                                        SizeFacts& facts) {
  return ofContraction(op, [&] {
    return contractLoops<HintedSize>(form, contractSettingsOf(op), operands,
                                     SizeMath<HintedSize>(facts));
  });
}

}  // namespace fusebench
