// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/targets/target_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

#include "profiler/files/base64.h"
#include "profiler/files/input_error.h"
#include "profiler/files/shell_text.h"
#include "profiler/protocol/captured_command.h"

namespace fusebench {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::string problemOf(const std::string& target) {
  try {
    parseTarget(target);
    return "none";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Targets, AreReadAsTheyAreWritten) {
  EXPECT_EQ(parseTarget("here").kind, TargetSpec::Kind::here);
  const TargetSpec ssh = parseTarget("ssh:anna@node7:2222");
  EXPECT_EQ(ssh.host, "anna@node7");
  EXPECT_EQ(ssh.port, 2222);
  EXPECT_EQ(ssh.text(), "ssh:anna@node7:2222");
  const TargetSpec slurm = parseTarget("slurm:gpu,gpus=2,time=10:00");
  EXPECT_EQ(slurm.partition, "gpu");
  ASSERT_EQ(slurm.options.size(), 2u);
  EXPECT_EQ(slurm.options[1], (std::pair<std::string, std::string>("time", "10:00")));
  EXPECT_EQ(slurm.text(), "slurm:gpu,gpus=2,time=10:00");
  EXPECT_EQ(parseTarget("slurm").text(), "slurm:");
  EXPECT_EQ(parseTarget("slurm:,mem=1G").options.front().first, "mem");
}

TEST(Targets, ThatAreNoneAreRefusedWithARemedy) {
  EXPECT_THAT(problemOf("node7"), HasSubstr("ssh:[user@]host"));
  EXPECT_THAT(problemOf("ssh:"), HasSubstr("the host is missing"));
  EXPECT_THAT(problemOf("ssh:host:0"), HasSubstr("1 to 65535"));
  EXPECT_THAT(problemOf("ssh:host:22x"), HasSubstr("not a port"));
  EXPECT_THAT(problemOf("slurm:gpu,cores=3"), HasSubstr("there is no option \"cores\""));
  EXPECT_THAT(problemOf("slurm:gpu,fast"), HasSubstr("name=value"));
}

TEST(Targets, CannotSmuggleOptionsOrCommands) {
  EXPECT_THAT(problemOf("ssh:-oProxyCommand=id"), HasSubstr("the host is missing"));
  EXPECT_THAT(problemOf("ssh:host;id"), HasSubstr("the host is missing"));
  EXPECT_THAT(problemOf("ssh:$(id)"), HasSubstr("the host is missing"));
  EXPECT_NE(problemOf("slurm:--wrap"), "none");
  EXPECT_NE(problemOf("slurm:gpu,gpus=1 2"), "none");
}

TEST(Targets, CommandsGoThroughTheUsersOwnClients) {
  unsetenv("FUSEBENCH_SSH");
  const auto ssh = shellCommand(parseTarget("ssh:anna@node7:2222"), "echo 'a b'");
  EXPECT_EQ(ssh.front(), "ssh");
  EXPECT_THAT(ssh, Contains("BatchMode=yes"));
  EXPECT_THAT(ssh, Contains("2222"));
  EXPECT_EQ(ssh.back(), R"(exec sh -c 'echo '\''a b'\''')");
  const auto slurm = shellCommand(parseTarget("slurm:gpu,job=17"), "true");
  EXPECT_EQ(slurm.front(), "srun");
  EXPECT_THAT(slurm, Contains("--jobid=17"));
}

TEST(Targets, WordsComeThroughAShellAsTheyAre) {
  for (const std::string word : {"plain", "two words", "it's", "$HOME `id` \\ \"", "", "*\n?"})
    EXPECT_EQ(runCaptured({"sh", "-c", "printf %s " + shellQuoted(word)}, -1, 10).out, word);
}

TEST(CapturedCommands, AreHeardToTheirEndAndEndedInTime) {
  const CapturedCommand both = runCaptured({"sh", "-c", "echo out; echo err >&2; exit 3"}, -1, 10);
  EXPECT_EQ(both.out, "out\n");
  EXPECT_EQ(both.err, "err\n");
  EXPECT_EQ(both.exitCode, 3);
  EXPECT_FALSE(both.timedOut);
  const CapturedCommand late = runCaptured({"sleep", "100"}, -1, 0.2);
  EXPECT_TRUE(late.timedOut);
  EXPECT_EQ(late.exitCode, 128 + 9);
  // A process that the command leaves running can keep the output open.
  EXPECT_EQ(runCaptured({"sh", "-c", "sleep 100 & echo done"}, -1, 20).out, "done\n");
  EXPECT_THROW(runCaptured({"/no/such/program"}, -1, 1), std::runtime_error);
}

TEST(Base64, ComesBackAsItWas) {
  EXPECT_EQ(toBase64(""), "");
  EXPECT_EQ(toBase64("f"), "Zg==");
  EXPECT_EQ(toBase64("fo"), "Zm8=");
  EXPECT_EQ(toBase64("foobar"), "Zm9vYmFy");  // RFC 4648, section 10
  std::string bytes;
  for (int i = 0; i < 1000; ++i) {
    bytes += static_cast<char>(i * 37);
    EXPECT_EQ(fromBase64(toBase64(bytes)), bytes);
  }
  for (const char* wrong : {"Zg=", "Z", "Zg=a", "Z===", "Zm9!", "Zg==Zg=="})
    EXPECT_FALSE(fromBase64(wrong)) << wrong;
}

}  // namespace
}  // namespace fusebench
