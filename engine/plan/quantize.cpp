// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/quantize.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "engine/plan/prepared.h"
#include "engine/plan/rewriting.h"

namespace fusebench {
namespace {

/// The smallest scale, as in PyTorch's observers, so that a tensor of zeros can be quantized.
constexpr double kLeastScale = 0x1p-23;
constexpr double kSignedLevels = 127, kUnsignedLevels = 255;
/// Difference between a quantized value as uint8 and the same one as int8.
constexpr double kSignedLess = 128;

/// The form of a layer, from the letters of its equation.
struct LayerForm {
  std::vector<int> summed;    ///< dimensions of the weight that are summed over
  std::int64_t channels = 1;  ///< extent of the dimension of the weight that the result has
  std::int64_t depth = 0;     ///< extent of the dimension that is summed over; 0: there are several
  int behind = 0;             ///< dimensions of the result after the channels
  bool windowed = false;
  /// Dimension orders of the factors in which summed dimensions come last and match; empty if they
  /// already do.
  std::vector<int> givenOrder, weightOrder;
  std::string equation;  ///< without the addend, for both factors reordered
  ContractSettings settings;
};

bool isKept(const ContractForm& form, const ContractDim& dim) {
  const bool outer = form.loop(dim.outer) < form.kept;
  return dim.kind == ContractDim::Kind::loop ? outer : outer && form.loop(dim.inner) < form.kept;
}

std::vector<int> depthLast(const std::vector<ContractDim>& dims, const std::string& depth) {
  std::vector<int> order;
  for (std::size_t d = 0; d < dims.size(); ++d)
    if (depth.find(dims[d].outer) == std::string::npos) order.push_back(static_cast<int>(d));
  for (const char letter : depth)
    for (std::size_t d = 0; d < dims.size(); ++d)
      if (dims[d].outer == letter) order.push_back(static_cast<int>(d));
  return std::ranges::is_sorted(order) ? std::vector<int>() : order;
}

std::vector<ContractDim> ordered(const std::vector<ContractDim>& dims,
                                 const std::vector<int>& order) {
  if (order.empty()) return dims;
  std::vector<ContractDim> made;
  for (const int d : order) made.push_back(dims[static_cast<std::size_t>(d)]);
  return made;
}

/// Returns nothing if the weight has no single channel dimension. `alongDepth`: see ByteProducts.
std::optional<LayerForm> layerForm(const Op& op, std::span<const int> ranks, const Shape& weight,
                                   std::size_t given, std::size_t at, bool alongDepth) {
  const ContractForm form = contractFormOf(op, ranks);
  LayerForm layer;
  layer.settings = contractSettingsOf(op);
  if (layer.settings.alpha != 1 || layer.settings.beta != 1) return std::nullopt;
  const std::vector<ContractDim>& dims = form.tensors[at];
  int channel = -1;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (!isKept(form, dims[d])) {
      layer.summed.push_back(static_cast<int>(d));
      continue;
    }
    if (channel >= 0 || dims[d].batch) return std::nullopt;
    channel = static_cast<int>(d);
  }
  if (channel < 0 || layer.summed.empty()) return std::nullopt;
  layer.channels = weight[channel];
  if (layer.summed.size() == 1) layer.depth = weight[layer.summed.front()];
  const std::vector<ContractDim>& result = form.result();
  const auto place = std::ranges::find_if(result, [&](const ContractDim& dim) {
    return dim.outer == dims[static_cast<std::size_t>(channel)].outer;
  });
  layer.behind = static_cast<int>(result.end() - place) - 1;
  for (const ContractDim& dim : form.tensors[given])
    layer.windowed |= dim.kind == ContractDim::Kind::window;
  if (alongDepth && !layer.windowed) {
    std::string depth;
    for (const ContractDim& dim : form.tensors[given])
      if (!isKept(form, dim)) depth += dim.outer;
    layer.givenOrder = depthLast(form.tensors[given], depth);
    layer.weightOrder = depthLast(dims, depth);
  }
  layer.equation = termText(ordered(form.tensors[given], layer.givenOrder)) + "," +
                   termText(ordered(dims, layer.weightOrder)) + "->" + termText(result);
  return layer;
}

Operand numberOperand(double value) {
  return Operand::ofNumber(value);
}

Operand wholeOperand(std::int64_t value) {
  Operand made = Operand::ofNumber(static_cast<double>(value));
  made.integer = true;
  return made;
}

/// A scale rounded to float32, as a number of the program.
double scaleOf(double width, double levels) {
  return static_cast<float>(std::max(width / levels, kLeastScale));
}

/// Writes one layer with other dtypes.
class LayerWriter {
 public:
  LayerWriter(Rewriting& to, const Op& op, const QuantizableLayer& where, LayerForm form,
              const ByteProducts& bytes)
      : to_(to), op_(op), where_(where), form_(std::move(form)), bytes_(bytes) {
    x_ = to.now(op.operands[where.given]);
    weight_ = to.now(op.operands[where.weight]);
    for (std::size_t o = 0; o < op.operands.size(); ++o)
      if (o != where.given && o != where.weight) addend_ = to.now(op.operands[o]);
  }

