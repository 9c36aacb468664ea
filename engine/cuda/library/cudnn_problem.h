// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "engine/cuda/library/cudnn.h"

namespace fusebench::cuda {

/// Memory that a way may work in: some transforms of large images need more memory than a card has.
inline constexpr std::size_t kMostWorkspaceBytes = 512u << 20;

/// The types that the library uses for elements of a dtype.
struct DnnTypes {
  int element = 0, compute = 0;
  int math = kDnnDefaultMath;  ///< that is allowed
};

/// Nothing: the library has no convolutions of such elements.
std::optional<DnnTypes> dnnTypesOf(DType dtype);

/// Images, channels, rows, columns; for weights: result channels, channels, rows, columns.
struct DnnShape {
  std::array<std::int64_t, 4> extents{1, 1, 1, 1}, strides{};
};

DnnShape packed(DnnShape shape, bool channelsLast);
/// Whether all elements are contiguous in this order; strides of dimensions of extent 1 do not
/// count.
bool liesPacked(const DnnShape& shape, bool channelsLast);

/// A convolution, or one of its gradients, from the gradient of its result.
enum class DnnDirection : std::uint8_t { forwards, toSource, toWeights };

/// Which of a call's tensors correspond to the library's names.
struct DnnRoles {
  DnnDirection direction = DnnDirection::forwards;
  std::size_t source = 0, weights = 1, result = 2;
};

DnnRoles dnnRolesOf(const LibraryCall& call);

/// How a convolution is requested.
struct DnnProblem {
  DnnRoles roles;
  DnnShape source, weights, result;
  bool weightsLast = false;  ///< they are channels last
  std::array<int, 2> padding{0, 0}, stride{1, 1}, dilation{1, 1};
  int groups = 1;
  bool bias = false, relu = false;
};

/// Nothing: the library does not support these layouts, and `why` has the reason in a few words.
std::optional<DnnProblem> problemOf(const LibraryRequest& request, std::string& why);

/// The problem for people, one line each: "images: operand 1, 2 x 4 x 9 x 8, row-major".
std::string problemText(const DnnProblem& problem, const LibraryCall& call,
                        const std::string& version);

/// A refusal of the library's.
class DnnRefusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Checks the status of an execution of `call`. False: the library does not support the request, or
/// there was not enough memory. Throws std::runtime_error if it failed.
bool dnnRan(const Cudnn& library, const std::string& call, DnnStatus status);

}  // namespace fusebench::cuda
