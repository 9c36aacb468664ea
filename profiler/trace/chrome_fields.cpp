// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/chrome_fields.h"

#include <simdjson.h>

#include <array>
#include <charconv>
#include <new>
#include <nlohmann/json.hpp>

#include "profiler/trace/trace_scanner.h"
#include "profiler/trace/utf8_text.h"

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

/// JSON without the spaces between its tokens.
std::string withoutSpaces(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\' && i + 1 < json.size()) {
      text += c;
      text += json[++i];
    } else if (quoted || static_cast<unsigned char>(c) > ' ') {
      text += c;
    }
  }
  return text;
}

/// True if the argument is one of a collective.
bool readCollectiveArgument(std::string_view key, ondemand::value& value,
                            RecordedArguments& arguments) {
  const auto token = [&] { return bare(value.raw_json_token()); };
  if (key == "Collective name")
    arguments.collective = token();
  else if (key == "dtype")
    arguments.dtype = token();
  else if (key == "Process Group Name")
    arguments.group = token();
  else if (key == "In msg nelems")
    arguments.elementsIn = number<std::int64_t>(token(), -1);
  else if (key == "Out msg nelems")
    arguments.elementsOut = number<std::int64_t>(token(), -1);
  else if (key == "Group size")
    arguments.ranks = number<std::int32_t>(token(), 0);
  else
    return false;
  return true;
}

/// True if the argument is one of an allocation.
bool readMemoryArgument(std::string_view key, ondemand::value& value, ChromeFields& fields) {
  const auto token = [&] { return bare(value.raw_json_token()); };
  if (key == "Total Allocated")
    fields.allocated = number<std::int64_t>(token(), -1);
  else if (key == "Total Reserved")
    fields.reserved = number<std::int64_t>(token(), -1);
  else if (key == "Bytes")
    fields.allocation = number<std::int64_t>(token(), 0);
  else if (key == "Device Type")
    fields.deviceType = number<std::int32_t>(token(), -1);
  else if (key == "Device Id")
    fields.deviceId = number<std::int32_t>(token(), -1);
  else
    return false;
  return true;
}

/// Keeps a value of a counter, whatever it is called, if it is a number.
void readCount(std::string_view key, ondemand::value& value, ChromeFields& fields) {
  constexpr std::size_t kMostSeries = 64;
  const std::string_view token = bare(value.raw_json_token());
  double count = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), count);
  if (error == std::errc() && end == token.data() + token.size() &&
      fields.counts.size() < kMostSeries)
    fields.counts.emplace_back(key, count);
}

void readArgument(std::string_view key, ondemand::value value, ChromeFields& fields) {
  Launch& launch = fields.launch;
  const auto token = [&] { return bare(value.raw_json_token()); };
  if (key == "correlation" || key == "correlation_id")  // the latter is XLA's
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
  else if (key == "fusebench row")
    fields.row = number(token(), -1);
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
  else if (key == "calling process")
    launch.callingProcess = number(token(), kAnyProcess);
  else if (key == "avg ms")
    fields.sums = true;
  else if (key == "Sequence number")
    fields.arguments.sequence = number<std::int64_t>(token(), -1);
  else if (key == "Fwd thread id")
    fields.arguments.forwardThread = number<std::int64_t>(token(), 0);
  else if (readCollectiveArgument(key, value, fields.arguments) ||
           readMemoryArgument(key, value, fields))
    return;
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

}  // namespace

void ChromeParser::readOperatorArgument(std::string_view key, std::string_view json,
                                        RecordedArguments& arguments) {
  constexpr std::size_t kLongest = 4096;  // beyond it, an optimizer's lists of all weights
  const auto keep = [&](std::string& kept) {
    kept.clear();
    // It is written to files as it is, and the parser of the event does not look inside.
    if (json.size() <= kLongest && json.starts_with('[') && nlohmann::json::accept(json))
      kept = withoutSpaces(json);
    return std::string_view(kept);
  };
  if (key == "Input Dims")
    arguments.shapes = keep(shapes_);
  else if (key == "Input type")
    arguments.types = keep(types_);
  else if (key == "Input Strides")
    arguments.strides = keep(strides_);
  else
    arguments.values = keep(values_);
}

struct ChromeParser::Json {
  ondemand::parser parser;
};

ChromeParser::ChromeParser() : json_(std::make_unique<Json>()) {}
ChromeParser::~ChromeParser() = default;

bool ChromeParser::parse(std::string_view text, ChromeFields& fields) {
  replaced_ = false;
  if (parseText(text, fields)) return true;
  repaired_ = validUtf8(text);
  if (repaired_ == text) return false;
  replaced_ = true;
  const std::size_t length = repaired_.size();
  repaired_.append(TraceScanner::kPadding, ' ');
  fields = {};
  return parseText(std::string_view(repaired_).substr(0, length), fields);
}

bool ChromeParser::parseText(std::string_view text, ChromeFields& fields) {
  ondemand::document document;
  ondemand::object object;
  // simdjson does not see that it got no memory for strings; asked once more, it tries again.
  if (text.size() > json_->parser.capacity() &&
      json_->parser.allocate(text.size()) == simdjson::MEMALLOC)
    throw std::bad_alloc();
  const simdjson::error_code started =
      json_->parser.iterate(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING)
          .get(document);
  if (started == simdjson::MEMALLOC) throw std::bad_alloc();  // the text may well be right
  if (started || document.get_object().get(object)) return false;
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
    } else if (key == "id") {
      fields.id = bare(value.raw_json_token());
    } else if (key == "bp") {
      fields.bindingPoint = bare(value.raw_json_token());
    } else if (key == "args") {
      ondemand::object args;
      if (value.get_object().get(args)) continue;
      for (auto argument : args) {
        std::string_view name;
        ondemand::value content;
        if (argument.unescaped_key().get(name) || argument.value().get(content)) return false;
        // A file may say the phase after the arguments.
        if (fields.phase == 'C' || fields.phase == 0) {
          readCount(name, content, fields);
          if (fields.phase == 'C') continue;
        }
        if (name == "Input Dims" || name == "Input type" || name == "Input Strides" ||
            name == "Concrete Inputs") {
          std::string_view json;
          if (simdjson::to_json_string(content).get(json)) return false;
          readOperatorArgument(name, json, fields.arguments);
          continue;
        }
        readArgument(name, content, fields);
      }
    }
    if (error) return false;
  }
  fields.track = fields.thread;
  if (!fields.ownThread.empty()) fields.thread = fields.ownThread;
  return fields.phase != 0;
}

}  // namespace fusebench
