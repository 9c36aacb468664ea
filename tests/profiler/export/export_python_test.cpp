// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/export/export_python.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "profiler/files/files.h"
#include "profiler/files/resources.h"
#include "tests/profiler/run/sample_data.h"
#include "tests/support/built_paths.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using nlohmann::json;

class PythonScript : public testing::Test {
 protected:
  static bool succeeds(const std::string& command) {
    return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
  }
  static bool hasTorch() { return succeeds("/usr/bin/python3 -c 'import torch'"); }
  std::string output() { return (folder_ / "out.json").string(); }

  test::TemporaryFolder folder_;
  std::string script_ = folder_.path("study.py");
};

TEST_F(PythonScript, IsValidPythonWhateverTheTextsSay) {
  Experiment experiment = smallExperiment();
  experiment.title = "a \"\"\" b\\ 'c'\nd é";
  experiment.question = "\\N{x} \"\"\"?";
  experiment.variants[0].name = experiment.baseline = "ea\"g'er\\";
  writeFile(script_, toPython(experiment));
  if (!succeeds("python3 --version")) GTEST_SKIP() << "no python3 here";
  EXPECT_TRUE(succeeds("python3 -m py_compile " + script_));
}

TEST_F(PythonScript, EveryShippedExperimentIsValidPython) {
  if (!succeeds("python3 --version")) GTEST_SKIP() << "no python3 here";
  for (const std::string& name : shippedExperiments()) {
    const Experiment experiment =
        parseExperiment(resourceText("experiments/" + name + ".json"), name);
    // The script is one process.
    if (std::ranges::any_of(
            experiment.axes,
            [](const Axis& axis) { return axis.name == "ranks" || axis.name == "bucket"; }) ||
        std::ranges::all_of(experiment.variants,
                            [](const Variant& variant) { return variant.ranks > 1; })) {
      EXPECT_THROW(toPython(experiment), InputError) << name;
      continue;
    }
    writeFile(script_, toPython(experiment));
    EXPECT_TRUE(succeeds("python3 -m py_compile " + script_)) << name;
  }
}

TEST_F(PythonScript, HasTheProgramOfEachPlace) {
  const std::string text = toPython(smallExperiment({1, 3}));
  EXPECT_THAT(text, testing::HasSubstr("def program_1():\n    import torch\n"));
  EXPECT_THAT(text, testing::HasSubstr("x = x + 1\n        return x.sum()\n"
                                       "    return program, (\"x\", ), {}, False\n"));
  EXPECT_THAT(text, testing::HasSubstr("    1: program_1,\n    3: program_3,\n"));
  EXPECT_THAT(text, testing::HasSubstr("tensor((int(i % 2 + 4), int(16), ), \"normal\""));
}

TEST_F(PythonScript, HasTheCallsAndTheModulesOfTheSource) {
  const Experiment experiment = parseExperiment(
      R"json({"fusebench": "experiment", "version": 2, "title": "t", "program": [
"class Net(nn.Module):", "  def __init__(self):", "    super().__init__()",
"    self.fc = nn.Linear(8, 4)", "    self.norm = nn.Tanh()",
"  def forward(self, x, t):", "    y = torch.cat([self.norm(self.fc(x)), x], dim=-1)",
"    return F.cross_entropy(F.softmax(y, -1), t)"],
"inputs": [{"name": "in", "count": 2, "tensors": [
 {"name": "t", "extents": ["rows", 12], "fill": "uniform"}, {"name": "x", "extents": ["rows", 8]}]}],
"variants": [{"name": "torch", "executor": "torch", "inputs": "in"},
 {"name": "training", "executor": "torch", "inputs": "in", "gradients": true},
 {"name": "double", "executor": "torch", "inputs": "in", "dtype": "float64"},
 {"name": "autocast", "executor": "torch", "inputs": "in", "autocast": "bfloat16"}],
"baseline": "torch", "axes": [{"name": "rows", "values": [3]}]})json",
      "e.json");
  const std::string text = toPython(experiment);
  for (const char* line :
       {"            self.norm = nn.Tanh()\n",
        "            y = torch.cat([self.norm(self.fc(x)), x], dim=-1)\n",
        "            return F.cross_entropy(F.softmax(y, -1), t)\n", "    _module = Net()\n",
        "    return program, (\"x\", \"t\", ), _held, False\n",
        "        with torch.autocast('cpu', dtype=torch.bfloat16):\n"})
    EXPECT_THAT(text, testing::HasSubstr(line));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("amax")));
  if (!hasTorch()) GTEST_SKIP() << "no torch for /usr/bin/python3: apt-get install python3-torch";
  writeFile(script_, text);
  ASSERT_TRUE(succeeds("/usr/bin/python3 " + script_ + " --seconds 0.1 --json " + output()));
  const json result = json::parse(readFile(output()));
  ASSERT_EQ(result["cells"].size(), 4U);
  for (const json& cell : result["cells"]) EXPECT_GT(cell["latency_ns"], 0) << cell;
}

