// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/experiment/experiment.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "profiler/experiment/inputs.h"
#include "profiler/files/files.h"
#include "tests/profiler/run/sample_data.h"
#include "tests/support/built_paths.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

std::string shipped(const std::string& name) {
  return fusebench::test::sourcePath("/resources/experiments/") + name;
}

TEST(ShippedStudy, IsThePublishedOne) {
  const Experiment study = loadExperiment(shipped("fusion_study.json"));
  EXPECT_EQ(cells(study).size(), 21u);
  EXPECT_EQ(study.axes[0].values, (std::vector<std::int64_t>{1, 5, 10, 15, 20, 25, 30}));
  EXPECT_EQ(study.program.statements.size(), 20u);
  EXPECT_TRUE(study.program.isChain());
  EXPECT_EQ(study.baseline, "eager");
  EXPECT_EQ(study.reference, "torch_compile_2025");
  EXPECT_THAT(study.note, HasSubstr("different inputs"));
  const auto inputsOf = [&](int variant) {
    return study.variants[static_cast<std::size_t>(variant)].inputs;
  };
  EXPECT_EQ(inputsOf(0), "varying");
  EXPECT_EQ(inputsOf(1), "fixed");
  EXPECT_EQ(inputsOf(2), "varying");
  EXPECT_EQ(study.inputSet("varying").count, 300);
  // ((i mod 10) + 4, 16) and (8, 16)
  for (const std::int64_t i : {0, 9, 10, 299}) {
    const Binding binding[] = {{"i", i}};
    EXPECT_EQ(evaluateExtent(study.inputSet("varying").inputs[0].extents[0], binding), i % 10 + 4);
    EXPECT_EQ(evaluateExtent(study.inputSet("fixed").inputs[0].extents[0], binding), 8);
  }
  std::size_t opsAt30 = firstStatements(study.program, 30).ops.size();
  EXPECT_EQ(opsAt30, 34u);  // three statements hold two ops, and the sum
}

TEST(ShippedStudy, HasAFairTwinWithTheSameProgram) {
  const Experiment twin = loadExperiment(shipped("fusion_same_inputs.json"));
  EXPECT_EQ(twin.programText, loadExperiment(shipped("fusion_study.json")).programText);
  EXPECT_EQ(twin.inputSets.size(), 1u);
  EXPECT_EQ(twin.axes[0].values, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 10, 15, 20, 25, 30}));
}

TEST(Experiments, SurviveWritingAndReadingBack) {
  for (const char* name : {"fusion_study.json", "fusion_same_inputs.json"}) {
    const Experiment original = loadExperiment(shipped(name));
    const std::string text = toJson(original);
    const Experiment again = parseExperiment(text, "again.json");
    EXPECT_EQ(toJson(again), text);
    EXPECT_EQ(again.programText, original.programText);
    EXPECT_EQ(again.note, original.note);
  }
  Experiment odd = smallExperiment();
  odd.title = "quotes \" and \\ back, slashes: {x, y}";
  odd.variants[1].options.recompileLimit = 3;
  odd.variants[1].options.contract = true;
  odd.variants[1].options.fastMath = true;
  odd.variants[1].options.search = true;
  odd.inputSets[0].inputs[0].layout = "transposed";
  odd.inputSets[0].inputs[0].dtype = "float64";
  odd.variants[1].dtype = "bfloat16";
  odd.variants[1].autocast = "cuda bfloat16";
  odd.variants[1].gradients = "all";
  odd.variants[1].lossScale = 1024;
  odd.measure.seed = 77;
  const Experiment again = parseExperiment(toJson(odd), "odd.json");
  EXPECT_EQ(again.title, odd.title);
  EXPECT_EQ(again.variants[1].options.recompileLimit, 3);
  EXPECT_TRUE(again.variants[1].options.contract);
  EXPECT_TRUE(again.variants[1].options.fastMath);
  EXPECT_TRUE(again.variants[1].options.search);
  EXPECT_EQ(again.inputSets[0].inputs[0].layout, "transposed");
  EXPECT_EQ(again.inputSets[0].inputs[0].dtype, "float64");
  EXPECT_EQ(again.variants[1].dtype, "bfloat16");
  EXPECT_EQ(again.variants[1].autocast, "cuda bfloat16");
  EXPECT_EQ(again.variants[1].lossScale, 1024);
  EXPECT_EQ(again.measure.seed, 77u);
}

