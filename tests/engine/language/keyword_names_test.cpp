// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments have PyTorch's names: each call that the signatures of PyTorch 2 allow is read.
#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/language/library.h"
#include "engine/language/parser.h"
#include "engine/ops/ops.h"
#include "tests/support/built_paths.h"

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
    // Arguments of ATen that PyTorch in Python does not have.
    {"elu", "scale"},
    {"elu", "input_scale"},
    {"sort", "reverse"},
    {"ldexp", "x"},
    {"ldexp", "i"},
    {"dequantize", "qtensor"},
    {"dequantize", "qtensors"},
    {"isin", "element"},
    {"isin", "test_element"},
    {"quantize_per_tensor", "scales"},
    {"quantize_per_tensor", "tensors"},
    {"quantize_per_tensor", "zero_points"},
    {"var_mean", "out0"},
    {"var_mean", "out1"},
    {"std_mean", "out0"},
    {"std_mean", "out1"},
    // They take any number of tensors, in Python by position alone.
    {"atleast_1d", "tensors"},
    {"atleast_2d", "tensors"},
    {"atleast_3d", "tensors"},
    {"block_diag", "tensors"},
    {"broadcast_shapes", "shapes"},
    {"broadcast_tensors", "tensors"},
    {"cartesian_prod", "tensors"},
    {"chain_matmul", "matrices"},
    {"meshgrid", "tensors"},
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

/// The names whose calls keyword_calls.py writes, as it reads them.
std::string namesOfCalls() {
  std::string names;
  for (const OpRow& row : opRows())
    for (const std::string_view spelling : row.spellings)
      if (spelling.find('.') != std::string_view::npos)
        names += "row " + std::string(spelling) + "\n";
  for (const std::string& name : libraryFunctions()) names += "function " + name + "\n";
  return names;
}

/// What PyTorch 2 once allowed: the tests must not need one.
std::ifstream keptCalls() {
  return std::ifstream(test::sourcePath("/tests/engine/language/keyword_calls.txt"));
}

TEST(KeywordNames, ArePyTorchs) {
  std::ifstream calls = keptCalls();
  std::set<std::string> tried;
  for (std::string call; std::getline(calls, call);) {
    if (call.starts_with('#') || !tried.insert(call).second) continue;
    try {
      parseProgram("import torch\nimport torch.nn.functional as F\ndef f(x, y):\n  return " + call,
                   {{"x", {{4, 8}, DType::float32}}, {"y", {{4, 8}, DType::float32}}});
    } catch (const ProgramError& error) {
      EXPECT_TRUE(isLacking(call, error.what())) << call << ": " << error.what();
    }
  }
  EXPECT_GT(tried.size(), 600u);
}

TEST(KeywordNames, AreKeptForEachOperation) {
  std::ifstream lines = keptCalls();
  std::string kept;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("# row ") || line.starts_with("# function "))
      kept += line.substr(2) + "\n";
  EXPECT_EQ(kept, namesOfCalls())
      << "PyTorch 2's Python writes them anew: keyword_calls.py < NAMES > keyword_calls.txt";
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
