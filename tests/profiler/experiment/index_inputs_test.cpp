// SPDX-License-Identifier: GPL-3.0-or-later
// Integers for inputs: the range that a file states, and the default for inputs used as indices.
#include <gmock/gmock.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "profiler/experiment/experiment.h"
#include "profiler/experiment/inputs.h"
#include "profiler/experiment/pasted_experiment.h"
#include "profiler/files/input_error.h"

namespace fusebench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// An experiment of one program over x (rows, 7) and t, whose JSON is given besides its name.
std::string indexedExperiment(const std::string& line, const std::string& tensor,
                              const std::string& rows = "12, 20") {
  return fmt::format(
      R"({{"fusebench": "experiment", "version": 2, "title": "t",
  "program": ["def f(x, t):", "    return {}"],
  "inputs": [{{"name": "in", "count": 2, "tensors": [{{"name": "x", "extents": ["rows", 7]}},
    {{"name": "t", {}}}]}}],
  "variants": [{{"name": "eager", "executor": "eager"}}], "baseline": "eager",
  "axes": [{{"name": "rows", "values": [{}]}}]}})",
      line, tensor, rows);
}

const InputSpec& inputNamed(const Experiment& experiment, const std::string& name) {
  return *std::ranges::find(experiment.inputSets.front().inputs, name, &InputSpec::name);
}

/// The smallest and the greatest of many elements.
std::vector<double> endsOf(const InputSpec& spec) {
  std::vector<double> all;
  for (std::int64_t i = 0; i < 4000; ++i) all.push_back(elementOf(spec, 1, 0, 1, i));
  return {*std::ranges::min_element(all), *std::ranges::max_element(all)};
}

