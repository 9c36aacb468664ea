// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/memory_snapshot.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <new>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "profiler/files/byte_source.h"
#include "profiler/files/input_error.h"
#include "profiler/trace/kernel_names.h"
#include "profiler/trace/utf8_text.h"

namespace fusebench {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t kMostSnapshotBytes = std::size_t{3} << 30;
constexpr std::size_t kMostMemoryEvents = 50'000'000;
constexpr std::int64_t kMostBlockBytes = std::int64_t{1} << 50;
constexpr std::size_t kLongestFrame = 300;
constexpr int kMostMemoryDevices = 1024;
constexpr std::size_t kReadAtOnce = std::size_t{1} << 22;
constexpr double kReadShare = 0.5;  ///< share of the work; the rest is taking it apart

/// The whole file, with the bytes behind it that the parser may read.
std::string wholeText(const std::string& path, const TraceProgress& progress) {
  ByteSource source(path);
  std::string text;
  while (true) {
    const std::size_t before = text.size();
    text.resize(before + kReadAtOnce);
    const std::size_t got = source.read(text.data() + before, kReadAtOnce);
    text.resize(before + got);
    if (got == 0) break;
    if (text.size() > kMostSnapshotBytes)
      throw InputError(
          saying("{}: the snapshot is larger than 3 GiB; record fewer events with "
                 "_record_memory_history(max_entries=...)",
                 path));
    if (progress && !progress(kReadShare * source.share())) throw Canceled();
  }
  if (!source.damage().empty()) throw InputError(path + ": " + source.damage());
  return text;
}

/// "src/model.py" of a longer path.
std::string_view shortFile(std::string_view path) {
  const std::size_t name = path.rfind('/');
  if (name == std::string_view::npos || name == 0) return path;
  const std::size_t folder = path.rfind('/', name - 1);
  return folder == std::string_view::npos ? path : path.substr(folder + 1);
}

/// Frames of the recorder, the allocator and the interpreter, which every stack has.
bool isMachinery(std::string_view name) {
  constexpr std::string_view kNames[] = {"torch::unwind::",
                                         "torch::CapturedTraceback::",
                                         "::gather_with_cpp",
                                         "CUDACachingAllocator::",
                                         "c10::impl::wrap_kernel_functor",
                                         "c10::impl::BoxedKernelWrapper",
                                         "c10::Dispatcher::",
                                         "at::detail::empty_",
                                         "at::detail::_empty_",
                                         "_PyEval_",
                                         "PyEval_",
                                         "PyObject_",
                                         "PyFunction_",
                                         "PyVectorcall_",
                                         "__libc_start_",
                                         "execute_native_thread_routine",
                                         "pthread_"};
  return std::ranges::any_of(
      kNames, [name](std::string_view each) { return name.find(each) != std::string_view::npos; });
}

/// What a frame of C++ is called for people: "BmmBackward0 (backward pass)", "aten::bmm", else its
/// name without parameters.
MemorySnapshot::Frame nativeFrame(std::string_view name) {
  using Tells = MemorySnapshot::Frame::Tells;
  constexpr std::string_view kBackward = "torch::autograd::generated::", kApply = "::apply",
                             kOperator = "at::_ops::";
  const std::string plain = qualifiedKernelName(name);
  std::string_view rest = plain;
  if (rest.starts_with(kBackward) && rest.ends_with(kApply)) {
    rest.remove_prefix(kBackward.size());
    rest.remove_suffix(kApply.size());
    return {saying("{} (backward pass)", rest), Tells::aBackward};
  }
  if (rest.starts_with(kOperator)) {
    rest.remove_prefix(kOperator.size());
    return {fmt::format("aten::{}", rest.substr(0, rest.find("::"))), Tells::anOperator};
  }
  return {plain, Tells::little};
}

std::optional<MemoryEvent::Kind> memoryKindOf(std::string_view action) {
  using Kind = MemoryEvent::Kind;
  if (action == "alloc") return Kind::allocate;
  if (action == "free_requested" || action == "free") return Kind::release;
  if (action == "segment_alloc" || action == "segment_map") return Kind::reserve;
  if (action == "segment_free" || action == "segment_unmap") return Kind::giveBack;
  if (action == "oom") return Kind::outOfMemory;
  return std::nullopt;
}

/// Actions that say nothing about how much is allocated.
bool isSilentAction(std::string_view action) {
  return action == "free_completed" || action == "snapshot" || action == "annotate" ||
         action == "workspace_snapshot";
}

class SnapshotReader {
 public:
  SnapshotReader(const std::string& path, const TraceProgress& progress)
      : path_(path), progress_(progress) {
    made_.title = std::filesystem::path(path).filename().string();
  }

