// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/ranks/rank_replies.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "profiler/ranks/rank_host.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

Reply fineReply(json result) {
  Reply reply;
  reply.ok = true;
  reply.result = std::move(result);
  return reply;
}

Reply troubleReply(const std::string& message) {
  Reply reply;
  reply.kind = ErrorKind::unavailable;
  reply.message = message;
  return reply;
}

TEST(RankReplies, ASampleIsTheSlowestRanksAndKeepsEveryOnes) {
  const Reply replies[] = {fineReply({{"ns", 10.0}, {"passes", 3}}),
                           fineReply({{"ns", 14.0}, {"passes", 3}})};
  const Reply together = parseReply(togetherLine({7, Verb::sample, {}}, replies));
  EXPECT_EQ(together.id, 7);
  const TakenSample taken = takenSample(together.result);
  EXPECT_EQ(taken.sample.nanoseconds, 14);
  EXPECT_EQ(taken.passes, 3);
  EXPECT_THAT(taken.sample.ranks, ElementsAre(10, 14));
}

TEST(RankReplies, MemoryAndErrorsAreTheGreatestOfAll) {
  const Reply prepared[] = {fineReply({{"peak_bytes", 100}}), fineReply({{"peak_bytes", 300}})};
  EXPECT_EQ(parseReply(togetherLine({1, Verb::prepare, {}}, prepared)).result["peak_bytes"], 300);
  const Reply checked[] = {fineReply({{"rel_error", 1e-7}}), fineReply({{"rel_error", 2e-7}})};
  EXPECT_EQ(parseReply(togetherLine({1, Verb::check, {}}, checked)).result["rel_error"], 2e-7);
}

TEST(RankReplies, WhatOneCannotDoIsSaidWithItsNumberAndWhatNoneCanWithout) {
  const Reply one[] = {fineReply({}), troubleReply("no memory")};
  const Reply reply = parseReply(togetherLine({1, Verb::prepare, {}}, one));
  EXPECT_FALSE(reply.ok);
  EXPECT_EQ(reply.message, "rank 1: no memory");
  EXPECT_EQ(reply.kind, ErrorKind::unavailable);
  const Reply all[] = {troubleReply("no memory"), troubleReply("no memory")};
  EXPECT_EQ(parseReply(togetherLine({1, Verb::prepare, {}}, all)).message, "no memory");
}

TEST(RankReplies, WhatEachHasWrittenIsListed) {
  const Reply written[] = {fineReply({{"file", "/tmp/calls"}}),
                           fineReply({{"file", "/tmp/calls.rank1"}})};
  const Reply together = parseReply(togetherLine({1, Verb::trace, {}}, written));
  EXPECT_EQ(together.result["file"], "/tmp/calls");
  EXPECT_EQ(together.result["files"], json({"/tmp/calls", "/tmp/calls.rank1"}));
}

TEST(RankReplies, EachRankWritesAFileOfItsOwn) {
  const Request request{1, Verb::trace, {{"file", "/tmp/calls"}}};
  EXPECT_EQ(requestFor(request, 0).body["file"], "/tmp/calls");
  EXPECT_EQ(requestFor(request, 2).body["file"], "/tmp/calls.rank2");
  const Request prepared{2, Verb::prepare, {{"inputs", "/tmp/inputs"}, {"program", "text"}}};
  EXPECT_EQ(requestFor(prepared, 1).body["inputs"], "/tmp/inputs.rank1");
  EXPECT_EQ(requestFor(prepared, 1).body["program"], "text");
}

TEST(RankHost, EachMpirunIsAskedInItsOwnWay) {
  RankHosting hosting;
  hosting.ranks = 3;
  hosting.command = {"worker"};
  EXPECT_THAT(mpirunCommand(hosting, "mpirun (Open MPI) 4.1.4", true),
              ElementsAre("mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none",
                          "-n", "3", "worker"));
  EXPECT_THAT(mpirunCommand(hosting, "mpirun.openmpi (OpenRTE) 4.1.4", false),
              ElementsAre("mpirun", "--oversubscribe", "--bind-to", "none", "-n", "3", "worker"));
  EXPECT_THAT(mpirunCommand(hosting, "HYDRA build details:", true),
              ElementsAre("mpirun", "-n", "3", "worker"));
}

}  // namespace
}  // namespace fusebench
