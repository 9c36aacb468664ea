// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/protocol/protocol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>
#include <vector>

#include "profiler/files/line_buffer.h"
#include "profiler/run/cell_json.h"
#include "tests/profiler/run/sample_data.h"

namespace fusebench {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(Protocol, RequestsSurviveTheTrip) {
  const std::string line = requestLine(7, Verb::prepare, {{"variant", 1}, {"at", {30}}});
  EXPECT_EQ(line.back(), '\n');
  const Request request = parseRequest(line);
  EXPECT_EQ(request.id, 7);
  EXPECT_EQ(request.verb, Verb::prepare);
  EXPECT_EQ(keyOf(request, smallExperiment({30})), (CellKey{1, {30}}));
}

TEST(Protocol, RepliesSurviveTheTrip) {
  const Reply ok = parseReply(okLine(3, {{"ns", 4.5}}));
  EXPECT_TRUE(ok.ok);
  EXPECT_EQ(ok.id, 3);
  EXPECT_EQ(takenSample(ok.result).sample.nanoseconds, 4.5);
  const Reply error = parseReply(errorLine(4, ErrorKind::unavailable, "two\nlines"));
  EXPECT_FALSE(error.ok);
  EXPECT_EQ(error.id, 4);
  EXPECT_EQ(error.kind, ErrorKind::unavailable);
  EXPECT_EQ(error.message, "two lines");
  EXPECT_FALSE(parseReply(errorLine(std::nullopt, ErrorKind::request, "x")).id);
}

TEST(Protocol, SamplesSurviveTheTripWithWhatADeviceAdds) {
  TakenSample taken;
  taken.sample.nanoseconds = 7.5;
  taken.passes = 12;
  const TakenSample plain = takenSample(toJson(taken));
  EXPECT_EQ(plain.sample.nanoseconds, 7.5);
  EXPECT_EQ(plain.passes, 12);
  EXPECT_FALSE(plain.sample.device);
  EXPECT_EQ(plain.sample.clockMegahertz, 0);
  taken.sample.device = DeviceTimes{1.5, 0, 9};  // no launch at all: nothing between the events
  taken.sample.clockMegahertz = 1980;
  taken.throttled = "slowed down by heat";
  const TakenSample whole = takenSample(toJson(taken));
  EXPECT_EQ(whole.sample.device, taken.sample.device);
  EXPECT_EQ(whole.sample.clockMegahertz, 1980);
  EXPECT_EQ(whole.throttled, "slowed down by heat");
}

TEST(Protocol, ASampleThatCannotBeIsNonsense) {
  const auto refused = [](const char* key, const json& value) {
    json sample = {{"ns", 5}, {"enqueue_ns", 1}, {"event_ns", 1}, {"single_ns", 1}};
    sample[key] = value;
    EXPECT_THROW(takenSample(sample), ProtocolError) << sample;
  };
  for (const char* key : {"ns", "enqueue_ns", "event_ns", "single_ns", "clock_mhz"})
    for (const json& value : {json(-1), json("inf"), json("nan"), json("many"), json()})
      refused(key, value);
  refused("ns", 0);
  refused("passes", 0);
  refused("throttled", 3);
  EXPECT_THROW(takenSample({{"ns", 5}, {"enqueue_ns", 1}}), ProtocolError);
}

TEST(Protocol, BadRequestsSayWhatIsWrongAndToWhichTheyBelong) {
  struct Bad {
    const char* line;
    const char* message;
    std::optional<std::int64_t> id;
  };
  for (const Bad& bad :
       {Bad{"", "not a JSON object", {}}, Bad{"nonsense", "not a JSON object: nonsense", {}},
        Bad{"[1]", "not a JSON object", {}},
        Bad{"{\"id\": 1, \"do\": \"hello\"", "not a JSON object", {}},
        Bad{"{\"do\": \"hello\"}", "no number", {}},
        Bad{"{\"id\": \"1\", \"do\": \"hello\"}", "no number", {}},
        Bad{"{\"id\": 1}", "does not say what to do", 1},
        Bad{"{\"id\": 2, \"do\": 3}", "does not say", 2},
        Bad{"{\"id\": 3, \"do\": \"explode\"}", "there is no request \"explode\"", 3}}) {
    try {
      parseRequest(bad.line);
      ADD_FAILURE() << bad.line << " was accepted";
    } catch (const ProtocolError& error) {
      EXPECT_THAT(error.what(), HasSubstr(bad.message));
      EXPECT_EQ(error.id(), bad.id);
    }
  }
  EXPECT_THROW(parseRequest(std::string(kLongestLine + 1, ' ')), ProtocolError);
}

TEST(Protocol, CellsThatAreNotInTheExperimentAreRefused) {
  const Experiment experiment = smallExperiment({1, 2});
  for (const json& body : {json{{"variant", 2}, {"at", {1}}}, json{{"variant", 0}, {"at", {5}}},
                           json{{"variant", -1}, {"at", {1}}}, json{{"variant", "0"}, {"at", {1}}},
                           json{{"variant", 0}, {"at", {1, 2}}}, json{{"variant", 0}},
                           json{{"variant", 0}, {"at", {1.5}}}})
    EXPECT_THROW(keyOf(parseRequest(requestLine(1, Verb::sample, body)), experiment), ProtocolError)
        << body;
}

/// Truncates, flips, joins and repeats real lines: nothing but a reply or a ProtocolError may come
/// of it.
TEST(Protocol, NoDamagedLineDoesMoreThanFail) {
  std::mt19937_64 bits(11);
  Cell measured;
  measured.launches = LaunchCounts{1, 1, 1};
  measured.recompileReasons = {"x"};
  const std::vector<std::string> lines = {
      okLine(1, measuredJson(measured)), errorLine(2, ErrorKind::failed, "why"),
      okLine(3, {{"ns", 12.5}, {"passes", 3}}),
      requestLine(4, Verb::sample, {{"variant", 0}, {"at", {1}}})};
  for (int i = 0; i < 20'000; ++i) {
    std::string line = lines[bits() % lines.size()];
    switch (bits() % 4) {
      case 0:
        line.resize(bits() % line.size());
        break;
      case 1:
        line[bits() % line.size()] = static_cast<char>(bits());
        break;
      case 2:
        line.insert(bits() % line.size(), lines[bits() % lines.size()]);
        break;
      case 3:
        line.erase(bits() % line.size(), bits() % 8);
        break;
    }
    try {
      const Reply reply = parseReply(line);
      Cell cell;
      if (reply.ok) readMeasured(reply.result, cell);
    } catch (const ProtocolError&) {
    } catch (const RecordError&) {
    }
    try {
      parseRequest(line);
    } catch (const ProtocolError&) {
    }
  }
}

TEST(LineBuffers, CutLinesHoweverTheyArrive) {
  LineBuffer buffer(10);
  EXPECT_FALSE(buffer.next());
  buffer.append("one\ntw");
  EXPECT_EQ(buffer.next()->text, "one");
  EXPECT_FALSE(buffer.next());
  buffer.append("o\r\n\nlast");
  EXPECT_EQ(buffer.next()->text, "two");
  EXPECT_EQ(buffer.next()->text, "");
  EXPECT_FALSE(buffer.next());
}

TEST(LineBuffers, DropOversizedLinesAndReportThemOnce) {
  LineBuffer buffer(10);
  for (int i = 0; i < 100; ++i) {
    buffer.append("xxxxxxxxxxxxxxxx");
    EXPECT_FALSE(buffer.next());
  }
  buffer.append("\nfine\n");
  EXPECT_TRUE(buffer.next()->oversized);
  const auto fine = buffer.next();
  EXPECT_FALSE(fine->oversized);
  EXPECT_EQ(fine->text, "fine");
  buffer.append("12345678901\n1234567890\n");
  EXPECT_TRUE(buffer.next()->oversized);
  EXPECT_FALSE(buffer.next()->oversized);
}

}  // namespace
}  // namespace fusebench
