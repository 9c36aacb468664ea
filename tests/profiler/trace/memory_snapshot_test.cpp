// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/memory_snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "profiler/files/files.h"
#include "profiler/files/input_error.h"
#include "profiler/trace/memory_use.h"
#include "profiler/trace/trace_counters.h"
#include "profiler/trace/trace_import.h"
#include "tests/support/built_paths.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::int64_t kMiB = 1 << 20;

/// See make_snapshot.py next to it.
std::string snapshotPath() {
  return test::sourcePath("/tests/profiler/memory_snapshots/two_layers.json");
}

MemoryUse useOf(const MemorySnapshot& snapshot, const std::optional<TimeRange>& range = {}) {
  EXPECT_EQ(snapshot.devices.size(), 1u);
  return memoryUseOf(snapshot, snapshot.devices.at(0), range);
}

class MemorySnapshotFile : public testing::Test {
 protected:
  std::string write(const std::string& text, const char* name = "s.json") {
    writeFile(folder_.path(name), text);
    return folder_.path(name);
  }
  std::string refusal(const std::string& text) {
    try {
      readMemorySnapshot(write(text));
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing is wrong";
  }
  test::TemporaryFolder folder_;
};

TEST_F(MemorySnapshotFile, HasItsEventsAndItsBlocksByDevice) {
  ASSERT_TRUE(looksLikeMemorySnapshot(snapshotPath()));
  const MemorySnapshot snapshot = readMemorySnapshot(snapshotPath());
  ASSERT_EQ(snapshot.devices.size(), 1u) << "the other device has nothing";
  const MemoryDevice& gpu = snapshot.devices[0];
  EXPECT_EQ(gpu.number, 0);
  EXPECT_EQ(gpu.reserved, 9 * kMiB);
  EXPECT_EQ(gpu.blocks.size(), 4u);
  ASSERT_EQ(gpu.events.size(), 8u);
  EXPECT_EQ(gpu.events[0].time, 0);
  EXPECT_EQ(gpu.events[1].time, 100'000);
  EXPECT_EQ(gpu.events[1].kind, MemoryEvent::Kind::reserve);
  EXPECT_EQ(snapshot.malformed, 2u) << "a negative size, and an action that is not known";
  // The innermost frame that is not PyTorch's own.
  EXPECT_EQ(snapshot.siteOf(gpu.events[0].stack), "forward (net/model.py:12)");
}

TEST_F(MemorySnapshotFile, SaysWhatHeldTheMemoryAtThePeak) {
  const MemorySnapshot snapshot = readMemorySnapshot(snapshotPath());
  const MemoryUse use = useOf(snapshot);
  EXPECT_EQ(use.peakAllocated, 15 * kMiB / 2);
  EXPECT_EQ(use.peakTime, 250'000);
  EXPECT_EQ(use.reservedAtPeak, 9 * kMiB);
  EXPECT_EQ(use.peakReserved, 9 * kMiB);
  EXPECT_EQ(use.failures, 1u);
  ASSERT_EQ(use.held.size(), 3u);
  EXPECT_EQ(use.held[0].site, "forward (net/model.py:13)");
  EXPECT_EQ(use.held[0].bytes, 3 * kMiB);
  EXPECT_EQ(use.held[1].site, "forward (net/model.py:12)");
  EXPECT_EQ(use.held[1].bytes, 5 * kMiB / 2);
  EXPECT_EQ(use.held[1].blocks, 2u);
  EXPECT_EQ(use.held[2].site, "__init__ (net/model.py:5)") << "from before the recording";
  EXPECT_EQ(use.held[2].bytes, 2 * kMiB);
  EXPECT_THAT(peakSentence(use), AllOf(StartsWith("GPU 0: at most 7.50 MiB allocated, at 250 us"),
                                       HasSubstr("16.7% of it unused")));
}

TEST_F(MemorySnapshotFile, SaysHowFragmentedTheMemoryIsAtTheEnd) {
  const MemoryUse use = useOf(readMemorySnapshot(snapshotPath()));
  EXPECT_EQ(use.allocated, 3 * kMiB);
  EXPECT_EQ(use.reserved, 9 * kMiB);
  EXPECT_EQ(use.freeBlocks, 2u);
  EXPECT_EQ(use.largestFree, 5 * kMiB);
  EXPECT_THAT(fragmentationSentence(use), HasSubstr("in 2 blocks, the largest of 5.00 MiB"));
}

TEST_F(MemorySnapshotFile, APeakOfARangeCountsWhatIsAllocatedWhenItBegins) {
  const MemorySnapshot snapshot = readMemorySnapshot(snapshotPath());
  const MemoryUse late = useOf(snapshot, TimeRange{460'000, 470'000});
  EXPECT_EQ(late.peakAllocated, 3 * kMiB);
  EXPECT_EQ(late.held.size(), 2u);
  const MemoryUse early = useOf(snapshot, TimeRange{0, 110'000});
  EXPECT_EQ(early.peakAllocated, 4 * kMiB) << "with the block that is freed later";
  EXPECT_EQ(early.peakReserved, 9 * kMiB);
  EXPECT_EQ(early.reservedAtPeak, 4 * kMiB);
  ASSERT_EQ(early.held.size(), 3u);
  EXPECT_EQ(early.held[1].site, "") << "nobody recorded who allocated it";
  EXPECT_TRUE(early.held[1].beforeRecording);
  EXPECT_EQ(siteText(early.held[1]), "allocated before the recording");
}

/// A stack of frames, each a name in a file; the innermost first.
std::string framesOf(std::initializer_list<std::pair<const char*, const char*>> calls) {
  nlohmann::json frames = nlohmann::json::array();
  for (const auto& [name, file] : calls)
    frames.push_back({{"name", name}, {"filename", file}, {"line", 0}});
  return frames.dump();
}

TEST_F(MemorySnapshotFile, NamesTheOperatorOfTheBackwardPassWhereThereIsNoPython) {
  const auto recorder = std::pair("torch::unwind::unwind()", "??");
  const auto allocator = std::pair("c10::cuda::CUDACachingAllocator::Native::malloc(void**)", "");
  const auto event = [](int address, const std::string& frames) {
    return R"({"action":"alloc","size":8,"time_us":1,"addr":)" + std::to_string(address) +
           R"(,"frames":)" + frames + "}";
  };
  const std::string backward = framesOf(
      {recorder,
       allocator,
       {"at::_ops::bmm::call(at::Tensor const&, at::Tensor const&)", "??"},
       {"torch::autograd::generated::BmmBackward0::apply(std::vector<at::Tensor>&&)", "??"},
       {"torch::autograd::Engine::thread_main(std::shared_ptr<int> const&)", "??"}});
  const std::string op =
      framesOf({recorder, {"at::native::zeros(long)", "a.cpp"}, {"at::_ops::zeros::call()", ""}});
  const std::string python = framesOf({recorder,
                                       {"at::_ops::add::call()", ""},
                                       {"_PyEval_EvalFrameDefault", "ceval.c"},
                                       {"step", "/home/me/net/train.py"}});
  const MemorySnapshot snapshot = readMemorySnapshot(
      write(R"({"segments":[],"device_traces":[[)" + event(1, backward) + "," + event(2, op) + "," +
            event(3, python) + "," + event(4, framesOf({recorder, allocator})) + "]]}"));
  const std::vector<MemoryEvent>& events = snapshot.devices.at(0).events;
  EXPECT_EQ(snapshot.siteOf(events.at(0).stack), "BmmBackward0 (backward pass)");
  EXPECT_EQ(snapshot.siteOf(events.at(1).stack), "aten::zeros");
  EXPECT_EQ(snapshot.siteOf(events.at(2).stack), "step (net/train.py:0)");
  EXPECT_EQ(events.at(3).stack, 0u) << "the recorder and the allocator are in every stack";
  EXPECT_EQ(snapshot.stacks.at(events.at(0).stack).size(), 3u);
}

TEST_F(MemorySnapshotFile, DrawsMemoryFromBeforeTheRecordingAsOneSlice) {
  const auto trace = importTrace(write(
      R"({"segments":[{"device":0,"address":0,"total_size":48,"blocks":[
            {"address":16,"size":16,"state":"active_allocated"},
            {"address":32,"size":16,"state":"active_allocated"}]}],
          "device_traces":[[{"action":"alloc","addr":64,"size":8,"time_us":1},
            {"action":"free_requested","addr":64,"size":8,"time_us":3}]]})"));
  std::vector<std::string> names;
  for (EventId e = 0; e < trace->size(); ++e) names.emplace_back(trace->name(e));
  EXPECT_THAT(names, testing::UnorderedElementsAre("32 B · 2 blocks allocated before the recording",
                                                   "8 B · no frames recorded"));
  EXPECT_TRUE(isMadeOfCounters(*trace));
}

TEST_F(MemorySnapshotFile, WithoutAHistorySaysHowToRecordOne) {
  const MemoryUse use = useOf(readMemorySnapshot(write(
      R"({"segments":[{"device":0,"address":0,"total_size":16,"blocks":[
            {"address":0,"size":16,"state":"active_allocated"}]}],"device_traces":[[]]})")));
  EXPECT_THAT(historySentence(use), HasSubstr("_record_memory_history() before the code"));
  EXPECT_EQ(siteText(use.held.at(0)), "no frames recorded");
  EXPECT_EQ(historySentence(useOf(readMemorySnapshot(snapshotPath()))), "");
}