TEST_F(PythonScript, DrawsIndicesFromTheRangeOfTheExperiment) {
  const Experiment experiment = parseExperiment(
      R"json({"fusebench": "experiment", "version": 2, "title": "t", "program": [
"def f(w, t, s):", "  return F.embedding(t, w).sum() + s.sum()"],
"inputs": [{"name": "in", "tensors": [{"name": "w", "extents": [3, 4]},
 {"name": "t", "extents": [64], "dtype": "int64"},
 {"name": "s", "extents": [64], "dtype": "int32", "fill": {"integers": [-2, 7]}}]}],
"variants": [{"name": "torch", "executor": "torch"}], "baseline": "torch"})json",
      "e.json");
  const std::string text = toPython(experiment);
  EXPECT_THAT(text, testing::HasSubstr("\"t\": tensor((int(64), ), (0, 3), \"contiguous\""));
  EXPECT_THAT(text, testing::HasSubstr("\"s\": tensor((int(64), ), (-2, 7), \"contiguous\""));
  if (!hasTorch()) GTEST_SKIP() << "no torch for /usr/bin/python3: apt-get install python3-torch";
  writeFile(script_, text);
  ASSERT_TRUE(succeeds("/usr/bin/python3 " + script_ + " --seconds 0.1 --json " + output()));
  const json result = json::parse(readFile(output()));
  ASSERT_EQ(result["cells"].size(), 1U);
  EXPECT_GT(result["cells"][0]["latency_ns"], 0) << result["cells"][0];
}

TEST_F(PythonScript, MeasuresTheStudyInPyTorch) {
  if (!hasTorch()) GTEST_SKIP() << "no torch for /usr/bin/python3: apt-get install python3-torch";
  Experiment experiment = smallExperiment({1, 2});
  experiment.variants[1].executor = "instant";
  writeFile(script_, toPython(experiment));
  ASSERT_TRUE(succeeds("/usr/bin/python3 " + script_ + " --seconds 0.1 --json " + output()));
  const json result = json::parse(readFile(output()));
  ASSERT_EQ(result["cells"].size(), 4U);
  for (const json& cell : result["cells"]) {
    if (cell["variant"] == "eager") {
      EXPECT_GT(cell["latency_ns"], 0);
      EXPECT_LE(cell["ci_low_ns"], cell["latency_ns"]);
      EXPECT_TRUE(cell["error"].is_null());
    } else {
      EXPECT_TRUE(cell["latency_ns"].is_null());
      EXPECT_THAT(cell["error"].get<std::string>(), testing::HasSubstr("no counterpart"));
    }
  }
}

TEST_F(PythonScript, MeasuresPyTorchsVariantsAndLeavesOursToUs) {
  Experiment experiment = smallExperiment({1, 2});
  Variant torch = experiment.variants[0];
  torch.name = "theirs";
  torch.executor = "torch";
  experiment.variants.push_back(torch);
  const std::string text = toPython(experiment);
  EXPECT_THAT(text,
              testing::HasSubstr("# Left out, since Fusebench alone runs them: eager, fused.\n"
                                 "VARIANTS = [\n    (\"theirs\", \"torch\", \"all\", 1, 8),\n]"));
  EXPECT_THAT(text, testing::HasSubstr("BASELINE = \"theirs\"\n"));
  if (!hasTorch()) GTEST_SKIP() << "no torch for /usr/bin/python3: apt-get install python3-torch";
  writeFile(script_, text);
  ASSERT_TRUE(succeeds("/usr/bin/python3 " + script_ + " --seconds 0.1 --json " + output()));
  const json result = json::parse(readFile(output()));
  ASSERT_EQ(result["cells"].size(), 2U);
  for (const json& cell : result["cells"]) EXPECT_GT(cell["latency_ns"], 0);
}

