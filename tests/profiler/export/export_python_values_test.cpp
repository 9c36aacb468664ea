// SPDX-License-Identifier: GPL-3.0-or-later
// An exported script runs on the values of a run, and has its results.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/cpu/runtime/cpu_backend.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/inputs.h"
#include "profiler/experiment/weights_file.h"
#include "profiler/export/export_python.h"
#include "profiler/files/files.h"
#include "profiler/measure/cell_runner.h"
#include "tests/support/built_paths.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kComparison = R"py(import json, math, sys
import torch
import study

wanted = json.load(open(sys.argv[1]))
torch.manual_seed(99)


def flat(x):
    return x.detach().double().reshape(-1)


def numbers(values):
    return torch.tensor([math.inf if v is None else v for v in values], dtype=torch.float64)


with torch.no_grad():
    for variant in study.VARIANTS:
        cell = study.Cell(*variant, tuple(values[0] for values in study.VALUES))
        assert cell.problem is None, cell.problem
        kept = wanted[variant[0]]
        cell.restore()
        given = [x for one in cell.inputs for x in one]
        assert len(given) == len(kept["inputs"]), (len(given), len(kept["inputs"]))
        for i, (x, (strides, values)) in enumerate(zip(given, kept["inputs"])):
            assert list(x.stride()) == strides, (i, x.stride(), strides)
            values = numbers(values)
            assert torch.equal(flat(x), values), (i, (flat(x) - values).abs().max())
        cell.once()
        cell.set_up()
        for _ in range(2):
            cell.restore()
            results = []
            for one in cell.inputs:
                results += [flat(y) for y in study.as_tuple(cell.call(*one))]
            assert len(results) == len(kept["results"]), (len(results), len(kept["results"]))
            for y, values in zip(results, kept["results"]):
                values = numbers(values)
                assert y.shape == values.shape, (y.shape, values.shape)
                assert torch.allclose(y, values, rtol=1e-5, atol=1e-6), (y - values).abs().max()
print("equal")
)py";

class PythonScriptValues : public testing::Test {
 protected:
  PythonScriptValues() {
    CpuOptions options;
    options.diskCache = false;
    backend_ = makeCpuBackend(options);
  }
  static bool hasTorch() {
    return std::system("/usr/bin/python3 -c 'import torch' > /dev/null 2>&1") == 0;
  }

  /// The inputs of the run and the results of eager, one list after the other.
  json valuesInTheEngine(const Experiment& experiment) {
    InputStore store(*backend_, experiment, std::uint64_t{1} << 30);
    if (!experiment.weights.empty())
      store.setWeights(std::make_shared<const WeightsFile>(folder_.path(experiment.weights)));
    json all = json::object();
    for (std::size_t v = 0; v < experiment.variants.size(); ++v) {
      CellKey key{static_cast<int>(v), {}};
      for (const Axis& axis : experiment.axes) key.at.push_back(axis.values.at(0));
      const Program program = programAt(experiment, key);
      const auto list = store.get(key);
      const auto made = makeExecutor("eager", *backend_, program);
      json inputs = json::array(), results = json::array();
      for (const std::vector<Tensor>& entry : list->entries)
        for (std::size_t i = 0; i < entry.size(); ++i)
          if (std::ranges::find(program.held, static_cast<int>(i), &HeldInput::input) ==
              program.held.end())
            inputs.push_back(
                {std::vector<std::int64_t>(entry[i].strides.begin(),
                                           entry[i].strides.begin() + entry[i].shape.rank()),
                 valuesOf(*backend_, entry[i])});
      for (const std::vector<Tensor>& entry : list->entries)
        for (const Tensor& result : made->call(entry))
          results.push_back(valuesOf(*backend_, result));
      all[experiment.variants[v].name] = {{"inputs", inputs}, {"results", results}};
    }
    return all;
  }

