// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs of ATen operations as PyTorch prints them, and the errors where one cannot be read.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "engine/language/aten_table.h"
#include "engine/language/exported_text.h"
#include "engine/language/parser.h"
#include "engine/run/reference.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

/// The flattened program of one call of x, which is a float32 tensor of (2, 4).
std::string flattened(const std::string& call) {
  return toText(parseProgram("import torch\ndef f(x, y):\n    return " + call + "\n",
                             {{"x", {{2, 4}, DType::float32}}, {"y", {{2, 4}, DType::float32}}}));
}

std::string failure(const std::string& call) {
  try {
    flattened(call);
  } catch (const ProgramError& error) {
    EXPECT_EQ(error.place().line, 3);
    return error.what();
  }
  return "read";
}

std::string failureOfText(const std::string& text) {
  try {
    parseProgram(text);
  } catch (const ProgramError& error) {
    return error.what();
  }
  return "read";
}

TEST(AtenTest, EveryOverloadIsListedOnceAndTheCoreSetIsComplete) {
  std::size_t core = 0;
  for (const AtenRow& row : atenRows()) {
    std::size_t alike = 0;
    for (const AtenRow* other : atenOverloads(row.name)) alike += other->overload == row.overload;
    EXPECT_EQ(alike, 1u) << row.schema;
    EXPECT_NE(row.supported(), row.expression == nullptr) << row.schema;
    core += row.core;
  }
  EXPECT_EQ(core, 193u);
}

TEST(AtenTest, TheReadmeAndThePageOfWhatIsSupportedStateTheCounts) {
  std::size_t all = 0, supported = 0, core = 0, coreSupported = 0;
  for (const AtenRow& row : atenRows()) {
    ++all;
    supported += row.supported();
    core += row.core;
    coreSupported += row.core && row.supported();
  }
  const auto page = [](const char* name) {
    std::ifstream file(test::sourcePath(name));
    std::stringstream text;
    text << file.rdbuf();
    std::string words = text.str();
    std::ranges::replace(words, '\n', ' ');
    return words;
  };
  const auto number = [](std::size_t count) { return std::to_string(count); };
  EXPECT_NE(page("/README.md").find(number(coreSupported) + " of the " + number(core)),
            std::string::npos);
  EXPECT_NE(page("/README.md").find(number(supported) + " of " + number(all) + " in all"),
            std::string::npos);
  const std::string support = page("/docs/pytorch-support.md");
  EXPECT_NE(support.find(number(coreSupported) + " of " + number(core) + " overloads"),
            std::string::npos);
  EXPECT_NE(support.find(number(all) + " overloads are listed and " + number(supported)),
            std::string::npos);
}

TEST(AtenTest, AnOverloadIsTheOpThatItsRowNames) {
  EXPECT_EQ(flattened("torch.ops.aten.add.Tensor(x, y, alpha = 2)"),
            flattened("torch.add(x, y, alpha=2)"));
  EXPECT_EQ(flattened("torch.ops.aten.t.default(x)"), flattened("torch.t(x)"));
}

TEST(AtenTest, WithoutAnOverloadTheArgumentsChooseOne) {
  EXPECT_EQ(flattened("torch.ops.aten.pow(2, x)"), flattened("torch.pow(2, x)"));
  EXPECT_EQ(flattened("torch.ops.aten.sum(x, [1])"), flattened("torch.sum(x, [1])"));
  EXPECT_EQ(flattened("torch.ops.aten.max(x, 1)[0]"), flattened("torch.max(x, 1)[0]"));
}

TEST(AtenTest, ResultsThatNothingAsksForAreNotComputed) {
  const auto ops = [](const std::string& index) {
    return parseProgram(
               "import torch\nimport operator\ndef f(x):\n"
               "    p = torch.ops.aten.max_pool2d_with_indices.default(x, [2, 2])\n"
               "    return operator.getitem(p, " +
                   index + ")\n",
               {{"x", {{1, 1, 4, 4}, DType::float32}}})
        .ops.size();
  };
  EXPECT_EQ(ops("0"), 1u);
  EXPECT_GT(ops("1"), 1u);
}