  MemorySnapshot run() {
    text_ = wholeText(path_, progress_);
    length_ = text_.size();
    text_.append(simdjson::SIMDJSON_PADDING, ' ');
    const auto started = parser_.iterate(text_.data(), length_, text_.size()).get(document_);
    if (started == simdjson::UTF8_ERROR) {
      text_ = validUtf8(std::string_view(text_).substr(0, length_));
      length_ = text_.size();
      text_.append(simdjson::SIMDJSON_PADDING, ' ');
      check(parser_.iterate(text_.data(), length_, text_.size()).get(document_));
    } else {
      check(started);
    }
    started_ = true;
    readRoot();
    finish();
    return std::move(made_);
  }

 private:
  /// A block or an event, before it is known whether it is complete.
  struct Fields {
    std::string_view action, state;
    std::uint64_t address = 0;
    std::int64_t size = -1, time = -1;
    bool hasAddress = false;
    std::uint32_t stack = 0;
  };

  void check(simdjson::error_code error) {
    if (error == simdjson::SUCCESS) return;
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    const char* at = nullptr;
    std::size_t byte = length_;
    if (started_ && !document_.current_location().get(at) && at >= text_.data() &&
        at < text_.data() + length_)
      byte = static_cast<std::size_t>(at - text_.data());
    throw InputError(
        saying("{}: byte {}: this is not the JSON of a memory snapshot ({}); write it again with "
               "json.dump(torch.cuda.memory._snapshot(), file)",
               path_, byte, simdjson::error_message(error)));
  }

  void readRoot() {
    ondemand::object root;
    check(document_.get_object().get(root));
    bool any = false;
    for (auto member : root) {
      std::string_view key;
      ondemand::value value;
      check(member.unescaped_key().get(key));
      check(member.value().get(value));
      if (key == "segments") {
        any = true;
        readSegments(value);
      } else if (key == "device_traces") {
        any = true;
        readTraces(value);
      }
    }
    if (!any)
      throw InputError(
          saying("{}: a memory snapshot has \"segments\" and \"device_traces\", and this file has "
                 "neither; write it with json.dump(torch.cuda.memory._snapshot(), file)",
                 path_));
  }

  MemoryDevice& device(std::int64_t number) {
    const auto at = static_cast<int>(std::clamp<std::int64_t>(number, 0, kMostMemoryDevices - 1));
    MemoryDevice& made = devices_[at];
    made.number = at;
    return made;
  }

  void readSegments(ondemand::value list) {
    ondemand::array segments;
    check(list.get_array().get(segments));
    for (auto each : segments) {
      ondemand::object segment;
      check(each.get_object().get(segment));
      std::int64_t number = 0, total = 0;
      std::uint64_t address = 0;
      std::vector<MemoryBlock> blocks;
      for (auto member : segment) {
        std::string_view key;
        ondemand::value value;
        check(member.unescaped_key().get(key));
        check(member.value().get(value));
        if (key == "device")
          number = integer(value).value_or(0);
        else if (key == "total_size")
          total = sizeIn(value);
        else if (key == "address")
          address = addressIn(value).value_or(0);
        else if (key == "blocks")
          readBlocks(value, blocks);
      }
      MemoryDevice& of = device(number);
      of.reserved += std::max<std::int64_t>(0, total);
      std::uint64_t next = address;
      for (MemoryBlock& block : blocks) {
        // Older versions of PyTorch leave out the addresses of blocks, which are in order.
        if (block.address == 0) block.address = next;
        next = block.address + static_cast<std::uint64_t>(block.size);
        of.blocks.push_back(block);
      }
    }
  }