/// A chain of 24 functions of 256 KiB with its gradient, under several switches.
Experiment differentiatedChain() {
  return parseExperiment(R"json({"fusebench": "experiment", "version": 2, "title": "t", "program": [
"def f(x):", "  x = torch.sin(x)", "  x = torch.exp(x * 0.5)", "  x = torch.cos(x)",
"  x = torch.sigmoid(x)", "  return x.sum()"],
"inputs": [{"name": "in", "tensors": [{"name": "x", "extents": ["elements"]}]}],
"variants": [
 {"name": "plain", "executor": "torch", "inputs": "in"},
 {"name": "kept", "executor": "torch", "inputs": "in", "gradients": true},
 {"name": "tape", "executor": "torch", "inputs": "in", "gradients": "tape"},
 {"name": "scaled", "executor": "torch", "inputs": "in", "gradients": true, "lossScale": 1024},
 {"name": "wide", "executor": "torch", "inputs": "in", "gradients": true, "checkpoint": "budget 1 GB"},
 {"name": "narrow", "executor": "torch", "inputs": "in", "gradients": true, "checkpoint": "budget 2.5 MB"},
 {"name": "too narrow", "executor": "torch", "inputs": "in", "gradients": true, "checkpoint": "budget 300 KB"}],
"baseline": "plain", "axes": [{"name": "statements", "values": [8, 24]}, {"name": "elements", "values": [65536]}]})json",
                         "e.json");
}

/// The function that a variant has at a place, by the table of programs.
std::string functionOf(const std::string& script, const std::string& key) {
  const std::size_t at = script.find(key + ": ") + key.size() + 2;
  return script.substr(at, script.find(",\n", at) - at);
}

std::string textOf(const std::string& script, const std::string& function) {
  const std::size_t at = script.find("def " + function + "(");
  return script.substr(at, script.find("\n\n", at) - at);
}

TEST_F(PythonScript, KeepsToABudgetByCheckpointsAndSaysSo) {
  const std::string script = toPython(differentiatedChain());
  EXPECT_THAT(script, testing::HasSubstr("import torch.utils.checkpoint\n"));
  EXPECT_THAT(script, testing::HasSubstr("wide: budget 1 GB; narrow: budget 2.5 MB; too narrow: "
                                         "budget 300 KB\n"));
  const auto program = [&](const char* key) { return textOf(script, functionOf(script, key)); };
  const std::string whole = program(R"(("kept", (24, 65536, )))");
  EXPECT_THAT(whole, testing::Not(testing::HasSubstr("checkpoint")));
  EXPECT_EQ(program(R"(("wide", (24, 65536, )))"), whole);
  EXPECT_THAT(program(R"(("narrow", (24, 65536, )))"),
              testing::HasSubstr("torch.utils.checkpoint.checkpoint("));
  EXPECT_THAT(program(R"(("narrow", (8, 65536, )))"),
              testing::Not(testing::HasSubstr("checkpoint")))
      << "8 statements take less";
  EXPECT_THAT(functionOf(script, R"(("too narrow", (24, 65536, )))"),
              testing::HasSubstr("give a budget of"));
}

TEST_F(PythonScript, TakesGradientsWhereAVariantDoes) {
  if (!hasTorch()) GTEST_SKIP() << "no torch for /usr/bin/python3: apt-get install python3-torch";
  writeFile(script_, toPython(differentiatedChain()));
  ASSERT_TRUE(succeeds("/usr/bin/python3 " + script_ + " --seconds 0.1 --json " + output()));
  const json result = json::parse(readFile(output()));
  ASSERT_EQ(result["cells"].size(), 14U);
  std::map<std::string, double> taken;
  for (const json& cell : result["cells"]) {
    if (cell["variant"] == "too narrow") {
      EXPECT_THAT(cell["error"].get<std::string>(),
                  testing::HasSubstr("no choice of segments meets the budget of"));
    } else {
      EXPECT_TRUE(cell["error"].is_null()) << cell;
      EXPECT_GT(cell["latency_ns"], 0);
    }
  }
  // What a cell computes is what its switches say: its gradients are there, and are of the chain.
  const std::string check = folder_.path("check.py");
  writeFile(check, R"py(import torch, study
torch.manual_seed(1)
with torch.no_grad():
    cells = {row[0]: study.Cell(*row, (24, 65536)) for row in study.VARIANTS}
    inputs, results = None, {}
    for name in ("plain", "kept", "tape", "scaled", "wide", "narrow"):
        cell = cells[name]
        inputs = inputs or [x.detach().clone() for x in cell.inputs[0]]
        by = study.GRADIENTS.get(name, ([],))[0]
        cell.set_up()
        results[name] = cell.call(*[x.clone().requires_grad_(i in by) for i, x in enumerate(inputs)])
assert not results["plain"].requires_grad and results["tape"].requires_grad
value, (gradient,) = results["kept"]
assert value.item() == results["plain"].item() and gradient.abs().sum() > 0
for name in ("scaled", "wide", "narrow"):
    assert torch.allclose(results[name][1][0], gradient, rtol=1e-5, atol=0), name
print("as said")
)py");
  EXPECT_TRUE(succeeds("cd " + folder_.string() + " && /usr/bin/python3 " + check +
                       " | grep -q 'as said'"));
}

