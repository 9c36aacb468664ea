// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/cupti/activity_records.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace fusebench::cuda {
namespace {

template <class T>
T memberAt(std::span<const std::uint8_t> record, std::size_t place) {
  T value{};
  std::memcpy(&value, record.data() + place, sizeof value);
  return value;
}

std::uint32_t wordAt(std::span<const std::uint8_t> record, std::size_t place) {
  return memberAt<std::uint32_t>(record, place);
}
std::uint64_t longWordAt(std::span<const std::uint8_t> record, std::size_t place) {
  return memberAt<std::uint64_t>(record, place);
}

/// Counts times that cannot be drawn; false for them.
bool soundTimes(std::uint64_t start, std::uint64_t end, ActivityLosses& losses) {
  if (start == 0 || end == 0) {
    ++losses.zero;
  } else if (end < start) {
    ++losses.inverted;
  } else {
    return true;
  }
  return false;
}

const char* directionText(std::uint8_t direction) {
  static constexpr const char* kTexts[] = {
      "Memcpy",      "Memcpy HtoD", "Memcpy DtoH", "Memcpy HtoA", "Memcpy AtoH", "Memcpy AtoA",
      "Memcpy AtoD", "Memcpy DtoA", "Memcpy DtoD", "Memcpy HtoH", "Memcpy PtoP"};
  return direction < std::size(kTexts) ? kTexts[direction] : kTexts[0];
}

void readKernel(std::span<const std::uint8_t> bytes, Activities& into) {
  namespace place = record::kernel;
  DeviceWork kernel;
  kernel.start = longWordAt(bytes, place::start);
  kernel.end = longWordAt(bytes, place::end);
  if (!soundTimes(kernel.start, kernel.end, into.losses)) return;
  kernel.registers = memberAt<std::uint16_t>(bytes, place::registers);
  kernel.device = wordAt(bytes, place::device);
  kernel.context = wordAt(bytes, place::context);
  kernel.stream = wordAt(bytes, place::stream);
  kernel.grid = memberAt<std::array<std::uint32_t, 3>>(bytes, place::grid);
  kernel.block = memberAt<std::array<std::uint32_t, 3>>(bytes, place::block);
  kernel.staticShared = wordAt(bytes, place::staticShared);
  kernel.dynamicShared = wordAt(bytes, place::dynamicShared);
  kernel.correlation = wordAt(bytes, place::correlation);
  if (const char* name = memberAt<const char*>(bytes, place::name)) kernel.name = name;
  kernel.queued = longWordAt(bytes, place::queued);
  kernel.submitted = longWordAt(bytes, place::submitted);
  kernel.graphNode = longWordAt(bytes, place::graphNode);
  // Only with latency timestamps. Kernels of graphs carry those of some launch before.
  if (kernel.queued > kernel.start || kernel.graphNode != 0) kernel.queued = 0;
  if (kernel.submitted > kernel.start || kernel.submitted < kernel.queued || kernel.graphNode != 0)
    kernel.submitted = 0;
  if (bytes.size() >= place::bytesWithGraph) kernel.graph = wordAt(bytes, place::graph);
  into.work.push_back(std::move(kernel));
}

void readCopy(std::span<const std::uint8_t> bytes, bool fill, Activities& into) {
  namespace place = record::copy;
  DeviceWork copy;
  copy.kind = fill ? DeviceWork::Kind::fill : DeviceWork::Kind::copy;
  copy.start = longWordAt(bytes, place::start);
  copy.end = longWordAt(bytes, place::end);
  if (!soundTimes(copy.start, copy.end, into.losses)) return;
  copy.name = fill ? "Memset" : directionText(memberAt<std::uint8_t>(bytes, place::direction));
  copy.bytes = longWordAt(bytes, place::amount);
  copy.device = wordAt(bytes, place::device);
  copy.context = wordAt(bytes, place::context);
  copy.stream = wordAt(bytes, place::stream);
  copy.correlation = wordAt(bytes, place::correlation);
  if (bytes.size() >= place::bytesWithNode) copy.graphNode = longWordAt(bytes, place::graphNode);
  if (bytes.size() >= place::bytesWithGraph) copy.graph = wordAt(bytes, place::graph);
  into.work.push_back(std::move(copy));
}

void readCall(std::span<const std::uint8_t> bytes, bool runtime, Activities& into) {
  namespace place = record::call;
  ApiCall call;
  call.start = longWordAt(bytes, place::start);
  call.end = longWordAt(bytes, place::end);
  if (!soundTimes(call.start, call.end, into.losses)) return;
  call.function = wordAt(bytes, place::function);
  call.runtime = runtime;
  call.process = wordAt(bytes, place::process);
  call.thread = wordAt(bytes, place::thread);
  call.correlation = wordAt(bytes, place::correlation);
  call.result = wordAt(bytes, place::result);
  into.calls.push_back(call);
}

void readOverhead(std::span<const std::uint8_t> bytes, Activities& into) {
  namespace place = record::overhead;
  const Overhead overhead{longWordAt(bytes, place::start), longWordAt(bytes, place::end)};
  // Whether one is lost matters to nobody.
  if (overhead.start != 0 && overhead.end >= overhead.start) into.overheads.push_back(overhead);
}

/// The least that a record of this kind has; 0 for kinds that are not read.
std::size_t leastBytes(std::uint32_t kind) {
  switch (kind) {
    case kActivityKernel:
    case kActivitySerialKernel:
      return record::kernel::bytes;
    case kActivityCopy:
    case kActivityFill:
      return record::copy::bytes;
    case kActivityDriver:
    case kActivityRuntime:
      return record::call::bytes;
    case kActivityOverhead:
      return record::overhead::bytes;
    default:
      return 0;
  }
}

}  // namespace

