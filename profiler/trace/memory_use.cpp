// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/memory_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "engine/base/quantity_text.h"
#include "engine/base/saying.h"
#include "profiler/files/csv_text.h"
#include "profiler/trace/trace_counters.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostSlices = 300;  ///< for each device: its largest blocks
constexpr std::int64_t kMostBytes = std::int64_t{1} << 62;

/// Sizes come from a file: their sum stays within a range instead of wrapping.
std::int64_t plusBytes(std::int64_t bytes, std::int64_t more) {
  return std::clamp(bytes + more, -kMostBytes, kMostBytes);
}

/// A block from its allocation to its end.
struct BlockLife {
  Nanoseconds from = 0, to = 0;
  std::int64_t size = 0;
  std::uint32_t stack = 0;
  bool isEarly = false;  ///< allocated before the recording
  bool isUnknownEarly() const { return isEarly && stack == 0; }
};

/// Follows the allocator of a device from the first event to the last.
class MemoryWalk {
 public:
  explicit MemoryWalk(const MemoryDevice& device) : device_(device) { findBegin(); }

  std::int64_t allocated() const { return allocated_; }
  std::int64_t reserved() const { return reserved_; }

  /// Calls `step` with the time of each event after it took place, and `ended` with each block that
  /// is given back; both see the state. False from `step` ends the walk.
  template <class Step, class Ended>
  void run(Step&& step, Ended&& ended) {
    for (const MemoryEvent& event : device_.events) {
      take(event, ended);
      if (!step(event.time)) return;
    }
  }
  /// Calls `visit` with each block that is allocated now.
  template <class Visit>
  void eachBlock(Visit&& visit) const {
    for (const auto& [address, block] : live_) visit(block);
  }

 private:
  using Kind = MemoryEvent::Kind;

  /// What was there before the first event: the snapshot has it, or the program gives it back.
  void findBegin() {
    std::unordered_map<std::uint64_t, bool> madeHere;
    std::int64_t net = 0;
    for (const MemoryEvent& event : device_.events) {
      if (event.kind == Kind::allocate) {
        madeHere[event.address] = true;
      } else if (event.kind == Kind::release) {
        if (const auto known = madeHere.find(event.address); known != madeHere.end())
          madeHere.erase(known);
        else
          begin(event.address, event.size, 0);
      } else if (event.kind == Kind::reserve) {
        net = plusBytes(net, event.size);
      } else if (event.kind == Kind::giveBack) {
        net = plusBytes(net, -event.size);
      }
    }
    for (const MemoryBlock& block : device_.blocks)
      if (block.isAllocated && !madeHere.contains(block.address))
        begin(block.address, block.size, block.stack);
    reserved_ = std::max<std::int64_t>(0, plusBytes(device_.reserved, -net));
  }

  void begin(std::uint64_t address, std::int64_t size, std::uint32_t stack) {
    if (live_.try_emplace(address, BlockLife{0, 0, size, stack, !device_.events.empty()}).second)
      allocated_ = plusBytes(allocated_, size);
  }

  template <class Ended>
  void take(const MemoryEvent& event, Ended&& ended) {
    if (event.kind == Kind::reserve) reserved_ = plusBytes(reserved_, event.size);
    if (event.kind == Kind::giveBack)
      reserved_ = std::max<std::int64_t>(0, plusBytes(reserved_, -event.size));
    if (event.kind != Kind::allocate && event.kind != Kind::release) return;
    if (const auto old = live_.find(event.address); old != live_.end()) {
      old->second.to = event.time;
      allocated_ = plusBytes(allocated_, -old->second.size);
      ended(old->second);
      live_.erase(old);
    }
    if (event.kind == Kind::release) return;
    live_.emplace(event.address, BlockLife{event.time, 0, event.size, event.stack});
    allocated_ = plusBytes(allocated_, event.size);
  }

  const MemoryDevice& device_;
  std::unordered_map<std::uint64_t, BlockLife> live_;
  std::int64_t allocated_ = 0, reserved_ = 0;
};