/// With a module in torch's place that compiles nothing but counts as PyTorch does: what the script
/// does to be compiled is tested with no PyTorch 2 there.
class PythonScriptInAModel : public PythonScript {
 protected:
  void SetUp() override {
    PythonScript::SetUp();
    if (!succeeds("python3 --version")) GTEST_SKIP() << "no python3 here";
    experiment_ = smallExperiment({1, 2});
    experiment_.inputSets[0].count = 12;
    experiment_.inputSets[0].inputs[0].extents[0] = "i % 10 + 4";
    experiment_.variants.clear();
    addVariant("torch", "torch", 8);
    addVariant("torch-static", "torch-static", 8);
    addVariant("torch-dynamic", "torch-dynamic", 8);
    addVariant("torch-static-16", "torch-static", 16);
    experiment_.baseline = "torch";
  }
  void addVariant(const std::string& name, const std::string& executor, int limit) {
    Variant variant;
    variant.name = name;
    variant.executor = executor;
    variant.inputs = "all";
    variant.options.recompileLimit = limit;
    experiment_.variants.push_back(variant);
  }
  json measured(const std::string& environment = {}) {
    writeFile(script_, toPython(experiment_));
    const std::string command =
        environment + " TMPDIR=" + folder_.string() + " PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=" +
        fusebench::test::sourcePath("/tests/profiler/fake_torch python3 ") + script_ +
        " --seconds 0.1 --json " + output() + " > " + printed() + " 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << readFile(printed());
    return json::parse(readFile(output()));
  }
  std::string printed() { return (folder_ / "printed.txt").string(); }
  Experiment experiment_;
};

TEST_F(PythonScriptInAModel, CountsEachVariantsRecompilesAgainstItsOwnLimit) {
  for (const char* environment : {"", "FAKE_TORCH_OLD=1"}) {
    const json result = measured(environment);
    ASSERT_EQ(result["cells"].size(), 8U);
    const std::map<std::string, int> wanted = {
        {"torch", 0}, {"torch-static", 7}, {"torch-dynamic", 0}, {"torch-static-16", 9}};
    for (const json& cell : result["cells"])
      EXPECT_EQ(cell["recompiles"], wanted.at(cell["variant"])) << cell << environment;
  }
  EXPECT_THAT(readFile(printed()), testing::HasSubstr("7, the limit\n"));
}

