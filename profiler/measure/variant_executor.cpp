// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/measure/variant_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "engine/base/saying.h"
#include "profiler/experiment/inputs.h"
#include "profiler/measure/cell_runner.h"

namespace fusebench {
namespace {

/// Values of a layer's operand that histograms are made of: more say no more.
constexpr std::size_t kMostCalibrated = 1 << 20;

/// "linear in line 4"
std::string placeOf(const Program& program, const QuantizableLayer& layer) {
  const Op& op = program.ops[static_cast<std::size_t>(layer.op)];
  return op.place.line > 0 ? saying("{} in line {}", op.row->name, op.place.line)
                           : std::string(op.row->name);
}

/// The range of one layer's inputs over all entries.
struct Seen {
  LayerRange range{INFINITY, -INFINITY};
  std::vector<float> values;

  void add(const std::vector<double>& given, bool keep) {
    for (const double value : given) {
      range.low = std::min(range.low, value);
      range.high = std::max(range.high, value);
      if (keep && values.size() < kMostCalibrated) values.push_back(static_cast<float>(value));
    }
  }
};

/// Squares that a value's step or clipping costs, over a histogram.
double lossOf(std::span<const double> counts, const LayerRange& whole, const LayerRange& kept) {
  const double width = (whole.high - whole.low) / static_cast<double>(counts.size());
  const double step = (kept.high - kept.low) / 255;
  double loss = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double value = whole.low + (static_cast<double>(i) + 0.5) * width;
    const double past = std::max({kept.low - value, value - kept.high, 0.0});
    loss += counts[i] * (past * past + step * step / 12);
  }
  return loss;
}

}  // namespace

LayerRange leastErrorRange(std::span<const float> values, const LayerRange& whole) {
  constexpr std::size_t kBins = 2048;
  constexpr int kTried = 100;
  if (!(whole.high > whole.low)) return whole;
  std::vector<double> counts(kBins, 0);
  for (const float value : values) {
    const double place = (static_cast<double>(value) - whole.low) / (whole.high - whole.low);
    ++counts[std::min(kBins - 1, static_cast<std::size_t>(std::max(place, 0.0) * kBins))];
  }
  LayerRange best = whole;
  double least = lossOf(counts, whole, whole);
  const auto tryOut = [&](const LayerRange& kept) {
    const double loss = lossOf(counts, whole, kept);
    if (loss >= least) return;
    least = loss;
    best = kept;
  };
  // One end after the other: an outlier is at one of them.
  constexpr int kRounds = 2;
  for (int round = 0; round < kRounds; ++round) {
    for (int share = 1; share < kTried; ++share) tryOut({best.low, whole.high * share / kTried});
    for (int share = 1; share < kTried; ++share) tryOut({whole.low * share / kTried, best.high});
  }
  return best;
}

std::vector<LayerRange> calibrated(Backend& backend, const Program& program,
                                   std::span<const QuantizableLayer> layers,
                                   std::span<const std::vector<Tensor>> entries, bool histogram) {
  Program observed = program;
  observed.outputs.clear();
  for (const QuantizableLayer& layer : layers) observed.outputs.push_back(layer.operand);
  const ComputingScope computing(backend);
  const auto executor = makeExecutor("eager", backend, std::move(observed));
  std::vector<Seen> seen(layers.size());
  for (std::size_t entry = 0; entry < entries.size(); ++entry) {
    const auto results = executor->call(entries[entry]);
    backend.synchronize();
    for (std::size_t l = 0; l < layers.size(); ++l) {
      const std::vector<double> given = valuesOf(backend, results[l]);
      if (std::ranges::any_of(given, [](double value) { return !std::isfinite(value); }))
        throw Unavailable(
            saying("calibration: the input of {} contains NaN or infinities on input {}, so it has "
                   "no range; remove them from the inputs, or use \"dynamic int8\"",
                   placeOf(program, layers[l]), entry));
      seen[l].add(given, histogram);
    }
  }
  std::vector<LayerRange> ranges;
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const LayerRange range{std::min(seen[l].range.low, 0.0), std::max(seen[l].range.high, 0.0)};
    if (range.low == 0 && range.high == 0)
      throw Unavailable(
          saying("calibration: the input of {} is 0 on all inputs, so its scale would be 0; give "
                 "inputs for which it is not, or use \"dynamic int8\"",
                 placeOf(program, layers[l])));
    ranges.push_back(histogram ? leastErrorRange(seen[l].values, range) : range);
  }
  return ranges;
}

std::unique_ptr<Executor> VariantExecutor::make(std::span<const std::vector<Tensor>> entries) {
  const std::optional<Quantizing> how = quantizingNamed(variant_.quantize);
  if (!how || quantized_) return made();
  if (program_->autocasts)
    throw Unavailable(
        saying("the program has torch.autocast, which also chooses the dtype of layers; remove it, "
               "or leave out \"quantise\""));
  std::vector<ValueType> types;
  for (const Tensor& input : entries.front()) types.push_back({input.shape, input.dtype});
  const std::vector<QuantizableLayer> layers = quantizableLayers(*program_, types);
  if (layers.empty())
    throw Unavailable(
        saying("nothing here can be quantized: the program has no float32 matmul or convolution "
               "with a constant weight, as in nn.Linear and nn.Conv2d"));
  std::vector<LayerRange> ranges;
  if (*how == Quantizing::staticInt8)
    ranges = calibrated(backend_, *program_, layers, entries, variant_.calibration == "histogram");
  quantized_ = std::make_unique<const Program>(
      quantized(*program_, types, *how, ranges, backend_.libraryTraits().byteProducts));
  return made();
}

std::unique_ptr<Executor> VariantExecutor::made() {
  try {
    if (!quantized_) return makeExecutor(variant_.executor, backend_, program_, variant_.options);
    return makePreparedExecutor(variant_.executor, backend_, *quantized_, variant_.options);
  } catch (
      const std::invalid_argument& e) {  // the device lacks something; the other cells continue
    throw Unavailable(e.what());
  }
}

}  // namespace fusebench