/// The result of a function of x, a float32 tensor of (1, 1, 4, 4), with this body.
std::vector<double> resultOf(const std::string& body) {
  std::vector<double> values;
  for (int i = 0; i < 16; ++i) values.push_back(i % 3 == 0 ? -i : i);
  const ValueType type{{1, 1, 4, 4}, DType::float32};
  const Program program = parseProgram(
      "import torch, operator\ndef f(x):\n"
      "    p = torch.ops.aten.max_pool2d_with_indices.default(x, [2, 2], [2, 2])\n" +
          body,
      {{"x", type}});
  const std::vector<ReferenceTensor> inputs{{type, values}};
  return evaluateReference(program, inputs).front().value.values;
}

TEST(AtenTest, AnItemOfATupleHasTheValueOfTheCallAfterWritesToWhatItReads) {
  const std::vector<double> places = resultOf("    return p[1]\n");
  EXPECT_EQ(places, (std::vector<double>{5, 7, 13, 14}));
  for (const char* write :
       {"x.mul_(-1)", "x.view(16)[3:] = 100.0", "x[0].copy_(-x[0])", "x *= -1",
        "torch.neg(x, out=x)", "torch.ops.aten.add_.Tensor(x, x)", "x.detach().neg_()"})
    EXPECT_EQ(resultOf("    " + std::string(write) + "\n    return p[1]\n"), places) << write;
  EXPECT_EQ(resultOf("    q = operator.getitem(p, 0)\n    x.neg_()\n    q.zero_()\n"
                     "    return operator.getitem(p, 1)\n"),
            places);
}

TEST(AtenTest, AnUnreadItemIsNotComputedBecauseSomethingElseIsWritten) {
  const auto ops = [](const std::string& write) {
    return parseProgram(
               "import torch\ndef f(x, y):\n"
               "    p = torch.ops.aten.max_pool2d_with_indices.default(x, [2, 2])\n    " +
                   write + "\n    return p[0], y\n",
               {{"x", {{1, 1, 4, 4}, DType::float32}}, {"y", {{4}, DType::float32}}})
        .ops.size();
  };
  EXPECT_EQ(ops("y.add_(1.0)"), 2u);
  EXPECT_GT(ops("x.add_(1.0)"), 10u);
}

TEST(AtenTest, ATupleOfATensorsOperationIsUsedLikeAnyTuple) {
  const std::vector<double> places = resultOf("    return p[1]\n");
  for (const char* use :
       {"(p + (x,))[1]", "list(p)[1]", "p[0:2][1]", "p[-1]", "p[1:][0]", "torch.stack(p)[1].long()",
        "tuple(p)[-1]", "(x, *p)[2]", "{1: p}[1][1]", "[q for q in p][1]", "(p * 2)[3]"})
    EXPECT_EQ(resultOf("    return " + std::string(use) + "\n"), places) << use;
}

TEST(AtenTest, AnItemOfATupleRecordsGradientsAsTheCallDid) {
  const auto gradient = [](const std::string& call, const std::string& read) {
    const ValueType type{{2, 4}, DType::float32};
    const Program program =
        parseProgram("import torch\ndef f(x):\n    x.requires_grad_()\n" + call + read +
                         "    (r[0] * m).sum().backward()\n    return x.grad\n",
                     {{"x", type}});
    const std::vector<ReferenceTensor> inputs{{type, {1, 2, 4, 8, 3, 1, 2, 7}}};
    return evaluateReference(program, inputs).front().value.values;
  };
  const std::string call =
      "    r = torch.ops.aten.native_group_norm.default(x, None, None, 2, 4, 1, 2, 1e-5)\n";
  const std::vector<double> expected = gradient(call, "    m = r[2].sum()\n");
  EXPECT_EQ(gradient(call, "    with torch.no_grad():\n        q = r[2]\n    m = q.sum()\n"),
            expected);
}

TEST(AtenTest, OneOpHasNoFrameAndSeveralHaveTheOperations) {
  const auto frames = [](const std::string& call) {
    return parseProgram("import torch\ndef f(x):\n    return " + call + "\n",
                        {{"x", {{2, 4}, DType::float32}}})
        .frames;
  };
  EXPECT_TRUE(frames("torch.ops.aten.relu.default(x)").empty());
  const auto several = frames("torch.ops.aten._softmax.default(x, 1, False)");
  ASSERT_EQ(several.size(), 1u);
  EXPECT_EQ(several[0].name, "_softmax");
}

