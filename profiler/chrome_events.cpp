// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/chrome_events.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "profiler/trace_categories.h"
#include "profiler/trace_scanner.h"

namespace fusebench {
namespace {

namespace ondemand = simdjson::ondemand;
static_assert(TraceScanner::kPadding >= simdjson::SIMDJSON_PADDING);

/// A number's or a text's token without quotes and space around it.
std::string_view bare(std::string_view token) {
  while (!token.empty() && static_cast<unsigned char>(token.back()) <= ' ') token.remove_suffix(1);
  if (token.size() >= 2 && token.front() == '"' && token.back() == '"')
    token = token.substr(1, token.size() - 2);
  return token;
}

template <typename Number>
Number number(std::string_view token, Number otherwise) {
  Number value = otherwise;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  return error == std::errc() ? value : otherwise;
}

std::array<std::uint32_t, 3> triple(ondemand::value value) {
  std::array<std::uint32_t, 3> numbers{};
  std::size_t i = 0;
  ondemand::array array;
  if (value.get_array().get(array)) return numbers;
  for (auto element : array) {
    std::uint64_t one = 0;
    if (element.get_uint64().get(one)) return numbers;
    if (i < 3) numbers[i++] = static_cast<std::uint32_t>(one);
  }
  return numbers;
}

}  // namespace

/// What is read of one event. Texts live as long as the parser's buffer.
struct ChromeEvents::Fields {
  char phase = 0;
  std::string_view name, category, process, thread, time, duration;
  std::string_view argsName, argsLabels, stream, ownThread;
  std::uint64_t shared = 0;
  bool hasBytes = false;
  Launch launch;
};

class ChromeEvents::Parser {
 public:
  /// False if the text is no event.
  bool parse(std::string_view text, Fields& fields);

