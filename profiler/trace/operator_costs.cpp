// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/operator_costs.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "profiler/files/json_text.h"
#include "profiler/trace/kernel_table.h"

namespace fusebench {
namespace {

using Extents = std::vector<std::int64_t>;

double product(const Extents& extents) {
  double all = 1;
  for (const std::int64_t extent : extents) all *= static_cast<double>(extent);
  return all;
}

double bytesOf(const RecordedTensor& tensor) {
  return product(tensor.extents) * static_cast<double>(bytesPerElement(tensor.dtype));
}

double bytesOf(const std::vector<RecordedTensor>& tensors) {
  double all = 0;
  for (const RecordedTensor& tensor : tensors) all += bytesOf(tensor);
  return all;
}

const RecordedTensor* argument(const std::vector<RecordedTensor>& tensors, std::size_t at) {
  const auto found = std::ranges::find(tensors, at, &RecordedTensor::argument);
  return found == tensors.end() ? nullptr : &*found;
}

/// left (..., m, k) by right (..., k, n); a batch that one of them lacks is shared.
OperatorCost matmulCost(const std::vector<RecordedTensor>& tensors, std::size_t left,
                        std::size_t right, bool transposed) {
  const RecordedTensor* const a = argument(tensors, left);
  const RecordedTensor* const b = argument(tensors, right);
  if (!a || !b || a->extents.empty() || b->extents.empty()) return {};
  const std::size_t rank = b->extents.size();
  const bool vector = rank == 1;
  const std::int64_t inner = vector       ? b->extents[0]
                             : transposed ? b->extents[rank - 1]
                                          : b->extents[rank - 2];
  const std::int64_t columns = vector       ? 1
                               : transposed ? b->extents[rank - 2]
                                            : b->extents[rank - 1];
  if (inner == 0 || a->extents.back() != inner) return {};
  // Rows of the left operand, and what the right one's batch multiplies where the left has none.
  double rows = product(a->extents) / static_cast<double>(inner);
  if (a->extents.size() <= 2 && rank > 2)
    rows *= product(Extents(b->extents.begin(), b->extents.end() - 2));
  const double results = rows * static_cast<double>(columns);
  return {2 * results * static_cast<double>(inner),
          bytesOf(tensors) + results * static_cast<double>(bytesPerElement(a->dtype))};
}

std::optional<Extents> numbersIn(const nlohmann::json& values, std::size_t at) {
  if (!values.is_array() || at >= values.size() || !values[at].is_string()) return std::nullopt;
  const nlohmann::json list = jsonOf(values[at].get_ref<const std::string&>());
  if (!list.is_array()) return std::nullopt;
  Extents numbers;
  for (const nlohmann::json& one : list) {
    if (!one.is_number_integer()) return std::nullopt;
    numbers.push_back(one.get<std::int64_t>());
  }
  return numbers;
}

/// Where an operator of convolutions has these arguments; input and weight come first.
struct ConvolutionArguments {
  std::string_view op;
  std::size_t stride, padding, dilation;
  bool transposed = false;  ///< the argument after them says whether it is a transposed one
};
constexpr ConvolutionArguments kConvolutions[] = {
    {"aten::conv1d", 3, 4, 5},
    {"aten::conv2d", 3, 4, 5},
    {"aten::conv3d", 3, 4, 5},
    {"aten::convolution", 3, 4, 5, true},
    {"aten::_convolution", 3, 4, 5, true},
    {"aten::cudnn_convolution", 3, 2, 4},
    {"aten::mkldnn_convolution", 4, 3, 5},
    {"aten::miopen_convolution", 4, 3, 5},
    {"aten::_conv_depthwise2d", 4, 5, 6},
};

OperatorCost convolutionCost(const std::vector<RecordedTensor>& tensors, std::string_view recorded,
                             const ConvolutionArguments& order) {
  const RecordedTensor* const input = argument(tensors, 0);
  const RecordedTensor* const weight = argument(tensors, 1);
  if (!input || !weight || weight->extents.size() < 3 ||
      input->extents.size() != weight->extents.size())
    return {};
  const nlohmann::json values = jsonOf(recorded);
  if (order.transposed &&
      (!values.is_array() || values.size() < 7 || values[6] != nlohmann::json("False")))
    return {};
  const auto stride = numbersIn(values, order.stride), padding = numbersIn(values, order.padding),
             dilation = numbersIn(values, order.dilation);
  if (!stride || !padding || !dilation) return {};
  double results = static_cast<double>(input->extents[0]) * static_cast<double>(weight->extents[0]);
  constexpr double kMost = 1e9;
  for (std::size_t d = 2; d < input->extents.size(); ++d) {
    const auto of = [&](const Extents& list) {
      return list.empty() ? 1.0 : static_cast<double>(list[std::min(d - 2, list.size() - 1)]);
    };
    const double step = of(*stride), pad = of(*padding), spread = of(*dilation);
    if (step < 1 || pad < 0 || spread < 1 || step > kMost || pad > kMost || spread > kMost)
      return {};
    const double reach = spread * static_cast<double>(weight->extents[d] - 1) + 1;
    const double places =
        std::floor((static_cast<double>(input->extents[d]) + 2 * pad - reach) / step) + 1;
    if (places < 1) return {};
    results *= places;
  }
  const double perResult =
      product(weight->extents) / static_cast<double>(std::max<std::int64_t>(1, weight->extents[0]));
  return {2 * results * perResult,
          bytesOf(tensors) + results * static_cast<double>(bytesPerElement(input->dtype))};
}

/// Each gradient that is asked for, of the input or of the weight, takes as much as the forward
/// convolution. The gradient of the result says how many places there are.
OperatorCost convolutionBackwardCost(const std::vector<RecordedTensor>& tensors,
                                     std::string_view recorded) {
  constexpr std::size_t kTransposed = 7, kMask = 10;
  const RecordedTensor* const result = argument(tensors, 0);
  const RecordedTensor* const input = argument(tensors, 1);
  const RecordedTensor* const weight = argument(tensors, 2);
  if (!result || !input || !weight || weight->extents.size() < 3 ||
      result->extents.size() != weight->extents.size() ||
      input->extents.size() != weight->extents.size())
    return {};
  const nlohmann::json values = jsonOf(recorded);
  if (!values.is_array() || values.size() <= kMask || !values[kMask].is_string()) return {};
  const auto& mask = values[kMask].get_ref<const std::string&>();
  const bool ofInput = mask.starts_with("[True"), ofWeight = mask.find(", True,") < mask.size();
  // In a transposed convolution each element of the input meets the weight, not of the result.
  const bool transposed = values[kTransposed] == nlohmann::json("True");
  const double perPlace =
      product(weight->extents) / static_cast<double>(std::max<std::int64_t>(1, weight->extents[0]));
  const double forward = 2 * product((transposed ? input : result)->extents) * perPlace;
  const double gradients = (ofInput ? 1.0 : 0.0) + (ofWeight ? 1.0 : 0.0);
  if (gradients == 0) return {};
  return {gradients * forward, bytesOf(*result) + bytesOf(*input) + bytesOf(*weight) +
                                   (ofInput ? bytesOf(*input) : 0) +
                                   (ofWeight ? bytesOf(*weight) : 0)};
}

/// Query (batch, heads, rows, width), key (batch, heads, columns, width); forward alone. The
/// operators beneath have the heads behind the rows: query (batch, rows, heads, width).
OperatorCost attentionCost(const std::vector<RecordedTensor>& tensors, std::size_t rowsAt = 2) {
  const RecordedTensor *q = argument(tensors, 0), *k = argument(tensors, 1),
                       *v = argument(tensors, 2);
  if (!q || !k || !v || q->extents.size() != 4 || k->extents.size() != 4 || v->extents.size() != 4)
    return {};
  const double scores = product(q->extents) * static_cast<double>(k->extents[rowsAt]);
  return {4 * scores, bytesOf(*q) * 2 + bytesOf(*k) + bytesOf(*v)};
}

/// The result has the shape to which the inputs are broadcast.
OperatorCost pointwiseCost(const std::vector<RecordedTensor>& tensors) {
  Extents result;
  for (const RecordedTensor& tensor : tensors) {
    if (tensor.extents.size() > result.size())
      result.insert(result.begin(), tensor.extents.size() - result.size(), 1);
    for (std::size_t i = 0; i < tensor.extents.size(); ++i) {
      std::int64_t& extent = result[result.size() - tensor.extents.size() + i];
      extent = std::max(extent, tensor.extents[i]);
    }
  }
  if (tensors.empty()) return {};
  const double results = product(result);
  return {results,
          bytesOf(tensors) + results * static_cast<double>(bytesPerElement(tensors[0].dtype))};
}

/// Operators whose kernels' names, and not their own, are in the table of kernels.
constexpr std::string_view kPointwise[] = {
    "abs",
    "add",
    "addcdiv",
    "addcmul",
    "bitwise_and",
    "ceil",
    "clamp",
    "clamp_min",
    "clamp_max",
    "copy_",
    "cos",
    "div",
    "elu",
    "eq",
    "erf",
    "exp",
    "exp2",
    "fill_",
    "floor",
    "ge",
    "gelu",
    "gt",
    "hardswish",
    "hardtanh",
    "le",
    "leaky_relu",
    "lerp",
    "log",
    "log1p",
    "log2",
    "logical_and",
    "logical_not",
    "lt",
    "masked_fill",
    "maximum",
    "minimum",
    "mish",
    "mul",
    "ne",
    "neg",
    "pow",
    "reciprocal",
    "relu",
    "remainder",
    "round",
    "rsqrt",
    "sigmoid",
    "sign",
    "silu",
    "sin",
    "softplus",
    "sqrt",
    "square",
    "sub",
    "tanh",
    "where",
    "gelu_backward",
    "silu_backward",
    "sigmoid_backward",
    "tanh_backward",
    "threshold_backward",
};

bool isPointwise(std::string_view op) {
  constexpr std::string_view kAten = "aten::";
  if (!op.starts_with(kAten)) return false;
  op.remove_prefix(kAten.size());
  const auto listed = [](std::string_view name) {
    return std::ranges::find(kPointwise, name) != std::end(kPointwise);
  };
  // "clamp_min_" writes its result into its first argument.
  return listed(op) || (op.ends_with('_') && listed(op.substr(0, op.size() - 1)));
}

bool isAny(std::string_view op, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, op) != names.end();
}

}  // namespace