TEST(Experiments, NeedNoAxis) {
  const std::string text = R"json({"fusebench": "experiment", "version": 2, "title": "One point",
    "program": ["def f(x):", "    return x.exp().sum()"],
    "inputs": [{"name": "x", "count": 1, "tensors": [{"name": "x", "extents": [4, 8]}]}],
    "variants": [{"name": "eager", "executor": "eager", "inputs": "x"},
                 {"name": "static", "executor": "static", "inputs": "x"}], "baseline": "eager"})json";
  const Experiment experiment = parseExperiment(text, "one_point.json");
  EXPECT_EQ(cells(experiment).size(), 2u);  // one point, two variants
  EXPECT_EQ(parseExperiment(toJson(experiment), "again.json").axes.size(), 1u);
}

TEST(Experiments, CompareWithTheirFirstVariantWhereTheyNameNoBaseline) {
  const std::string text = R"json({"fusebench": "experiment", "version": 2, "title": "t",
    "program": "return x.exp()",
    "inputs": [{"name": "x", "tensors": [{"name": "x", "extents": [4, 8]}]}],
    "variants": [{"name": "first", "executor": "static"}, {"name": "second", "executor": "eager"}]})json";
  EXPECT_EQ(parseExperiment(text, "no_baseline.json").baseline, "first");
}

TEST(Experiments, CheckDivisorsOfIntegersAlone) {
  const auto checksOf = [](const std::string& dtype, const std::string& program) {
    const std::string text =
        R"({"fusebench": "experiment", "version": 2, "title": "t", "program": [")" + program +
        R"("], "inputs": [{"name": "all", "tensors": [{"name": "x", "extents": [4], "dtype": ")" +
        dtype + R"("}]}], "variants": [{"name": "eager", "executor": "eager"}],
        "baseline": "eager"})";
    return parseExperiment(text, "division.json").program.checks.size();
  };
  EXPECT_EQ(checksOf("int64", "return x // (x - x)"), 1u);
  EXPECT_EQ(checksOf("int32", "return x % (x + 1)"), 1u);
  EXPECT_EQ(checksOf("float32", "return x // (x - x)"), 0u);
  EXPECT_EQ(checksOf("float32", "return x.long() // (x.long() - 1)"), 1u);
  EXPECT_EQ(checksOf("int64", "return x // 2"), 0u);
}

TEST(Experiments, AreSavedWholeOrNotAtAll) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path("saved.json");
  saveExperiment(smallExperiment(), path);
  EXPECT_EQ(toJson(loadExperiment(path)), toJson(smallExperiment()));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}),
            1);  // no temporary left
  EXPECT_THROW(saveExperiment(smallExperiment(), "/nowhere/at/all.json"), InputError);
}

TEST(Experiments, KeepTheSchemaOfTheFileThatTheyReplace) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path("with_schema.json");
  std::string text = toJson(smallExperiment());
  text.insert(text.find('\n') + 1, "  \"$schema\": \"../experiment.schema.json\",\n");
  writeFile(path, text);
  Experiment changed = loadExperiment(path);
  changed.title = "Another title";
  saveExperiment(changed, path);
  EXPECT_THAT(readFile(path), testing::HasSubstr("\"$schema\": \"../experiment.schema.json\""));
  EXPECT_EQ(loadExperiment(path).title, "Another title");
  writeFile(path, "not JSON");
  saveExperiment(changed, path);
  EXPECT_EQ(readFile(path), toJson(changed));
}

