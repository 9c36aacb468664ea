// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/edit/layers.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/edit/sketch_inputs.h"
#include "engine/edit/sketch_make.h"
#include "engine/edit/sketch_write.h"

namespace fusebench {
namespace {

const OpRow kLayerRows[] = {
    {.name = "input",
     .category = Category::making,
     .bound = {},
     .doc = "Another input of the program; connect it to the ops that read it"},
    {.name = "layer_norm",
     .category = Category::contraction,
     .bound = {},
     .doc = "Layer norm over the last dimension, with a weight and a bias"},
    {.name = "rms_norm",
     .category = Category::contraction,
     .bound = {},
     .doc = "RMS norm over the last dimension, with a weight"},
    {.name = "attention",
     .category = Category::contraction,
     .bound = {},
     .doc =
         "Self-attention: projections to queries, keys and values, heads, and a projection back"},
    {.name = "mlp",
     .category = Category::contraction,
     .bound = {},
     .doc = "MLP: a linear layer four times as wide, GELU, and a linear layer back"},
    {.name = "swiglu",
     .category = Category::contraction,
     .bound = {},
     .doc = "SwiGLU: two linear layers three times as wide, one gated by SiLU, and one back"},
    {.name = "conv_norm_relu",
     .category = Category::contraction,
     .bound = {},
     .doc = "Convolution of 3 x 3, batch norm and ReLU, with as many channels as there are"},
    {.name = "residual",
     .category = Category::contraction,
     .bound = {},
     .doc = "Adds what the layers before it read: the input, or the result of the last residual"},
};

/// Makes a layer's text for a value: a function whose first input is the value.
class LayerText {
 public:
  LayerText(const SketchModel& model, const OpRow& layer, const KnownValue& value)
      : model_(model), layer_(layer), value_(value) {
    if (value.extents.empty())
      throw EditRefused(std::string(layer.name) +
                        ": the value is a single number; put the layer before what reduces it");
    if (!isFloat(value.dtype))
      throw EditRefused(std::string(layer.name) + ": the value must be of a floating-point type");
    write();
  }

  std::string text() const {
    std::string names = "x";
    for (const NewInput& input : inputs_) names += ", " + input.name;
    return "def layer(" + names + "):\n" + lines_ + "    return " + result_ + "\n";
  }
  const std::vector<NewInput>& inputs() const { return inputs_; }
  /// Sizes that the text needs to be read: some functions ask how many dimensions there are.
  ProgramHints hints() const {
    ProgramHints hints;
    hints["x"] = {value_.shape, value_.dtype};
    for (const NewInput& input : inputs_) {
      std::vector<std::int64_t> shape;
      for (const std::string& extent : *input.extents) shape.push_back(sizeOf(extent));
      hints[input.name] = {Shape(shape), input.dtype};
    }
    return hints;
  }

 private:
  void write() {
    const std::string width = value_.extents.back();
    if (layer_.name == "layer_norm") {
      const std::string weight = ones("norm_weight", width), bias = zeros("norm_bias", width);
      line("normed", "F.layer_norm(x, x.shape[-1:], " + weight + ", " + bias + ")");
    } else if (layer_.name == "rms_norm") {
      line("normed", "F.rms_norm(x, x.shape[-1:], " + ones("norm_weight", width) + ")");
    } else if (layer_.name == "attention") {
      writeAttention(width);
    } else if (layer_.name == "mlp") {
      const std::string wide = timesExtent(4, width);
      const std::string up = weight("up_weight", wide, width), upBias = zeros("up_bias", wide);
      const std::string down = weight("down_weight", width, wide);
      const std::string downBias = zeros("down_bias", width);
      const std::string hidden = line("hidden", "F.gelu(F.linear(x, " + up + ", " + upBias + "))");
      line("mlp", "F.linear(" + hidden + ", " + down + ", " + downBias + ")");
    } else if (layer_.name == "swiglu") {
      const std::string wide = timesExtent(3, width);
      const std::string gateWeight = weight("gate_weight", wide, width);
      const std::string upWeight = weight("up_weight", wide, width);
      const std::string down = weight("down_weight", width, wide);
      const std::string gate = line("gate", "F.silu(F.linear(x, " + gateWeight + "))");
      const std::string up = line("up", "F.linear(x, " + upWeight + ")");
      line("mlp", "F.linear(" + gate + " * " + up + ", " + down + ")");
    } else if (layer_.name == "conv_norm_relu") {
      writeConvolution();
    }
  }