OperatorCost costOf(std::string_view op, const std::vector<RecordedTensor>& tensors,
                    std::string_view values) {
  if (tensors.empty()) return {};
  if (isAny(op, {"aten::mm", "aten::bmm", "aten::matmul", "aten::mv", "aten::dot"}))
    return matmulCost(tensors, 0, 1, false);
  if (isAny(op, {"aten::addmm", "aten::addmm_", "aten::baddbmm", "aten::baddbmm_",
                 "aten::_addmm_activation", "aten::addmv", "aten::addmv_"}))
    return matmulCost(tensors, 1, 2, false);
  if (op == "aten::linear") return matmulCost(tensors, 0, 1, true);
  if (const auto places = std::ranges::find(kConvolutions, op, &ConvolutionArguments::op);
      places != std::end(kConvolutions))
    return convolutionCost(tensors, values, *places);
  if (isAny(op, {"aten::scaled_dot_product_attention", "aten::_scaled_dot_product_flash_attention",
                 "aten::_scaled_dot_product_efficient_attention",
                 "aten::_scaled_dot_product_cudnn_attention"}))
    return attentionCost(tensors);
  if (isAny(op, {"aten::_flash_attention_forward", "aten::_efficient_attention_forward"}))
    return attentionCost(tensors, 1);
  if (op == "aten::convolution_backward") return convolutionBackwardCost(tensors, values);
  if (isPointwise(op)) return pointwiseCost(tensors);
  switch (meaningOfKernel({}, op).kind) {
    case KernelClass::pointwise:
    case KernelClass::copy:
      return pointwiseCost(tensors);
    case KernelClass::reduction:
      return {product(tensors[0].extents), bytesOf(tensors)};
    case KernelClass::normalization:
      // Mean, variance, scaling: about five operations per element; read and written once.
      return {5 * product(tensors[0].extents), bytesOf(tensors) + bytesOf(tensors[0])};
    default:
      return {};
  }
}

}  // namespace fusebench
