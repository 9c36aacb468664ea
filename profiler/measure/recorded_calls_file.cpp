// SPDX-License-Identifier: GPL-3.0-or-later
// The file of recorded calls: a line of JSON that names its contents, then the spans as they are in
// memory. Written and read on one machine.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/files/files.h"
#include "profiler/files/json_text.h"
#include "profiler/measure/recorded_calls.h"
#include "profiler/run/cell_json.h"

namespace fusebench {
namespace {

using nlohmann::json;
constexpr int kVersion = 4;
constexpr std::int64_t kMostSpans = 10'000'000;
static_assert(sizeof(CallSpan) == 32 && sizeof(DriverSpan) == 32 && sizeof(DeviceSpan) == 120 &&
              sizeof(ExecutionBytes) == 24);

void demandSound(const RecordedCalls& calls) {
  for (const CallSpan& span : calls.spans)
    if (span.end < span.start || span.kernel >= calls.kernels.size() ||
        static_cast<std::size_t>(span.part) >= kCallParts || span.launch < -1)
      throw RecordError(saying("invalid slice"));
  for (const DriverSpan& span : calls.driver)
    if (span.end < span.start || span.name >= calls.kernels.size())
      throw RecordError(saying("invalid driver-call record"));
  for (const DeviceSpan& span : calls.device)
    if (span.end < span.start || span.name >= calls.kernels.size() || !isDeviceWork(span.kind) ||
        span.launch < -1)
      throw RecordError(saying("invalid device record"));
}

template <class Span>
std::string_view bytesOf(const std::vector<Span>& spans) {
  return {reinterpret_cast<const char*>(spans.data()), spans.size() * sizeof(Span)};
}

/// Takes so many from the front of `bytes`.
template <class Span>
void take(std::vector<Span>& spans, std::int64_t count, std::string_view& bytes) {
  const std::size_t size = static_cast<std::size_t>(count) * sizeof(Span);
  if (bytes.size() < size) throw RecordError(saying("it is truncated"));
  spans.resize(static_cast<std::size_t>(count));
  if (size > 0) std::memcpy(spans.data(), bytes.data(), size);
  bytes.remove_prefix(size);
}

RecordedCalls parse(std::string_view content) {
  const std::size_t line = content.find('\n');
  if (line == std::string_view::npos) throw RecordError(saying("its first line is incomplete"));
  const json header = jsonOf(content.substr(0, line));
  if (!header.is_object()) throw RecordError(saying("its first line must be a JSON object"));
  if (integerMember(header, "fusebench_calls", 0, 1 << 20) != kVersion)
    throw RecordError(saying("it has another version"));
  RecordedCalls calls;
  calls.kernels.clear();
  for (const json& name : arrayMember(header, "kernels")) {
    if (!name.is_string()) throw RecordError(saying("\"kernels\" must contain only strings"));
    calls.kernels.push_back(name.get<std::string>());
  }
  for (const json& statements : arrayMember(header, "statements"))
    calls.statements.push_back(statements.get<std::vector<int>>());
  calls.stampNanoseconds = numberMember(header, "stamp_ns");
  calls.recordings = static_cast<int>(integerMember(header, "recordings", 1, 1 << 20));
  if (header.contains("rank")) {
    RankPlace& place = calls.place;
    place.ranks = static_cast<int>(integerMember(header, "ranks", 1, 1 << 20));
    place.rank = static_cast<int>(integerMember(header, "rank", 0, place.ranks - 1));
    place.shift =
        integerMember(header, "shift_ns", -(std::int64_t{1} << 60), std::int64_t{1} << 60);
    place.drift = numberMember(header, "drift");
    place.error = integerMember(header, "error_ns", 0, std::int64_t{1} << 60);
    if (!(std::abs(place.drift) < 0.5)) throw RecordError("\"drift\" makes no sense");
  }
  calls.lost = static_cast<std::uint64_t>(integerMember(header, "lost", 0, INT64_MAX));
  calls.zero = static_cast<std::uint64_t>(integerMember(header, "zero", 0, INT64_MAX));
  calls.inverted = static_cast<std::uint64_t>(integerMember(header, "inverted", 0, INT64_MAX));
  calls.deviceNote = stringMember(header, "device_note");
  std::string_view bytes = content.substr(line + 1);
  take(calls.spans, integerMember(header, "spans", 0, kMostSpans), bytes);
  take(calls.driver, integerMember(header, "driver", 0, kMostSpans), bytes);
  take(calls.device, integerMember(header, "device", 0, kMostSpans), bytes);
  take(calls.bytes, integerMember(header, "bytes", 0, kMostSpans), bytes);
  if (!bytes.empty()) throw RecordError(saying("there are more bytes than its header states"));
  demandSound(calls);
  return calls;
}

}  // namespace

void writeRecordedCalls(const RecordedCalls& calls, const std::string& path) {
  json header = {{"fusebench_calls", kVersion},
                 {"kernels", calls.kernels},
                 {"statements", calls.statements},
                 {"stamp_ns", calls.stampNanoseconds},
                 {"recordings", calls.recordings},
                 {"lost", calls.lost},
                 {"zero", calls.zero},
                 {"inverted", calls.inverted},
                 {"device_note", calls.deviceNote},
                 {"spans", calls.spans.size()},
                 {"driver", calls.driver.size()},
                 {"device", calls.device.size()},
                 {"bytes", calls.bytes.size()}};
  if (calls.place.ranks > 1)
    header.update({{"rank", calls.place.rank},
                   {"ranks", calls.place.ranks},
                   {"shift_ns", calls.place.shift},
                   {"drift", calls.place.drift},
                   {"error_ns", calls.place.error}});
  std::string content = header.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  content.append(bytesOf(calls.spans));
  content.append(bytesOf(calls.driver));
  content.append(bytesOf(calls.device));
  content.append(bytesOf(calls.bytes));
  writeFile(path, content);
}

RecordedCalls readRecordedCalls(const std::string& path) {
  const std::string content = readFile(path);
  try {
    return parse(content);
  } catch (const RecordError& wrong) {
    throw InputError(
        saying("{}: this is not a recording of calls: {}; record it again", path, wrong.what()));
  } catch (const json::exception& wrong) {
    throw InputError(
        saying("{}: this is not a recording of calls: {}; record it again", path, wrong.what()));
  }
}

}  // namespace fusebench
