// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/base/index_space.h"
#include "engine/device/backend.h"
#include "engine/device/tensor.h"
#include "engine/language/program.h"
#include "engine/plan/step_lowering.h"

namespace fusebench {

/// One op of a program, prepared like a framework's call site: its row and constants. Work that
/// depends on the tensors (checks, shapes, kernel, memory) is done at each call.
struct CallSite {
  const Op* op = nullptr;
  int row = 0;                      ///< opIndex
  int tensors = 0;                  ///< operands that are not numbers
  std::array<ValueId, 3> values{};  ///< these, in order
  /// Operand numbers, then number parameters, in order; as float32, which most ops take.
  std::vector<Scalar> scalars;
  std::vector<double> numbers;  ///< the same as written
  int numberMask = 0;           ///< bit i: operand i is a number
  bool reduces = false;
  std::size_t truthTensors = 0;  ///< bit i: the i-th tensor operand must be bool
  bool plain = false;            ///< no structural parameter
  bool gapless =
      false;  ///< plain, with all dimensions alike: the table of kernels without gaps is used
  DType resultDType = DType::float32;
  bool isView = false;           ///< needs a kernel only if its operand has to be copied
  bool isCalled = false;         ///< see fusebench::isCalled()
  bool isCopy = false;           ///< no launch
  ValueId into = -1;             ///< the value that it writes in place; -1: it creates a tensor
  bool usual = false;            ///< gapless, and makes a tensor of tensors
  bool makes = false;            ///< of nothing but numbers, and at most the form of an operand
  bool onlyTakesMemory = false;  ///< see isOverwritten(); no launch

  explicit CallSite(const Op& op);

 private:
  void addNumber(double number);
};

/// Runs single ops: checks, dispatches to a kernel by op, dtypes and layout, allocates, launches.
/// Kernels are shape-generic and compiled when first needed.
class Dispatcher {
 public:
  /// `search`: see ExecutorOptions.
  Dispatcher(Backend& backend, CompileTimes& times, bool search = false);

  /// Computes one op into a new tensor without gaps, with its operands' dimension order
  /// (resultOrder()), or contiguous if it is reduced or a view's copy. `operands`: its tensor
  /// operands; `step`: the plan's step. A site that writes in place gets its target as `result`,
  /// and nothing is allocated. Throws ProgramError.
  void run(const CallSite& site, std::int32_t step, const Tensor* const* operands, Tensor& result);
  /// Call it when tensors that ops used have been freed: others may get the same addresses.
  void forgetSites() {
    typed_.clear();
    called_.clear();
  }

 private:
  using Found = std::shared_ptr<const Executable>;
  /// The last kernel of a call site for operands of other types than float32 and bool.
  struct Typed {
    unsigned forms = 0;  ///< their dtypes, and whether they have dimensions
    Found executable;
    DType result = DType::float32;
    std::vector<Scalar> scalars;
  };
  static void checkInPlace(const CallSite& site, const Tensor* const* operands, const Tensor& into);
  void runUnusual(const CallSite& site, std::int32_t step, const Tensor* const* operands,
                  Tensor& result);
  template <bool kInPlace>
  bool runGapless(const CallSite& site, std::int32_t step, const Tensor* const* operands,
                  Tensor& result);
  const Executable& addGapless(std::size_t at, const CallSite& site, const Tensor* const* operands);
  bool runGaplessTyped(const CallSite& site, std::int32_t step, const Tensor* const* operands,
                       Tensor& result);
  bool runMaking(const CallSite& site, std::int32_t step, const Tensor* const* operands,
                 Tensor& result);
  template <bool kInPlace>
  void launchGapless(const CallSite& site, std::int32_t step, std::int64_t elements,
                     const Tensor* const* operands, Tensor& result, DType dtype,
                     const Executable& executable, const Scalar* scalars);
  void runAnyLayout(const CallSite& site, std::int32_t step, const Tensor* const* operands,
                    Tensor& result);
  /// The last call of a contraction's call site.
  struct Called {
    std::vector<std::uint8_t> forms;  ///< dtypes and ranks of the operands
    LibraryCall call;
    Found executable;
    Shape result;
    Strides strides;  ///< the result's
    bool contiguous = true;
    std::vector<std::int64_t> integers;  ///< the launch's

    bool fits(std::span<const Tensor* const> given) const;
  };
  void find(const CallSite& site, std::span<const Tensor* const> given, Called& found);
  void runLibrary(const CallSite& site, std::int32_t step, const Tensor* const* operands,
                  Tensor& result);
  static std::vector<Scalar> scalarsOf(const CallSite& site, DType computed);
  Found compile(const CallSite& site, const Tensor* const* operands, const Form* into = nullptr);

  Backend& backend_;
  CompileTimes& times_;
  bool search_;
  /// By row, number mask and operand dtypes: kernels for operands of the same layout, without gaps.
  std::vector<Found> gapless_;
  std::unordered_map<const Op*, Typed> typed_;
  std::unordered_map<const Op*, Called> called_;
  /// By row, dtypes, structural parameters and layout class.
  std::unordered_map<std::string, Found> byLayout_;
};

}  // namespace fusebench
