// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/device/backend.h"
#include "engine/plan/quantize.h"
#include "engine/run/executor.h"
#include "profiler/experiment/experiment.h"

namespace fusebench {

/// The executor of a variant's cell, on the program with the variant's options applied. The program
/// for its option `quantise` is determined once, with the ranges of a static one.
class VariantExecutor {
 public:
  /// All outlive this.
  VariantExecutor(Backend& backend, const Variant& variant, SharedProgram program)
      : backend_(backend), variant_(variant), program_(std::move(program)) {}

  /// A new one. `entries`: the cell's inputs, by which ranges are measured. Throws Unavailable
  /// where the device has no such executor or no layer can be quantized.
  std::unique_ptr<Executor> make(std::span<const std::vector<Tensor>> entries);

 private:
  std::unique_ptr<Executor> made();

  Backend& backend_;
  const Variant& variant_;
  SharedProgram program_;
  std::unique_ptr<const Program> quantized_;
};

/// Ranges of the inputs of a program's layers, over all these inputs. `histogram`: instead of the
/// range from the minimum to the maximum, the one with the smallest mean squared loss from clipping
/// and rounding together. Throws Unavailable, in one line, for NaN, infinities and tensors of
/// zeros.
std::vector<LayerRange> calibrated(Backend& backend, const Program& program,
                                   std::span<const QuantizableLayer> layers,
                                   std::span<const std::vector<Tensor>> entries, bool histogram);

/// The part of a range on which 255 steps have the smallest mean squared loss.
LayerRange leastErrorRange(std::span<const float> values, const LayerRange& whole);

}  // namespace fusebench
