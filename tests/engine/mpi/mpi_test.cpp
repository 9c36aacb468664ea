// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mpi/mpi.h"
#include "tests/support/built_paths.h"

#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <stdexcept>

namespace fusebench::mpi {
namespace {

using testing::HasSubstr;

class Mpi : public testing::TestWithParam<Flavour> {};

/// The output and the exit status of a command.
std::pair<std::string, int> outputOfMpi(const std::string& command) {
  std::string text;
  FILE* const pipe =
      popen(("ASAN_OPTIONS=\"$ASAN_OPTIONS:detect_leaks=0\" " + command + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer{};
  while (const std::size_t read = fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), read);
  return {text, pclose(pipe)};
}

TEST_P(Mpi, RanksThatItStartsGetWhatTheyAskFor) {
  const bool open = GetParam() == Flavour::openMpi;
  const std::string runner =
      open ? "mpirun.openmpi --allow-run-as-root --oversubscribe" : "mpirun.mpich";
  std::string why;
  if (outputOfMpi("command -v " + runner.substr(0, runner.find(' '))).second != 0)
    GTEST_SKIP() << name(GetParam()) << " is not installed";
  for (const int ranks : {1, 2, 3}) {
    const auto [text, status] = outputOfMpi(runner + " -n " + std::to_string(ranks) + " " +
                                            fusebench::test::mpiRanksPath());
    EXPECT_EQ(status, 0) << text;
    for (int r = 0; r < ranks; ++r)
      EXPECT_THAT(text, HasSubstr("rank " + std::to_string(r) + " of " + std::to_string(ranks) +
                                  " by " + std::string(name(GetParam()))));
    EXPECT_THAT(text, HasSubstr(": 0 wrong"));
  }
}

INSTANTIATE_TEST_SUITE_P(Flavours, Mpi, testing::Values(Flavour::openMpi, Flavour::mpich),
                         [](const auto& each) {
                           return each.param == Flavour::openMpi ? "OpenMpi" : "Mpich";
                         });

TEST(MpiGroup, AProcessThatNoMpirunStartedIsInNoGroup) {
  if (startedBy() != Flavour::none) GTEST_SKIP() << "this one was started by one";
  EXPECT_THROW(enter(Flavour::none), std::runtime_error);
}

}  // namespace
}  // namespace fusebench::mpi
