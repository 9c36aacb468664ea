// SPDX-License-Identifier: GPL-3.0-or-later
// Where the CUDA libraries are searched for, and the messages when they are not found.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/cuda/driver/library_search.h"
#include "engine/cuda/driver/nvrtc.h"
#include "tests/engine/cuda/backend_fixture.h"
#include "tests/temporary_folder.h"

namespace fusebench::cuda {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class LibrarySearch : public ::testing::Test {
 protected:
  void SetUp() override {
    places_.local = root_ / "local";
    places_.variable = [this](const char* name) -> std::optional<std::string> {
      const auto found = variables_.find(name);
      if (found == variables_.end()) return std::nullopt;
      return found->second;
    };
  }

  void file(const std::string& path) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << path;
  }
  /// Paths found, those under the root without it.
  std::vector<std::string> found(const std::vector<std::string>& names = {"libx.so.13",
                                                                          "libx.so.12"}) {
    std::vector<std::string> paths;
    for (const LibraryCandidate& candidate : libraryCandidates(names, places_)) {
      std::string path = candidate.path;
      if (path.starts_with(root_.string())) path = path.substr(root_.string().size() + 1);
      paths.push_back(path);
    }
    return paths;
  }

  test::TemporaryFolder root_;
  SearchPlaces places_;
  std::map<std::string, std::string, std::less<>> variables_;
};

TEST_F(LibrarySearch, WithNothingThereAsksTheSystemForTheNewestFirst) {
  EXPECT_THAT(found(), ElementsAre("libx.so.13", "libx.so.12"));
}

TEST_F(LibrarySearch, WhatIsSetGoesBeforeWhatIsFound) {
  file("local/cuda-12.9/lib64/libx.so.12");
  file("local/cuda-12.10/lib64/libx.so.12");
  file("local/cuda/lib64/libx.so.13");
  file("mine/libx.so.13");
  file("home/lib64/libx.so.12");
  file("venv/lib/python3.11/site-packages/nvidia/cu13/lib/libx.so.13");
  file("venv/lib/python3.11/site-packages/nvidia/cuda_x/lib/libx.so.12");
  variables_ = {{"FUSEBENCH_CUDA_PATH", (root_ / "mine").string()},
                {"CUDA_HOME", (root_ / "home").string()},
                {"VIRTUAL_ENV", (root_ / "venv").string()}};
  EXPECT_THAT(found(),
              ElementsAre("mine/libx.so.13", "home/lib64/libx.so.12",
                          "venv/lib/python3.11/site-packages/nvidia/cu13/lib/libx.so.13",
                          "venv/lib/python3.11/site-packages/nvidia/cuda_x/lib/libx.so.12",
                          "local/cuda/lib64/libx.so.13", "local/cuda-12.10/lib64/libx.so.12",
                          "local/cuda-12.9/lib64/libx.so.12", "libx.so.13", "libx.so.12"));
}

TEST_F(LibrarySearch, OneFileIsTriedOnce) {
  file("local/cuda-13.0/lib64/libx.so.13");
  fs::create_directory_symlink(root_ / "local/cuda-13.0", root_ / "local/cuda");
  EXPECT_THAT(found(), ElementsAre("local/cuda/lib64/libx.so.13", "libx.so.13", "libx.so.12"));
}

TEST_F(LibrarySearch, AFolderThatIsSetButEmptyIsSeenInTheRecord) {
  variables_ = {{"CUDA_PATH", (root_ / "nowhere").string()}};
  std::vector<LibraryAttempt> attempts;
  EXPECT_FALSE(findLibrary(
      libraryCandidates({"libfusebench-none.so.1"}, places_),
      [](SharedLibrary&) { return std::string(); }, attempts));
  ASSERT_EQ(attempts.size(), 2u);
  EXPECT_EQ(attempts[0].candidate.origin, "CUDA_PATH");
  EXPECT_THAT(attempts[0].error, HasSubstr("nowhere/lib64/libfusebench-none.so.1"));
  EXPECT_THAT(attempts[1].error, HasSubstr("libfusebench-none.so.1"));
}

