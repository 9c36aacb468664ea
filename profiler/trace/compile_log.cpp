// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/compile_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/base/saying.h"
#include "profiler/files/byte_source.h"
#include "profiler/files/input_error.h"
#include "profiler/files/json_text.h"
#include "profiler/files/line_buffer.h"
#include "profiler/trace/utf8_text.h"

namespace fusebench {
namespace {

constexpr std::size_t kLongestLine = std::size_t{4} << 20;
constexpr std::size_t kLongestPayload = std::size_t{4} << 20;
constexpr std::size_t kMostEntries = 200'000;  // for each list; a hostile log has any number
constexpr std::size_t kMostGuards = 64;        // for a recompilation
constexpr std::size_t kLongestText = 500;      // for a reason or a guard
constexpr std::size_t kSniffedText = 1 << 16;
constexpr std::size_t kMostLogs = 1024;  // for a directory
constexpr std::size_t kMostCaches = 32;
constexpr std::size_t kMostCode = std::size_t{64} << 20;  // bytes kept of generated code

/// The begin of a line of Python's logging as PyTorch formats it, and what follows.
struct LogLine {
  double time = 0;  ///< seconds of the year
  std::string_view rest;
};

bool digitsAt(std::string_view text, std::size_t at, std::size_t count) {
  if (text.size() < at + count) return false;
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at),
                     text.begin() + static_cast<std::ptrdiff_t>(at + count),
                     [](char c) { return c >= '0' && c <= '9'; });
}

int numberAt(std::string_view text, std::size_t at, std::size_t count) {
  int value = 0;
  std::from_chars(text.data() + at, text.data() + at + count, value);
  return value;
}

/// "V1129 11:47:07.815000 12863 torch/_dynamo/guards.py:6374] rest", with "[rank0]:" before it in
/// runs of several ranks.
std::optional<LogLine> logLine(std::string_view text) {
  if (text.starts_with("[rank"))
    if (const std::size_t end = text.find("]:"); end != std::string_view::npos && end < 16)
      text.remove_prefix(end + 2);
  constexpr std::string_view kLevels = "VDIWEC";
  if (text.size() < 30 || kLevels.find(text[0]) == std::string_view::npos ||
      !digitsAt(text, 1, 4) || text[5] != ' ' || !digitsAt(text, 6, 2) || text[8] != ':' ||
      !digitsAt(text, 9, 2) || text[11] != ':' || !digitsAt(text, 12, 2) || text[14] != '.' ||
      !digitsAt(text, 15, 6))
    return std::nullopt;
  const std::size_t end = text.find("] ", 21);
  if (end == std::string_view::npos || end > 400) return std::nullopt;
  const double day = 31.0 * numberAt(text, 1, 2) + numberAt(text, 3, 2);
  return LogLine{day * 86400 + numberAt(text, 6, 2) * 3600.0 + numberAt(text, 9, 2) * 60.0 +
                     numberAt(text, 12, 2) + numberAt(text, 15, 6) * 1e-6,
                 text.substr(end + 2)};
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string shortened(std::string_view text) {
  text = trimmed(text);
  if (text.size() <= kLongestText) return validUtf8(text);
  return validUtf8(text.substr(0, kLongestText)) + "...";
}

/// "model.py:10" into its parts.
void takePlace(std::string_view text, std::string& file, int& line) {
  text = trimmed(text);
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) {
    file = shortened(text);
    return;
  }
  const char* const end = text.data() + text.size();
  if (std::from_chars(text.data() + colon + 1, end, line).ptr != end) line = 0;
  file = shortened(text.substr(0, colon));
}

double secondsIn(const nlohmann::json& object, const char* key, double unit = 1) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return 0;
  const double value = unit * found->get<double>();
  return std::isfinite(value) && value > 0 && value < 1e9 ? value : 0;
}
std::int64_t countIn(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : -1;
}
std::string textIn(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string()
             ? shortened(found->get_ref<const std::string&>())
             : std::string();
}