  void readBlocks(ondemand::value list, std::vector<MemoryBlock>& blocks) {
    ondemand::array array;
    check(list.get_array().get(array));
    for (auto each : array) {
      ondemand::object object;
      check(each.get_object().get(object));
      const Fields fields = readFields(object);
      if (fields.size < 0)
        ++made_.malformed;
      else
        blocks.push_back({fields.address, fields.size, fields.stack,
                          fields.state == "active_allocated" || fields.state == "allocated"});
    }
  }

  void readTraces(ondemand::value list) {
    ondemand::array traces;
    check(list.get_array().get(traces));
    std::int64_t number = 0;
    for (auto each : traces) {
      ondemand::array events;
      check(each.get_array().get(events));
      for (auto event : events) {
        ondemand::object object;
        check(event.get_object().get(object));
        addEvent(readFields(object), number);
      }
      ++number;
    }
  }

  void addEvent(const Fields& fields, std::int64_t number) {
    constexpr std::size_t kEventsPerStep = 1 << 14;
    constexpr std::int64_t kMostMicroseconds = std::int64_t{1} << 52;
    if (isSilentAction(fields.action)) return;
    const auto kind = memoryKindOf(fields.action);
    const bool isLocated = fields.hasAddress || kind == MemoryEvent::Kind::outOfMemory;
    if (!kind || fields.size < 0 || !isLocated || fields.time > kMostMicroseconds) {
      ++made_.malformed;
      return;
    }
    if (++events_ > kMostMemoryEvents)
      throw InputError(
          saying("{}: more than {} events; record fewer with _record_memory_history("
                 "max_entries=...)",
                 path_, kMostMemoryEvents));
    made_.hasTimes = made_.hasTimes && fields.time >= 0;
    device(number).events.push_back(
        {*kind, fields.time * 1000, fields.address, fields.size, fields.stack});
    if (events_ % kEventsPerStep != 0 || !progress_) return;
    const char* at = nullptr;
    if (document_.current_location().get(at)) return;
    const double share = static_cast<double>(at - text_.data()) / static_cast<double>(length_);
    if (!progress_(kReadShare + (1 - kReadShare) * share)) throw Canceled();
  }

  Fields readFields(ondemand::object object) {
    Fields fields;
    for (auto member : object) {
      std::string_view key;
      ondemand::value value;
      check(member.unescaped_key().get(key));
      check(member.value().get(value));
      if (key == "action") {
        if (value.get_string().get(fields.action)) fields.action = {};
      } else if (key == "state") {
        if (value.get_string().get(fields.state)) fields.state = {};
      } else if (key == "addr" || key == "address") {
        const auto address = addressIn(value);
        fields.hasAddress = address.has_value();
        fields.address = address.value_or(0);
      } else if (key == "size") {
        fields.size = sizeIn(value);
      } else if (key == "time_us") {
        fields.time = integer(value).value_or(-1);
      } else if (key == "frames") {
        fields.stack = readStack(value);
      }
    }
    return fields;
  }

  static std::optional<std::int64_t> integer(ondemand::value& value) {
    std::int64_t number = 0;
    if (value.get_int64().get(number)) return std::nullopt;
    return number;
  }
  static std::optional<std::uint64_t> addressIn(ondemand::value& value) {
    std::uint64_t number = 0;
    if (value.get_uint64().get(number)) return std::nullopt;
    return number;
  }
  /// -1: there is none.
  static std::int64_t sizeIn(ondemand::value& value) {
    const auto size = integer(value);
    return size && *size >= 0 && *size <= kMostBlockBytes ? *size : -1;
  }

