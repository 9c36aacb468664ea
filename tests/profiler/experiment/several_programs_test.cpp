// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments that compare programs, and what was published of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "engine/cpu/runtime/cpu_backend.h"
#include "profiler/experiment/experiment.h"
#include "profiler/experiment/experiment_check.h"
#include "profiler/experiment/inputs.h"
#include "profiler/export/export_python.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// One program takes both tensors, the other one, in another order of the set.
std::string twoPrograms(const std::string& variants, const std::string& more = "") {
  return R"({"fusebench": "experiment", "version": 2, "title": "t",
    "programs": {"both": ["def f(x, y):", "    return x * y"],
                 "one": ["def f(y):", "    return y + 1"]},
    "inputs": [{"name": "set", "tensors": [{"name": "x", "extents": ["n", 4]},
                                           {"name": "y", "extents": ["n", 4]}]}],
    "variants": [)" +
         variants + R"(], "baseline": "a",
    "axes": [{"name": "n", "values": [2, 3]}])" +
         more + "}";
}
const std::string kTwo = R"({"name": "a", "executor": "eager", "program": "both"},
  {"name": "b", "executor": "eager", "program": "one"})";

TEST(SeveralPrograms, AreReadAndWrittenBack) {
  const Experiment e = parseExperiment(twoPrograms(kTwo), "f.json");
  EXPECT_THAT(e.programNames(), ElementsAre("both", "one"));
  EXPECT_EQ(e.programOf(e.variants[0]).inputs.size(), 2u);
  EXPECT_EQ(programAt(e, CellKey{1, {2}}).inputs, (std::vector<std::string>{"y"}));
  const Experiment again = parseExperiment(toJson(e), "again.json");
  EXPECT_EQ(toJson(again), toJson(e));
  EXPECT_EQ(again.variants[1].program, "one");
}

TEST(SeveralPrograms, EachTakesItsOwnTensorsOfASet) {
  const Experiment e = parseExperiment(twoPrograms(kTwo), "f.json");
  const auto backend = makeCpuBackend(CpuOptions{});
  InputStore store(*backend, e, 1u << 30);
  const auto both = store.get({0, {3}}), one = store.get({1, {3}});
  ASSERT_EQ(both->entries[0].size(), 2u);
  ASSERT_EQ(one->entries[0].size(), 1u);
  EXPECT_EQ(valuesOf(*backend, one->entries[0][0]), valuesOf(*backend, both->entries[0][1]));
  EXPECT_NE(valuesOf(*backend, one->entries[0][0]), valuesOf(*backend, both->entries[0][0]));
}

TEST(SeveralPrograms, OneOfThemCanComeFirstWithNothingChanged) {
  Experiment e = parseExperiment(twoPrograms(kTwo), "f.json");
  e.putFirst("one");
  EXPECT_EQ(e.programName, "one");
  EXPECT_EQ(e.program.inputs.size(), 1u);
  EXPECT_EQ(programAt(e, CellKey{0, {2}}).inputs.size(), 2u);
  EXPECT_EQ(programAt(e, CellKey{1, {2}}).inputs.size(), 1u);
}

TEST(SeveralPrograms, AreWrongInOneLineThatSaysWhere) {
  const auto error = [](const std::string& text) {
    try {
      parseExperiment(text, "f.json");
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_THAT(error(twoPrograms(R"({"name": "a", "executor": "eager", "program": "bth"})")),
              HasSubstr("there is no program \"bth\"; did you mean \"both\"?"));
  EXPECT_THAT(error(twoPrograms(kTwo, R"(, "program": "return x")")),
              HasSubstr("there are both \"program\" and \"programs\"; keep one of them"));
  EXPECT_THAT(error(twoPrograms(R"({"name": "a", "executor": "eager", "program": "one"})")),
              HasSubstr("the program has no input \"x\""));
  EXPECT_THAT(error(twoPrograms(kTwo, R"(, "claims": [{"text": "t", "variant": "a",
                    "against": "c", "ratio": 1}])")),
              HasSubstr("there is no variant \"c\""));
  EXPECT_THAT(error(twoPrograms(kTwo, R"(, "claims": [{"text": "t", "variant": "a",
                    "against": "b", "ratio": 1, "relation": "exactly"}])")),
              HasSubstr("\"exactly\" is not one of \"about\", \"at least\", \"at most\""));
  EXPECT_THAT(error(twoPrograms(kTwo, R"(, "claims": [{"text": "t", "variant": "a",
                    "against": "b", "ratio": 1, "metric": "break_even"}])")),
              HasSubstr("\"value\" is missing"));
  EXPECT_THAT(error(twoPrograms(kTwo, R"(, "claims": [{"text": "t", "variant": "a", "value": 3,
                    "against": "b", "ratio": 1, "metric": "break_even"}])")),
              HasSubstr("a claim about \"break_even\" has \"value\"; leave this out"));
}

TEST(SeveralPrograms, AreFunctionsOfTheScriptOverTheWholeSet) {
  const std::string script = toPython(parseExperiment(twoPrograms(kTwo), "f.json"));
  EXPECT_THAT(
      script,
      HasSubstr("def program_1():\n    import torch\n    def f(x, y):\n        return x * y\n"));
  EXPECT_THAT(
      script,
      HasSubstr("def program_2():\n    import torch\n    def f(y):\n        return y + 1\n"));
  EXPECT_THAT(script, HasSubstr("\"b\": program_2"));
}

TEST(Layouts, HaveTheSameElementsInOtherPlaces) {
  const char* const layouts[] = {"contiguous", "channels_last", "column_major", "transposed"};
  const auto backend = makeCpuBackend(CpuOptions{});
  std::vector<std::vector<double>> values;
  std::vector<Strides> strides;
  for (const char* layout : layouts) {
    const Experiment e =
        parseExperiment(std::string(R"({"fusebench": "experiment", "version": 1, "title": "t",
          "program": "def f(x): return x + 1",
          "inputs": [{"name": "s", "tensors": [{"name": "x", "extents": [2, 3, 4, "n"],
                      "layout": ")") +
                            layout + R"("}]}], "variants": [{"name": "a", "executor": "eager"}],
          "baseline": "a", "axes": [{"name": "n", "values": [5]}]})",
                        "f.json");
    InputStore store(*backend, e, 1u << 30);
    const Tensor& tensor = store.get({0, {5}})->entries[0][0];
    values.push_back(valuesOf(*backend, tensor));
    strides.push_back(tensor.strides);
    EXPECT_EQ(values.back(), values.front()) << layout;
  }
  EXPECT_EQ(strides[1], (Strides{60, 1, 15, 3}));
  EXPECT_EQ(strides[2], (Strides{1, 2, 6, 24}));
}

}  // namespace
}  // namespace fusebench
