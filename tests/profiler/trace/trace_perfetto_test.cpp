// SPDX-License-Identifier: GPL-3.0-or-later
// Packets by the published schema of Perfetto, encoded here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <memory>

#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_statistics.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
std::string number(int field, std::uint64_t value) {
  return varint(static_cast<std::uint64_t>(field) << 3) + varint(value);
}
std::string bytes(int field, const std::string& content) {
  return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(content.size()) + content;
}
std::string fixed(int field, std::uint64_t value) {
  std::string made = varint(static_cast<std::uint64_t>(field) << 3 | 1);
  for (int i = 0; i < 8; ++i) made += static_cast<char>(value >> (8 * i));
  return made;
}
std::string packet(const std::string& content) {
  return bytes(1, content + number(10, 1));
}
std::string process(std::uint64_t uuid, int pid, const std::string& name) {
  return packet(
      bytes(60, number(1, uuid) + bytes(3, number(1, std::uint64_t(pid)) + bytes(6, name))));
}
std::string thread(std::uint64_t uuid, int pid, int tid, const std::string& name) {
  return packet(
      bytes(60, number(1, uuid) + bytes(4, number(1, std::uint64_t(pid)) +
                                               number(2, std::uint64_t(tid)) + bytes(5, name))));
}
std::string track(std::uint64_t uuid, std::uint64_t parent, const std::string& name) {
  return packet(bytes(60, number(1, uuid) + number(5, parent) + bytes(2, name)));
}
std::string begin(std::uint64_t uuid, std::uint64_t time, const std::string& name,
                  const std::string& more = "") {
  return packet(number(8, time) +
                bytes(11, number(9, 1) + number(11, uuid) + bytes(23, name) + more));
}
std::string end(std::uint64_t uuid, std::uint64_t time) {
  return packet(number(8, time) + bytes(11, number(9, 2) + number(11, uuid)));
}

class PerfettoTraces : public testing::Test {
 protected:
  std::shared_ptr<const Trace> read(const std::string& content) const {
    writeFile(folder_.path("t.pftrace"), content);
    EXPECT_TRUE(looksLikeTrace(folder_.path("t.pftrace")));
    return importTrace(folder_.path("t.pftrace"));
  }
  test::TemporaryFolder folder_;
};

EventId found(const Trace& trace, std::string_view name) {
  for (EventId e = 0; e < trace.size(); ++e)
    if (trace.name(e) == name) return e;
  ADD_FAILURE() << name;
  return 0;
}

