// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/export_python.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "profiler/files.h"
#include "tests/profiler/sample_data.h"

namespace fusebench {
namespace {

using nlohmann::json;

class PythonScript : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("fusebench-python-test-" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    script_ = (folder_ / "study.py").string();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  static bool succeeds(const std::string& command) {
    return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
  }
  static bool hasTorch() { return succeeds("/usr/bin/python3 -c 'import torch'"); }
  std::string output() { return (folder_ / "out.json").string(); }

  std::filesystem::path folder_;
  std::string script_;
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
    writeFile(script_,
              toPython(parseExperiment(resourceText("experiments/" + name + ".json"), name)));
    EXPECT_TRUE(succeeds("python3 -m py_compile " + script_)) << name;
  }
}

TEST_F(PythonScript, HasTheProgramOfEachPlace) {
  const std::string text = toPython(smallExperiment({1, 3}));
  EXPECT_THAT(text,
              testing::HasSubstr("def program_1(x):\n    x = x + 1\n    return torch.sum(x)"));
  EXPECT_THAT(text, testing::HasSubstr("    1: program_1,\n    3: program_3,\n"));
  EXPECT_THAT(text, testing::HasSubstr("tensor((int(i % 2 + 4), int(16), ), \"normal\""));
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

}  // namespace
}  // namespace fusebench