  void writeAttention(const std::string& width) {
    needRank(2, "(sequence, width) or (batch, sequence, width)");
    // Heads of 64 as in most models; what is narrower, or not a multiple, has a single head.
    constexpr std::int64_t kHeadWidth = 64;
    const auto number = numberOf(width);
    const bool heads = number && *number > kHeadWidth && *number % kHeadWidth == 0;
    const std::string split = heads ? ".unflatten(-1, (" + std::to_string(*number / kHeadWidth) +
                                          ", " + std::to_string(kHeadWidth) + ")).transpose(-3, -2)"
                                    : "";
    std::string arguments;
    for (const char* const part : {"query", "key", "value"}) {
      const std::string made = weight(std::string(part) + "_weight", width, width);
      if (!arguments.empty()) arguments += ", ";
      std::string projected = "F.linear(x, ";
      projected += made;
      projected += ")";
      projected += split;
      arguments += line(part, projected);
    }
    const std::string attended =
        line("attended", "F.scaled_dot_product_attention(" + arguments + ")");
    const std::string joined = heads ? attended + ".transpose(-3, -2).flatten(-2)" : attended;
    line("attention", "F.linear(" + joined + ", " + weight("out_weight", width, width) + ")");
  }

  void writeConvolution() {
    constexpr std::size_t kImageRank = 4;
    if (value_.extents.size() != kImageRank)
      needRank(kImageRank, "(batch, channels, height, width)");
    const std::string& channels = value_.extents[1];
    const std::string kernel = weight("conv_weight", channels, channels);
    inputs_.back().extents = {channels, channels, "3", "3"};
    inputs_.back().deviation = weightDeviation(timesExtent(9, channels));
    const std::string convolved = line("convolved", "F.conv2d(x, " + kernel + ", padding=1)");
    const std::string scale = ones("norm_weight", channels), shift = zeros("norm_bias", channels);
    line("activated", "torch.relu(F.batch_norm(" + convolved + ", None, None, " + scale + ", " +
                          shift + ", training=True))");
  }

  std::int64_t sizeOf(const std::string& extent) const {
    for (std::size_t d = 0; d < value_.extents.size(); ++d)
      if (value_.extents[d] == extent) return value_.shape[static_cast<int>(d)];
    return numberOf(extent).value_or(1);
  }

  void needRank(std::size_t least, const char* shape) const {
    const std::size_t rank = value_.extents.size();
    if (rank >= least && least != 4) return;
    throw EditRefused(std::string(layer_.name) + ": the value has " + std::to_string(rank) +
                      (rank == 1 ? " dimension" : " dimensions") + ", but should be " + shape +
                      "; change the input's shape in Setup");
  }

  std::string free(std::string_view name) {
    std::string found = freeName(model_, name);
    for (int n = 2; used_.contains(found); ++n) found = std::string(name) + std::to_string(n);
    used_[found] = true;
    return found;
  }
  /// A statement; the name of its value.
  std::string line(std::string_view name, const std::string& expression) {
    result_ = free(name);
    lines_ += "    " + result_ + " = " + expression + "\n";
    return result_;
  }
  std::string add(std::string_view name, Extents extents, std::string fill, double deviation) {
    inputs_.push_back(
        {free(name), std::move(extents), value_.dtype, std::move(fill), deviation, true});
    return inputs_.back().name;
  }
  std::string ones(std::string_view name, const std::string& extent) {
    return add(name, {extent}, "ones", 1);
  }
  std::string zeros(std::string_view name, const std::string& extent) {
    return add(name, {extent}, "zeros", 1);
  }
  std::string weight(std::string_view name, const std::string& out, const std::string& in) {
    return add(name, {out, in}, "normal", weightDeviation(in));
  }