TEST(Experiments, AcceptTheProgramAsOneText) {
  std::string text = smallExperimentText();
  const std::size_t start = text.find("\"program\": ["), end = text.find("],", start);
  text.replace(start, end + 1 - start, "\"program\": \"x = x + 1\\nreturn x.sum()\"");
  EXPECT_EQ(parseExperiment(text, "t").program.statements.size(), 1u);
}

TEST(Cells, AreFoundByTheirKeyWhereTheyAre) {
  Experiment study = smallExperiment({1, 2, 5});
  study.axes.push_back({"elements", "elements", {16, 64}});
  const std::vector<CellKey> all = cells(study);
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(indexOfCell(study, all[i]), i);
  for (const CellKey& none :
       {CellKey{-1, {1, 16}}, CellKey{static_cast<int>(study.variants.size()), {1, 16}},
        CellKey{0, {3, 16}}, CellKey{0, {1, 17}}, CellKey{0, {1}}})
    EXPECT_FALSE(indexOfCell(study, none));
}

TEST(Cells, ComeWithVariantsInnermost) {
  const auto keys = cells(smallExperiment({1, 2}));
  ASSERT_EQ(keys.size(), 4u);
  EXPECT_EQ(keys[1], (CellKey{1, {1}}));
  EXPECT_EQ(keys[2], (CellKey{0, {2}}));
}

/// One wrong file: what to replace in a right one, by what, and the message.
struct Wrong {
  const char* name;
  const char* find;
  const char* put;
  const char* message;  ///< after "bad.json:LINE:COLUMN: "
  int line;
};
void PrintTo(const Wrong& wrong, std::ostream* out) {
  *out << wrong.name;
}
class WrongExperiment : public testing::TestWithParam<Wrong> {};

TEST_P(WrongExperiment, IsRefusedWithPlaceCauseAndRemedy) {
  const Wrong& wrong = GetParam();
  std::string text = smallExperimentText();
  const std::size_t at = text.find(wrong.find);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string(wrong.find).size(), wrong.put);
  try {
    parseExperiment(text, "bad.json");
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(wrong.message));
    EXPECT_THAT(error.what(), StartsWith("bad.json:" + std::to_string(wrong.line) + ":"));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
}