void ignoreBlock(const BlockLife&) {}

/// The peaks in the range, and the number of events before the peak of what is allocated.
std::size_t findPeaks(const MemoryDevice& device, const TimeRange& range, MemoryUse& use) {
  MemoryWalk walk(device);
  std::size_t seen = 0, best = 0;
  const auto note = [&](Nanoseconds time) {
    use.peakReserved = std::max(use.peakReserved, walk.reserved());
    if (walk.allocated() <= use.peakAllocated) return;
    use.peakAllocated = walk.allocated();
    use.reservedAtPeak = walk.reserved();
    use.peakTime = time;
    best = seen;
  };
  // The memory that is allocated when the range begins counts, too.
  std::int64_t allocated = walk.allocated(), reserved = walk.reserved();
  bool inside = false;
  const auto enter = [&] {
    if (std::exchange(inside, true)) return;
    use.peakAllocated = allocated;
    use.reservedAtPeak = use.peakReserved = reserved;
    use.peakTime = range.from;
    best = seen;
  };
  walk.run(
      [&](Nanoseconds time) {
        if (time >= range.from) enter();
        ++seen;
        if (time >= range.to) return false;
        allocated = walk.allocated();
        reserved = walk.reserved();
        if (inside) note(time);
        return true;
      },
      ignoreBlock);
  enter();
  return best;
}

std::vector<HeldMemory> heldAfter(const MemorySnapshot& snapshot, const MemoryDevice& device,
                                  std::size_t events) {
  MemoryWalk walk(device);
  std::size_t seen = 0;
  if (events > 0) walk.run([&](Nanoseconds) { return ++seen < events; }, ignoreBlock);
  std::unordered_map<std::uint32_t, HeldMemory> byStack;
  HeldMemory early{.beforeRecording = true};
  walk.eachBlock([&](const BlockLife& block) {
    HeldMemory& of = block.isUnknownEarly() ? early : byStack[block.stack];
    of.stack = block.stack;
    of.bytes = plusBytes(of.bytes, block.size);
    of.largest = std::max(of.largest, block.size);
    ++of.blocks;
  });
  std::unordered_map<std::string, HeldMemory> bySite;
  for (const auto& [stack, one] : byStack) {
    const std::string site = snapshot.siteOf(stack);
    const auto [at, isNew] = bySite.try_emplace(site);
    HeldMemory& of = at->second;
    of.site = site;
    of.bytes = plusBytes(of.bytes, one.bytes);
    of.blocks += one.blocks;
    // The smaller number where two are as large: the same for every reading of the file.
    if (isNew || one.largest > of.largest || (one.largest == of.largest && stack < of.stack)) {
      of.largest = one.largest;
      of.stack = stack;
    }
  }
  std::vector<HeldMemory> held;
  if (early.blocks > 0) held.push_back(early);
  for (auto& [site, one] : bySite) held.push_back(std::move(one));
  std::ranges::sort(held, [](const HeldMemory& a, const HeldMemory& b) {
    return std::tuple(-a.bytes, a.site, a.beforeRecording) <
           std::tuple(-b.bytes, b.site, b.beforeRecording);
  });
  return held;
}

std::string wholeBytesText(std::int64_t bytes) {
  return valueText(static_cast<double>(bytes), "bytes");
}

double unusedShare(std::int64_t allocated, std::int64_t reserved) {
  return reserved > allocated
             ? static_cast<double>(reserved - allocated) / static_cast<double>(reserved)
             : 0;
}