  std::uint32_t readStack(ondemand::value& list) {
    ondemand::array array;
    if (list.get_array().get(array)) return 0;
    stack_.clear();
    for (auto each : array) {
      ondemand::object object;
      check(each.get_object().get(object));
      std::string_view file, name;
      std::int64_t line = 0;
      for (auto member : object) {
        std::string_view key;
        ondemand::value value;
        check(member.unescaped_key().get(key));
        check(member.value().get(value));
        if (key == "filename" && value.get_string().get(file)) file = {};
        if (key == "name" && value.get_string().get(name)) name = {};
        if (key == "line") line = integer(value).value_or(0);
      }
      if (!isMachinery(name)) stack_.push_back(frame(file, name, line));
    }
    if (stack_.empty()) return 0;
    const auto [known, isNew] =
        stackNumbers_.try_emplace(stack_, static_cast<std::uint32_t>(made_.stacks.size()));
    if (isNew) made_.stacks.push_back(stack_);
    return known->second;
  }

  std::uint32_t frame(std::string_view file, std::string_view name, std::int64_t line) {
    std::string key = fmt::format("{}\n{}\n{}", file, name, line);
    const auto [known, isNew] =
        frameNumbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(made_.frames.size()));
    if (isNew) made_.frames.push_back(newFrame(file, name, line));
    return known->second;
  }

  static MemorySnapshot::Frame newFrame(std::string_view file, std::string_view name,
                                        std::int64_t line) {
    using Tells = MemorySnapshot::Frame::Tells;
    MemorySnapshot::Frame made;
    if (file.ends_with(".py")) {
      made.text = fmt::format("{} ({}:{})", name, shortFile(file), line);
      if (file.find("/torch/") == std::string_view::npos) made.tells = Tells::code;
    } else if (name.find("::") != std::string_view::npos) {
      made = nativeFrame(name);
    } else {
      made.text =
          line > 0 ? fmt::format("{} ({}:{})", name, shortFile(file), line) : std::string(name);
    }
    made.text = shownText(made.text.substr(0, kLongestFrame));
    return made;
  }

  /// Counts times from the first event, and leaves out devices with nothing.
  void finish() {
    Nanoseconds first = std::numeric_limits<Nanoseconds>::max();
    for (auto& [number, of] : devices_) {
      if (!made_.hasTimes)
        for (std::size_t i = 0; i < of.events.size(); ++i)
          of.events[i].time = static_cast<Nanoseconds>(i) * 1000;
      std::ranges::stable_sort(of.events, {}, &MemoryEvent::time);
      if (!of.events.empty()) first = std::min(first, of.events.front().time);
    }
    for (auto& [number, of] : devices_) {
      if (of.events.empty() && of.blocks.empty()) continue;
      for (MemoryEvent& event : of.events) event.time -= first;
      made_.devices.push_back(std::move(of));
    }
    if (made_.devices.empty())
      throw InputError(
          saying("{}: the snapshot has no allocations; call torch.cuda.memory."
                 "_record_memory_history() before the code to record",
                 path_));
  }

  const std::string& path_;
  const TraceProgress& progress_;
  MemorySnapshot made_;
  std::map<int, MemoryDevice> devices_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> stackNumbers_;
  std::unordered_map<std::string, std::uint32_t> frameNumbers_;
  std::vector<std::uint32_t> stack_;
  std::size_t events_ = 0, length_ = 0;
  bool started_ = false;  ///< the document is there
  std::string text_;
  ondemand::parser parser_;
  ondemand::document document_;
};

}  // namespace

MemorySnapshot readMemorySnapshot(const std::string& path, const TraceProgress& progress) {
  return SnapshotReader(path, progress).run();
}

}  // namespace fusebench
