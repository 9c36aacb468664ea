// SPDX-License-Identifier: GPL-3.0-or-later
// Files that hold an experiment and its run, on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "profiler/files/bundle.h"
#include "profiler/files/files.h"
#include "profiler/files/resources.h"
#include "tests/app/child.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

class SharedFile : public testing::Test {
 protected:
  std::string write(const Bundle& bundle) {
    writeFile(folder.path("shared.fusebench"), toText(bundle));
    return folder.path("shared.fusebench");
  }
  Bundle whole() const {
    return {readFile(resourcePath("experiments/fusion_study.json")),
            readFile(resourcePath("recordings/h100_fusion_study.jsonl")), "notes", ""};
  }
  TemporaryFolder folder;
};

TEST_F(SharedFile, IsAnalyzedAndCheckedAsItsRunIs) {
  const std::string file = write(whole());
  const std::string run = resourcePath("recordings/h100_fusion_study.jsonl");
  const Ended shared = runCli({"analyze", file, "--json"});
  ASSERT_EQ(shared.code, 0) << shared.err;
  EXPECT_EQ(shared.out, runCli({"analyze", run, "--json"}).out);
  const Ended checked = runCli({"check", file, "--against", run});
  const Ended alone = runCli({"check", run, "--against", run});
  EXPECT_EQ(checked.code, alone.code) << checked.err;
}

TEST_F(SharedFile, IsMeasuredAsItsExperimentIs) {
  Bundle bundle = whole();
  bundle.run.clear();
  const std::string file = write(bundle);
  const Ended plan = runCli({"code", file, "--plan"});
  EXPECT_EQ(plan.code, 0) << plan.err;
  EXPECT_EQ(plan.out, runCli({"code", "fusion_study", "--plan"}).out);
  const Ended none = runCli({"analyze", file});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("shared.fusebench: this file contains no run"));
}

TEST_F(SharedFile, HostileOnesAreRefusedInOneLine) {
  const std::string file = folder.path("shared.fusebench");
  for (const std::string& text :
       {std::string(R"({"fusebench": "bundle", "version": 1, "run": 3})"),
        std::string(R"({"fusebench": "bundle", "version": 1, "run": "{}"})"),
        std::string(R"({"fusebench": "bundle", "version": 1, "view": )") +
            std::string(300'000, '['),
        std::string(R"({"fusebench": "bundle", "version": 1)")})
    for (const char* command : {"analyze", "run"}) {
      writeFile(file, text);
      const Ended ended = runCli({command, file});
      EXPECT_EQ(ended.code, 2) << command << ' ' << text.substr(0, 60);
      EXPECT_THAT(ended.err, HasSubstr("shared.fusebench"));
      EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    }
}

}  // namespace
}  // namespace fusebench