  Operand narrow(const char* cast) {
    Op op = to_.moved(op_);
    for (Operand& operand : op.operands) operand = to_.apply(cast, {operand});
    return to_.apply("float", {to_.append(std::move(op))});
  }

  /// Converts the weight to float in each call: `after` prevents that it is prepared once.
  Operand weights() {
    const auto [levels, scale] = packed();
    Op floats = to_.start(namedOp("mul"), {levels, scale});
    floats.after = x_.value;
    Op op = to_.moved(op_);
    op.operands[where_.weight] = to_.append(std::move(floats));
    return to_.append(std::move(op));
  }

  Operand bytes(const LayerRange* range) {
    const auto [levels, scale] = packed();
    const Operand given = form_.windowed ? aroundZero(range) : affine(range);
    const Operand laidGiven = laid(given, form_.givenOrder, /*isWeight=*/false);
    const Operand laidWeight = laid(levels, form_.weightOrder, /*isWeight=*/true);
    Op product = to_.start(integerProductRow(), {laidGiven, laidWeight});
    product.equation = form_.equation;
    product.settings = std::make_shared<const ContractSettings>(form_.settings);
    Operand sum = to_.append(std::move(product));
    if (channels() != form_.channels) sum = to_.begun(sum, -1 - form_.behind, form_.channels);
    if (zero_.isNumber() ? zero_.number != 0 : true) {
      // sum (level - zero) weight = sum level weight - zero sum weight
      const Operand weights =
          to_.apply("int", {to_.reduced("sum", to_.apply("int", {levels}), form_.summed, true)});
      // A factor per channel after the call would be a kernel by itself, so the two are not
      // multiplied beforehand.
      sum = zero_.isNumber() ? to_.apply("sub", {sum, to_.apply("mul", {along(weights), zero_})})
                             : to_.apply("addcmul", {sum, along(weights), zero_}, {-1});
    }
    if (!scale_.isNumber())
      return added(to_.apply("mul", {to_.apply("mul", {sum, along(scale)}), scale_}));
    return added(to_.apply("mul", {sum, to_.apply("mul", {along(scale), scale_})}));
  }

 private:
  bool isLaid() const { return bytes_.alongDepth && !form_.windowed; }
  /// The padded depth.
  std::int64_t depths() const {
    return isLaid() ? (form_.depth + bytes_.depths - 1) / bytes_.depths * bytes_.depths
                    : form_.depth;
  }
  std::int64_t channels() const {
    return isLaid() ? (form_.channels + bytes_.channels - 1) / bytes_.channels * bytes_.channels
                    : form_.channels;
  }

  /// A factor of a matmul in the layout that the device needs. Padding of its depth is multiplied
  /// by zeros of the weight, and padded channels are cut off.
  Operand laid(Operand factor, const std::vector<int>& order, bool isWeight) {
    if (!isLaid()) return factor;
    if (!order.empty()) factor = to_.permuted(factor, order);
    if (depths() != form_.depth) {
      const Operand places = to_.counted(depths());
      factor = to_.filled(factor, -1, places);
      if (isWeight)
        factor = to_.apply("where", {to_.apply("lt", {places, wholeOperand(form_.depth)}), factor,
                                     wholeOperand(0)});
    }
    if (isWeight && channels() != form_.channels)
      factor = to_.filled(factor, 0, to_.counted(channels()));
    return to_.apply("contiguous", {factor});
  }

