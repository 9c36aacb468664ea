// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/script_lines.h"

#include <algorithm>
#include <array>

#include "engine/language/ast_parser.h"
#include "engine/language/program_errors.h"

namespace fusebench {
namespace {

constexpr int kDeepestScript = 60;

constexpr std::array<std::string_view, 25> kMaking = {
    "randn",     "rand",       "randint",     "tensor",     "zeros",  "ones",       "full",
    "arange",    "linspace",   "eye",         "normal",     "empty",  "logspace",   "from_numpy",
    "as_tensor", "randperm",   "FloatTensor", "LongTensor", "Tensor", "randn_like", "rand_like",
    "ones_like", "zeros_like", "full_like",   "array"};
constexpr std::array<std::string_view, 17> kMoving = {
    "to",     "cuda",       "cpu",    "float", "half",       "bfloat16",
    "double", "long",       "int",    "bool",  "pin_memory", "requires_grad_",
    "clone",  "contiguous", "detach", "eval",  "train"};
constexpr std::array<std::string_view, 26> kReporting = {"item",
                                                         "tolist",
                                                         "perf_counter",
                                                         "perf_counter_ns",
                                                         "time",
                                                         "elapsed_time",
                                                         "synchronize",
                                                         "record",
                                                         "numpy",
                                                         "timeit",
                                                         "Timer",
                                                         "Event",
                                                         "memory_allocated",
                                                         "max_memory_allocated",
                                                         "reset_peak_memory_stats",
                                                         "empty_cache",
                                                         "memory_reserved",
                                                         "append",
                                                         "set_description",
                                                         "add_scalar",
                                                         "set_postfix",
                                                         "savefig",
                                                         "plot",
                                                         "show",
                                                         "destroy_process_group",
                                                         "barrier"};
constexpr std::array<std::string_view, 12> kReportingNames = {"print",    "assert", "plt", "logger",
                                                              "logging",  "writer", "del", "pprint",
                                                              "warnings", "time",   "gc",  "wandb"};

template <class Words>
bool isOneOf(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

int depthChange(const Token& token) {
  if (token.is("(") || token.is("[") || token.is("{")) return 1;
  return token.is(")") || token.is("]") || token.is("}") ? -1 : 0;
}

}  // namespace

std::vector<ScriptLine> ScriptReader::lines() {
  std::size_t next = 0;
  std::vector<ScriptLine> all;
  while (tokens_[next].kind != Token::Kind::end) {
    std::vector<ScriptLine> more = block(next);
    std::ranges::move(more, std::back_inserter(all));
  }
  return all;
}

std::vector<ScriptLine> ScriptReader::block(std::size_t& next) const {
  std::vector<ScriptLine> found;
  std::vector<std::vector<ScriptLine>*> open{&found};
  while (tokens_[next].kind != Token::Kind::end) {
    const Token::Kind kind = tokens_[next].kind;
    if (kind == Token::Kind::indent) {
      if (open.back()->empty() || open.size() > kDeepestScript) return {};
      ScriptLine& last = open.back()->back();
      open.push_back(last.rest.empty() ? &last.body : &last.rest.back().body);
    }
    if (kind == Token::Kind::dedent && open.size() > 1) open.pop_back();
    if (kind == Token::Kind::indent || kind == Token::Kind::dedent ||
        kind == Token::Kind::newline) {
      ++next;
      continue;
    }
    const std::size_t begin = next;
    while (tokens_[next].kind != Token::Kind::newline && tokens_[next].kind != Token::Kind::end)
      ++next;
    simple(begin, next, *open.back());
  }
  return found;
}

/// One logical line: several statements, or a header with a statement behind its colon.
void ScriptReader::simple(std::size_t begin, std::size_t end,
                          std::vector<ScriptLine>& found) const {
  constexpr std::array<std::string_view, 12> kHeaders = {"for",  "while",  "with",    "if",
                                                         "elif", "else",   "def",     "class",
                                                         "try",  "except", "finally", "async"};
  constexpr std::array<std::string_view, 4> kFollowing = {"elif", "else", "except", "finally"};
  if (isOneOf(kFollowing, tokens_[begin].value) && !found.empty() && found.back().header &&
      tokens_[begin].kind == Token::Kind::name) {
    return following(begin, end, found.back().rest);
  }
  const bool header =
      tokens_[begin].kind == Token::Kind::name && isOneOf(kHeaders, tokens_[begin].value);
  int depth = 0;
  for (std::size_t i = begin, first = begin; i <= end; ++i) {
    if (i == end) {
      if (i > first) found.push_back({first, i, {}, false, {}});
      return;
    }
    depth += depthChange(tokens_[i]);
    if (depth != 0) continue;
    if (header && tokens_[i].is(":")) {
      found.push_back({begin, i, {}, true, {}});
      if (i + 1 < end) simple(i + 1, end, found.back().body);
      return;
    }
    if (!tokens_[i].is(";")) continue;
    if (i > first) found.push_back({first, i, {}, false, {}});
    first = i + 1;
  }
}

/// A header that belongs to the one before it.
void ScriptReader::following(std::size_t begin, std::size_t end,
                             std::vector<ScriptLine>& rest) const {
  int depth = 0;
  for (std::size_t i = begin; i < end; ++i) {
    depth += depthChange(tokens_[i]);
    if (depth != 0 || !tokens_[i].is(":")) continue;
    rest.push_back({begin, i, {}, true, {}});
    if (i + 1 < end) simple(i + 1, end, rest.back().body);
    return;
  }
}

int ScriptReader::lastLineOf(const ScriptLine& line) const {
  if (!line.rest.empty()) return lastLineOf(line.rest.back());
  if (!line.body.empty()) return lastLineOf(line.body.back());
  return tokens_[line.end - 1].place.line;
}

std::string ScriptReader::textOf(std::size_t begin, std::size_t end) const {
  return std::string(
      text_.substr(tokens_[begin].begin, tokens_[end - 1].end - tokens_[begin].begin));
}

ScriptNames ScriptReader::mentions(std::size_t begin, std::size_t end) const {
  ScriptNames names;
  int depth = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const Token& token = tokens_[i];
    depth += depthChange(token);
    if (token.kind == Token::Kind::text) continue;
    if (token.kind != Token::Kind::name || isPythonKeyword(token.value)) continue;
    if (i > begin && tokens_[i - 1].is(".")) continue;
    if (depth > 0 && i + 1 < end && tokens_[i + 1].is("=")) continue;
    names.insert(token.value);
  }
  return names;
}

ScriptNames ScriptReader::mentions(const ScriptLine& line) const {
  ScriptNames names = mentions(line.begin, line.end);
  for (const auto* lines : {&line.body, &line.rest})
    for (const ScriptLine& each : *lines) names.merge(mentions(each));
  return names;
}

std::size_t ScriptReader::assigned(const ScriptLine& line) const {
  if (line.header) return line.end;
  int depth = 0;
  for (std::size_t i = line.begin; i < line.end; ++i) {
    depth += depthChange(tokens_[i]);
    if (depth == 0 && (tokens_[i].is("=") || !AstParser::augmented(tokens_[i]).empty())) return i;
  }
  return line.end;
}

ScriptNames ScriptReader::targets(const ScriptLine& line) const {
  const std::size_t at = is(line, "for") ? [&] {
    std::size_t i = line.begin;
    while (i < line.end && !tokens_[i].is("in")) ++i;
    return i;
  }()
                                         : assigned(line);
  if (at == line.end) return {};
  ScriptNames names;
  for (std::size_t i = line.begin; i < at; ++i) {
    const Token& token = tokens_[i];
    const bool whole = i + 1 == at || !(tokens_[i + 1].is(".") || tokens_[i + 1].is("["));
    if (token.kind == Token::Kind::name && !isPythonKeyword(token.value) && whole &&
        (i == line.begin || !tokens_[i - 1].is(".")))
      names.insert(token.value);
  }
  return names;
}

ScriptNames ScriptReader::allTargets(const ScriptLine& line) const {
  ScriptNames names = targets(line);
  for (const auto* lines : {&line.body, &line.rest})
    for (const ScriptLine& each : *lines)
      if (!reports(each)) names.merge(allTargets(each));
  return names;
}

bool ScriptReader::reports(const ScriptLine& line) const {
  if (line.header)
    return !is(line, "def") && !is(line, "class") &&
           std::ranges::all_of(line.body,
                               [&](const ScriptLine& each) {
                                 return reports(each) || (is(line, "try") && isBare(each));
                               }) &&
           std::ranges::all_of(line.rest, [&](const ScriptLine& each) { return reports(each); });
  if (tokens_[line.begin].kind == Token::Kind::text) return true;
  if (tokens_[line.begin].kind == Token::Kind::name &&
      isOneOf(kReportingNames, tokens_[line.begin].value))
    return true;
  for (std::size_t i = line.begin; i + 1 < line.end; ++i)
    if (tokens_[i].is(".") && isOneOf(kReporting, tokens_[i + 1].value) && i + 2 < line.end &&
        tokens_[i + 2].is("("))
      return true;
  constexpr std::array<std::string_view, 5> kPlain = {"pass", "continue", "break", "return",
                                                      "global"};
  return isOneOf(kPlain, tokens_[line.begin].value);
}

std::size_t ScriptReader::making(std::size_t begin, std::size_t end) const {
  for (std::size_t i = begin; i + 3 < end; ++i) {
    const bool root =
        tokens_[i].kind == Token::Kind::name && (i == begin || !tokens_[i - 1].is(".")) &&
        (tokens_[i].value == "torch" || tokens_[i].value == "np" || tokens_[i].value == "numpy");
    if (!root) continue;
    std::size_t at = i + 1;
    while (at + 2 < end && tokens_[at].is(".") && tokens_[at + 2].is(".")) at += 2;
    if (tokens_[at].is(".") && at + 2 < end && tokens_[at + 2].is("(") &&
        (isOneOf(kMaking, tokens_[at + 1].value) || tokens_[i].value != "torch"))
      return i;
  }
  return end;
}

std::size_t ScriptReader::endOfCall(std::size_t begin, std::size_t end) const {
  std::size_t i = begin;
  const auto past = [&](std::size_t open) {
    int depth = 0;
    for (std::size_t at = open; at < end; ++at) {
      depth += depthChange(tokens_[at]);
      if (depth == 0) return at + 1;
    }
    return end;
  };
  while (i < end && !tokens_[i].is("(")) ++i;
  i = past(i);
  while (i + 2 < end && tokens_[i].is(".") && tokens_[i + 2].is("(") &&
         isOneOf(kMoving, tokens_[i + 1].value))
    i = past(i + 2);
  return i;
}

std::vector<std::string> ScriptReader::arguments(std::size_t open, std::size_t end) const {
  std::vector<std::string> all;
  int depth = 0;
  for (std::size_t i = open, first = open + 1; i < end; ++i) {
    depth += depthChange(tokens_[i]);
    if ((depth != 1 || !tokens_[i].is(",")) && depth != 0) continue;
    if (i > first) all.push_back(textOf(first, i));
    first = i + 1;
    if (depth == 0) break;
  }
  return all;
}

bool ScriptReader::makesObject(const ScriptLine& line) const {
  const std::size_t equals = assigned(line);
  if (equals == line.end) return false;
  std::size_t i = equals + 1;
  while (i + 2 < line.end && tokens_[i + 1].is(".")) i += 2;
  if (i + 1 >= line.end || tokens_[i].kind != Token::Kind::name || !tokens_[i + 1].is("("))
    return false;
  const char first = tokens_[i].value.front();
  return first >= 'A' && first <= 'Z' && endOfCall(equals + 1, line.end) == line.end &&
         !isOneOf(kMaking, tokens_[i].value);
}

bool ScriptReader::isBare(const ScriptLine& line) const {
  if (line.header || assigned(line) != line.end) return false;
  std::size_t i = line.begin;
  while (i + 2 < line.end && tokens_[i + 1].is(".")) i += 2;
  constexpr std::array<std::string_view, 7> kDoing = {
      "backward", "step", "zero_grad", "update", "unscale_", "all_reduce", "broadcast"};
  return !tokens_[i].value.ends_with("_") && !isOneOf(kDoing, tokens_[i].value);
}

bool ScriptReader::moves(const ScriptLine& line) const {
  const std::size_t equals = assigned(line);
  if (equals == line.end || !tokens_[equals].is("=")) return false;
  bool moved = false;
  for (std::size_t i = equals + 1; i < line.end; ++i) {
    if (tokens_[i].is(",")) continue;
    if (tokens_[i].kind != Token::Kind::name || i + 1 >= line.end || !tokens_[i + 1].is("."))
      return false;
    const std::size_t end = endOfCall(i, line.end);
    if (i + 3 >= line.end || !tokens_[i + 3].is("(") || !isOneOf(kMoving, tokens_[i + 2].value))
      return false;
    moved = true;
    i = end - 1;
  }
  return moved;
}

}  // namespace fusebench