/// A graph break's text, line by line.
class BreakText {
 public:
  void add(std::string_view line, GraphBreak& into) {
    const std::string_view text = trimmed(line);
    const auto after = [&](std::string_view mark) -> std::optional<std::string_view> {
      if (!text.starts_with(mark)) return std::nullopt;
      return trimmed(text.substr(mark.size()));
    };
    constexpr std::string_view kPlace = " in user code at ";
    if (const std::size_t at = text.find(kPlace);
        text.starts_with("Graph break") && at != std::string_view::npos)
      takePlace(text.substr(at + kPlace.size()), into.file, into.line);
    else if (const auto reason = after("Graph Break Reason:"))
      into.reason = shortened(*reason), afterReason_ = true;
    else if (const auto older = after("Reason:"))
      into.reason = shortened(*older);
    else if (const auto explanation = after("Explanation:"))
      into.explanation = shortened(*explanation), afterReason_ = false;
    else if (const auto hint = after("Hint:"))
      into.hint = into.hint.empty() ? shortened(*hint) : into.hint;
    else if (afterReason_ && !text.empty() && into.reason.find("Encountered graph break") == 0)
      into.reason = shortened(text), afterReason_ = false;  // says what it was
  }

 private:
  bool afterReason_ = false;
};

class LogReader {
 public:
  explicit LogReader(std::string title) { log_.title = std::move(title); }

  void line(std::string_view text) {
    if (text.starts_with('\t') && open_) {
      if (payload_.size() + text.size() <= kLongestPayload) {
        payload_ += text.substr(1);
        payload_ += '\n';
      }
      return;
    }
    endEvent();
    const auto known = logLine(text);
    if (!known) {
      // Programs print between the lines of a text log; a structured one has nothing else.
      log_.malformed += log_.structured && !trimmed(text).empty();
      return;
    }
    if (first_ < 0) first_ = known->time;
    last_ = std::max(last_, known->time);
    if (known->rest.starts_with('{'))
      beginEvent(known->rest);
    else
      textLine(known->rest);
  }

  CompileLog finish() {
    endEvent();
    endText();
    log_.covered = first_ < 0 ? 0 : last_ - first_;
    finishPhases();
    if (log_.compiling == 0)
      for (const FrameCompile& frame : log_.frames) log_.compiling += frame.total;
    log_.compiling = std::min(log_.compiling, std::max(log_.covered, 0.0));
    return std::move(log_);
  }

 private:
  // ---- TORCH_TRACE: a line of JSON, then a payload, each of its lines after a tab

  void beginEvent(std::string_view text) {
    log_.structured = true;
    nlohmann::json event = jsonOf(validUtf8(text));
    if (!event.is_object()) {
      ++log_.malformed;
      return;
    }
    event_ = std::move(event);
    open_ = true;
  }

  std::string idOf(const nlohmann::json& event) const {
    const std::int64_t frame = countIn(event, "frame_id"),
                       compile = countIn(event, "frame_compile_id");
    return frame < 0 ? std::string() : fmt::format("{}/{}", frame, compile);
  }

  void endEvent() {
    if (!open_) return;
    open_ = false;
    const std::string payload = std::exchange(payload_, {});
    if (const auto metrics = event_.find("compilation_metrics");
        metrics != event_.end() && metrics->is_object())
      takeMetrics(*metrics);
    else if (event_.contains("chromium_event"))
      takePhase(jsonOf(validUtf8(payload)));
    else if (const auto start = event_.find("dynamo_start"); start != event_.end())
      takeStart(*start);
    else if (const auto text = event_.find("str"); text != event_.end())
      takeString(*text);
    else if (const auto symbol = event_.find("create_symbol"); symbol != event_.end())
      takeSymbol(*symbol);
    else if (const auto constant = event_.find("symbolic_shape_specialization");
             constant != event_.end())
      takeSpecialization(*constant);
    else if (const auto code = event_.find("inductor_output_code"); code != event_.end())
      takeCode(*code, payload);
    else if (const auto artifact = event_.find("artifact");
             artifact != event_.end() && artifact->is_object())
      takeArtifact(textIn(*artifact, "name"), payload);
  }

  void takeSymbol(const nlohmann::json& symbol) {
    if (!symbol.is_object() || log_.shapes.size() >= kMostEntries) return;
    DynamicShape made;
    made.id = idOf(event_);
    made.symbol = textIn(symbol, "symbol");
    made.source = textIn(symbol, "source");
    made.value = textIn(symbol, "val");
    made.range = textIn(symbol, "vr");
    // A second attempt at a frame, after a graph break, creates the same symbols again.
    constexpr std::ptrdiff_t kMostOfAFrame = 256;
    const auto from = log_.shapes.end() - std::min(std::ssize(log_.shapes), kMostOfAFrame);
    const auto before = std::find_if(from, log_.shapes.end(), [&](const DynamicShape& one) {
      return one.id == made.id && one.source == made.source;
    });
    if (before != log_.shapes.end()) log_.shapes.erase(before);
    log_.shapes.push_back(std::move(made));
  }