std::string indexRefusal(const std::string& tensor) {
  try {
    parseExperiment(indexedExperiment("x[t]", tensor), "f.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(IndexInputs, AreTheIntegersThatAFileStates) {
  const std::string tensor = R"("extents": [5], "dtype": "int64", "fill": {"integers": [-3, 4]})";
  const Experiment experiment = parseExperiment(indexedExperiment("x[t]", tensor), "f.json");
  EXPECT_THAT(endsOf(inputNamed(experiment, "t")), ElementsAre(-3, 3));
  EXPECT_THAT(notesOf(experiment), IsEmpty());
  const std::string written = toJson(experiment);
  EXPECT_THAT(written, HasSubstr("\"integers\""));
  EXPECT_EQ(written.find("\"range\""), std::string::npos);
  const Experiment again = parseExperiment(written, "f.json");
  EXPECT_THAT(endsOf(inputNamed(again, "t")), ElementsAre(-3, 3));
  EXPECT_EQ(toJson(again), written);
}

TEST(IndexInputs, ThatCannotBeAreRefusedWithARemedy) {
  const std::string whole = R"("extents": [5], "dtype": "int64", )";
  EXPECT_THAT(indexRefusal(whole + R"("fill": {"integers": [4, 4]})"),
              HasSubstr("no integer is at least 4 and below 4; write the lower end first"));
  EXPECT_THAT(indexRefusal(whole + R"("fill": {"integers": [0]})"), HasSubstr("fill.integers"));
  EXPECT_THAT(indexRefusal(whole + R"("fill": {"numbers": [0, 4]})"), HasSubstr("numbers"));
  EXPECT_THAT(indexRefusal(whole + R"("fill": {"integers": [0, 0.5]})"), HasSubstr("integers[1]"));
  EXPECT_THAT(indexRefusal(whole + R"("fill": {"integers": [5, 2]})"),
              HasSubstr("no integer is at least 5 and below 2; write the lower end first"));
  EXPECT_THAT(indexRefusal(whole + R"("fill": {"integers": ["0", 4]})"), HasSubstr("integers[0]"));
  EXPECT_THAT(indexRefusal(whole + R"("fill": {"integers": [0, 9007199254740993]})"),
              HasSubstr("is out of range"));
  EXPECT_THAT(indexRefusal(R"("extents": [5], "dtype": "uint8", "fill": {"integers": [0, 257]})"),
              HasSubstr("a tensor of uint8 contains integers from 0 to 255; narrow the range, or "
                        "choose \"dtype\": \"int64\""));
  EXPECT_THAT(indexRefusal(R"("extents": [5], "dtype": "int8", "fill": {"integers": [-129, 0]})"),
              HasSubstr("integers from -128 to 127"));
  EXPECT_THAT(
      indexRefusal(R"("extents": [5], "dtype": "int32", "fill": {"integers": [0, 2147483649]})"),
      HasSubstr("integers from -2147483648 to 2147483647"));
  EXPECT_THAT(indexRefusal(R"("extents": [5], "dtype": "bool", "fill": {"integers": [0, 2]})"),
              HasSubstr("add \"dtype\": \"int64\""));
  EXPECT_THAT(indexRefusal(R"("extents": [5], "dtype": "int46", "fill": {"integers": [0, 2]})"),
              HasSubstr("int64"));
  EXPECT_THAT(indexRefusal(whole + R"("range": [0, 3], "fill": {"integers": [0, 4]})"),
              HasSubstr("leave out \"range\""));
  EXPECT_THAT(indexRefusal(R"("extents": [5], "fill": {"integers": [0, 4]})"),
              HasSubstr("add \"dtype\": \"int64\""));
}

TEST(IndexInputs, HaveEveryIntegerThatTheirTypeContains) {
  for (const auto& [dtype, low, high] :
       {std::tuple{"uint8", 0, 256}, std::tuple{"int8", -128, 128}}) {
    SCOPED_TRACE(dtype);
    const Experiment experiment = parseExperiment(
        indexedExperiment(
            "x + t.sum()",
            fmt::format(R"("extents": [5], "dtype": "{}", "fill": {{"integers": [{}, {}]}})", dtype,
                        low, high)),
        "f.json");
    EXPECT_THAT(endsOf(inputNamed(experiment, "t")), ElementsAre(low, high - 1));
  }
}

/// Files that captures wrote state both ends.
TEST(IndexInputs, OfOlderFilesKeepTheirRange) {
  const std::string listed = R"("extents": [2], "dtype": "int64", "range": [0, 3], "data": [2, 3])";
  const std::string wide = R"("extents": [5], "dtype": "int8", "range": [0, 300])";
  for (const std::string& tensor : {listed, wide}) {
    SCOPED_TRACE(tensor);
    const Experiment experiment =
        parseExperiment(indexedExperiment("x + t.sum()", tensor), "f.json");
    const std::string written = toJson(experiment);
    EXPECT_THAT(written, HasSubstr("\"range\""));
    EXPECT_EQ(toJson(parseExperiment(written, "f.json")), written);
  }
}

TEST(IndexInputs, GetTheRangeOfWhatTheyIndexByDefault) {
  struct Use {
    const char* line;
    double last;
  };
  const std::string tensor = R"("extents": [5], "dtype": "int64")";
  for (const Use& use : std::vector<Use>{{"x[t]", 11},
                                         {"x[:, t]", 6},
                                         {"x[t, t]", 6},
                                         {"torch.embedding(x, t)", 11},
                                         {"F.embedding(t.long(), x)", 11},
                                         {"torch.index_select(x, -1, t)", 6},
                                         {"F.cross_entropy(x[:5], t)", 6},
                                         {"F.nll_loss(x[:5], t.view(5))", 6},
                                         {"F.one_hot(t, 9) + x.sum().long()", 8}}) {
    SCOPED_TRACE(use.line);
    const Experiment experiment = parseExperiment(indexedExperiment(use.line, tensor), "f.json");
    EXPECT_THAT(endsOf(inputNamed(experiment, "t")), ElementsAre(0, use.last));
    EXPECT_THAT(notesOf(experiment),
                ElementsAre(HasSubstr(fmt::format(
                    "t: integers from 0 to {}, because the program uses it as an index; choose "
                    "others by \"fill\": {{\"integers\": [low, high]}}",
                    use.last))));
    // The default follows the program and is not written.
    const std::string written = toJson(experiment);
    EXPECT_EQ(written.find("\"range\""), std::string::npos);
    EXPECT_EQ(written.find("\"integers\""), std::string::npos);
  }
}

/// The index is a sum or a multiple: the input gets what leads to places of what is indexed.
TEST(IndexInputs, GetTheirRangeThroughSumsMultiplesAndMoves) {
  struct Use {
    const char* line;
    double first, last;
  };
  const std::string tensor = R"("extents": [5, 1], "dtype": "int32")";
  for (const Use& use : std::vector<Use>{{"x[t + 1]", 0, 10},
                                         {"x[1 + t.view(-1)]", 0, 10},
                                         {"x[t.long() - 3]", 3, 14},
                                         {"x[(t.to(torch.int64) + 2).flatten()[1:]]", 0, 9},
                                         {"x[:, t.squeeze(1) * 2]", 0, 3},
                                         {"x[t * 2 + 5]", 0, 3},
                                         {"x[11 - t]", 0, 11},
                                         {"x[-t + 20]", 9, 20},
                                         {"torch.add(t.t(), 3, alpha=2).sum() + x[t + 4]", 0, 7},
                                         {"F.embedding(torch.add(t.t(), 3, alpha=2), x)", 0, 5},
                                         {"x[t + 1].sum() + x[t - 2].sum() + x[:, t]", 2, 6},
                                         {"torch.gather(x[:5], 1, t.long() + 1)", 0, 5}}) {
    SCOPED_TRACE(use.line);
    const Experiment experiment = parseExperiment(indexedExperiment(use.line, tensor), "f.json");
    EXPECT_THAT(endsOf(inputNamed(experiment, "t")), ElementsAre(use.first, use.last));
    EXPECT_THAT(notesOf(experiment),
                ElementsAre(HasSubstr(
                    fmt::format("t: integers from {} to {}, because", use.first, use.last))));
  }
}

TEST(IndexInputs, ThatNothingFitsHaveNoDefault) {
  for (const char* line : {"x[t + 1].sum() + x[-t - 1].sum()", "x[t * 0]", "x[t * t]",
                           "x[torch.clamp(t, 0, 5)]", "x[(t * 0.5).long()]"}) {
    SCOPED_TRACE(line);
    const Experiment experiment =
        parseExperiment(indexedExperiment(line, R"("extents": [5], "dtype": "int64")"), "f.json");
    EXPECT_FALSE(inputNamed(experiment, "t").range.has_value());
  }
}

TEST(IndexInputs, OfOtherUsesStayWhatTheyWere) {
  for (const char* line : {"x + t.sum()", "x[(t + 1) % 3]", "x[t.abs() % 12]"}) {
    SCOPED_TRACE(line);
    const Experiment experiment =
        parseExperiment(indexedExperiment(line, R"("extents": [5], "dtype": "int64")"), "f.json");
    EXPECT_FALSE(inputNamed(experiment, "t").range.has_value());
    EXPECT_THAT(notesOf(experiment), IsEmpty());
  }
  const Experiment zeros = parseExperiment(
      indexedExperiment("x[t]", R"("extents": [5], "dtype": "int64", "fill": "zeros")"), "f.json");
  EXPECT_THAT(endsOf(inputNamed(zeros, "t")), ElementsAre(0, 0));
}

}  // namespace
}  // namespace fusebench