 private:
  static void readArgument(std::string_view key, ondemand::value value, Fields& fields);
  ondemand::parser parser_;
};

bool ChromeEvents::Parser::parse(std::string_view text, Fields& fields) {
  ondemand::document document;
  ondemand::object object;
  if (parser_.iterate(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING)
          .get(document) ||
      document.get_object().get(object))
    return false;
  for (auto member : object) {
    std::string_view key;
    ondemand::value value;
    if (member.unescaped_key().get(key) || member.value().get(value)) return false;
    simdjson::error_code error = simdjson::SUCCESS;
    if (key == "ph") {
      std::string_view phase;
      error = value.get_string().get(phase);
      if (!error && !phase.empty()) fields.phase = phase[0];
    } else if (key == "name") {
      // Some tools leave out the name, or write a number.
      if (value.get_string().get(fields.name)) fields.name = {};
    } else if (key == "cat") {
      if (value.get_string().get(fields.category)) fields.category = {};
    } else if (key == "pid") {
      fields.process = bare(value.raw_json_token());
    } else if (key == "tid") {
      fields.thread = bare(value.raw_json_token());
    } else if (key == "ts") {
      fields.time = bare(value.raw_json_token());
    } else if (key == "dur") {
      fields.duration = bare(value.raw_json_token());
    } else if (key == "args") {
      ondemand::object args;
      if (value.get_object().get(args)) continue;
      for (auto argument : args) {
        std::string_view name;
        ondemand::value content;
        if (argument.unescaped_key().get(name) || argument.value().get(content)) return false;
        readArgument(name, content, fields);
      }
    }
    if (error) return false;
  }
  if (!fields.ownThread.empty()) fields.thread = fields.ownThread;
  return fields.phase != 0;
}

void ChromeEvents::Parser::readArgument(std::string_view key, ondemand::value value,
                                        Fields& fields) {
  Launch& launch = fields.launch;
  const auto token = [&] { return bare(value.raw_json_token()); };
  if (key == "correlation")
    launch.correlation = number<std::uint64_t>(token(), 0);
  else if (key == "External id")
    launch.externalId = number<std::uint64_t>(token(), 0);
  else if (key == "device")
    launch.device = number(token(), -1);
  else if (key == "context")
    launch.context = number(token(), -1);
  else if (key == "stream")
    fields.stream = token();
  else if (key == "fusebench thread")
    fields.ownThread = token();
  else if (key == "registers per thread")
    launch.registers = number(token(), 0u);
  else if (key == "shared memory")
    fields.shared = number<std::uint64_t>(token(), 0);
  else if (key == "dynamic shared memory")
    launch.dynamicShared = number(token(), 0u);
  else if (key == "blocks per SM")
    launch.blocksPerSm = number(token(), -1.0f);
  else if (key == "warps per SM")
    launch.warpsPerSm = number(token(), -1.0f);
  else if (key == "est. achieved occupancy %")
    launch.occupancy = number(token(), -1.0f);
  else if (key == "graph id")
    launch.graph = number(token(), 0u);
  else if (key == "graph node id")
    launch.graphNode = number<std::uint64_t>(token(), 0);
  else if (key == "grid")
    launch.grid = triple(value);
  else if (key == "block")
    launch.block = triple(value);
  else if (key == "bytes read")
    launch.bytesRead = number<std::int64_t>(token(), -1);
  else if (key == "bytes written")
    launch.bytesWritten = number<std::int64_t>(token(), -1);
  else if (key == "first statement")
    launch.firstStatement = number(token(), -1);
  else if (key == "last statement")
    launch.lastStatement = number(token(), -1);
  else if (key == "queued ns")
    launch.queued = number(token(), kNoTime);
  else if (key == "submitted ns")
    launch.submitted = number(token(), kNoTime);
  else if (key == "op" && value.get_string().get(launch.op))
    launch.op = {};
  else if (key == "name" && value.get_string().get(fields.argsName))
    fields.argsName = {};
  else if (key == "labels" && value.get_string().get(fields.argsLabels))
    fields.argsLabels = {};
}

ChromeEvents::ChromeEvents(TraceBuilder& builder)
    : builder_(builder), parser_(std::make_unique<Parser>()) {}
ChromeEvents::~ChromeEvents() = default;

ChromeEvents::Place& ChromeEvents::place(std::string_view process, std::string_view thread,
                                         bool device) {
  std::string key(process);
  key += '\n';
  key += thread;
  key += device ? "\nd" : "\nh";
  if (last_ && key == lastKey_) return *last_;
  const auto [at, isNew] = places_.try_emplace(key);
  Place& found = at->second;
  if (isNew) {
    // Those that are no numbers get negative ones, in the order in which they come.
    const auto numberOf = [this](std::string_view text) {
      std::int64_t value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error == std::errc() && end == text.data() + text.size()) return value;
      return numbers_.emplace(text, -1 - static_cast<std::int64_t>(numbers_.size())).first->second;
    };
    found.device = device;
    found.process = process;
    found.thread = thread;
    Lane lane;
    lane.kind = device ? Lane::Kind::device : Lane::Kind::host;
    lane.process = numberOf(process);
    lane.thread = numberOf(thread);
    found.lane = builder_.lane(lane);
  }
  lastKey_ = std::move(key);
  last_ = &found;
  return found;
}

void ChromeEvents::add(std::string_view text) {
  Fields fields;
  if (!parser_->parse(text, fields)) {
    ++builder_.losses().malformed;
    return;
  }
  if (fields.phase == 'M') return addMetadata(fields);
  // Counters, asynchronous ranges, objects.
  constexpr std::string_view kOtherKinds = "CbenSTpFNOD";
  if (kOtherKinds.find(fields.phase) != std::string_view::npos) ++builder_.losses().otherKinds;
  if (fields.phase != 'X' && fields.phase != 'B' && fields.phase != 'E')
    return;  // instants and flows, too, are no spans
  const auto time = fromMicroseconds(fields.time);
  const auto duration =
      fields.phase == 'X' ? fromMicroseconds(fields.duration.empty() ? "0" : fields.duration) : 0;
  if (!time || !duration) {
    ++builder_.losses().malformed;
    return;
  }
  if (fields.phase == 'B')
    begin(fields, *time);
  else if (fields.phase == 'E')
    finish(fields, *time);
  else
    addComplete(fields, *time, *time + *duration);
}