TEST_F(LibrarySearch, ALibraryThatIsNotTakenIsFollowedByTheNext) {
  std::vector<LibraryAttempt> attempts;
  int asked = 0;
  EXPECT_TRUE(findLibrary(
      {{"libc.so.6", "first"}, {"libm.so.6", "second"}},
      [&](SharedLibrary& library) {
        EXPECT_TRUE(library);
        return std::string(++asked == 1 ? "not this one" : "");
      },
      attempts));
  ASSERT_EQ(attempts.size(), 2u);
  EXPECT_EQ(attempts[0].error, "not this one");
  EXPECT_EQ(attempts[1].error, "");
}

TEST(SharedLibraries, GiveSymbolsAndSayWhyTheyDoNotOpen) {
  std::string error;
  const SharedLibrary library = SharedLibrary::open("libm.so.6", error);
  ASSERT_TRUE(library) << error;
  double (*cosine)(double) = nullptr;
  ASSERT_TRUE(library.find("cos", cosine));
  EXPECT_EQ(cosine(0), 1);
  EXPECT_THAT(SharedLibrary::fileOf(reinterpret_cast<const void*>(cosine)), HasSubstr("libm"));
  EXPECT_FALSE(library.find("no_such_function", cosine));
  EXPECT_EQ(cosine, nullptr);
  EXPECT_FALSE(SharedLibrary::open("libfusebench-none.so.1", error));
  EXPECT_THAT(error, HasSubstr("libfusebench-none.so.1"));
}

TEST(NvrtcSearch, ALibraryThatIsNotNvrtcIsNotTaken) {
  try {
    Nvrtc::open("libm.so.6");
    FAIL() << "libm was taken for NVRTC";
  } catch (const NoNvrtc& error) {
    ASSERT_EQ(error.attempts().size(), 1u);
    EXPECT_THAT(error.attempts()[0].error, HasSubstr("it lacks nvrtcVersion"));
  }
}

TEST_F(LibrarySearch, WithoutNvrtcThePlaceThatWasSetIsNamed) {
  variables_ = {{"FUSEBENCH_CUDA_PATH", (root_ / "nowhere").string()}};
  try {
    const auto nvrtc = Nvrtc::open(places_);
    EXPECT_GE(nvrtc->major(), 12);  // the system's search has one
    EXPECT_FALSE(nvrtc->attempts().front().error.empty());
  } catch (const NoNvrtc& error) {
    EXPECT_THAT(error.what(), HasSubstr("nowhere/lib64/libnvrtc.so.13"));
    EXPECT_THAT(error.what(), HasSubstr("FUSEBENCH_CUDA_PATH"));
  }
}

TEST_F(LibrarySearch, AnNvrtcNewerThanTheDriverIsTakenOnlyIfThereIsNoOther) {
  setenv("FUSEBENCH_DOUBLE_NVRTC", "13010", 1);
  const std::string path = test::unopenedDouble();
  const auto fits = Nvrtc::open(path, 13000);
  EXPECT_FALSE(fits->isNewerThan(13000)) << "a newer minor version serves";
  const auto newer = Nvrtc::open(path, 12040);
  EXPECT_EQ(newer->major(), 13) << "there is no other";
  EXPECT_TRUE(newer->isNewerThan(12040));
  EXPECT_EQ(newer->attempts().at(0).error, "it is 13.1, newer than the driver's CUDA 12.4");
  unsetenv("FUSEBENCH_DOUBLE_NVRTC");
}

