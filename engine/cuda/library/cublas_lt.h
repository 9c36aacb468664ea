// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/cuda/driver/device.h"
#include "engine/cuda/library/call_library.h"
#include "engine/cuda/library/cublas_lt_abi.h"
#include "engine/cuda/library/library_function.h"

namespace fusebench::cuda {

struct LtFunctions {
#define FUSEBENCH_MEMBER(member, symbol, ...) LibraryFunction<__VA_ARGS__> member;
  FUSEBENCH_CUBLASLT_FUNCTIONS(FUSEBENCH_MEMBER)
#undef FUSEBENCH_MEMBER
};

/// "CUBLAS_STATUS_NOT_SUPPORTED", or the number of an unknown status.
std::string ltStatusName(LtStatus status);

/// NVIDIA's cuBLASLt, opened at run time. Stays open to the end of the process.
class CublasLt : public LtFunctions {
 public:
  /// Opens `library` (a path or name); if empty, the environment's FUSEBENCH_CUDA_CUBLASLT, or the
  /// first usable one of libraryCandidates(): versions 13 and 12 are supported, if `driver`
  /// supports that major version. A library that is found rather than named has to work with the
  /// given driver, which it finds by the system's search itself. Null: there is none, and `why`
  /// says so in one line, with what helps. The same library is opened once.
  static std::shared_ptr<const CublasLt> open(const std::string& library, const Driver& driver,
                                              std::string& why);
  /// The same without a driver: for what a machine has.
  static std::shared_ptr<const CublasLt> find(const std::string& library, int driverVersion,
                                              std::string& why);

  const std::string& path() const { return path_; }  ///< path of the file
  const std::string& origin() const { return origin_; }
  void setOrigin(std::string origin) { origin_ = std::move(origin); }
  std::string versionText() const;  ///< "13.4.1"

 private:
  CublasLt() = default;
  std::string bind(SharedLibrary& library, int driverVersion);

  std::string path_, origin_;
  std::size_t version_ = 0;
};

/// cuBLASLt for the products of one device: those of matrices in float32, float16, bfloat16 and
/// float64, and of int8 summed in int32. float32 is computed in float32: TF32 stays off, as PyTorch
/// has it by default. 16-bit floats are summed in float32 and rounded once. Row-major results are
/// obtained by swapping the operands; transposed operands are passed as transposed, and other
/// layouts are refused. An addend of the result's columns is the epilogue's bias, any other one the
/// matrix C. Where batches have several strides, each step of the outer ones is a separate call.
/// Throws nothing; null: the library does not work on this device, and `why` says so.
std::unique_ptr<CallLibrary> makeCublasLtProducts(std::shared_ptr<const Device> device,
                                                  std::shared_ptr<const CublasLt> library,
                                                  std::string& why);

}  // namespace fusebench::cuda