  /// Belongs to the symbol that was created last under this name.
  void takeSpecialization(const nlohmann::json& constant) {
    if (!constant.is_object()) return;
    const std::string symbol = textIn(constant, "symbol"), id = idOf(event_);
    const auto known =
        std::find_if(log_.shapes.rbegin(), log_.shapes.rend(),
                     [&](const DynamicShape& one) { return one.symbol == symbol && one.id == id; });
    if (known == log_.shapes.rend()) return;
    known->specialization = textIn(constant, "reason");
    if (known->specialization.empty()) known->specialization = textIn(constant, "value");
  }

  void takeCode(const nlohmann::json& code, std::string_view text) {
    if (!code.is_object() || log_.code.size() >= kMostEntries) return;
    LoggedCode& made = log_.code.emplace_back();
    made.id = idOf(event_);
    made.file = textIn(code, "filename");
    made.lines = static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
    if (codeBytes_ + text.size() > kMostCode) return;
    codeBytes_ += text.size();
    made.text = validUtf8(text);
  }

  /// ["path", 3]: file number 3.
  void takeString(const nlohmann::json& text) {
    if (!text.is_array() || text.size() != 2 || !text[0].is_string() ||
        !text[1].is_number_integer())
      return;
    if (files_.size() < kMostEntries)
      files_[text[1].get<std::int64_t>()] = shortened(text[0].get_ref<const std::string&>());
  }

  /// The function is the innermost frame of the stack.
  void takeStart(const nlohmann::json& start) {
    if (!start.is_object() || !start.contains("stack") || !start["stack"].is_array() ||
        start["stack"].empty() || functions_.size() >= kMostEntries)
      return;
    const nlohmann::json& frame = start["stack"].back();
    if (!frame.is_object()) return;
    CompiledFunction function;
    function.name = textIn(frame, "name");
    function.line = static_cast<int>(std::clamp<std::int64_t>(countIn(frame, "line"), 0, 1 << 30));
    if (const auto file = files_.find(countIn(frame, "filename")); file != files_.end())
      function.file = file->second;
    functions_[idOf(event_)] = function;
  }

  void takeMetrics(const nlohmann::json& metrics) {
    if (log_.frames.size() >= kMostEntries) return;
    FrameCompile frame;
    frame.id = textIn(metrics, "compile_id");
    if (frame.id.empty()) frame.id = idOf(event_);
    frame.function = {
        textIn(metrics, "co_name"), textIn(metrics, "co_filename"),
        static_cast<int>(std::clamp<std::int64_t>(countIn(metrics, "co_firstlineno"), 0, 1 << 30))};
    frame.total = secondsIn(metrics, "entire_frame_compile_time_s");
    frame.backend = secondsIn(metrics, "backend_compile_time_s");
    // Some versions have microseconds, under other names.
    constexpr double kMicroseconds = 1e-6;
    if (frame.total == 0)
      frame.total = secondsIn(metrics, "dynamo_cumulative_compile_time_us", kMicroseconds);
    if (frame.backend == 0)
      frame.backend = secondsIn(metrics, "aot_autograd_cumulative_compile_time_us", kMicroseconds);
    frame.guards = countIn(metrics, "guard_count");
    frame.operations = countIn(metrics, "graph_op_count");
    frame.failure = textIn(metrics, "fail_reason");
    functions_[frame.id] = frame.function;
    for (Recompile& one : log_.recompiles)
      if (one.id == frame.id) one.function = frame.function;
    log_.frames.push_back(std::move(frame));
  }

  void takeArtifact(const std::string& name, const std::string& payload) {
    if (name == "dynamo_graph_break_reason" && log_.breaks.size() < kMostEntries) {
      GraphBreak& one = log_.breaks.emplace_back();
      one.id = idOf(event_);
      BreakText text;
      eachLine(payload, [&](std::string_view line) { text.add(line, one); });
    }
    takeCache(name);
    if (name == "recompile_reasons" && log_.recompiles.size() < kMostEntries) {
      Recompile& one = log_.recompiles.emplace_back();
      one.id = idOf(event_);
      if (const auto known = functions_.find(one.id); known != functions_.end())
        one.function = known->second;
      const nlohmann::json list = jsonOf(validUtf8(payload));
      if (list.is_array()) {
        for (const nlohmann::json& guard : list)
          if (guard.is_string()) addGuard(one, guard.get_ref<const std::string&>());
      } else {
        addGuard(one, list.is_string() ? list.get<std::string>() : payload);
      }
    }
  }

