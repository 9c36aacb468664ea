// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/files/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "profiler/files/csv_text.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/files/json_reader.h"
#include "tests/profiler/run/sample_data.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

std::string errorOf(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(JsonText, NestsNoDeeperThanItsLimit) {
  EXPECT_FALSE(jsonOf(nested(64)).is_discarded());
  EXPECT_TRUE(jsonOf(nested(65)).is_discarded());
  EXPECT_TRUE(jsonOf(nested(200'000)).is_discarded());
  EXPECT_TRUE(jsonOf(std::string(200'000, '[')).is_discarded());
  EXPECT_FALSE(jsonOf("[\"" + std::string(1000, '[') + "\\\"[[\"]").is_discarded());
  EXPECT_EQ(errorOf([] { JsonDocument("{\n \"a\": " + nested(200'000) + "}", "f"); }),
            "f:2:70: the JSON nests deeper than 64 levels; flatten it");
  EXPECT_EQ(errorOf([] { JsonDocument(nested(64), "f"); }), "no error");
}

TEST(JsonText, ADeepEnvironmentMakesARunUnreadableAndNothingWorse) {
  std::string text = runText(emptyRun(smallExperiment()));
  const std::string key = "\"environment\":null";
  text.replace(text.find(key), key.size(), "\"environment\":" + nested(200'000));
  EXPECT_EQ(errorOf([&] { parseRun(text, "f"); }),
            "f:1:1: the JSON nests deeper than 64 levels; the file is damaged or not a run");
}

TEST(JsonText, ANumberThatNoDoubleHoldsHasItsPlace) {
  EXPECT_EQ(errorOf([] { JsonDocument("{\"1e999\":\n [1, 1e999]}", "f"); }),
            "f:2:6: the number 1e999 is too large; give one below 1.8e308");
}

TEST(JsonText, NamesInMessagesAreShortAndHarmless) {
  const std::string name(3'000'000, 'n');
  const std::string unknown = errorOf([&] {
    const JsonDocument document("{\"" + name + "\": 1}", "f");
    JsonReader(document).expectObject({"title"}, {});
  });
  EXPECT_LT(unknown.size(), 300u);
  EXPECT_THAT(unknown, HasSubstr(std::string(60, 'n') + "..."));
  const std::string wild = errorOf([] { JsonDocument("{\"a\x1b]0;x\": 1}", "f"); });
  EXPECT_EQ(wild.find('\x1b'), std::string::npos) << wild;
  std::string experiment = smallExperimentText();
  experiment.replace(experiment.find("\"eager\""), 7, "\"" + name + "\"");
  EXPECT_LT(errorOf([&] { parseExperiment(experiment, "f"); }).size(), 400u);
}

TEST(JsonText, IsMadeInOnePlace) {
  namespace fs = std::filesystem;
  for (const char* room : {"app", "engine", "profiler", "ui"})
    for (const auto& entry : fs::recursive_directory_iterator(
             std::filesystem::path(fusebench::test::sourcePath()) / room)) {
      const std::string file = entry.path().filename().string();
      if (!entry.is_regular_file() || file == "json_text.cpp" || !file.ends_with(".cpp")) continue;
      EXPECT_EQ(readFile(entry.path().string()).find("json::parse("), std::string::npos)
          << entry.path() << ": use jsonOf(), which has a limit of depth";
    }
}

TEST(CellLimit, StandsBeforeAnythingIsBuilt) {
  std::string values = "[1";
  for (int i = 2; i <= 1000; ++i) values += ", " + std::to_string(i);
  std::string text = smallExperimentText(values + "]");
  const std::size_t axis = text.find("{", text.find("\"axes\""));
  text.insert(axis, "{\"name\": \"threads\", \"values\": " + values + "]}, ");
  EXPECT_THAT(
      errorOf([&] { parseExperiment(text, "f"); }),
      HasSubstr("every variant at every point makes 2000000 data points; at most 100000 are"));
}

TEST(CellLimit, ListsOfTooManyAreRefusedAtOnce) {
  Experiment experiment = smallExperiment();
  const Variant variant = experiment.variants[0];
  for (int i = 0; i < 99'000; ++i) {
    experiment.variants.push_back(variant);
    experiment.variants.back().name = "v" + std::to_string(i);
  }
  const auto problems = problemsOf(experiment);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_THAT(problems[0].message, HasSubstr("at most 100 of variants are possible"));
}

TEST(CellLimit, HoldsForStatements) {
  std::string program = "\"program\": [\"x = x + 1\"";
  for (int i = 1; i < 10'001; ++i) program += ",\n\"x = x + 1\"";
  program += ", \"return x\"";
  std::string text = smallExperimentText();
  const std::size_t from = text.find("\"program\"");
  text.replace(from, text.find(']', from) - from, program);
  EXPECT_THAT(errorOf([&] { parseExperiment(text, "f"); }),
              testing::AllOf(HasSubstr("line 10001 of the program"),
                             HasSubstr("has 10001 statements; at most 10000 are possible")));
}

TEST(CsvFields, AreNoFormulas) {
  for (const char* field : {"=1+1", "+cmd", "-x", "@SUM(A1)", "\tx"})
    EXPECT_EQ(csvField(field), std::string("'") + field);
  for (const char* field : {" =1+1", "\uff1dcmd", "=", "-"})
    EXPECT_EQ(csvField(field), std::string("'") + field);
  EXPECT_EQ(csvField("=a,b"), "\"'=a,b\"");
  for (const char* field : {"-3.5", "+1e-3", "eager", "a=b", ""}) EXPECT_EQ(csvField(field), field);
}

TEST(CsvFields, HoldNoControlCharactersAndStayOneField) {
  EXPECT_EQ(csvField("a\x1b[31mb\u202ec\x7f"), "a\\x1b[31mb\\u202ec\\x7f");
  EXPECT_EQ(csvField("a\rb"), "a\\rb");
  EXPECT_EQ(csvField("a;b"), "\"a;b\"") << "some readers separate by semicolons";
  EXPECT_EQ(csvField("say \"a\"\nb"), "\"say \"\"a\"\"\nb\"");
}

}  // namespace
}  // namespace fusebench