TEST(AtenTest, AViewIsACopyWhereTheLayoutIsNotThatOfPyTorch) {
  const Program program = parseProgram(
      "import torch\ndef f(x):\n    t = torch.ops.aten.t.default(x)\n"
      "    return torch.ops.aten.view.default(t, [4])\n",
      {{"x", {{2, 2}, DType::float32}}});
  ASSERT_EQ(program.ops.size(), 2u);
  EXPECT_EQ(program.ops[1].row->name, "reshape");  // "view" is refused where it has to copy
  const std::vector<ReferenceTensor> inputs{{{{2, 2}, DType::float32}, {1, 2, 3, 4}}};
  EXPECT_EQ(evaluateReference(program, inputs).front().value.values,
            (std::vector<double>{1, 3, 2, 4}));
}

TEST(AtenTest, ErrorsNameTheOperationAndWhatToUseInstead) {
  EXPECT_EQ(failure("torch.ops.aten.zzz_mystery.default(x)"),
            "torch.ops.aten.zzz_mystery.default is not supported yet; export with "
            "run_decompositions(), which leaves the core set, or write it with what "
            "'fusebench-cli ops --aten' lists");
  EXPECT_EQ(failure("torch.ops.aten.ad.Tensor(x, y)"),
            "torch.ops.aten.ad.Tensor is not supported yet; did you mean torch.ops.aten.add?");
  EXPECT_EQ(failure("torch.ops.aten.add.Vector(x, y)"),
            "torch.ops.aten.add.Vector is not supported yet; of add there are Tensor, Scalar");
  EXPECT_EQ(failure("torch.ops.aten.nonzero.default(x)"),
            "torch.ops.aten.nonzero.default is not supported: the number of results depends on "
            "the values: keep the mask, and use where or masked_fill with it");
  EXPECT_EQ(failure("torch.ops.vendor.mix.default(x)"),
            "torch.ops.vendor.mix.default is not an ATen operation; give it a decomposition into "
            "ATen operations and export again, or write torch functions in its place");
}

TEST(AtenTest, ArgumentsThatDoNotFitAreAnsweredWithTheSignature) {
  const std::string usage = "; its signature is sin(Tensor self) -> Tensor";
  EXPECT_EQ(failure("torch.ops.aten.sin.default(x, y)"),
            "torch.ops.aten.sin.default takes at most 1 argument by position" + usage);
  EXPECT_EQ(failure("torch.ops.aten.sin.default(x, dim = 1)"),
            "torch.ops.aten.sin.default has no argument 'dim'" + usage);
  EXPECT_EQ(failure("torch.ops.aten.sin.default()"),
            "torch.ops.aten.sin.default is missing its argument 'self'" + usage);
  EXPECT_EQ(failure("torch.ops.aten.sin.default(x, self = x)"),
            "torch.ops.aten.sin.default got 'self' twice");
}

constexpr const char* kPrinted = R"(ExportedProgram:
    class GraphModule(torch.nn.Module):
        def forward(self, p_weight: "f32[3, 4]", x: "f32[2, 4]"):
             # File: model.py:4 in forward, code: return torch.relu(self.l(x))
            linear: "f32[2, 3]" = torch.ops.aten.linear.default(x, p_weight);  x = p_weight = None
            relu: "f32[2, 3]" = torch.ops.aten.relu.default(linear);  linear = None
            return (relu,)

Graph signature:
    # inputs
    p_weight: PARAMETER target='weight'
    x: USER_INPUT

Range constraints: {}
)";

TEST(AtenTest, APrintedExportIsReadAsItIs) {
  const Program program = parseProgram(kPrinted);
  EXPECT_EQ(program.inputs, (std::vector<std::string>{"p_weight", "x"}));
  EXPECT_EQ(program.ops.size(), 2u);
  EXPECT_EQ(program.ops[0].place.line, 5);  // lines are counted in the text as it is
}

