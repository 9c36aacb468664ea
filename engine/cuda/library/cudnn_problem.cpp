// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/library/cudnn_problem.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "engine/base/saying.h"

namespace fusebench::cuda {
namespace {

/// The library counts elements and steps in ints.
constexpr std::int64_t kMostElements = 0x7fffffff;

/// The steps as the library is to see them: those of one element are as in a tensor without gaps,
/// by which it knows a layout.
DnnShape settled(DnnShape shape, bool channelsLast) {
  if (liesPacked(shape, channelsLast)) return packed(shape, channelsLast);
  if (liesPacked(shape, !channelsLast)) return packed(shape, !channelsLast);
  const bool inside = shape.extents[1] > 1 && shape.strides[1] == 1;
  std::int64_t step = 1;
  for (const std::size_t d :
       inside ? std::array<std::size_t, 4>{1, 3, 2, 0} : std::array<std::size_t, 4>{3, 2, 1, 0}) {
    if (shape.extents[d] == 1) shape.strides[d] = step;
    step = shape.strides[d] * shape.extents[d];
  }
  return shape;
}

std::string layoutText(const DnnShape& shape) {
  const auto& e = shape.extents;
  const auto& s = shape.strides;
  const std::string how = liesPacked(shape, false) ? "row-major"
                          : liesPacked(shape, true)
                              ? "channels last"
                              : fmt::format("steps {}, {}, {}, {}", s[0], s[1], s[2], s[3]);
  return fmt::format("{} x {} x {} x {}, {}", e[0], e[1], e[2], e[3], how);
}

std::size_t windowsIn(const std::vector<ContractDim>& dims, ContractDim::Kind kind) {
  return static_cast<std::size_t>(std::ranges::count(dims, kind, &ContractDim::kind));
}

std::size_t windowsOf(const LibraryCall& call) {
  std::size_t most = 0;
  for (const std::vector<ContractDim>& dims : call.form.tensors)
    most = std::max({most, windowsIn(dims, ContractDim::Kind::window),
                     windowsIn(dims, ContractDim::Kind::spread)});
  return most;
}

/// A tensor of a launch: one image if there is no image dimension, one row for one dimension.
DnnShape shapeOf(const LibraryCall& call, std::size_t tensor, const std::int64_t* integers) {
  for (std::size_t t = 0; t < tensor; ++t) integers += 2 * call.rank(t);
  const std::size_t rank = call.rank(tensor), windows = windowsOf(call);
  DnnShape shape;
  for (std::size_t d = 0; d < rank; ++d) {
    // From behind: columns, rows if there are any, channels, images.
    const std::size_t back = rank - 1 - d;
    const std::size_t place = back < windows ? 3 - back : 1 - (back - windows);
    shape.extents[place] = integers[d];
    shape.strides[place] = integers[rank + d];
  }
  return shape;
}

std::string tensorName(const LibraryCall& call, std::size_t tensor) {
  return tensor < call.operands.size() ? fmt::format("operand {}", tensor + 1) : "the result";
}

/// The reason why a tensor's layout is refused; empty: it is not.
std::string refusalOf(const DnnShape& shape) {
  std::int64_t last = 0;
  for (std::size_t d = 0; d < 4; ++d) {
    if (shape.extents[d] > 1 && shape.strides[d] < 1) return "repeats its elements";
    if (shape.extents[d] > kMostElements || shape.strides[d] > kMostElements)
      return "is too long for it";
    last += (shape.extents[d] - 1) * shape.strides[d];
  }
  return last >= kMostElements ? "is too long for it" : "";
}

}  // namespace

std::optional<DnnTypes> dnnTypesOf(DType dtype) {
  switch (dtype) {
    case DType::float32:
      return DnnTypes{kDnnFloat32, kDnnFloat32, kDnnFmaMath};
    case DType::float16:
      return DnnTypes{kDnnFloat16, kDnnFloat32, kDnnTensorMath};
    case DType::bfloat16:
      return DnnTypes{kDnnBfloat16, kDnnFloat32, kDnnTensorMath};
    case DType::float64:
      return DnnTypes{kDnnFloat64, kDnnFloat64, kDnnDefaultMath};
    default:
      return std::nullopt;
  }
}

DnnShape packed(DnnShape shape, bool channelsLast) {
  std::int64_t step = 1;
  for (const std::size_t d : channelsLast ? std::array<std::size_t, 4>{1, 3, 2, 0}
                                          : std::array<std::size_t, 4>{3, 2, 1, 0}) {
    shape.strides[d] = step;
    step *= shape.extents[d];
  }
  return shape;
}

bool liesPacked(const DnnShape& shape, bool channelsLast) {
  const DnnShape wanted = packed(shape, channelsLast);
  for (std::size_t d = 0; d < 4; ++d)
    if (shape.extents[d] > 1 && shape.strides[d] != wanted.strides[d]) return false;
  return true;
}

DnnRoles dnnRolesOf(const LibraryCall& call) {
  const std::size_t last = call.operands.size();
  if (call.form.spreads()) return {DnnDirection::toSource, last, 1, 0};
  if (windowsIn(call.form.tensors.front(), ContractDim::Kind::window) == 0)
    return {DnnDirection::toWeights, 1, last, 0};
  return {DnnDirection::forwards, 0, 1, last};
}

std::optional<DnnProblem> problemOf(const LibraryRequest& request, std::string& why) {
  const LibraryCall& call = request.call;
  const ContractSettings& settings = call.settings;
  DnnProblem made;
  if (request.sizes.count() == 0) {
    why = "there is nothing to sum";
    return std::nullopt;
  }
  made.roles = dnnRolesOf(call);
  for (const auto& [shape, tensor] :
       {std::pair(&made.source, made.roles.source), std::pair(&made.weights, made.roles.weights),
        std::pair(&made.result, made.roles.result)}) {
    *shape = shapeOf(call, tensor, request.integers);
    if (const std::string refusal = refusalOf(*shape); !refusal.empty()) {
      why = fmt::format("{} {}", tensorName(call, tensor), refusal);
      return std::nullopt;
    }
  }
  const bool weightsRows = liesPacked(made.weights, false);
  const bool weightsLast = liesPacked(made.weights, true);
  if (!weightsRows && !weightsLast) {
    why = "the weights are neither row-major nor channels last without gaps";
    return std::nullopt;
  }
  // A tensor that fits both layouts is treated like the others.
  const auto onlyLast = [](const DnnShape& shape) {
    return liesPacked(shape, true) && !liesPacked(shape, false);
  };
  const bool last = onlyLast(made.source) || onlyLast(made.result);
  made.source = settled(made.source, last);
  made.result = settled(made.result, last);
  made.weightsLast = weightsLast && (last || !weightsRows);
  made.weights = packed(made.weights, made.weightsLast);
  const std::size_t windows = windowsOf(call);
  for (std::size_t w = 0; w < windows; ++w) {
    const std::size_t place = 2 - windows + w;
    made.padding[place] = static_cast<int>(settings.padding[w]);
    made.stride[place] = static_cast<int>(settings.stride[w]);
    made.dilation[place] = static_cast<int>(settings.dilation[w]);
  }
  made.groups = static_cast<int>(settings.groups);
  made.relu = call.tail == Tail::relu;
  if (call.form.addend >= 0) {
    made.bias = true;
    const std::int64_t* at = request.integers;
    for (int t = 0; t < call.form.addend; ++t) at += 2 * call.rank(static_cast<std::size_t>(t));
    if (at[0] != made.result.extents[1] || (at[0] > 1 && at[1] != 1)) {
      why = "the bias has gaps";
      return std::nullopt;
    }
  }
  return made;
}

std::string problemText(const DnnProblem& p, const LibraryCall& call, const std::string& version) {
  const auto pair = [](const std::array<int, 2>& values) {
    return fmt::format("{} x {}", values[0], values[1]);
  };
  const auto line = [&](const char* what, std::size_t tensor, const DnnShape& shape) {
    return fmt::format("{}: {}, {}\n", what, tensorName(call, tensor), layoutText(shape));
  };
  static constexpr std::array<const char*, 3> kDirections{"forwards", "back to its images",
                                                          "back to its weights"};
  return fmt::format("cuDNN {} convolution {}\n", version,
                     kDirections[static_cast<std::size_t>(p.roles.direction)]) +
         line("images", p.roles.source, p.source) + line("weights", p.roles.weights, p.weights) +
         line("convolved", p.roles.result, p.result) +
         fmt::format("padding {}, stride {}, dilation {}, groups {}\n", pair(p.padding),
                     pair(p.stride), pair(p.dilation), p.groups);
}

bool dnnRan(const Cudnn& library, const std::string& call, DnnStatus status) {
  if (status == kDnnSuccess) return true;
  const int category = status / 1000;
  if (category == 2 || category == 3 || status == kDnnDeviceAllocationFailed) return false;
  throw std::runtime_error(saying("cuDNN {} could not run {}: {}", library.versionText(), call,
                                  library.statusName(status)));
}

bool isConvolution(const LibraryCall& call) {
  using DimKind = ContractDim::Kind;
  const ContractForm& form = call.form;
  if (!call.contracts() || call.accumulate != Accumulate::sum || call.average ||
      call.settings.alpha != 1 || call.settings.beta != 1 ||
      (call.tail != Tail::none && call.tail != Tail::relu) || !dnnTypesOf(call.result))
    return false;
  const bool biased = form.addend == 2;
  const DnnRoles roles = dnnRolesOf(call);
  if (call.operands.size() != (biased ? 3U : 2U) || (form.addend >= 0 && !biased)) return false;
  if (std::ranges::any_of(call.operands, [&](DType dtype) { return dtype != call.result; }))
    return false;
  if (roles.direction != DnnDirection::forwards && (biased || call.tail != Tail::none))
    return false;
  // Windows over the images, or counted by what was convolved, and nowhere else.
  const bool back = roles.direction == DnnDirection::toSource;
  const std::size_t windows = windowsOf(call);
  for (std::size_t t = 0; t < form.tensors.size(); ++t) {
    if (windowsIn(form.tensors[t], DimKind::window) != (!back && t == roles.source ? windows : 0) ||
        windowsIn(form.tensors[t], DimKind::spread) != (back && t == roles.result ? windows : 0))
      return false;
  }
  const std::size_t dims = windows + 2;
  const std::size_t images = form.tensors[roles.source].size();
  return windows >= 1 && windows <= 2 && form.tensors[roles.weights].size() == dims &&
         images <= dims && images + 1 >= dims && form.tensors[roles.result].size() == images;
}

}  // namespace fusebench::cuda
