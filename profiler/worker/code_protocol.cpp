// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/worker/code_protocol.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string_view>

#include "profiler/run/cell_json.h"

namespace fusebench {
namespace {

using nlohmann::json;

// Escaped, and with their ops, so many lines stay far below the longest line.
constexpr std::size_t kMostBytes = std::size_t{128} << 10;
constexpr std::int64_t kMostLines = 8000;
constexpr std::size_t kLongestCodeLine = std::size_t{16} << 10;
constexpr std::size_t kMostStorages = 1000;  ///< more would not be distinguishable
constexpr std::size_t kLongestName = 60;

json storagesOf(const CellCode& code, json& leftOut) {
  std::vector<const CellCode::StorageInfo*> all;
  for (const CellCode::StorageInfo& each : code.storages()) all.push_back(&each);
  leftOut = 0;
  if (all.size() > kMostStorages) {
    leftOut = all.size() - kMostStorages;
    std::vector<const CellCode::StorageInfo*> largest = all;
    const auto cut = largest.begin() + kMostStorages;
    std::ranges::nth_element(largest, cut, std::greater(), &CellCode::StorageInfo::bytes);
    largest.erase(cut, largest.end());
    std::ranges::sort(largest);  // they share one list
    all = std::move(largest);
  }
  json storages = json::array();
  for (const CellCode::StorageInfo* each : all)
    storages.push_back({{"name", each->name.substr(0, kLongestName)},
                        {"kind", each->kind},
                        {"memory", each->memory},
                        {"bytes", each->bytes},
                        {"first", each->first},
                        {"last", each->last}});
  return storages;
}

json listing(CellCode& code) {
  json kernels = json::array();
  for (const CellCode::KernelInfo& kernel : code.kernels())
    kernels.push_back({{"name", kernel.name},
                       {"statements", kernel.statements},
                       {"ops", kernel.ops},
                       {"backward", kernel.backward ? 1 : 0}});
  json languages = json::array();
  if (!code.kernels().empty())
    for (const GeneratedCode& language : code.languages(0)) languages.push_back(language.language);
  json leftOut;
  json storages = storagesOf(code, leftOut);
  return {{"inputs", code.inputs()},
          {"kernels", std::move(kernels)},
          {"languages", std::move(languages)},
          {"storages", std::move(storages)},
          {"storagesLeftOut", std::move(leftOut)}};
}

json linesFrom(const GeneratedCode& code, std::int64_t from) {
  std::size_t at = 0;
  for (std::int64_t line = 0; line < from && at < code.text.size(); ++line)
    at = std::min(code.text.find('\n', at), code.text.size() - 1) + 1;
  std::string text;
  json ops = json::array();
  std::int64_t line = from;
  while (at < code.text.size() && text.size() < kMostBytes && line - from < kMostLines) {
    const std::size_t end = std::min(code.text.find('\n', at), code.text.size());
    text += std::string_view(code.text).substr(at, std::min(end - at, kLongestCodeLine));
    text += '\n';
    const auto index = static_cast<std::size_t>(line);
    ops.push_back(index < code.lineOps.size() ? code.lineOps[index] : -1);
    at = end + 1;
    ++line;
  }
  json reply = {{"text", text}, {"ops", ops}};
  if (at < code.text.size()) reply["next"] = line;
  return reply;
}

std::vector<int> smallIntegers(const json& object, const char* key) {
  std::vector<int> numbers;
  for (const std::int64_t number : integersMember(object, key)) {
    if (number < -1 || number > (1 << 30))
      throw RecordError(fmt::format("\"{}\" is out of range", key));
    numbers.push_back(static_cast<int>(number));
  }
  return numbers;
}

json ask(WorkerClient& client, json body, double seconds) {
  Reply reply = client.ask(Verb::code, std::move(body), seconds);
  if (!reply.ok) throw std::runtime_error(reply.message);
  return std::move(reply.result);
}

}  // namespace

json answerCode(CellCode& code, const Request& request) {
  if (!request.body.contains("kernel")) return listing(code);
  try {
    const auto most = static_cast<std::int64_t>(code.kernels().size()) - 1;
    const std::int64_t kernel = integerMember(request.body, "kernel", 0, most);
    const std::string language = stringMember(request.body, "language");
    const std::int64_t from = integerMember(request.body, "from", 0, 1 << 30);
    for (const GeneratedCode& known : code.languages(static_cast<std::size_t>(kernel)))
      if (known.language == language) return linesFrom(known, from);
    throw RecordError(fmt::format("there is no language \"{}\"", language));
  } catch (const RecordError& error) {
    throw ProtocolError(error.what(), request.id);
  }
}

CodeListing listCode(WorkerClient& client, const CellKey& key, double seconds) {
  const json reply = ask(client, toJson(key), seconds);
  CodeListing list;
  list.inputs = stringMember(reply, "inputs");
  for (const json& entry : arrayMember(reply, "kernels"))
    list.kernels.push_back({stringMember(entry, "name"), smallIntegers(entry, "statements"),
                            smallIntegers(entry, "ops"),
                            integerMember(entry, "backward", 0, 1) != 0});
  const auto steps = static_cast<std::int64_t>(list.kernels.size());
  constexpr std::int64_t kMostBytesThere = std::int64_t{1} << 50;
  for (const json& entry : arrayMember(reply, "storages")) {
    CellCode::StorageInfo storage;
    storage.name = stringMember(entry, "name");
    storage.kind = stringMember(entry, "kind");
    storage.memory = stringMember(entry, "memory");
    storage.bytes = integerMember(entry, "bytes", 0, kMostBytesThere);
    storage.first = static_cast<int>(integerMember(entry, "first", -1, steps));
    storage.last = static_cast<int>(integerMember(entry, "last", storage.first, steps));
    list.storages.push_back(std::move(storage));
  }
  list.storagesLeftOut = integerMember(reply, "storagesLeftOut", 0, 1 << 30);
  for (const json& language : arrayMember(reply, "languages")) {
    if (!language.is_string()) throw RecordError("\"languages\" holds no text");
    list.languages.push_back(language.get<std::string>());
  }
  return list;
}

GeneratedCode fetchCode(WorkerClient& client, const CellKey& key, std::size_t kernel,
                        const std::string& language, double seconds) {
  GeneratedCode code{language, {}, {}};
  json body = toJson(key);
  body["kernel"] = kernel;
  body["language"] = language;
  for (std::int64_t from = 0;;) {
    body["from"] = from;
    const json reply = ask(client, body, seconds);
    code.text += stringMember(reply, "text");
    const std::vector<int> ops = smallIntegers(reply, "ops");
    code.lineOps.insert(code.lineOps.end(), ops.begin(), ops.end());
    if (!reply.contains("next")) return code;
    from = integerMember(reply, "next", from + 1, 1 << 30);
  }
}

}  // namespace fusebench
