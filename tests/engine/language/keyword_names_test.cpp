// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments have PyTorch's names: each call that PyTorch's own signatures allow is read.
#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/language/library.h"
#include "engine/language/parser.h"
#include "engine/ops/ops.h"
#include "tests/engine/support/torch_python.h"

namespace fusebench {
namespace {

/// Names of PyTorch's arguments that calls may not have here: where they are, and why.
struct LackingName {
  std::string_view of, name;
};
constexpr LackingName kLacking[] = {
    // TorchScript's own overloads for numbers, and names of results.
    {"", "a"},
    {"", "b"},
    {"", "t"},
    {"", "implicit"},
    {"", "max"},
    {"", "max_values"},
    {"", "min"},
    {"", "min_indices"},
    {"", "values"},
    {"", "indices"},
    // No op here computes in another dtype than it gives.
    {"", "out_dtype"},
    {"round", "decimals"},
    {"elu", "scale"},
    {"elu", "input_scale"},
    {"_int_mm", "input"},
    {"gather", "sparse_grad"},
    {"embedding", "padding_idx"},
    {"embedding", "scale_grad_by_freq"},
    {"embedding", "sparse"},
    {"index_add", "alpha"},
    // Library functions.
    {"layer_norm", "cudnn_enable"},
    {"group_norm", "cudnn_enabled"},
    {"batch_norm", "cudnn_enabled"},
    {"instance_norm", "cudnn_enabled"},
    {"dropout", "train"},
    {"alpha_dropout", "train"},
    {"feature_alpha_dropout", "train"},
    {"sort", "reverse"},
    {"ldexp", "x"},
    {"ldexp", "i"},
    {"dequantize", "tensors"},
    {"dequantize", "qtensor"},
    {"dequantize", "qtensors"},
    {"quantize_per_tensor", "scales"},
    {"quantize_per_tensor", "tensors"},
    {"quantize_per_tensor", "zero_points"},
    {"var_mean", "out0"},
    {"var_mean", "out1"},
    {"std_mean", "out0"},
    {"std_mean", "out1"},
    {"block_diag", "tensors"},
    {"meshgrid", "tensors"},
    {"avg_pool2d", "divisor_override"},
    {"mse_loss", "weight"},
    {"l1_loss", "weight"},
    {"tensor_split", "tensor_indices_or_sections"},
};

bool isLacking(const std::string& call, const std::string& error) {
  const std::size_t mark = error.find("has no argument '");
  if (mark == std::string::npos) return true;  // something else is wrong with it
  const std::size_t begin = mark + 17;
  const std::string name = error.substr(begin, error.find('\'', begin) - begin);
  const std::string path = call.substr(0, call.find('('));
  const std::string last = path.substr(path.rfind('.') + 1);
  return std::ranges::any_of(kLacking, [&](const LackingName& each) {
    return each.name == name && (each.of.empty() || each.of == last);
  });
}

constexpr const char* kCalls = R"(
import inspect
import torch
import torch.nn.functional as F
if int(torch.__version__.split('.')[0]) < 2:
    raise SystemExit(0)
VALUES = {'Tensor': 'y', 'int': '1', 'SymInt': '1', 'float': '0.5', 'number': '0.5', 'Scalar': '0.5',
          'bool': 'True', 'List[int]': '[1]', 'Optional[int]': '1', 'Optional[float]': '0.5',
          'Optional[List[int]]': '[1]', 'Optional[bool]': 'True', 'Optional[Tensor]': 'y',
          'Optional[number]': '0.5', 'Optional[Scalar]': '0.5'}
SKIPPED = {'out', 'generator', 'memory_format', 'device', 'layout', 'pin_memory', 'dtype', 'self', 'non_blocking',
           'copy', 'size_average', 'reduce', '_stacklevel', 'args', 'kwargs'}

def schemas(name):
    try:
        return torch._C._jit_get_schemas_for_operator('aten::' + name)
    except RuntimeError:
        return []

def of_row(spelling):
    base, _, name = spelling.rpartition('.')
    for schema in schemas(name):
        if 'out' in schema.overload_name or 'Dimname' in str(schema) or not schema.arguments:
            continue
        taken = [a for a in schema.arguments if a.name not in SKIPPED]
        required = [(a.name, VALUES.get(str(a.type))) for a in taken if not a.has_default_value()]
        method = schema.arguments[0].name == 'self'
        if any(value is None for _, value in required) or (base == 'x' and not method):
            continue
        lead = ['input=x'] if method and base != 'x' else []
        given = lead + [f'{name}={value}' for name, value in required]
        print(f'{spelling}({", ".join(given)})')
        for a in taken:
            if a.has_default_value() and VALUES.get(str(a.type)):
                print(f'{spelling}({", ".join(given + [f"{a.name}={VALUES[str(a.type)]}"])})')

def of_function(name):
    for path, module in (('F', F), ('torch', torch)):
        function = getattr(module, name, None)
        if function is None:
            continue
        try:
            names = list(inspect.signature(function).parameters)
        except (TypeError, ValueError):
            names = sorted({a.name for s in schemas(name) if 'out' not in s.overload_name for a in s.arguments})
        for each in names:
            if each not in SKIPPED:
                print(f'{path}.{name}({each}=x)')
)";

TEST(KeywordNames, ArePyTorchs) {
  const std::string python = test::newestPythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  std::string script = kCalls;
  for (const OpRow& row : opRows())
    for (const std::string_view spelling : row.spellings)
      if (spelling.find('.') != std::string_view::npos)
        script += "of_row('" + std::string(spelling) + "')\n";
  for (const std::string& name : libraryFunctions()) script += "of_function('" + name + "')\n";
  std::stringstream calls(test::runPython(python, script));
  std::set<std::string> tried;
  for (std::string call; std::getline(calls, call);) {
    if (!tried.insert(call).second) continue;
    try {
      parseProgram("import torch\nimport torch.nn.functional as F\ndef f(x, y):\n  return " + call,
                   {{"x", {{4, 8}, DType::float32}}, {"y", {{4, 8}, DType::float32}}});
    } catch (const ProgramError& error) {
      EXPECT_TRUE(isLacking(call, error.what())) << call << ": " << error.what();
    }
  }
  if (tried.empty()) GTEST_SKIP() << "this PyTorch is older than 2.0";
  EXPECT_GT(tried.size(), 600u);
}

TEST(KeywordNames, OfMovesMeanWhatTheyMeanByPosition) {
  const auto same = [](const std::string& named, const std::string& placed) {
    const ProgramHints hints{{"x", {{4, 8}, DType::float32}}};
    const auto text = [&](const std::string& call) {
      return toText(parseProgram("import torch\ndef f(x):\n  return " + call, hints));
    };
    EXPECT_EQ(text(named), text(placed)) << named;
  };
  same("torch.split(x, split_size=2)[1]", "torch.split(x, 2)[1]");
  same("x.split(split_size=4, dim=1)[0]", "x.split(4, 1)[0]");
  same("x.tensor_split(sections=2)[0]", "x.tensor_split(2)[0]");
  same("x.hsplit(indices=[3])[1]", "x.hsplit([3])[1]");
  same("x.repeat(repeats=(2, 1))", "x.repeat(2, 1)");
  same("x.tile(dims=(2, 1))", "x.tile(2, 1)");
  same("x.view(size=(8, 4))", "x.view(8, 4)");
  same("x.swapaxes(axis0=0, axis1=1)", "x.swapaxes(0, 1)");
  same("x[:, :1].expand(size=(4, 8))", "x[:, :1].expand(4, 8)");
}

}  // namespace
}  // namespace fusebench