/// Adds the largest blocks of a device as slices, and its failures.
void addSlices(const MemorySnapshot& snapshot, const MemoryDevice& device, TraceBuilder& builder) {
  const std::string name = fmt::format("GPU {}", device.number);
  const LaneId lane =
      builder.lane({Lane::Kind::host, device.number, 1, name, saying("largest blocks")});
  const Nanoseconds end = std::max<Nanoseconds>(1, snapshot.length());
  std::vector<BlockLife> lives;
  std::int64_t keptBytes = 0;  // memory from before that stays
  std::uint64_t keptBlocks = 0;
  MemoryWalk walk(device);
  walk.run([](Nanoseconds) { return true; },
           [&](const BlockLife& block) { lives.push_back(block); });
  walk.eachBlock([&](BlockLife block) {
    block.to = end;
    if (!block.isUnknownEarly()) return lives.push_back(block);
    keptBytes = plusBytes(keptBytes, block.size);
    ++keptBlocks;
  });
  if (keptBlocks > 0)
    builder.addSpan({.lane = lane,
                     .kind = SpanKind::profiler,
                     .name = saying("{} · {} blocks allocated before the recording",
                                    wholeBytesText(keptBytes), keptBlocks),
                     .start = 0,
                     .end = end});
  std::ranges::sort(lives, [](const BlockLife& a, const BlockLife& b) {
    return a.size != b.size ? a.size > b.size : std::pair(a.from, a.to) < std::pair(b.from, b.to);
  });
  if (lives.size() > kMostSlices) lives.resize(kMostSlices);
  for (const BlockLife& block : lives) {
    const HeldMemory held{.site = snapshot.siteOf(block.stack),
                          .beforeRecording = block.isUnknownEarly()};
    builder.addSpan({.lane = lane,
                     .kind = SpanKind::profiler,
                     .name = fmt::format("{} · {}", wholeBytesText(block.size), siteText(held)),
                     .start = block.from,
                     .end = std::max(block.from, block.to)});
  }
  for (const MemoryEvent& event : device.events)
    if (event.kind == MemoryEvent::Kind::outOfMemory)
      builder.addSpan({.lane = builder.lane({Lane::Kind::host, device.number, 2, name,
                                             saying("failed allocations")}),
                       .kind = SpanKind::profiler,
                       .name = saying("out of memory: {} requested", wholeBytesText(event.size)),
                       .start = event.time,
                       .end = event.time + 1000});
}

}  // namespace

MemoryUse memoryUseOf(const MemorySnapshot& snapshot, const MemoryDevice& device,
                      const std::optional<TimeRange>& range) {
  MemoryUse use;
  use.device = device.number;
  use.events = device.events.size();
  use.failures = static_cast<std::uint64_t>(
      std::ranges::count(device.events, MemoryEvent::Kind::outOfMemory, &MemoryEvent::kind));
  use.reserved = device.reserved;
  for (const MemoryBlock& block : device.blocks) {
    if (block.isAllocated) {
      use.allocated = plusBytes(use.allocated, block.size);
    } else {
      ++use.freeBlocks;
      use.largestFree = std::max(use.largestFree, block.size);
    }
  }
  const TimeRange whole{0, snapshot.length() + 1};
  use.held = heldAfter(snapshot, device, findPeaks(device, range.value_or(whole), use));
  return use;
}

std::string siteText(const HeldMemory& held) {
  if (held.beforeRecording) return saying("allocated before the recording");
  return held.site.empty() ? saying("no frames recorded") : held.site;
}

std::string peakSentence(const MemoryUse& use) {
  return saying("GPU {}: at most {} allocated, at {}; {} were reserved then, {:.1f}% of it unused.",
                use.device, wholeBytesText(use.peakAllocated),
                timeText(static_cast<double>(use.peakTime)), wholeBytesText(use.reservedAtPeak),
                100 * unusedShare(use.peakAllocated, use.reservedAtPeak));
}

std::string historySentence(const MemoryUse& use) {
  if (use.events > 0) return {};
  return saying(
      "The snapshot has no history of allocations; call "
      "torch.cuda.memory._record_memory_history() before the code to record it.");
}

std::string fragmentationSentence(const MemoryUse& use) {
  return saying(
      "At the end, {} of {} reserved are allocated; the rest is in {} blocks, the "
      "largest of {}.",
      wholeBytesText(use.allocated), wholeBytesText(use.reserved), use.freeBlocks,
      wholeBytesText(use.largestFree));
}

