// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/edit/layers.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/language/parser.h"

namespace fusebench {
namespace {

/// A program that is built step by step, with the shapes of its inputs.
class Built {
 public:
  Built(const std::string& text, std::map<std::string, ValueType> inputs)
      : inputs_(std::move(inputs)), now_(sketch(text)) {}

  KnownValues known() const {
    std::vector<SketchProblem> problems;
    KnownValues known;
    for (const auto& type : inferSketchTypes(now_, types(), problems)) {
      known.emplace_back();
      if (!type) continue;
      known.back() = KnownValue{{}, type->dtype, type->shape};
      for (const std::int64_t extent : type->shape)
        known.back()->extents.push_back(std::to_string(extent));
    }
    return known;
  }
  void take(const SketchEdit& edit) {
    for (const NewInput& input : edit.inputs) {
      ASSERT_TRUE(input.extents) << input.name;
      ValueType type{{}, input.dtype};
      std::vector<std::int64_t> shape;
      for (const std::string& extent : *input.extents) shape.push_back(std::stoll(extent));
      type.shape = Shape(shape);
      inputs_[input.name] = type;
    }
    ProgramHints hints;
    for (const auto& [name, type] : inputs_) hints[name] = type;
    now_ = sketch(edit.text, hints);
    ASSERT_TRUE(now_.valid()) << edit.text << now_.problems.front().message;
  }
  void append(const char* name) { take(appendOp(now_, *findOpOrLayer(name), known())); }
  /// The shape of what is returned; fails if the shapes do not fit.
  Shape result() const {
    const std::vector<ValueType> all = types();
    return inferTypes(now_.program, all)[static_cast<std::size_t>(now_.program.outputs[0])].shape;
  }
  const Sketch& now() const { return now_; }
  Shape shapeOf(const std::string& input) const { return inputs_.at(input).shape; }

