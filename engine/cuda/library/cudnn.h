// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/cuda/driver/device.h"
#include "engine/cuda/library/call_library.h"
#include "engine/cuda/library/cudnn_abi.h"
#include "engine/cuda/library/library_function.h"

namespace fusebench::cuda {

struct DnnFunctions {
#define FUSEBENCH_MEMBER(member, symbol, ...) LibraryFunction<__VA_ARGS__> member;
  FUSEBENCH_CUDNN_FUNCTIONS(FUSEBENCH_MEMBER)
#undef FUSEBENCH_MEMBER
};

/// NVIDIA's cuDNN, opened at run time. Stays open to the end of the process.
class Cudnn : public DnnFunctions {
 public:
  /// Opens `library` (a path or name); if empty, the environment's FUSEBENCH_CUDA_CUDNN, or the
  /// first usable one of libraryCandidates(): version 9 is supported, if it is made for a major
  /// version of CUDA that `driver` supports. A library that is found rather than named has to work
  /// with the given driver, which it finds by the system's search itself. Null: there is none, and
  /// `why` says so in one line, with what helps. The same library is opened once.
  static std::shared_ptr<const Cudnn> open(const std::string& library, const Driver& driver,
                                           std::string& why);
  /// The same without a driver: for what a machine has.
  static std::shared_ptr<const Cudnn> find(const std::string& library, int driverVersion,
                                           std::string& why);

  const std::string& path() const { return path_; }  ///< path of the file
  const std::string& origin() const { return origin_; }
  void setOrigin(std::string origin) { origin_ = std::move(origin); }
  std::string versionText() const;  ///< "9.26.0"
  /// "CUDNN_STATUS_NOT_SUPPORTED", or the number of a status that the library has no name for.
  std::string statusName(DnnStatus status) const;

 private:
  Cudnn() = default;
  std::string bind(SharedLibrary& library, int driverVersion);

  std::string path_, origin_;
  std::size_t version_ = 0;
  const char* (*errorString_)(DnnStatus) = nullptr;
};

/// Whether the call is a convolution that cuDNN can compute, or a gradient of one: over one or two
/// dimensions, in float32, float16, bfloat16 or float64, followed by nothing except relu.
bool isConvolution(const LibraryCall& call);

/// cuDNN for the convolutions of one device. float32 is computed in float32: TF32 stays off. 16-bit
/// floats are summed in float32. Tensors are passed with their own strides, weights row-major or
/// channels last; convolutions over one dimension are those over two with one row. A bias is the
/// epilogue's where the algorithm has one, and otherwise added by the library; relu is also the
/// library's, after it: its epilogue would lose NaN. Gradients use only algorithms that give the
/// same result at each call. Throws nothing; null: the library does not work on this device, and
/// `why` says so.
std::unique_ptr<CallLibrary> makeCudnnConvolutions(std::shared_ptr<const Device> device,
                                                   std::shared_ptr<const Cudnn> library,
                                                   std::string& why);

}  // namespace fusebench::cuda