TEST(AtenTest, LogsOfCompilationsGiveTheirFirstGraph) {
  const std::string at =
      "V1128 19:29:01.251000 77 torch/_dynamo/output_graph.py:1600] [0/0] [__graph_code] ";
  std::string log = "a line of the script\n";
  for (const char* line :
       {"TRACED GRAPH", " ===== __compiled_fn_1 =====",
        " /usr/lib/python3/torch/fx/_lazy_graph_module.py class GraphModule(torch.nn.Module):",
        "    def forward(self, L_x_: \"f32[2, 4][4, 1]cpu\"):", "        l_x_ = L_x_", "        ",
        "        # File: m.py:4 in forward, code: return torch.sin(x)",
        "        y: \"f32[2, 4][4, 1]cpu\" = torch.sin(l_x_);  l_x_ = None", "        return (y,)",
        "",
        " ===== Backward graph 0 =====", " <eval_with_key>.2 class GraphModule(torch.nn.Module):",
        "    def forward(self, g: \"f32[2, 4][4, 1]cpu\"):", "        return (g, None)"})
    log += at + line + "\n";
  const Program program = parseProgram(log);
  EXPECT_EQ(program.inputs, std::vector<std::string>{"L_x_"});
  EXPECT_EQ(program.ops.size(), 1u);
}

TEST(AtenTest, AProgramIsNotTakenForAPrintedGraph) {
  EXPECT_FALSE(
      graphOfPrinted("class M(torch.nn.Module):\n    def forward(self, x):\n        return x\n"));
  EXPECT_FALSE(graphOfPrinted("x = 1  # the class M(torch.nn.Module):\n"));
  EXPECT_FALSE(graphOfPrinted(""));
}

TEST(AtenTest, TypeCommentsStateShapesAndDtypes) {
  const auto inputs = commentedInputs(*graphOfPrinted(kPrinted));
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_EQ(inputs[0].name, "p_weight");
  EXPECT_EQ(inputs[0].type.extents, (std::vector<std::string>{"3", "4"}));
  EXPECT_EQ(readTypeComment("bf16[s0, 16][16, 1]cuda:0")->dtype, DType::bfloat16);
  EXPECT_EQ(readTypeComment("bf16[s0, 16][16, 1]cuda:0")->extents,
            (std::vector<std::string>{"s0", "16"}));
  EXPECT_TRUE(readTypeComment("i64[]")->extents.empty());
  EXPECT_FALSE(readTypeComment("c64[2]"));
  EXPECT_FALSE(readTypeComment("Tensor"));
}

TEST(AtenTest, ChoicesBySizesAreMadeForTheShapesInTypeComments) {
  const Program program = parseProgram(
      "import torch\ndef f(x: \"f32[2, 4]\"):\n    return torch.ops.aten.split.Tensor(x, 2, 1)\n");
  EXPECT_EQ(program.outputs.size(), 2u);
}

TEST(AtenTest, SizesThatChangeAreExtentsOfTheTensorsThatNameThem) {
  const std::string graph =
      "import torch\ndef forward(self, s7: \"Sym(s7)\", x: \"f32[s7, 4]\"):\n"
      "    return torch.ops.aten.expand.default(torch.ops.aten.sum.dim_IntList(x, [0]), [s7, 4])\n";
  const Program program = parseProgram(graph, {{"x", {{3, 4}, DType::float32}}});
  EXPECT_EQ(program.inputs, std::vector<std::string>{"x"});
  const std::vector<ValueType> inputs{{{5, 4}, DType::float32}};
  EXPECT_EQ(inferTypes(program, inputs).back().shape, Shape({5, 4}));
  EXPECT_EQ(failureOfText("def forward(self, s7: \"Sym(s7)\", x: \"f32[4]\"):\n    return x\n"),
            "no input has a dimension of the size s7; write its number in place of s7");
}

TEST(AtenTest, WhatExportedModulesCallBesidesIsRead) {
  const Program program = parseProgram(
      "def forward(self, x, y):\n"
      "    a, b, = fx_pytree.tree_flatten_spec(([x, y], {}), self._in_spec)\n"
      "    c = torch.ops.aten.full.default([2, 4], -inf, dtype = torch.float32, layout = "
      "torch.strided, device = device(type='cpu'), pin_memory = False)\n"
      "    d = torch._C._nn.gelu(a)\n"
      "    e = operator.mul(d, operator.add(2, 1))\n"
      "    torch.ops.aten._assert_tensor_metadata.default(b, None, None, torch.float32)\n"
      "    return pytree.tree_unflatten((torch.ops.aten.maximum.default(c, e), b), "
      "self._out_spec)\n",
      {{"x", {{2, 4}, DType::float32}}, {"y", {{2, 4}, DType::float32}}});
  EXPECT_EQ(program.outputs.size(), 2u);
  EXPECT_EQ(program.ops.size(), 4u);
}

}  // namespace
}  // namespace fusebench