std::string heldMemoryCsv(const MemorySnapshot& snapshot, std::span<const MemoryUse> uses) {
  std::string text =
      "snapshot,device,peak_ns,frame,bytes,blocks,largest_bytes,share,before_recording\n";
  for (const MemoryUse& use : uses)
    for (const HeldMemory& one : use.held)
      text +=
          fmt::format("{},{},{},{},{},{},{},{:.6g},{:d}\n", csvField(snapshot.title), use.device,
                      use.peakTime, csvField(one.site), one.bytes, one.blocks, one.largest,
                      static_cast<double>(one.bytes) /
                          static_cast<double>(std::max<std::int64_t>(1, use.peakAllocated)),
                      one.beforeRecording);
  return text;
}

nlohmann::ordered_json memoryJson(const MemorySnapshot& snapshot, std::span<const MemoryUse> uses) {
  using Json = nlohmann::ordered_json;
  Json devices = Json::array();
  for (const MemoryUse& use : uses) {
    Json held = Json::array();
    for (const HeldMemory& one : use.held) {
      Json stack = Json::array();
      for (const std::uint32_t frame : snapshot.stacks.at(one.stack))
        stack.push_back(snapshot.frames[frame].text);
      held.push_back({{"frame", one.site.empty() ? Json() : Json(one.site)},
                      {"bytes", one.bytes},
                      {"blocks", one.blocks},
                      {"largest_bytes", one.largest},
                      {"before_recording", one.beforeRecording},
                      {"stack", std::move(stack)}});
    }
    devices.push_back({{"device", use.device},
                       {"events", use.events},
                       {"failed_allocations", use.failures},
                       {"allocated_bytes", use.allocated},
                       {"reserved_bytes", use.reserved},
                       {"free_blocks", use.freeBlocks},
                       {"largest_free_bytes", use.largestFree},
                       {"peak_ns", use.peakTime},
                       {"peak_allocated_bytes", use.peakAllocated},
                       {"reserved_at_peak_bytes", use.reservedAtPeak},
                       {"peak_reserved_bytes", use.peakReserved},
                       {"held", std::move(held)}});
  }
  return {{"fusebench", "memory snapshot"},
          {"version", 1},
          {"title", snapshot.title},
          {"length_ns", snapshot.hasTimes ? Json(snapshot.length()) : Json()},
          {"malformed", snapshot.malformed},
          {"devices", std::move(devices)}};
}

std::shared_ptr<const Trace> memoryTrace(const MemorySnapshot& snapshot,
                                         const TraceProgress& progress) {
  TraceBuilder builder(snapshot.title);
  for (const MemoryDevice& device : snapshot.devices) {
    const std::string name = fmt::format("GPU {}", device.number);
    const auto counter = [&](const char* what) {
      return builder.counter({.process = device.number,
                              .processName = name,
                              .name = fmt::format("Memory {}, {}", what, name),
                              .unit = "bytes"});
    };
    const std::size_t allocated = counter("allocated"), reserved = counter("reserved");
    MemoryWalk walk(device);
    const auto count = [&](Nanoseconds time) {
      builder.addCount(allocated, time, static_cast<double>(walk.allocated()));
      builder.addCount(reserved, time, static_cast<double>(walk.reserved()));
      return true;
    };
    if (device.events.empty()) count(0);
    walk.run(count, ignoreBlock);
    addSlices(snapshot, device, builder);
  }
  if (builder.size() == 0)  // the allocator got memory, and nothing was allocated in it
    builder.addSpan({.lane = builder.lane({Lane::Kind::host, 0, 1, "", saying("largest blocks")}),
                     .kind = SpanKind::profiler,
                     .name = saying("no allocations"),
                     .start = 0,
                     .end = std::max<Nanoseconds>(1, snapshot.length())});
  builder.losses().malformed = snapshot.malformed;
  if (!snapshot.hasTimes)
    builder.setPartial(
        saying("the events have no times, and are shown a microsecond apart; PyTorch 2.1 and newer "
               "record times"));
  return builder.finish(progress);
}

}  // namespace fusebench