 private:
  std::vector<ValueType> types() const {
    std::vector<ValueType> all;
    for (const std::string& name : now_.program.inputs) all.push_back(inputs_.at(name));
    return all;
  }
  std::map<std::string, ValueType> inputs_;
  Sketch now_;
};

const char* const kStart = "def program(x):\n    return x\n";
const ValueType kRows{{8, 16}, DType::float32};

TEST(LayersTest, APreNormTransformerBlockIsBuiltFromSixEntries) {
  Built built("def program(x):\n    return x.sum()\n", {{"x", {{2, 8, 256}, DType::float32}}});
  for (const char* const each :
       {"layer_norm", "attention", "residual", "layer_norm", "mlp", "residual"})
    built.append(each);
  EXPECT_EQ(built.now().text,
            "def program(x, norm_weight, norm_bias, query_weight, key_weight, value_weight, "
            "out_weight, norm_weight2, norm_bias2, up_weight, up_bias, down_weight, down_bias):\n"
            "    normed = F.layer_norm(x, x.shape[-1:], norm_weight, norm_bias)\n"
            "    query = F.linear(normed, query_weight).unflatten(-1, (4, 64)).transpose(-3, -2)\n"
            "    key = F.linear(normed, key_weight).unflatten(-1, (4, 64)).transpose(-3, -2)\n"
            "    value = F.linear(normed, value_weight).unflatten(-1, (4, 64)).transpose(-3, -2)\n"
            "    attended = F.scaled_dot_product_attention(query, key, value)\n"
            "    attention = F.linear(attended.transpose(-3, -2).flatten(-2), out_weight)\n"
            "    y = attention + x\n"
            "    normed2 = F.layer_norm(y, y.shape[-1:], norm_weight2, norm_bias2)\n"
            "    hidden = F.gelu(F.linear(normed2, up_weight, up_bias))\n"
            "    mlp = F.linear(hidden, down_weight, down_bias)\n"
            "    z = mlp + y\n"
            "    return z.sum()\n");
  EXPECT_EQ(built.shapeOf("query_weight"), (Shape{256, 256}));
  EXPECT_EQ(built.shapeOf("up_weight"), (Shape{1024, 256}));
  EXPECT_EQ(built.shapeOf("up_bias"), (Shape{1024}));
  EXPECT_EQ(built.shapeOf("norm_bias2"), (Shape{256}));
  EXPECT_EQ(built.result(), Shape{});
}

TEST(LayersTest, EveryLayerKeepsTheShapeOfItsValue) {
  for (const OpRow& layer : layerRows()) {
    SCOPED_TRACE(std::string(layer.name));
    const bool image = layer.name == "conv_norm_relu";
    const Shape shape = image ? Shape{2, 8, 5, 5} : Shape{8, 16};
    Built built(kStart, {{"x", {shape, DType::float32}}});
    if (layer.name == "residual") built.append("exp");
    built.append(std::string(layer.name).c_str());
    EXPECT_EQ(built.result(), shape);
  }
}

TEST(LayersTest, NoOpReadsItsValueTwice) {
  for (const OpRow& row : opRows()) {
    if (!canStart(row) || row.arity < 2 || row.truthOperands != 0) continue;
    if (row.takes == AcceptedTypes::whole || row.takes == AcceptedTypes::integers) continue;
    SCOPED_TRACE(std::string(row.name));
    bool fitted = false;
    for (int rank = 1; rank <= 4; ++rank) {
      Built built(kStart, {{"x",
                            {Shape(std::vector<std::int64_t>(static_cast<std::size_t>(rank), 6)),
                             DType::float32}}});
      SketchEdit edit;
      try {
        edit = appendOp(built.now(), row, built.known());
      } catch (const EditRefused& refused) {
        EXPECT_NE(std::string(refused.what()).find(row.name), std::string::npos);
        continue;
      }
      built.take(edit);
      EXPECT_NO_THROW(built.result()) << edit.text;
      const Op& op = built.now().program.ops[static_cast<std::size_t>(edit.added.back())];
      int reads = 0;
      for (const Operand& operand : op.operands) reads += operand.value == 0;
      EXPECT_EQ(reads, 1) << edit.text;
      fitted = true;
    }
    EXPECT_TRUE(fitted);
  }
}

TEST(LayersTest, AMatmulGetsAWeightThatKeepsTheShape) {
  Built built(kStart, {{"x", kRows}});
  built.append("matmul");
  built.append("linear_bias");
  EXPECT_EQ(built.result(), kRows.shape);
  EXPECT_EQ(built.shapeOf("weight"), (Shape{16, 16}));
  EXPECT_EQ(built.shapeOf("bias"), (Shape{16}));
}

TEST(LayersTest, FitsWhatAnAxisSweeps) {
  const Sketch start = sketch(kStart);
  const KnownValues known = {KnownValue{{"8", "2 * width"}, DType::bfloat16, {8, 32}}};
  const SketchEdit edit = appendOp(start, *findOpOrLayer("mlp"), known);
  ASSERT_EQ(edit.inputs.size(), 4u);
  EXPECT_EQ(edit.inputs[0].extents, (Extents{"4 * (2 * width)", "2 * width"}));
  EXPECT_EQ(edit.inputs[0].dtype, DType::bfloat16);
  EXPECT_EQ(edit.inputs[1].fill, "zeros");
  EXPECT_TRUE(edit.inputs[1].weight);
}

TEST(LayersTest, AnInputIsAddedAndTakesAPortOver) {
  Built built("def program(x):\n    y = x + 1\n    return torch.exp(y)\n", {{"x", kRows}});
  built.append("input");
  EXPECT_EQ(built.now().program.inputs, (std::vector<std::string>{"x", "z"}));
  EXPECT_EQ(built.shapeOf("z"), kRows.shape);
  built.take(insertOnEdge(built.now(), *findOpOrLayer("input"), {1, 0}, built.known()));
  EXPECT_EQ(built.now().text, "def program(x, z, u):\n    y = x + 1\n    return torch.exp(u)\n");
}

TEST(LayersTest, ARefusalSaysWhatToDo) {
  const auto refusal = [](const char* text, const char* layer, const KnownValues& known) {
    try {
      appendOp(sketch(text), *findOpOrLayer(layer), known);
    } catch (const EditRefused& refused) {
      return std::string(refused.what());
    }
    return std::string();
  };
  const KnownValues rows = {KnownValue{{"8", "16"}, DType::float32, {8, 16}}};
  EXPECT_NE(refusal(kStart, "residual", rows).find("add one first"), std::string::npos);
  EXPECT_NE(refusal(kStart, "conv_norm_relu", rows).find("(batch, channels, height, width)"),
            std::string::npos);
  EXPECT_NE(refusal(kStart, "mlp", {}).find("is not known"), std::string::npos);
  EXPECT_NE(refusal(kStart, "bmm", rows).find("should have 3"), std::string::npos);
  EXPECT_NE(refusal("return x\n", "input", rows).find("def program(x):"), std::string::npos);
  EXPECT_THROW(replaceOp(sketch("return torch.exp(x)\n"), 0, *findOpOrLayer("mlp"), rows),
               EditRefused);
}

}  // namespace
}  // namespace fusebench
