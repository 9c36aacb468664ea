// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/ranks/rank_replies.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/saying.h"
#include "profiler/experiment/rank_options.h"
#include "profiler/run/cell_json.h"

namespace fusebench {
namespace {

using nlohmann::json;

/// The greatest of what all ranks say of a number that they have.
void takeGreatest(json& result, std::span<const Reply> replies, const char* key) {
  for (const Reply& reply : replies) {
    const auto found = reply.result.find(key);
    if (found == reply.result.end() || !found->is_number()) continue;
    if (!result.contains(key) || !result[key].is_number() ||
        found->get<double>() > result[key].get<double>())
      result[key] = *found;
  }
}

void addTimes(json& result, std::span<const Reply> replies) {
  json each = json::array();
  for (const Reply& reply : replies) each.push_back(numberMember(reply.result, "ns"));
  takeGreatest(result, replies, "ns");
  result["ranks_ns"] = std::move(each);
}

/// Where each of them has written what it was asked to write.
void listFiles(json& result, std::span<const Reply> replies) {
  json files = json::array();
  for (const Reply& reply : replies)
    if (reply.result.contains("file")) files.push_back(reply.result["file"]);
  if (files.size() == replies.size()) result["files"] = std::move(files);
}

}  // namespace

std::string togetherLine(const Request& request, std::span<const Reply> replies) {
  for (std::size_t rank = 0; rank < replies.size(); ++rank) {
    const Reply& reply = replies[rank];
    if (reply.ok) continue;
    // An error that all report does not belong to a single rank.
    const bool all = std::ranges::all_of(
        replies, [&](const Reply& each) { return !each.ok && each.message == reply.message; });
    const std::string what = all ? reply.message : saying("rank {}: {}", rank, reply.message);
    return reply.last ? lastWordsLine(request.id, what) : errorLine(request.id, reply.kind, what);
  }
  json result = replies.front().result;
  try {
    if (request.verb == Verb::sample) addTimes(result, replies);
  } catch (const RecordError& wrong) {
    return errorLine(request.id, ErrorKind::failed, wrong.what());
  }
  if (request.verb == Verb::trace) listFiles(result, replies);
  if (request.verb == Verb::prepare) takeGreatest(result, replies, "peak_bytes");
  if (request.verb == Verb::check) takeGreatest(result, replies, "rel_error");
  return okLine(request.id, std::move(result));
}

Request requestFor(const Request& request, int rank) {
  Request own = request;
  for (const char* key : {"file", "inputs", "values"})
    if (own.body.contains(key) && own.body[key].is_string())
      own.body[key] = fileOfRank(own.body[key].get<std::string>(), rank);
  return own;
}

}  // namespace fusebench
