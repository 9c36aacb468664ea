// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "profiler/run/run.h"

namespace fusebench {

// The worker's language: JSON lines both ways. A request is {"id": 3, "do": "sample", ...}; its
// reply {"id": 3, "ok": {...}} or {"id": 3, "error": {"kind": "...", "message": "..."}}. Any number
// of {"id": 3, "working": true} may come before it: long work is still in progress, and the time
// limit starts again.
inline constexpr int kProtocolVersion = 1;
inline constexpr std::size_t kLongestLine = std::size_t{1} << 20;

enum class Verb : std::uint8_t {
  hello,
  load,
  prepare,
  sample,
  check,
  trace,
  stop,
  quit,
  code,
  values,   ///< write a cell's tensors to a file, for another worker
  compare,  ///< another worker's results, in such a file, with one's own
  read,     ///< a chunk of a side file, for a driver that does not see the worker's disk
};
std::string_view name(Verb verb);

enum class ErrorKind : std::uint8_t {
  request,      ///< the line is not a request, or its arguments are wrong
  input,        ///< the experiment is wrong
  unavailable,  ///< the cell cannot run here
  failed,       ///< it was tried and failed
  stopped,      ///< given up on a stop
  unsupported,  ///< a known request that this worker cannot do
};
std::string_view name(ErrorKind kind);

/// A line broke the protocol; what() is one line. `id` if it could be made out.
class ProtocolError : public std::runtime_error {
 public:
  explicit ProtocolError(const std::string& what, std::optional<std::int64_t> id = std::nullopt)
      : std::runtime_error(what), id_(id) {}
  std::optional<std::int64_t> id() const { return id_; }

 private:
  std::optional<std::int64_t> id_;
};

struct Request {
  std::int64_t id = 0;
  Verb verb = Verb::hello;
  nlohmann::json body;  ///< the whole object
};
std::string requestLine(std::int64_t id, Verb verb, nlohmann::json body = nlohmann::json::object());
Request parseRequest(std::string_view line);

struct Reply {
  std::optional<std::int64_t> id;  ///< nothing: the worker could not make out to what
  bool ok = false;
  nlohmann::json result;  ///< an object, if ok
  ErrorKind kind = ErrorKind::failed;
  std::string message;   ///< if not ok
  bool last = false;     ///< the worker ends after this reply, of its own accord
  bool working = false;  ///< no reply yet: the worker tells that it is at it
};
std::string okLine(std::int64_t id, nlohmann::json result = nlohmann::json::object());
std::string errorLine(std::optional<std::int64_t> id, ErrorKind kind, std::string_view message);
/// An error (`failed`) after which the worker ends, since its device is spoilt for the process.
std::string lastWordsLine(std::optional<std::int64_t> id, std::string_view message);
/// Throws ProtocolError for anything but a reply.
Reply parseReply(std::string_view line);

/// The cell a request names; throws ProtocolError if the experiment has no such cell.
CellKey keyOf(const Request& request, const Experiment& experiment);
nlohmann::json toJson(const CellKey& key);

/// A worker's reply for one sample.
struct TakenSample {
  Sample sample;  ///< its round is the study's
  std::int64_t passes = 0;
  std::string throttled;  ///< why the device was held below its usual clock; empty: it was not
};
nlohmann::json toJson(const TakenSample& taken);
/// Throws ProtocolError unless the time is a positive, finite number, and a device's are none below
/// 0.
TakenSample takenSample(const nlohmann::json& result);

}  // namespace fusebench