  /// "fx_graph_cache_hit": a use of the cache fx_graph.
  void takeCache(std::string_view artifact) {
    constexpr std::string_view kCache = "_cache_";
    const std::size_t at = artifact.rfind(kCache);
    if (at == std::string_view::npos) return;
    const std::string_view use = artifact.substr(at + kCache.size());
    if (use != "hit" && use != "miss" && use != "bypass") return;
    const std::string_view name = artifact.substr(0, at);
    auto known = std::ranges::find(log_.caches, name, &CompileCache::name);
    if (known == log_.caches.end()) {
      if (log_.caches.size() >= kMostCaches) return;
      log_.caches.push_back({.name = std::string(name)});
      known = std::prev(log_.caches.end());
    }
    ++(use == "hit" ? known->hits : use == "miss" ? known->misses : known->bypasses);
  }

  /// "0/1: tensor 'x' size mismatch ...", without the number and what follows on other lines.
  static void addGuard(Recompile& one, std::string_view guard) {
    guard = guard.substr(0, guard.find('\n'));
    if (const std::size_t colon = guard.find(": "); colon != std::string_view::npos && colon < 16)
      guard.remove_prefix(colon + 2);
    // PyTorch pads the guard, then repeats the user's line as a comment.
    guard = trimmed(guard.substr(0, guard.find("  #")));
    if (!guard.empty() && one.guards.size() < kMostGuards) one.guards.push_back(shortened(guard));
  }

  template <typename Take>
  static void eachLine(std::string_view text, Take&& take) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      take(text.substr(0, end));
      if (end == std::string_view::npos) return;
      text.remove_prefix(end + 1);
    }
  }

  // ---- phases: begins and ends of one thread

  struct OpenPhase {
    std::string name;
    double start, inner = 0;
  };

  void takePhase(const nlohmann::json& event) {
    if (!event.is_object()) {
      ++log_.malformed;
      return;
    }
    const std::string name = textIn(event, "name"), kind = textIn(event, "ph");
    const auto ts = event.find("ts");
    if (ts == event.end() || !ts->is_number() || name.empty()) return;
    const double time = ts->get<double>() * 1e-6;
    if (!std::isfinite(time)) return;
    constexpr std::size_t kDeepest = 1000;
    if (kind == "B" && openPhases_.size() < kDeepest) openPhases_.push_back({name, time});
    if (kind != "E") return;
    // An end closes the last begin of its name; what was left open inside never ended.
    const auto found = std::find_if(openPhases_.rbegin(), openPhases_.rend(),
                                    [&](const OpenPhase& one) { return one.name == name; });
    if (found == openPhases_.rend()) return;
    const OpenPhase ended = *found;
    openPhases_.erase(found.base() - 1, openPhases_.end());
    const double length = std::max(0.0, time - ended.start);
    if (phases_.size() < kMostEntries || phases_.contains(name)) {
      CompilePhase& phase = phases_[name];
      ++phase.count;
      phase.total += length;
      phase.self += std::max(0.0, length - ended.inner);
    }
    if (log_.runs.size() < kMostEntries)
      log_.runs.push_back({name, idOf(event_), ended.start, time, openPhases_.empty()});
    if (openPhases_.empty())
      log_.compiling += length;
    else
      openPhases_.back().inner += length;
  }

  void finishPhases() {
    for (auto& [name, phase] : phases_) {
      phase.name = name;
      log_.phases.push_back(phase);
    }
    std::ranges::stable_sort(
        log_.phases, [](const CompilePhase& a, const CompilePhase& b) { return a.self > b.self; });
  }

  // ---- TORCH_LOGS: "[1/0] [__graph_breaks] text"

  void textLine(std::string_view rest) {
    std::string id;
    if (rest.starts_with('[') && rest.find("] ") < 24) {
      id = rest.substr(1, rest.find("] ") - 1);
      // A second attempt is written as 1/0_1.
      id = id.substr(0, id.find('_'));
      if (!id.empty() && id[0] >= '0' && id[0] <= '9') rest.remove_prefix(rest.find("] ") + 2);
    }
    const std::size_t end = rest.find(']');
    if (!rest.starts_with("[__") || end == std::string_view::npos) return;
    const std::string_view artifact = rest.substr(3, end - 3);
    const std::string_view text = rest.substr(end + 1);
    if (artifact == "graph_breaks") {
      if (text.find("Graph break") != std::string_view::npos &&
          trimmed(text).starts_with("Graph break") && log_.breaks.size() < kMostEntries) {
        log_.breaks.emplace_back().id = id;
        break_ = BreakText();
        inBreak_ = true;
      }
      if (inBreak_) break_.add(text, log_.breaks.back());
    } else if (artifact == "recompiles" || artifact == "recompiles_verbose") {
      takeRecompileText(id, trimmed(text));
    }
  }

  void takeRecompileText(const std::string& id, std::string_view text) {
    constexpr std::string_view kBegin = "Recompiling function ";
    if (text.starts_with(kBegin)) {
      if (log_.recompiles.size() >= kMostEntries) return;
      text.remove_prefix(kBegin.size());
      Recompile& one = log_.recompiles.emplace_back();
      one.id = id;
      const std::size_t in = text.find(" in ");
      one.function.name = shortened(text.substr(0, in));
      if (in != std::string_view::npos)
        takePlace(text.substr(in + 4), one.function.file, one.function.line);
    } else if (text.starts_with("- ") && text.size() > 2 && digitsAt(text, 2, 1) &&
               text.find('/') < text.find(": ") && !log_.recompiles.empty()) {
      // "- 0/1: guard"; the user's stack follows on lines of its own.
      addGuard(log_.recompiles.back(), text.substr(2));
    }
  }

  void endText() { inBreak_ = false; }

  CompileLog log_;
  double first_ = -1, last_ = 0;
  bool open_ = false;
  nlohmann::json event_;
  std::string payload_;
  std::map<std::int64_t, std::string> files_;
  std::map<std::string, CompiledFunction> functions_;  ///< by compilation
  std::vector<OpenPhase> openPhases_;
  std::map<std::string, CompilePhase> phases_;
  std::size_t codeBytes_ = 0;
  BreakText break_;
  bool inBreak_ = false;
};

