// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment that is saved to another folder keeps the weights that it reads.
#include "profiler/experiment/weights_along.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;

class WeightsAlong : public testing::Test {
 protected:
  WeightsAlong() {
    fs::create_directories(folder_ / "old");
    fs::create_directories(folder_ / "new");
    writeFile(at("old/model.safetensors"), "weights");
    experiment_.weights = "model.safetensors";
    experiment_.folder = at("old");
  }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }

  test::TemporaryFolder folder_;
  Experiment experiment_;
};

TEST_F(WeightsAlong, AreNextToWhatIsSavedElsewhere) {
  takeWeightsAlong(experiment_, at("new/saved.json"));
  EXPECT_EQ(readFile(at("new/model.safetensors")), "weights");
  EXPECT_EQ(readFile(at("old/model.safetensors")), "weights");
  EXPECT_EQ(experiment_.weights, "model.safetensors");
  EXPECT_EQ(fs::canonical(experiment_.folder), fs::canonical(at("new")));
}

TEST_F(WeightsAlong, LeaveAnotherFileOfTheirNameAlone) {
  writeFile(at("new/model.safetensors"), "another model");
  takeWeightsAlong(experiment_, at("new/saved.json"));
  EXPECT_EQ(readFile(at("new/model.safetensors")), "another model");
  EXPECT_EQ(experiment_.weights, "saved.safetensors");
  EXPECT_EQ(readFile(at("new/saved.safetensors")), "weights");
}

TEST_F(WeightsAlong, AreTakenOnceHoweverOftenItIsSaved) {
  Experiment again = experiment_;
  takeWeightsAlong(experiment_, at("new/saved.json"));
  takeWeightsAlong(experiment_, at("new/saved.json"));
  takeWeightsAlong(again, at("new/saved.json"));
  EXPECT_EQ(again.weights, "model.safetensors");
  EXPECT_EQ(std::distance(fs::directory_iterator(at("new")), fs::directory_iterator()), 1);
}

TEST_F(WeightsAlong, StayWhereTheExperimentStays) {
  takeWeightsAlong(experiment_, at("old/renamed.json"));
  EXPECT_EQ(experiment_.folder, at("old"));
  EXPECT_EQ(std::distance(fs::directory_iterator(at("old")), fs::directory_iterator()), 1);
}

TEST_F(WeightsAlong, AreMissedInALineThatNamesTheFile) {
  fs::remove(at("old/model.safetensors"));
  try {
    takeWeightsAlong(experiment_, at("new/saved.json"));
    FAIL() << "missing weights were not missed";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("old/model.safetensors"));
  }
  EXPECT_EQ(experiment_.folder, at("old"));
}

}  // namespace
}  // namespace fusebench