bool isLaunch(const ApiCall& call) {
  if (call.result != 0) return false;
  if (call.runtime)
    return call.function == kRuntimeLaunchKernel || call.function == kRuntimeLaunchKernelExC;
  return call.function == kCallLaunchKernel || call.function == kCallLaunchKernelEx ||
         call.function == kCallGraphLaunch;
}

std::vector<const ApiCall*> launchesOf(std::span<const ApiCall> calls) {
  std::vector<const ApiCall*> inOrder, launches;
  for (const ApiCall& call : calls) inOrder.push_back(&call);
  std::ranges::sort(inOrder, {},
                    [](const ApiCall* call) { return std::pair(call->start, call->correlation); });
  std::set<std::uint32_t> capturing;  // threads
  for (const ApiCall* call : inOrder) {
    const bool driver = !call->runtime && call->result == 0;
    if (driver && call->function == kCallBeginCapture) capturing.insert(call->thread);
    // A capture that went wrong ends, too.
    if (!call->runtime && call->function == kCallEndCapture) capturing.erase(call->thread);
    if (isLaunch(*call) && !capturing.contains(call->thread)) launches.push_back(call);
  }
  return launches;
}

void readRecord(std::span<const std::uint8_t> record, Activities& into) {
  if (record.size() < sizeof(std::uint32_t)) {
    ++into.losses.malformed;
    return;
  }
  const std::uint32_t kind = wordAt(record, 0);
  const std::size_t least = leastBytes(kind);
  if (record.size() < least) {
    ++into.losses.malformed;
    return;
  }
  switch (kind) {
    case kActivityKernel:
    case kActivitySerialKernel:
      return readKernel(record, into);
    case kActivityCopy:
      return readCopy(record, /*fill=*/false, into);
    case kActivityFill:
      return readCopy(record, /*fill=*/true, into);
    case kActivityDriver:
      return readCall(record, /*runtime=*/false, into);
    case kActivityRuntime:
      return readCall(record, /*runtime=*/true, into);
    case kActivityOverhead:
      return readOverhead(record, into);
    default:
      return;
  }
}

void readBuffer(std::uint8_t* buffer, std::size_t validBytes, NextRecord next, Activities& into) {
  const std::uint8_t* const end = buffer + validBytes;
  const std::uint8_t* pending = nullptr;  // read once it is known where the next one begins
  ActivityRecord* record = nullptr;
  while (next(buffer, validBytes, &record) == kCuptiSuccess) {
    const auto* here = reinterpret_cast<const std::uint8_t*>(record);
    if (here < buffer || here >= end || (pending && here <= pending)) {
      ++into.losses.malformed;
      break;
    }
    if (pending) readRecord({pending, here}, into);
    pending = here;
  }
  if (pending) readRecord({pending, end}, into);
}

std::vector<int> placesInLaunch(std::span<const DeviceWork> work) {
  using Launch = std::pair<std::uint32_t, std::uint32_t>;  // correlation, graph
  std::map<Launch, std::vector<std::size_t>> launches;
  for (std::size_t i = 0; i < work.size(); ++i)
    if (work[i].kind == DeviceWork::Kind::kernel)
      launches[{work[i].correlation, work[i].graph}].push_back(i);
  const auto started = [&](std::size_t a, std::size_t b) {
    return std::tuple(work[a].start, work[a].graphNode) <
           std::tuple(work[b].start, work[b].graphNode);
  };
  // The nodes of each graph in order, by its fullest replay.
  std::map<std::uint32_t, std::vector<std::uint64_t>> nodes;
  for (auto& [launch, members] : launches) {
    std::sort(members.begin(), members.end(), started);
    if (work[members.front()].graphNode == 0) continue;
    std::vector<std::uint64_t>& known = nodes[launch.second];
    if (known.size() >= members.size()) continue;
    known.clear();
    for (const std::size_t i : members) known.push_back(work[i].graphNode);
  }
  std::vector<int> places(work.size(), -1);
  for (const auto& [launch, members] : launches) {
    const auto& order = nodes[launch.second];
    for (std::size_t place = 0; place < members.size(); ++place) {
      const auto node = std::find(order.begin(), order.end(), work[members[place]].graphNode);
      places[members[place]] = static_cast<int>(
          node == order.end() ? static_cast<std::ptrdiff_t>(place) : node - order.begin());
    }
  }
  return places;
}

}  // namespace fusebench::cuda