  void expectEqual(const Experiment& experiment) {
    writeFile(folder_.path("study.py"), toPython(experiment));
    writeFile(folder_.path("values.json"), valuesInTheEngine(experiment).dump());
    writeFile(folder_.path("compare.py"), kComparison);
    const std::string command =
        "cd " + folder_.string() + " && /usr/bin/python3 compare.py values.json > printed.txt 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << readFile(folder_.path("printed.txt"));
    EXPECT_THAT(readFile(folder_.path("printed.txt")), HasSubstr("equal\n"));
  }

  std::unique_ptr<Backend> backend_;
  test::TemporaryFolder folder_;
};

TEST_F(PythonScriptValues, AreThoseOfTheRun) {
  if (!hasTorch()) GTEST_SKIP() << "no torch for /usr/bin/python3: apt-get install python3-torch";
  expectEqual(parseExperiment(
      R"json({"fusebench": "experiment", "version": 2, "title": "t", "program": [
"def f(n, u, k, r, b, d, m, s, t):",
"  return n.sum(0) + u.sum(), k * 2, r + 1, b.float() + t.float(), d * 3, m.sum(), s.t() + 0.5"],
"inputs": [{"name": "in", "count": 3, "tensors": [
 {"name": "n", "extents": ["i + 2", 5]},
 {"name": "u", "extents": [40, 3], "fill": "uniform", "range": [0.25, 0.5], "layout": "transposed"},
 {"name": "k", "extents": [2, 3, 2, 2], "dtype": "int64", "fill": {"integers": [-3, 12]},
  "layout": "channels_last"},
 {"name": "r", "extents": [64], "range": [-0.5, 0.75], "layout": "strided"},
 {"name": "b", "extents": [50], "dtype": "bool", "fill": "uniform"},
 {"name": "d", "extents": [2, 3], "data": [1, 2.5, -3, "inf", 0, 7]},
 {"name": "m", "extents": [300], "mean": 3, "deviation": 0.5, "dtype": "float64"},
 {"name": "s", "extents": [6, 4], "layout": "order 1,0"},
 {"name": "t", "extents": [50], "dtype": "int8"}]}],
"variants": [{"name": "torch", "executor": "torch"},
 {"name": "double", "executor": "torch", "dtype": "float64"}], "baseline": "torch",
"measure": {"seed": 7}})json",
      "e.json"));
}

TEST_F(PythonScriptValues, OfInputsThatCodeComputesAreThoseOfTheRun) {
  if (!hasTorch()) GTEST_SKIP() << "no torch for /usr/bin/python3: apt-get install python3-torch";
  expectEqual(parseExperiment(
      R"json({"fusebench": "experiment", "version": 2, "title": "t", "program": [
"def f(x, m, k):", "  return x.masked_fill(m, 0.5), k * 2"],
"inputs": [{"name": "in", "count": 2, "tensors": [
 {"name": "x", "extents": ["rows", 6], "layout": "transposed",
  "fill": {"code": "torch.linspace(2, 6, 4).expand(3, 4) + torch.arange(3).unsqueeze(1)"}},
 {"name": "m", "extents": ["rows", 6], "dtype": "bool",
  "fill": {"code": "m = torch.ones(6, 6)\nm[2] = 0\ntorch.triu(m, 1) > 0"}},
 {"name": "k", "extents": [5], "dtype": "int64", "fill": {"code": "F.relu(torch.arange(-2, 3))"}}]}],
"variants": [{"name": "torch", "executor": "torch"}], "baseline": "torch",
"axes": [{"name": "rows", "values": [5]}]})json",
      "e.json"));
}