TEST_F(PythonScriptInAModel, TimesCompilesOfAllShapesWithNothingKeptFromBefore) {
  experiment_.measure.compileRepeats = 2;
  const json result = measured();
  for (const json& cell : result["cells"]) {
    // The model takes 5 ms for a compile whose result is not on disk.
    const int compiles = cell["variant"] == "torch" ? 0 : 1 + cell["recompiles"].get<int>();
    EXPECT_GE(cell["compile_first_ns"], compiles * 5'000'000.0) << cell;
    EXPECT_EQ(cell["compile_first_ns"] == 0, compiles == 0) << cell;
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    EXPECT_FALSE(entry.is_directory()) << "left behind: " << entry.path();
}

TEST_F(PythonScriptInAModel, KeepsACompiledVariantToItsBudgetByPyTorchsOwnOption) {
  for (Variant& variant : experiment_.variants) {
    variant.executor = "torch-static";
    variant.options.recompileLimit = 16;  // eager calls take what they take
  }
  experiment_.variants[1].gradients = "all";
  experiment_.variants[1].checkpoint = "budget 7 KB";
  experiment_.variants[2].gradients = "all";
  experiment_.variants[2].checkpoint = "budget 0.5 KB";
  EXPECT_THAT(toPython(experiment_),
              testing::HasSubstr("BUDGETS = {\"torch-static\": 7000, \"torch-dynamic\": 500}\n"));
  EXPECT_THAT(toPython(experiment_), testing::Not(testing::HasSubstr("checkpoint.checkpoint")));
  // The model allocates 10,000 bytes in addition to its inputs, or the share that it may keep; the
  // largest inputs have 13 rows.
  const double inputs = 13 * 16 * 4;
  const json result = measured();
  for (const json& cell : result["cells"]) {
    const bool kept = cell["variant"] == "torch-static", small = cell["variant"] == "torch-dynamic";
    if (small) {
      EXPECT_THAT(
          cell["error"].get<std::string>(),
          testing::HasSubstr("its smallest peak is 832 bytes, with 0; give a budget of that"));
      continue;
    }
    EXPECT_TRUE(cell["error"].is_null()) << cell;
    EXPECT_EQ(cell["peak_bytes"], (kept ? 6000 : 10000) + inputs) << cell;
    EXPECT_EQ(cell["activation_memory_budget"], kept ? json(0.6) : json(nullptr)) << cell;
  }
  EXPECT_THAT(readFile(printed()), testing::HasSubstr(" 6832 B "));
}

TEST_F(PythonScriptInAModel, HasABudgetOfItsOwnAtEachPlaceWhereThatIsTheAxis) {
  for (Variant& variant : experiment_.variants) variant.executor = "torch-static";
  experiment_.variants[1].gradients = "all";
  experiment_.variants[1].checkpoint = "budget 1 KB";
  experiment_.axes[0] = {"budget", "KB", {7, 20}};
  const json result = measured();
  for (const json& cell : result["cells"])
    EXPECT_EQ(cell["activation_memory_budget"], cell["variant"] != "torch-static" ? json(nullptr)
                                                : cell["at"][0] == 7              ? json(0.6)
                                                                                  : json(1))
        << cell;
}

TEST_F(PythonScriptInAModel, SaysBreakEvensWithIntervals) {
  writeFile(script_, toPython(experiment_));
  const std::string check = (folder_ / "check.py").string();
  writeFile(check, R"py(import random, study
class Cell:
    def __init__(self, variant, at, level, samples):
        chance = random.Random("%s %d" % (variant, at))
        self.variant, self.at = variant, (at,)
        self.samples = [level * chance.gauss(1, 0.05) for _ in range(samples)]
def said(levels, samples, base=lambda at: 100 * at):
    cells = []
    for at in (1, 2, 3, 4):
        cells += [Cell("torch", at, base(at), samples), Cell("other", at, levels(at), samples)]
    rows = study.break_evens(cells)
    assert len(rows) == 1, rows
    return rows[0], study.sentence(rows[0])
row, text = said(lambda at: 250, 31)
assert row["status"] == "found" and not row["backwards"], row
assert 2.3 < row["ci_low"] < row["at"] < row["ci_high"] < 2.7 and row["ci_low"] <= 2.5 <= row["ci_high"], row
assert text.startswith("other is faster than torch at 2.") and " or more statements (2." in text, text
assert said(lambda at: 20, 31)[1] == "other is faster than torch at every point measured"
assert said(lambda at: 900, 31)[1] == "other is not faster than torch at any point measured"
assert study.text_of(999.7) == "1.00 us" and study.text_of(12300) == "12.3 us"
assert study.bytes_of(9999) == "9999 B" and study.bytes_of(2 ** 20) == "1.00 MiB"
assert said(lambda at: 100 * at, 31)[1] == "other and torch are within noise of each other"
assert "too few samples to be sure" in said(lambda at: 250, 5)[1]
)py");
  EXPECT_EQ(
      std::system(("TMPDIR=" + folder_.string() + " PYTHONPATH=" +
                   fusebench::test::sourcePath("/tests/profiler/fake_torch:") + folder_.string() +
                   " PYTHONDONTWRITEBYTECODE=1 python3 " + check + " > " + printed() + " 2>&1")
                      .c_str()),
      0)
      << readFile(printed());
}

}  // namespace
}  // namespace fusebench