void ChromeEvents::addComplete(const Fields& fields, Nanoseconds start, Nanoseconds end) {
  const SpanKind kind = kindOfCategory(fields.category);
  if (isDeviceWork(kind)) return addDeviceWork(fields, start, end);
  const bool device = onDevice(fields.category);
  const Place& at = place(fields.process,
                          device && !fields.stream.empty() ? fields.stream : fields.thread, device);
  const bool calls =
      kind == SpanKind::runtime || kind == SpanKind::driver || kind == SpanKind::launch;
  builder_.addSpan({at.lane, kind, fields.name, start, end, calls ? fields.launch.correlation : 0});
}

void ChromeEvents::addDeviceWork(const Fields& fields, Nanoseconds start, Nanoseconds end) {
  // A kernel of a process that is the CPU's: the thread itself ran it.
  const auto label = processLabels_.find(std::string(fields.process));
  const bool byHost = label != processLabels_.end() && label->second == "CPU";
  const bool hasStream = !byHost && !fields.stream.empty();
  Launch launch = fields.launch;
  launch.kind = kindOfCategory(fields.category);
  launch.name = fields.name;
  launch.start = start;
  launch.end = end;
  launch.staticShared = static_cast<std::uint32_t>(
      fields.shared > launch.dynamicShared ? fields.shared - launch.dynamicShared : 0);
  launch.deviceLane =
      place(fields.process, hasStream ? fields.stream : fields.thread, !byHost).lane;
  builder_.addLaunch(launch);
}

void ChromeEvents::addMetadata(const Fields& fields) {
  const std::string process(fields.process);
  if (fields.name == "process_name") processNames_[process] = fields.argsName;
  if (fields.name == "process_labels") processLabels_[process] = fields.argsLabels;
  if (fields.name == "thread_name")
    threadNames_[process + '\n' + std::string(fields.thread)] = fields.argsName;
}

void ChromeEvents::begin(const Fields& fields, Nanoseconds time) {
  place(fields.process, fields.thread, false)
      .open.push_back({time, std::string(fields.name), std::string(fields.category),
                       fields.launch.correlation});
}

void ChromeEvents::finish(const Fields& fields, Nanoseconds time) {
  Place& at = place(fields.process, fields.thread, false);
  if (at.open.empty()) {
    ++builder_.losses().unpaired;
    return;
  }
  const Open open = std::move(at.open.back());
  at.open.pop_back();
  Fields whole = fields;
  whole.name = open.name;
  whole.category = open.category;
  whole.launch.correlation = std::max(open.correlation, fields.launch.correlation);
  addComplete(whole, open.start, time);
}

void ChromeEvents::end(bool ours) {
  for (auto& [key, at] : places_) {
    builder_.losses().unpaired += at.open.size();
    Lane lane;
    lane.kind = at.device ? Lane::Kind::device : Lane::Kind::host;
    const auto numberOf = [this](const std::string& text) {
      const auto known = numbers_.find(text);
      return known != numbers_.end() ? known->second : number<std::int64_t>(text, 0);
    };
    lane.process = numberOf(at.process);
    lane.thread = numberOf(at.thread);
    const auto text = [](const std::map<std::string, std::string>& names, const std::string& of) {
      const auto found = names.find(of);
      return found == names.end() ? std::string() : found->second;
    };
    lane.name = text(threadNames_, at.process + '\n' + at.thread);
    lane.processName = text(processNames_, at.process);
    const std::string label = text(processLabels_, at.process);
    if (at.device && !label.empty() && label != "CPU" && !ours) lane.processName = label;
    const bool named = numbers_.contains(at.thread);
    if (lane.name.empty())
      lane.name =
          named ? at.thread : fmt::format("{} {}", at.device ? "stream" : "thread", at.thread);
    if (lane.processName.empty())
      lane.processName = numbers_.contains(at.process)
                             ? at.process
                             : fmt::format("{} {}", at.device ? "GPU" : "process", at.process);
    builder_.lane(lane);
  }
}

}  // namespace fusebench