TEST_F(MemorySnapshotFile, OpensAsATraceOfAllocatedAndReservedMemory) {
  ASSERT_TRUE(looksLikeTrace(snapshotPath()));
  const auto trace = importTrace(snapshotPath());
  ASSERT_EQ(trace->counters().size(), 2u);
  const CounterTrack& allocated = trace->counters()[0];
  EXPECT_EQ(allocated.name, "Memory allocated, GPU 0");
  EXPECT_EQ(allocated.unit, "bytes");
  EXPECT_EQ(valueAt(allocated, 300'000), 7.5 * kMiB);
  EXPECT_EQ(valueAt(allocated, 500'000), 3.0 * kMiB);
  EXPECT_EQ(valueAt(trace->counters()[1], 50'000), 4.0 * kMiB);
  // Blocks are slices of the time in which they were allocated.
  bool found = false;
  for (EventId e = 0; e < trace->size(); ++e)
    if (trace->name(e) == "3.00 MiB · forward (net/model.py:13)") {
      found = true;
      EXPECT_EQ(trace->start(e), 120'000);
      EXPECT_EQ(trace->end(e), 400'000);
    }
  EXPECT_TRUE(found);
  EXPECT_EQ(trace->losses().malformed, 2u);
}

TEST_F(MemorySnapshotFile, IsWrittenAsATableAndAsAnObject) {
  const MemorySnapshot snapshot = readMemorySnapshot(snapshotPath());
  const MemoryUse uses[] = {useOf(snapshot)};
  EXPECT_THAT(
      heldMemoryCsv(snapshot, uses),
      HasSubstr("two_layers.json,0,250000,forward (net/model.py:13),3145728,1,3145728,0.4"));
  const auto object = memoryJson(snapshot, uses);
  EXPECT_EQ(object["devices"][0]["peak_allocated_bytes"], 15 * kMiB / 2);
  EXPECT_EQ(object["devices"][0]["held"][1]["stack"][0], "linear (nn/functional.py:2000)");
}

TEST_F(MemorySnapshotFile, IsRefusedWithItsPlaceIfItIsDamaged) {
  const std::string whole = readFile(snapshotPath());
  EXPECT_THAT(
      refusal(whole.substr(0, whole.size() / 2)),
      AllOf(HasSubstr("s.json: byte "), HasSubstr("json.dump(torch.cuda.memory._snapshot()")));
  EXPECT_THAT(refusal(R"({"segments": 3})"), HasSubstr("is not the JSON of a memory snapshot"));
  EXPECT_THAT(refusal(R"({"segments": [], "device_traces": [[]]})"),
              HasSubstr("_record_memory_history() before"));
  EXPECT_THAT(refusal(R"({"traceEvents": []})"), HasSubstr("this file has neither"));
}

TEST_F(MemorySnapshotFile, SumsOfAbsurdSizesStayFinite) {
  std::string events;
  for (int i = 0; i < 5000; ++i)
    events += std::string(i > 0 ? "," : "") + R"({"action":"alloc","addr":)" + std::to_string(i) +
              R"(,"size":1125899906842624,"time_us":)" + std::to_string(i) + "}";
  const MemorySnapshot snapshot =
      readMemorySnapshot(write(R"({"segments":[],"device_traces":[[)" + events + "]]}"));
  EXPECT_EQ(useOf(snapshot).peakAllocated, std::int64_t{1} << 62);
}

TEST_F(MemorySnapshotFile, WithoutTimesHasItsEventsAMicrosecondApart) {
  const std::string path = write(
      R"({"segments":[],"device_traces":[[{"action":"alloc","addr":1,"size":8},
          {"action":"free_requested","addr":1,"size":8}]]})");
  const MemorySnapshot snapshot = readMemorySnapshot(path);
  EXPECT_FALSE(snapshot.hasTimes);
  EXPECT_EQ(snapshot.length(), 1'000);
  EXPECT_THAT(importTrace(path)->partial(), HasSubstr("no times"));
}

TEST_F(MemorySnapshotFile, APickleIsRefusedWithTheLineThatMakesJson) {
  const std::string path = write(std::string("\x80\x04\x95", 3) + "rest", "s.pickle");
  EXPECT_TRUE(looksLikePickle(path));
  EXPECT_FALSE(looksLikePickle(snapshotPath()));
  EXPECT_THAT(pickleRefusal(path), AllOf(HasSubstr("s.pickle: this is a pickle"),
                                         HasSubstr("json.dump(pickle.load(open(")));
  EXPECT_THAT(pickleRefusal("my run/step 3.pickle"),
              EndsWith(" 'my run/step 3.pickle' 'my run/step 3.json'"));
}

}  // namespace
}  // namespace fusebench
