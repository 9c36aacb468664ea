// SPDX-License-Identifier: GPL-3.0-or-later
// When PyTorch's variants may run a captured model's own file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/base/sha256.h"
#include "engine/language/parser.h"
#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/study/captured_study.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class CapturedStudy : public testing::Test {
 protected:
  CapturedStudy() {
    writeFile((folder_.path() / "model.py").string(), kModel);
    experiment_.title = "t";
    experiment_.folder = folder_.path().string();
    experiment_.capture.emplace();
    experiment_.capture->file = "model.py";
    experiment_.capture->sha256 = sha256(kModel);
    experiment_.capture->name = "make";
    experiment_.capture->arguments = {{"x", "", 0}, {"w", "l.weight", -1}};
  }
  static constexpr const char* kModel = "def make(): pass\n";
  test::TemporaryFolder folder_;
  Experiment experiment_;
  std::string why_;
};

TEST_F(CapturedStudy, NamesTheFileAndWhatEachInputIsToTheModule) {
  const nlohmann::json request = moduleRequest(experiment_, why_);
  EXPECT_EQ(why_, "");
  EXPECT_EQ(request["file"], (folder_.path() / "model.py").string());
  const Program program = parseProgram("def forward(w, x):\n    return x * w\n");
  const nlohmann::json module = moduleOf(request, program);
  EXPECT_EQ(module["states"].dump(), R"(["l.weight",null])");
  EXPECT_EQ(module["leaves"].dump(), R"([null,0])");
}

TEST_F(CapturedStudy, RunsTheGraphWhereTheFileChanged) {
  writeFile((folder_.path() / "model.py").string(), "import os\n");
  EXPECT_TRUE(moduleRequest(experiment_, why_).is_null());
  EXPECT_THAT(why_, testing::AllOf(HasSubstr("changed since it was captured"),
                                   HasSubstr("run the captured graph instead")));
}

TEST_F(CapturedStudy, RunsTheGraphWhereTheFileIsGone) {
  fs::remove(folder_.path() / "model.py");
  EXPECT_TRUE(moduleRequest(experiment_, why_).is_null());
  EXPECT_THAT(why_, HasSubstr("the model's file is missing"));
}

TEST_F(CapturedStudy, RunsTheGraphsWhereThereAreSeveral) {
  experiment_.capture->arguments.clear();
  EXPECT_TRUE(moduleRequest(experiment_, why_).is_null());
  EXPECT_THAT(why_, HasSubstr("the model has graph breaks"));
}

TEST_F(CapturedStudy, SaysThatTheWeightsAreMissing) {
  experiment_.weights = "m.safetensors";
  try {
    const WeightsCopy copy(experiment_);
    FAIL() << "it was found";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("m.safetensors"), HasSubstr("missing")));
  }
}

TEST_F(CapturedStudy, TakesTheCopyOfTheWeightsAway) {
  const std::string empty("\2\0\0\0\0\0\0\0{}", 10);
  experiment_.weights = "m.safetensors";
  writeFile((folder_.path() / "m.safetensors").string(), empty);
  std::string path;
  {
    const WeightsCopy copy(experiment_);
    path = copy.path();
    EXPECT_EQ(readFile(path), empty);
  }
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace fusebench