  /// The weight as int8 and its scale per channel; both depend only on constant inputs.
  std::pair<Operand, Operand> packed() {
    const Operand most = to_.reduced("amax", to_.apply("abs", {weight_}), form_.summed, true);
    const Operand scale = to_.apply(
        "clamp_min", {to_.apply("div", {most, numberOperand(kSignedLevels)})}, {kLeastScale});
    return {to_.apply("quantize_per_tensor", {weight_, scale, numberOperand(0)},
                      {-kSignedLevels, kSignedLevels}),
            scale};
  }

  /// Reshapes a value per channel to the result's dimensions from the channels to the last.
  Operand along(const Operand& each) {
    std::vector<std::int64_t> extents(static_cast<std::size_t>(form_.behind) + 1, 1);
    extents.front() = form_.channels;
    return to_.reshaped(each, extents);
  }

  /// The operand in 8 bits, quantized over its range and 0; sets scale and zero point.
  Operand affine(const LayerRange* range) {
    const bool isSigned = bytes_.given == DType::int8;
    const double less = isSigned ? kSignedLess : 0;
    const auto levels = [&](const Operand& zero) {
      return to_.apply(isSigned ? "quantize_per_tensor" : "quantize_per_tensor_uint8",
                       {x_, scale_, zero}, {0 - less, kUnsignedLevels - less});
    };
    if (range) {
      const double low = std::min(range->low, 0.0), high = std::max(range->high, 0.0);
      const double scale = scaleOf(high - low, kUnsignedLevels);
      scale_ = numberOperand(scale);
      zero_ = numberOperand(std::clamp(std::nearbyint(-low / scale), 0.0, kUnsignedLevels) - less);
      zero_.integer = true;
      return levels(zero_);
    }
    const Operand low = to_.apply("clamp_max", {to_.reduced("amin", x_, {}, false)}, {0});
    const Operand high = to_.apply("clamp_min", {to_.reduced("amax", x_, {}, false)}, {0});
    const Operand width = to_.apply("sub", {high, low});
    scale_ = to_.apply("clamp_min", {to_.apply("div", {width, numberOperand(kUnsignedLevels)})},
                       {kLeastScale});
    // Rounded before it is used in a subtraction, so that both types are equally exact.
    const Operand lowest = to_.apply("round", {to_.apply("div", {low, scale_})});
    const Operand zero = to_.apply("sub", {numberOperand(0 - less), lowest});
    zero_ = to_.apply("int", {zero});
    return levels(zero);
  }

  /// The operand in 8 bits with a zero point of 0.
  Operand aroundZero(const LayerRange* range) {
    zero_ = numberOperand(0);
    if (range && range->low >= 0) {
      scale_ = numberOperand(scaleOf(range->high, kUnsignedLevels));
      return to_.apply("quantize_per_tensor_uint8", {x_, scale_, zero_}, {0, kUnsignedLevels});
    }
    if (range) {
      scale_ = numberOperand(scaleOf(std::max(-range->low, range->high), kSignedLevels));
    } else {
      const Operand most = to_.reduced("amax", to_.apply("abs", {x_}), {}, false);
      scale_ = to_.apply("clamp_min", {to_.apply("div", {most, numberOperand(kSignedLevels)})},
                         {kLeastScale});
    }
    return to_.apply("quantize_per_tensor", {x_, scale_, zero_}, {-kSignedLevels, kSignedLevels});
  }

  Operand added(const Operand& result) {
    if (!addend_) return result;
    return to_.apply("add", {result, form_.windowed ? along(*addend_) : *addend_});
  }