  const SketchModel& model_;
  const OpRow& layer_;
  const KnownValue& value_;
  std::string lines_, result_;
  std::vector<NewInput> inputs_;
  std::map<std::string, bool> used_;
};

/// The value that a residual adds to `value`: going back through what each op works on, the sum
/// that the last residual made, or the input.
ValueId skippedTo(const Sketch& sketch, const SketchModel& model, ValueId value,
                  const KnownValues& known) {
  const auto extents = [&](ValueId of) {
    const auto found = knownOf(sketch, model, of, known);
    return found ? std::optional(found->extents) : std::nullopt;
  };
  ValueId at = value;
  while (SketchModel::isNode(at)) {
    const Op& op = model.node(at).op;
    if (at != value && op.row && op.row->name == "add" && model.lineNaming(at) >= 0) {
      bool residual = true;
      for (const Operand& operand : op.operands)
        residual = residual && !operand.isNumber() && extents(operand.value) == extents(at);
      if (residual) break;
    }
    const int by = standIn(op);
    if (by < 0) break;
    at = op.operands[static_cast<std::size_t>(by)].value;
  }
  if (at == value) throw EditRefused("residual: needs a layer before it; add one first");
  if (extents(at) != extents(value))
    throw EditRefused(
        "residual: the layers before it have an input of another shape than their result; connect "
        "an add to the values that you want to add");
  return at;
}

/// The value that the layer makes of `value`; its lines are inserted before line `at`.
ValueId makeLayer(const Sketch& sketch, SketchModel& model, const OpRow& layer, ValueId value,
                  int at, const KnownValues& known) {
  const auto type = knownOf(sketch, model, value, known);
  if (layer.name == "residual") {
    const ValueId skipped = skippedTo(sketch, model, value, known);
    Op op;
    op.row = &namedOp("add");
    for (const Parameter& parameter : op.row->parameters)
      op.parameters.push_back(parameter.fallback);
    op.operands = {{value, 0, false}, {skipped, 0, false}};
    const int node = model.addNode(std::move(op));
    const int line = model.insertStatement(at, {node}, SketchModel::resultOf(node));
    model.line(line).ownName = true;
    return SketchModel::resultOf(node);
  }
  if (!type)
    throw EditRefused(std::string(layer.name) +
                      ": the shape of the value is not known; solve the problems before it first");
  LayerText text(model, layer, *type);
  // The whole program is read with these sizes as well.
  const ProgramHints hints = text.hints();
  for (const NewInput& input : text.inputs()) model.hints[input.name] = hints.at(input.name);
  for (std::size_t i = 0; i < sketch.program.inputs.size() && i < known.size(); ++i)
    if (known[i]) model.hints[sketch.program.inputs[i]] = {known[i]->shape, known[i]->dtype};
  const ValueId result = insertText(model, text.text(), value, at, hints);
  model.newInputs.insert(model.newInputs.end(), text.inputs().begin(), text.inputs().end());
  return result;
}

ValueId addFreeInput(SketchModel& model, const std::optional<KnownValue>& like) {
  NewInput input;
  input.name = model.freshName();
  if (like) {
    input.extents = like->extents;
    input.dtype = like->dtype;
  }
  return addInput(model, std::move(input));
}

}  // namespace

std::span<const OpRow> layerRows() {
  return kLayerRows;
}

bool isLayer(const OpRow& row) {
  for (const OpRow& layer : kLayerRows)
    if (&layer == &row) return true;
  return false;
}

const OpRow* findOpOrLayer(std::string_view name) {
  for (const OpRow& layer : kLayerRows)
    if (layer.name == name) return &layer;
  return findOp(name);
}

SketchEdit insertLayer(const Sketch& sketch, const OpRow& layer, Port port,
                       const KnownValues& known) {
  SketchModel model(sketch);
  if (layer.name == "input") {
    if (port.op < 0) {
      valueAt(model, port);
      return branchLayer(sketch, layer,
                         sketch.program.outputs[static_cast<std::size_t>(port.operand)], known);
    }
    const std::vector<Operand>& operands = opAt(model, port.op).op.operands;
    if (port.operand < 0 || port.operand >= static_cast<int>(operands.size()))
      throw EditRefused("the op has no such operand");
    const Operand& before = operands[static_cast<std::size_t>(port.operand)];
    const int by = standIn(opAt(model, port.op).op);
    ValueId like = before.isNumber() ? -1 : before.value;
    if (like < 0 && by >= 0) like = operands[static_cast<std::size_t>(by)].value;
    setPort(model, port, addFreeInput(model, knownOf(sketch, model, like, known)));
    return writeSketch(std::move(model));
  }
  const ValueId value = valueAt(model, port);
  const ValueId result = makeLayer(sketch, model, layer, value, readerLine(model, port), known);
  setPort(model, port, result);
  return writeSketch(std::move(model));
}

SketchEdit branchLayer(const Sketch& sketch, const OpRow& layer, ValueId value,
                       const KnownValues& known) {
  SketchModel model(sketch);
  if (value < 0 || value >= sketch.program.valueCount())
    throw EditRefused("there is no such value in the program");
  const ValueId from = model.valueOf(value);
  if (layer.name == "input") {
    if (!model.declared)
      throw EditRefused("an input needs a header that names it; write def program(x): first");
    addFreeInput(model, knownOf(sketch, model, from, known));
    return writeSketch(std::move(model));
  }
  const int at = std::min(lineAfter(model, from), model.returnLine());
  const ValueId result = makeLayer(sketch, model, layer, from, at, known);
  model.line(model.returnLine()).values.push_back(result);
  return writeSketch(std::move(model));
}

}  // namespace fusebench