const Wrong kWrong[] = {
    {"CutOff", "\n}\n", "", "this is not JSON", 20},
    {"TrailingComma", "\"version\": 1,", "\"version\": 1,,", "this is not JSON", 3},
    {"NoObject", "{\n  \"fusebench\": \"experiment\",", "[\n  \"x\"], {", "this is not JSON", 2},
    {"NotOurs", "\"fusebench\": \"experiment\",", "", "this is not a Fusebench file", 1},
    {"AnotherKind", "\"experiment\"", "\"run\"",
     "fusebench: this is a file of kind \"run\"; an \"experiment\" is needed", 2},
    {"FutureVersion", "\"version\": 1", "\"version\": 3",
     "version: 3 is out of range; give a whole number from 1 to 2", 3},
    {"UnknownKey", "\"title\"", "\"titel\"", "titel: this key is unknown; did you mean \"title\"?",
     4},
    {"TitleMissing", "\"title\": \"A small study\",", "", "the key \"title\" is missing; add it",
     1},
    {"TitleNoText", "\"A small study\"", "7",
     "title: found a whole number; a string in \"quotes\" is needed", 4},
    {"TitleEmpty", "\"A small study\"", "\"\"", "title: the name is empty", 4},
    {"KeyTwice", "\"version\": 1,", "\"version\": 1, \"version\": 1,",
     "the key \"version\" appears twice", 3},
    {"ProgramNoText", "\"    x = x + 1\",", "5,", "program[1]: found a whole number; a string", 7},
    {"ProgramUnknownOp", "torch.sin", "torch.sinn", "line 3 of the program: ", 8},
    {"ProgramSyntax", "x = x + 1", "x = x + + 1)", "line 2 of the program: ", 7},
    {"ProgramNoReturn", ",\n    \"    return x.sum()\"", "", "of the program: ", 8},
    {"ProgramObject", "\"program\": [", "\"program\": {}, \"note\": \"\", \"question\": [",
     "question: found a list; a string", 5},
    {"InputsEmpty",
     "{\"name\": \"all\", \"count\": 3, \"tensors\": [{\"name\": \"x\", \"extents\": [\"i % 2 + "
     "4\", 16]}]}",
     "", "inputs: the list is too short; give at least 1 of input sets", 11},
    {"CountZero", "\"count\": 3", "\"count\": 0",
     "inputs[0].count: 0 is out of range; give a whole number from 1 to 100000", 12},
    {"CountFraction", "\"count\": 3", "\"count\": 2.5",
     "inputs[0].count: found a number; a whole number", 12},
    {"TensorUnknown", "{\"name\": \"x\", \"extents\"", "{\"name\": \"y\", \"extents\"",
     "the program has no input \"y\"", 12},
    {"TensorMissing", "[{\"name\": \"x\", \"extents\": [\"i % 2 + 4\", 16]}]", "[]",
     "the program's input \"x\" has no tensor; add", 12},
    {"ExtentKind", "16]", "1.5]",
     "inputs[0].tensors[0].extents[1]: an extent must be a whole number or an expression", 12},
    {"ExtentSyntax", "i % 2 + 4", "i % + ",
     "inputs[0].tensors[0].extents[0]: extent \"i % + \", column", 12},
    {"ExtentName", "i % 2 + 4", "j + 4", "the name \"j\" is unknown (known: i statements)", 12},
    {"ExtentNegative", "i % 2 + 4", "0 - 4", "the extent is -4", 12},
    {"ExtentDivision", "i % 2 + 4", "4 // i", "division by zero", 12},
    {"ExtentHuge", "16]", "99999999999999999999]", "an extent must be a whole number", 12},
    {"TooManyDims", "16]", "1,1,1,1,1,1,1,1,1]", "at most 8 of extents are possible", 12},
    {"FillUnknown", "16]}", "16], \"fill\": \"norml\"}",
     "there is no fill \"norml\"; did you mean \"normal\"?", 12},
    {"LayoutUnknown", "16]}", "16], \"layout\": \"fortran\"}",
     "there is no layout \"fortran\"; known:", 12},
    {"TransposedVector", "[\"i % 2 + 4\", 16]}", "[16], \"layout\": \"transposed\"}",
     "only a tensor of two or more dimensions", 12},
    {"VariantExecutor", "\"executor\": \"static\"", "\"executor\": \"statik\"",
     "variants[1].executor: there is no executor \"statik\"; did you mean \"static\"?", 16},
    {"VariantTwice", "\"name\": \"fused\"", "\"name\": \"eager\"",
     "there is a second variant \"eager\"; names must differ", 16},
    {"VariantInputs", "\"static\", \"inputs\": \"all\"", "\"static\", \"inputs\": \"al\"",
     "there is no input set \"al\"; did you mean \"all\"?", 16},
    {"VariantThreads", "\"inputs\": \"all\"}\n  ]", "\"threads\": 0}\n  ]",
     "variants[1].threads: 0 is out of range", 16},
    {"VariantKey", "\"inputs\": \"all\"}\n  ]", "\"thread\": 2}\n  ]",
     "variants[1].thread: this key is unknown; did you mean \"threads\"?", 16},
    {"RecompileLimit", "\"inputs\": \"all\"}\n  ]", "\"recompileLimit\": -1}\n  ]",
     "recompileLimit: -1 is out of range", 16},
    {"ContractNoFlag", "\"inputs\": \"all\"}\n  ]", "\"contract\": 1}\n  ]",
     "contract: found a whole number; true or false is needed", 16},
    {"BaselineUnknown", "\"baseline\": \"eager\"", "\"baseline\": \"eagre\"",
     "baseline: there is no variant \"eagre\"; did you mean \"eager\"?", 18},
    {"AxesMissing", "\"axes\": [{\"name\": \"statements\", \"values\": [1, 2, 3]}]", "\"axes\": []",
     "axes: the list is too short", 19},
    {"AxisUnused", "\"name\": \"statements\"", "\"name\": \"batch\"",
     "nothing depends on the axis \"batch\"", 19},
    {"AxisNamedI", "\"name\": \"statements\"", "\"name\": \"i\"", "i already means the position",
     19},
    {"AxisOrder", "[1, 2, 3]", "[1, 3, 2]",
     "axes[0].values[2]: 2 does not come after 3; list the values", 19},
    {"AxisZero", "[1, 2, 3]", "[0, 2, 3]", "statements are counted from 1", 19},
    {"AxisText", "[1, 2, 3]", "[\"1\"]", "axes[0].values[0]: found a string; a whole number", 19},
    {"BudgetNegative", "\"budgetSeconds\": 10", "\"budgetSeconds\": -1",
     "measure.budgetSeconds: -1 is out of range", 20},
    {"SamplesSwapped", "\"compileRepeats\": 2", "\"minimumSamples\": 50, \"maximumSamples\": 20",
     "maximumSamples (20) is below minimumSamples (50)", 20},
    {"MeasureKey", "compileRepeats", "compileRepeat",
     "measure.compileRepeat: this key is unknown; did you mean \"compileRepeats\"?", 20},
    {"ShapesDoNotFit", "x = x + 1", "x = x.sum(dim=5)",
     "variants[0]: the program does not fit the inputs \"all\"", 15},
};
INSTANTIATE_TEST_SUITE_P(Table, WrongExperiment, testing::ValuesIn(kWrong),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(WrongExperiments, AreAtLeastThirty) {
  EXPECT_GE(std::size(kWrong), 30u);
}

TEST(WrongExperiments, GiveTheColumnInsideTheProgram) {
  std::string text = smallExperimentText();
  text.replace(text.find("torch.sin"), 9, "torch.sinn");
  try {
    parseExperiment(text, "bad.json");
    FAIL();
  } catch (const InputError& error) {
    // Line 8 is `    "    x = torch.sinn(x)",`, so the call starts in column 14.
    EXPECT_THAT(error.what(), MatchesRegex("bad\\.json:8:14: .*torch\\.sinn.*did you mean.*"));
  }
}

TEST(WrongExperiments, DoNotOverflowTheStack) {
  EXPECT_THROW(parseExperiment(std::string(200'000, '['), "deep.json"), InputError);
  const std::string deep = std::string(200, '[') + std::string(200, ']');
  EXPECT_THROW(parseExperiment(deep, "deep.json"), InputError);
  EXPECT_THROW(evaluateExtent(std::string(100'000, '('), {}), InputError);
}

TEST(WrongExperiments, NameAFileThatIsNotThere) {
  try {
    loadExperiment("/nowhere/study.json");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/study.json: cannot be opened"));
  }
  EXPECT_THROW(loadExperiment("/tmp"), InputError);
}

TEST(WrongExperiments, AreNoPrograms) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path("model.py");
  writeFile(path, "def f(x):\n    return x + 1\n");
  try {
    loadExperiment(path);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("model.py:1:1: this is a program, not an experiment"));
  }
  EXPECT_THROW(parseDraft(toJson(smallExperiment()), path), InputError);
}

TEST(Extents, FollowPythonsRules) {
  const Binding bindings[] = {{"i", 23}, {"batch", -7}};
  EXPECT_EQ(evaluateExtent("i % 10 + 4", bindings), 7);
  EXPECT_EQ(evaluateExtent("batch // 2", bindings), -4);
  EXPECT_EQ(evaluateExtent("batch % 3", bindings), 2);
  EXPECT_EQ(evaluateExtent("2 * (i - 3) - -1", bindings), 41);
  EXPECT_EQ(evaluateExtent("10 - 3 - 2", bindings), 5);
  EXPECT_THROW(evaluateExtent("9223372036854775807 + 1", bindings), InputError);
  EXPECT_THROW(evaluateExtent("", bindings), InputError);
  EXPECT_THROW(evaluateExtent("4 4", bindings), InputError);
}

TEST(Inputs, DependOnSeedEntryAndPlaceAlone) {
  InputSpec spec;
  EXPECT_EQ(elementOf(spec, 1, 0, 0, 5), elementOf(spec, 1, 0, 0, 5));
  EXPECT_NE(elementOf(spec, 1, 0, 0, 5), elementOf(spec, 2, 0, 0, 5));
  EXPECT_NE(elementOf(spec, 1, 0, 0, 5), elementOf(spec, 1, 1, 0, 5));
  EXPECT_NE(elementOf(spec, 1, 0, 0, 5), elementOf(spec, 1, 0, 1, 5));
  EXPECT_NE(elementOf(spec, 1, 0, 0, 5), elementOf(spec, 1, 0, 0, 6));
}

TEST(Inputs, OfIntegersAndTruthsAreMadeOfTheSameFloats) {
  InputSpec floats, bytes, truths;
  bytes.dtype = "uint8";
  truths.dtype = "bool";
  for (int i = 0; i < 100; ++i) {
    const double x = elementOf(floats, 9, 0, 0, i);
    EXPECT_EQ(elementOf(bytes, 9, 0, 0, i), std::trunc(16 * std::abs(x)));
    EXPECT_EQ(elementOf(truths, 9, 0, 0, i), x > 0 ? 1 : 0);
  }
}

TEST(Inputs, AreOfTheirVariantsTypeWhereTheyAreFloats) {
  Experiment experiment = smallExperiment();
  InputSpec whole = experiment.inputSets[0].inputs[0];
  whole.dtype = "int64";
  experiment.inputSets[0].inputs.push_back(whole);
  Variant variant = experiment.variants[0];
  EXPECT_EQ(inputsOf(experiment, variant).inputs[0].dtype, "float32");
  EXPECT_EQ(roundingUnit(experiment, variant), 0x1p-24);
  variant.dtype = "float16";
  EXPECT_EQ(inputsOf(experiment, variant).inputs[0].dtype, "float16");
  EXPECT_EQ(inputsOf(experiment, variant).inputs[1].dtype, "int64");
  EXPECT_EQ(roundingUnit(experiment, variant), 0x1p-11);
  EXPECT_EQ(storageBytes(inputsOf(experiment, variant).inputs[0], {3}), 6u);
}

TEST(Inputs, OfTypesThatAreNotThereAreProblems) {
  Experiment experiment = smallExperiment();
  experiment.inputSets[0].inputs[0].dtype = "complex64";
  experiment.variants[0].dtype = "int8";
  try {
    parseExperiment(toJson(experiment), "types.json");
    FAIL() << "taken";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("complex64"));
    EXPECT_THAT(error.what(), HasSubstr("float16"));
  }
}

TEST(Inputs, AreNormalOrUniformAsAsked) {
  double sum = 0, squares = 0, fourth = 0, uniformSum = 0;
  InputSpec normal, uniform;
  uniform.fill = "uniform";
  constexpr int kCount = 100'000;
  for (int i = 0; i < kCount; ++i) {
    const double x = elementOf(normal, 9, 0, 0, i);
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
    const double u = elementOf(uniform, 9, 0, 0, i);
    ASSERT_TRUE(u >= 0 && u <= 1);
    uniformSum += u;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.015);
  EXPECT_NEAR(squares / kCount, 1, 0.02);
  EXPECT_NEAR(fourth / kCount, 3, 0.15);
  EXPECT_NEAR(uniformSum / kCount, 0.5, 0.005);
}

}  // namespace
}  // namespace fusebench