  Rewriting& to_;
  const Op& op_;
  const QuantizableLayer& where_;
  LayerForm form_;
  const ByteProducts& bytes_;
  Operand x_, weight_, scale_, zero_;
  std::optional<Operand> addend_;
};

std::optional<LayerForm> formOf(const Program& program, std::span<const ValueType> types,
                                const QuantizableLayer& layer, bool alongDepth = false) {
  const Op& op = program.ops[static_cast<std::size_t>(layer.op)];
  std::vector<int> ranks;
  for (const Operand& operand : op.operands)
    ranks.push_back(types[static_cast<std::size_t>(operand.value)].shape.rank());
  const ValueId weight = op.operands[layer.weight].value;
  return layerForm(op, ranks, types[static_cast<std::size_t>(weight)].shape, layer.given,
                   layer.weight, alongDepth);
}

/// The two factors of a sum of products; nothing if the op is not one.
std::optional<std::pair<std::size_t, std::size_t>> factorsOf(const Op& op) {
  if (op.row->kind != OpKind::contract || op.row->accumulate != Accumulate::sum || op.row->finish ||
      !isDifferentiable(*op.row) || op.dependsOnSizes() || op.writesInto())
    return std::nullopt;
  std::vector<std::size_t> factors;
  for (std::size_t o = 0; o < op.operands.size(); ++o)
    if (static_cast<int>(o) != op.row->contract.addend) factors.push_back(o);
  if (factors.size() != 2) return std::nullopt;
  return std::pair(factors[0], factors[1]);
}

}  // namespace

std::span<const QuantizingName> quantizingNames() {
  static constexpr std::array<QuantizingName, 5> kNames = {
      {{"dynamic int8", Quantizing::dynamicInt8},
       {"static int8", Quantizing::staticInt8},
       {"weights only int8", Quantizing::weightsInt8},
       {"float16", Quantizing::float16},
       {"bfloat16", Quantizing::bfloat16}}};
  return kNames;
}

std::optional<Quantizing> quantizingNamed(std::string_view name) {
  for (const QuantizingName& each : quantizingNames())
    if (each.name == name) return each.quantizing;
  return std::nullopt;
}

std::vector<QuantizableLayer> quantizableLayers(const Program& program,
                                                std::span<const ValueType> inputs) {
  const std::vector<ValueType> types = inferTypes(program, inputs);
  const std::vector<bool> held = heldValues(program);
  std::vector<QuantizableLayer> layers;
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const auto factors = factorsOf(program.ops[i]);
    if (!factors) continue;
    const Op& op = program.ops[i];
    const auto typeOf = [&](std::size_t o) {
      return types[static_cast<std::size_t>(op.operands[o].value)].dtype;
    };
    QuantizableLayer layer{static_cast<int>(i), op.operands[factors->first].value, factors->first,
                           factors->second};
    const bool weighs = held[static_cast<std::size_t>(op.operands[layer.weight].value)] &&
                        !held[static_cast<std::size_t>(layer.operand)];
    if (!weighs || typeOf(layer.given) != DType::float32 || typeOf(layer.weight) != DType::float32)
      continue;
    if (formOf(program, types, layer)) layers.push_back(layer);
  }
  return layers;
}

Program quantized(const Program& program, std::span<const ValueType> inputs, Quantizing how,
                  std::span<const LayerRange> ranges, const ByteProducts& bytes) {
  const std::vector<ValueType> types = inferTypes(program, inputs);
  const std::vector<QuantizableLayer> layers = quantizableLayers(program, inputs);
  Rewriting to(program);
  std::size_t next = 0;
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    const Op& op = program.ops[i];
    to.follow(op);
    if (next == layers.size() || layers[next].op != static_cast<int>(i)) {
      to.become(to.append(to.moved(op)));
      continue;
    }
    LayerWriter writer(to, op, layers[next],
                       *formOf(program, types, layers[next], bytes.alongDepth), bytes);
    const LayerRange* const range = next < ranges.size() ? &ranges[next] : nullptr;
    ++next;
    switch (how) {
      case Quantizing::dynamicInt8:
        to.become(writer.bytes(nullptr));
        break;
      case Quantizing::staticInt8:
        to.become(writer.bytes(range));
        break;
      case Quantizing::weightsInt8:
        to.become(writer.weights());
        break;
      case Quantizing::float16:
        to.become(writer.narrow("half"));
        break;
      case Quantizing::bfloat16:
        to.become(writer.narrow("bfloat16"));
        break;
    }
  }
  return to.finish();
}

}  // namespace fusebench
