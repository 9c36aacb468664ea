// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/protocol/protocol.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <limits>

#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "profiler/files/json_text.h"
#include "profiler/run/cell_json.h"

namespace fusebench {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 12> kVerbs = {"hello", "load",   "prepare", "sample",
                                                     "check", "trace",  "stop",    "quit",
                                                     "code",  "values", "compare", "read"};
constexpr std::array<std::string_view, 6> kKinds = {"request", "input",   "unavailable",
                                                    "failed",  "stopped", "unsupported"};

std::string lineOf(const json& object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

json parseObject(std::string_view line) {
  if (line.size() > kLongestLine) throw ProtocolError("the line is longer than 1 MiB");
  json object = jsonOf(line);
  if (!object.is_object())
    throw ProtocolError(saying("this is not a JSON object: {}", shownName(line)));
  return object;
}

std::optional<std::int64_t> idOf(const json& object) {
  const auto found = object.find("id");
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

std::string oneLine(std::string_view text) {
  std::string line(text.substr(0, 4000));
  for (char& c : line)
    if (c == '\n' || c == '\r') c = ' ';
  return line;
}

}  // namespace

std::string_view name(Verb verb) {
  return kVerbs[static_cast<std::size_t>(verb)];
}
std::string_view name(ErrorKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

std::string requestLine(std::int64_t id, Verb verb, json body) {
  body["id"] = id;
  body["do"] = name(verb);
  return lineOf(body);
}

Request parseRequest(std::string_view line) {
  Request request;
  request.body = parseObject(line);
  const auto id = idOf(request.body);
  if (!id) throw ProtocolError("the request has no number; add \"id\"");
  request.id = *id;
  const auto verb = request.body.find("do");
  if (verb == request.body.end() || !verb->is_string())
    throw ProtocolError("the request does not say what to do; add \"do\"", id);
  for (std::size_t i = 0; i < kVerbs.size(); ++i)
    if (*verb == kVerbs[i]) {
      request.verb = static_cast<Verb>(i);
      return request;
    }
  throw ProtocolError(
      saying("there is no request \"{}\"", shownName(verb->get_ref<const std::string&>())), id);
}

std::string okLine(std::int64_t id, json result) {
  return lineOf({{"id", id}, {"ok", std::move(result)}});
}

std::string errorLine(std::optional<std::int64_t> id, ErrorKind kind, std::string_view message) {
  json line = {{"id", nullptr}, {"error", {{"kind", name(kind)}, {"message", oneLine(message)}}}};
  if (id) line["id"] = *id;
  return lineOf(line);
}

std::string lastWordsLine(std::optional<std::int64_t> id, std::string_view message) {
  json line = {
      {"id", nullptr},
      {"error",
       {{"kind", name(ErrorKind::failed)}, {"message", oneLine(message)}, {"last", true}}}};
  if (id) line["id"] = *id;
  return lineOf(line);
}

Reply parseReply(std::string_view line) {
  const json object = parseObject(line);
  Reply reply;
  reply.id = idOf(object);
  if (const auto ok = object.find("ok"); ok != object.end() && ok->is_object() && reply.id) {
    reply.ok = true;
    reply.result = *ok;
    return reply;
  }
  if (object.value("working", json(false)) == json(true) && reply.id) {
    reply.working = true;
    return reply;
  }
  const auto error = object.find("error");
  if (error == object.end() || !error->is_object())
    throw ProtocolError(saying("invalid reply: {}", shownName(line)), reply.id);
  try {
    const std::string kind = stringMember(*error, "kind");
    reply.message = oneLine(stringMember(*error, "message"));
    reply.last = error->value("last", json(false)) == json(true);
    for (std::size_t i = 0; i < kKinds.size(); ++i)
      if (kind == kKinds[i]) reply.kind = static_cast<ErrorKind>(i);
  } catch (const RecordError& wrong) {
    throw ProtocolError(wrong.what(), reply.id);
  }
  return reply;
}

json toJson(const CellKey& key) {
  return {{"variant", key.variant}, {"at", key.at}};
}

CellKey keyOf(const Request& request, const Experiment& experiment) {
  try {
    CellKey key;
    key.variant = static_cast<int>(integerMember(request.body, "variant", 0, 1 << 20));
    key.at = integersMember(request.body, "at");
    if (indexOfCell(experiment, key)) return key;
  } catch (const RecordError& wrong) {
    throw ProtocolError(wrong.what(), request.id);
  }
  throw ProtocolError("the experiment has no such cell", request.id);
}

json toJson(const TakenSample& taken) {
  json result = {{"ns", taken.sample.nanoseconds}, {"passes", taken.passes}};
  if (const auto& device = taken.sample.device)
    for (const DeviceTimeField& field : kDeviceTimeFields)
      if (isMeasured(*device, field.member)) result[field.key] = (*device).*field.member;
  if (taken.sample.clockMegahertz > 0) result["clock_mhz"] = taken.sample.clockMegahertz;
  if (!taken.throttled.empty()) result["throttled"] = taken.throttled;
  if (!taken.sample.ranks.empty()) result["ranks_ns"] = taken.sample.ranks;
  return result;
}

TakenSample takenSample(const json& result) {
  const auto positive = [&](const char* key, bool orZero = false) {
    const double time = numberMember(result, key);
    if (std::isfinite(time) && (time > 0 || (orZero && time == 0))) return time;
    throw RecordError(saying("\"{}\" is not a positive number", key));
  };
  try {
    TakenSample taken;
    taken.sample.nanoseconds = positive("ns");
    if (result.contains(kDeviceTimeFields[0].key)) {
      taken.sample.device.emplace();
      for (const DeviceTimeField& field : kDeviceTimeFields)
        if (!field.optional || result.contains(field.key))
          (*taken.sample.device).*field.member = positive(field.key, /*orZero=*/true);
    }
    if (result.contains("passes"))
      taken.passes = integerMember(result, "passes", 1, std::numeric_limits<std::int64_t>::max());
    if (result.contains("clock_mhz")) taken.sample.clockMegahertz = positive("clock_mhz");
    if (result.contains("throttled")) taken.throttled = stringMember(result, "throttled");
    if (result.contains("ranks_ns"))
      for (const json& each : arrayMember(result, "ranks_ns")) {
        if (!each.is_number() || !std::isfinite(each.get<double>()) || each.get<double>() <= 0)
          throw RecordError(saying("\"ranks_ns\" must contain only positive numbers"));
        taken.sample.ranks.push_back(each.get<double>());
      }
    return taken;
  } catch (const RecordError& wrong) {
    throw ProtocolError(saying("invalid times in a sample: {}", wrong.what()));
  }
}

}  // namespace fusebench