CompileLog readLog(const std::string& path, const TraceProgress& progress) {
  ByteSource source(path);
  LogReader reader(std::filesystem::path(path).filename().string());
  LineBuffer lines(kLongestLine);
  std::vector<char> piece(std::size_t{1} << 18);
  std::uint64_t oversized = 0;
  const auto drain = [&] {
    while (const auto line = lines.next()) {
      oversized += line->oversized;
      if (!line->oversized) reader.line(line->text);
    }
  };
  for (std::size_t got = 0; (got = source.read(piece.data(), piece.size())) > 0;) {
    lines.append({piece.data(), got});
    drain();
    if (progress && !progress(source.share())) throw Canceled();
  }
  lines.append("\n");
  drain();
  CompileLog log = reader.finish();
  log.malformed += oversized;
  log.partial = source.damage();
  return log;
}

bool isLog(const std::string& path) {
  ByteSource source(path);
  std::string begin(kSniffedText, '\0');
  begin.resize(source.read(begin.data(), begin.size()));
  std::string_view rest = begin;
  // A text log may begin with what the program printed.
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    if (const auto line = logLine(rest.substr(0, end)))
      if (line->rest.starts_with('{') || line->rest.find("[__") < 24) return true;
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return false;
}

/// In order of their names.
std::vector<std::string> logsIn(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("dedicated_log_torch_trace_") && paths.size() < kMostLogs)
      paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

bool looksLikeCompileLog(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return !logsIn(path).empty();
  try {
    return isLog(path);
  } catch (const InputError&) {
    return false;
  }
}

std::vector<CompileLog> readCompileLogs(const std::string& path, const TraceProgress& progress) {
  std::error_code ignored;
  const std::vector<std::string> paths =
      std::filesystem::is_directory(path, ignored) ? logsIn(path) : std::vector<std::string>{path};
  std::vector<CompileLog> logs;
  for (const std::string& one : paths) {
    CompileLog log = readLog(one, progress);
    if (log.frames.empty() && log.breaks.empty() && log.recompiles.empty() && log.phases.empty())
      throw InputError(one + saying(": no compilations are in this log; record it with "
                                    "TORCH_TRACE=DIR, or with "
                                    "TORCH_LOGS=graph_breaks,recompiles"));
    logs.push_back(std::move(log));
  }
  return logs;
}

}  // namespace fusebench