/// With a real NVRTC 13 in front of the double as 12.
TEST_F(LibrarySearch, AnOlderNvrtcThatFitsTheDriverGoesBeforeANewerOne) {
  std::string real;
  try {
    const auto found = Nvrtc::open(SearchPlaces::system());
    if (found->major() == 13) real = found->path();
  } catch (const NoNvrtc&) {
  }
  if (real.empty()) GTEST_SKIP() << "no NVRTC 13 here";
  fs::create_directories(root_ / "both");
  fs::create_symlink(real, root_ / "both" / "libnvrtc.so.13");
  fs::create_symlink(test::onDouble().nvrtc, root_ / "both" / "libnvrtc.so.12");
  variables_ = {{"FUSEBENCH_CUDA_PATH", (root_ / "both").string()}};
  setenv("FUSEBENCH_DOUBLE_NVRTC", "12040", 1);
  EXPECT_EQ(Nvrtc::open(places_, 12040)->major(), 12);
  EXPECT_EQ(Nvrtc::open(places_, 13000)->major(), 13);
  EXPECT_EQ(Nvrtc::open(places_)->major(), 13) << "no driver is known";
  unsetenv("FUSEBENCH_DOUBLE_NVRTC");
}

TEST_F(LibrarySearch, TheNvrtcOfPyTorchsInterpreterIsFound) {
  file("venv/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libx.so.12");
  file("home/.local/lib/python3.11/site-packages/nvidia/cu13/lib/libx.so.13");
  variables_ = {{"FUSEBENCH_PYTHON", (root_ / "venv/bin/python").string()},
                {"HOME", (root_ / "home").string()}};
  EXPECT_THAT(found(),
              ElementsAre("venv/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib/libx.so.12",
                          "home/.local/lib/python3.11/site-packages/nvidia/cu13/lib/libx.so.13",
                          "libx.so.13", "libx.so.12"));
}

TEST(CompilerLog, TellsEachEntrysResources) {
  const auto found = resourcesIn(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'kernel_b' for 'sm_90'\n"
      "ptxas info    : Function properties for kernel_b\n"
      "    40 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 62 registers, used 1 barriers, 40 bytes cumulative stack size, "
      "384 bytes smem\n"
      "ptxas info    : Function properties for helper\n"
      "    800 bytes stack frame, 800 bytes spill stores, 800 bytes spill loads\n"
      "ptxas info    : Compiling entry function 'kernel_a' for 'sm_90'\n"
      "ptxas info    : Function properties for kernel_a\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 12 registers, used 0 barriers\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].entry, "kernel_b");
  EXPECT_EQ(found[0].registers, 62);
  EXPECT_EQ(found[0].stackBytes, 40);
  EXPECT_EQ(found[0].spillStores, 8);
  EXPECT_EQ(found[0].spillLoads, 12);
  EXPECT_EQ(found[0].sharedBytes, 384);
  EXPECT_EQ(found[1].entry, "kernel_a");
  EXPECT_EQ(found[1].registers, 12);
  EXPECT_EQ(found[1].sharedBytes, 0);
}

TEST(CompilerLog, TheFirstErrorIsWhatCounts) {
  EXPECT_EQ(firstError("kernel.cu(1): warning #1: x\nkernel.cu(3): error: y\n"),
            "kernel.cu(3): error: y");
  EXPECT_EQ(firstError("nothing of use\nmore"), "nothing of use");
  EXPECT_EQ(firstError(""), "");
}

TEST(CompileOptions, AreIeeeUnlessAskedOtherwise) {
  using ::testing::Contains;
  using ::testing::Not;
  const auto plain = compileOptions({});
  for (const char* option : {"--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true"})
    EXPECT_THAT(plain, Contains(option));
  EXPECT_THAT(plain, Not(Contains("--use_fast_math")));
  EXPECT_THAT(compileOptions({.contract = true}), Contains("--fmad=true"));
  const auto fast = compileOptions({.fastMath = true});
  EXPECT_THAT(fast, Contains("--use_fast_math"));
  EXPECT_THAT(fast, Not(Contains("--fmad=false")));
}

}  // namespace
}  // namespace fusebench::cuda