TEST_F(PythonScriptValues, OfWeightsAndStateAreThoseOfTheRun) {
  if (!hasTorch()) GTEST_SKIP() << "no torch for /usr/bin/python3: apt-get install python3-torch";
  const Experiment experiment = parseExperiment(
      R"json({"fusebench": "experiment", "version": 2, "title": "t", "program": [
"class Net(nn.Module):", "  def __init__(self):", "    super().__init__()",
"    self.fc = nn.Linear(8, 4)", "    self.norm = nn.BatchNorm1d(4)",
"    self.rows = nn.Embedding(9, 8, padding_idx=2)",
"    self.register_buffer('total', torch.zeros(4))",
"  def forward(self, x, t, y):", "    y.mul_(0.5)",
"    self.total += self.norm(self.fc(x + self.rows(t) + y)).sum(0)",
"    return self.total * 2, self.norm.running_mean + 0"],
"inputs": [{"name": "in", "count": 2, "tensors": [
 {"name": "t", "extents": ["rows"], "dtype": "int64"}, {"name": "x", "extents": ["rows", 8]},
 {"name": "y", "extents": ["rows", 8]}]}],
"variants": [{"name": "torch", "executor": "torch"}], "baseline": "torch",
"measure": {"reset": "each call"},
"axes": [{"name": "rows", "values": [3]}]})json",
      "e.json");
  EXPECT_THAT(toPython(experiment), HasSubstr("RESET = \"each call\"\n"));
  expectEqual(experiment);
}

TEST_F(PythonScriptValues, OfATrainingStepAreThoseOfTheRun) {
  if (!hasTorch()) GTEST_SKIP() << "no torch for /usr/bin/python3: apt-get install python3-torch";
  expectEqual(parseExperiment(
      R"json({"fusebench": "experiment", "version": 2, "title": "t", "program": [
"model = nn.Linear(6, 3)", "optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)",
"def step(x, t):", "  loss = F.mse_loss(model(x), t)", "  loss.backward()", "  optimizer.step()",
"  optimizer.zero_grad()", "  return loss, model.weight * 1"],
"inputs": [{"name": "in", "count": 3, "tensors": [{"name": "x", "extents": [5, 6]},
 {"name": "t", "extents": [5, 3]}]}],
"variants": [{"name": "torch", "executor": "torch"}], "baseline": "torch"})json",
      "e.json"));
}

TEST_F(PythonScriptValues, OfACapturedModelAreThoseOfTheRun) {
  if (!hasTorch()) GTEST_SKIP() << "no torch for /usr/bin/python3: apt-get install python3-torch";
  for (const char* model : {"yolo_head", "lstm"}) {
    Experiment experiment =
        loadExperiment(test::sourcePath("/tests/zoo/captured/") + model + ".json");
    experiment.variants.erase(experiment.variants.begin(), experiment.variants.end() - 2);
    experiment.variants.pop_back();
    expectEqual(experiment);
  }
}

TEST_F(PythonScriptValues, ComeFromTheFileOfWeights) {
  if (!hasTorch()) GTEST_SKIP() << "no torch for /usr/bin/python3: apt-get install python3-torch";
  std::string header =
      R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]},"b":{"dtype":"I64","shape":[2],"data_offsets":[12,28]}})";
  header.append((8 - header.size() % 8) % 8, ' ');
  const std::vector<float> floats{0.5F, -2, 1e-3F};
  const std::vector<std::int64_t> integers{7, -9};
  std::string content(28, '\0');
  std::memcpy(content.data(), floats.data(), 12);
  std::memcpy(content.data() + 12, integers.data(), 16);
  std::string length(8, '\0');
  length[0] = static_cast<char>(header.size());
  writeFile(folder_.path("w.safetensors"), length + header + content);
  const Experiment experiment = parseExperiment(
      R"json({"fusebench": "experiment", "version": 2, "title": "t", "weights": "w.safetensors",
"program": ["def f(x, w, n):", "  return x * w, n + 1"],
"inputs": [{"name": "in", "tensors": [{"name": "x", "extents": [4, 3]},
 {"name": "w", "extents": [3], "held": true, "values": "a"},
 {"name": "n", "extents": [2], "dtype": "int64", "held": true, "values": "b"}]}],
"variants": [{"name": "torch", "executor": "torch"}], "baseline": "torch"})json",
      "e.json");
  expectEqual(experiment);
  std::filesystem::remove(folder_.path("w.safetensors"));
  const std::string command =
      "cd " + folder_.string() + " && /usr/bin/python3 study.py --seconds 0.1 > printed.txt 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_THAT(
      readFile(folder_.path("printed.txt")),
      HasSubstr("w.safetensors is missing: copy it there from the folder of the experiment"));
}

}  // namespace
}  // namespace fusebench