std::string example() {
  return process(1, 42, "python") + thread(2, 42, 43, "main") + process(5, 0, "GPU 0") +
         track(6, 5, "Stream 7") + begin(2, 1'000, "outer") +
         begin(2, 1'100, "launch", fixed(47, 99)) + end(2, 1'200) + end(2, 2'000) +
         begin(6, 1'500, "gemm", fixed(48, 99)) + end(6, 1'800) + begin(6, 1'900, "Memcpy HtoD") +
         end(6, 1'950);
}

TEST_F(PerfettoTraces, AreSlicesOfTheirTracks) {
  const auto trace = read(example());
  EXPECT_EQ(trace->size(), 4u);
  EXPECT_EQ(trace->losses().total(), 0u);
  EXPECT_EQ(trace->duration(found(*trace, "outer")), 1'000);
  EXPECT_EQ(trace->laneOf(found(*trace, "launch")).name, "main");
  EXPECT_EQ(trace->laneOf(found(*trace, "launch")).processName, "python");
  const EventId kernel = found(*trace, "gemm");
  EXPECT_EQ(trace->kind(kernel), SpanKind::kernel);
  EXPECT_EQ(trace->laneOf(kernel).kind, Lane::Kind::device);
  ASSERT_NE(trace->link(kernel), kNoEvent);
  EXPECT_EQ(trace->name(trace->link(kernel)), "launch");
  EXPECT_EQ(statisticsOf(*trace, workOf(*trace), recordedOf(*trace)).counts,
            (WorkCounts{.calls = 1, .kernels = 1, .copies = 1}));
}

TEST_F(PerfettoTraces, ArePackedAsAWholeOrInPieces) {
  gzFile file = gzopen(folder_.path("t.pftrace.gz").c_str(), "wb");
  const std::string content = example();
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
  EXPECT_EQ(importTrace(folder_.path("t.pftrace.gz"))->size(), 4u);

  std::string packed(1'000, '\0');
  uLongf size = packed.size();
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(content.data()), content.size());
  packed.resize(size);
  EXPECT_EQ(read(packet(bytes(50, packed)))->size(), 4u);
}

/// Packets that unpack to so many copies of others.
std::string packedCopies(const std::string& packets, int copies) {
  std::string many;
  for (int copy = 0; copy < copies; ++copy) many += packets;
  uLongf size = compressBound(many.size());
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(many.data()), many.size());
  packed.resize(size);
  return bytes(1, bytes(50, packed));
}

TEST_F(PerfettoTraces, ThatMultiplyInOneAnotherAreReadUpToABudget) {
  const std::string whole = track(1, 0, "one") + begin(1, 10, "a") + end(1, 20);
  std::string multiplied = begin(1, 30, "b") + end(1, 40);
  for (int level = 0; level < 4; ++level) multiplied = packedCopies(multiplied, 60);
  const auto trace = read(whole + multiplied);
  EXPECT_THAT(trace->partial(), HasSubstr("expand to more than 32 times the size of the file"));
  EXPECT_NE(found(*trace, "a"), kNoEvent);
  EXPECT_LT(trace->size(), std::size_t{4} << 20) << "each takes a byte at least";
  // Packed packets of a usual file are read completely.
  std::string many;
  for (int i = 0; i < 2000; ++i)
    many += begin(1, 100 + 10 * i, "c" + std::to_string(i)) + end(1, 105 + 10 * i);
  const auto usual = read(whole + packedCopies(many, 1));
  EXPECT_EQ(usual->partial(), "");
  EXPECT_EQ(usual->size(), 2001u);
}

/// By a look at all other tracks for each, this would take an hour.
TEST_F(PerfettoTraces, OfVeryManyTracksHaveTheNameOfTheirProcess) {
  constexpr int kTracks = 200'000;
  std::string content = process(1, 7, "the program");
  for (int i = 0; i < kTracks; ++i) {
    const auto uuid = static_cast<std::uint64_t>(i) + 10;
    content +=
        thread(uuid, i % 2 == 0 ? 7 : 1000 + i, i + 1, "") + begin(uuid, 10, "a") + end(uuid, 20);
  }
  const auto trace = read(content);
  ASSERT_EQ(trace->lanes().size(), static_cast<std::size_t>(kTracks));
  int named = 0;
  for (const Lane& lane : trace->lanes()) named += lane.processName == "the program";
  EXPECT_EQ(named, kTracks / 2);
}

TEST_F(PerfettoTraces, KnowNamesAndClocksOfTheirWriter) {
  // Names by number; a clock of the writer's own in microseconds, each from the one before.
  const std::string state =
      packet(number(13, 1) +
             bytes(6, bytes(1, number(1, 64) + number(2, 10) + number(3, 1) + number(4, 1'000)) +
                          bytes(1, number(1, 6) + number(2, 5'000'000))) +
             bytes(59, number(58, 64) + bytes(11, number(11, 2))) +
             bytes(12, bytes(2, number(1, 7) + bytes(2, "interned"))));
  const auto trace = read(thread(2, 42, 43, "main") + state +
                          packet(number(8, 3) + bytes(11, number(9, 1) + number(10, 7))) +
                          packet(number(8, 4) + bytes(11, number(9, 2))));
  ASSERT_EQ(trace->size(), 1u);
  EXPECT_EQ(trace->name(0), "interned");
  EXPECT_EQ(trace->origin(), 5'003'000);
  EXPECT_EQ(trace->duration(0), 4'000);
  EXPECT_EQ(trace->laneOf(0).name, "main");
}

TEST_F(PerfettoTraces, ThatEndTooEarlyShowWhatCameBefore) {
  const std::string whole = example();
  const auto trace = read(whole.substr(0, whole.size() - 5));
  EXPECT_THAT(trace->partial(), HasSubstr("ends in the middle of a packet"));
  EXPECT_EQ(trace->losses().unpaired, 1u);
  EXPECT_EQ(trace->size(), 3u);
}

TEST_F(PerfettoTraces, WithoutSlicesSaySo) {
  writeFile(folder_.path("t.pftrace"), process(1, 42, "python") + process(2, 43, "other"));
  try {
    importTrace(folder_.path("t.pftrace"));
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("it has no track events"));
  }
}

TEST_F(PerfettoTraces, DoNoHarmWhereTheyAreDamaged) {
  const std::string whole = example();
  unsigned state = 1;
  const auto random = [&state] { return state = state * 1'664'525u + 1'013'904'223u, state >> 8; };
  for (int round = 0; round < 500; ++round) {
    std::string changed = whole;
    for (int i = 0; i < 4; ++i) changed[random() % changed.size()] = static_cast<char>(random());
    writeFile(folder_.path("d.pftrace"), changed);
    try {
      importPerfettoTrace(folder_.path("d.pftrace"));
    } catch (const InputError&) {
    }
  }
}

TEST_F(PerfettoTraces, AreNotTakenForJsonThatBeginsWithANewLine) {
  writeFile(
      folder_.path("t.json"),
      "\n{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":2}]}");
  EXPECT_EQ(importTrace(folder_.path("t.json"))->size(), 1u);
}

TEST_F(PerfettoTraces, HaveCountersWithTheirUnits) {
  const auto counterTrack = [](std::uint64_t uuid, const std::string& name,
                               const std::string& counter) {
    return packet(bytes(60, number(1, uuid) + number(5, 1) + bytes(2, name) + bytes(8, counter)));
  };
  const auto count = [](std::uint64_t uuid, std::uint64_t time, const std::string& value) {
    return packet(number(8, time) + bytes(11, number(9, 4) + number(11, uuid) + value));
  };
  const auto real = [](double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return fixed(44, bits);
  };
  const auto trace =
      read(example() + counterTrack(20, "memory", number(3, 3) + number(4, 1024)) +
           counterTrack(21, "power", bytes(6, "W")) + counterTrack(22, "sent", number(5, 1)) +
           count(20, 1'500, number(30, 2)) + count(21, 1'600, real(0.5)) +
           count(22, 1'500, number(30, 3)) + count(22, 1'600, number(30, 4)));
  ASSERT_EQ(trace->counters().size(), 3u);
  EXPECT_EQ(trace->counters()[0].name, "memory");
  EXPECT_EQ(trace->counters()[0].unit, "bytes");
  EXPECT_EQ(trace->counters()[0].processName, "python");
  EXPECT_THAT(trace->counters()[0].values, testing::ElementsAre(2048));
  EXPECT_THAT(trace->counters()[0].times, testing::ElementsAre(500));
  EXPECT_EQ(trace->counters()[1].unit, "W");
  EXPECT_THAT(trace->counters()[1].values, testing::ElementsAre(0.5));
  EXPECT_THAT(trace->counters()[2].values, testing::ElementsAre(3, 7));
  EXPECT_EQ(trace->losses().total(), 0u);
}

}  // namespace
}  // namespace fusebench
