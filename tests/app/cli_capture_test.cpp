// SPDX-License-Identifier: GPL-3.0-or-later
// The command `capture` as a process of its own, with a stand-in for the Python that exports.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "profiler/files/files.h"
#include "tests/app/child.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

/// Writes the experiment that a real one would have exported, and reports it.
constexpr const char* kStandIn = R"(#!/bin/sh
while [ $# -gt 1 ]; do
  if [ "$1" = --out ]; then cp "$CAPTURED" "$2"; fi
  shift
done
echo '{"done": {"title": "m", "how": "torch.export", "parts": 1, "nodes": 7, "modules": 3}}'
)";

TEST(CliCapture, WritesAnExperimentThatRunsAndReplacesItTheNextTime) {
  const TemporaryFolder folder;
  const std::string python = folder.path("python"), out = folder.path("m.json");
  writeFile(python, kStandIn);
  ::chmod(python.c_str(), 0755);
  writeFile(folder.path("model.py"), "def make(): pass\n");
  ::setenv("CAPTURED", test::sourcePath("/tests/zoo/captured/torch_transformer.json").c_str(), 1);
  for (int time = 0; time < 2; ++time) {
    const Ended captured = runCli(
        {"capture", folder.path("model.py"), "make", "--python", python, "--out", out, "--json"});
    EXPECT_EQ(captured.code, 0) << captured.err;
    EXPECT_EQ(nlohmann::json::parse(captured.out)["nodes"], 7);
  }
  ::unsetenv("CAPTURED");
  EXPECT_THAT(runCli({"cut", out}).out, HasSubstr("layers.1.self_attn"));
}

}  // namespace
}  // namespace fusebench
