// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/source_body.h"

#include <algorithm>

#include "engine/language/program_errors.h"
#include "engine/language/text_pieces.h"

namespace fusebench {
namespace {

using LineKind = ast::Statement::Kind;

}  // namespace

bool SourceBody::isSegmented() const {
  return std::ranges::any_of(source_.segments, [](int segment) { return segment >= 0; });
}

std::vector<SourceBody::Line> SourceBody::linesOf(
    const std::vector<const SourceStatement*>& body) const {
  std::vector<Line> lines;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const int first = body[i]->place.line;
    const int next = i + 1 < body.size() ? body[i + 1]->place.line : 1 << 30;
    int end = lines.empty() ? 0 : lines.back().end;
    for (int j = end; j < static_cast<int>(whole_.statements.size()); ++j) {
      const SourcePlace place = whole_.statements[static_cast<std::size_t>(j)].place;
      const bool here = place.line == first ? place.column >= body[i]->place.column
                                            : place.line > first && place.line < next;
      const bool before = next != first || i + 1 == body.size() || place.line != next ||
                          place.column < body[i + 1]->place.column;
      if (here && before) end = j + 1;
    }
    lines.push_back({body[i], end});
  }
  return lines;
}

std::string SourceBody::mainBody(const ast::Block& block, int depth) const {
  std::vector<const SourceStatement*> body;
  for (const SourceStatement& each : block) body.push_back(&each);
  return mainBody(body, depth);
}

std::string SourceBody::mainBody(const std::vector<const SourceStatement*>& body, int depth) const {
  const bool segmented = isSegmented();
  const auto isCut = [&] {
    return source_.statements && *source_.statements != static_cast<int>(whole_.statements.size());
  };
  if (!segmented && !isCut()) {
    std::string made;
    for (const SourceStatement* each : body) {
      if (each->kind == LineKind::docString || each->kind == LineKind::pass || isPassedOver(*each))
        continue;
      made += isReached(*each) || each->kind == LineKind::raise ? statementText(*each, depth)
                                                                : unreached(depth);
    }
    return made.empty() ? indented(depth, "pass") : made;
  }
  std::vector<const SourceStatement*> computing;
  const SourceStatement* last = nullptr;
  for (const SourceStatement* each : body) {
    if (each->kind == LineKind::returned) last = each;
    if (last) break;
    if (isReached(*each)) computing.push_back(each);
  }
  const std::vector<Line> once = linesOf(computing);
  std::string returned = last && last->value ? expressionText(*last->value) : std::string();
  std::vector<std::pair<const SourceStatement*, std::pair<int, int>>> lines;
  const int length = static_cast<int>(whole_.statements.size());
  const int wanted = isCut() ? *source_.statements : length;
  if (isCut()) returned = source_.returned;
  bool whole = !returned.empty();
  int done = 0;
  while (done < wanted && whole) {
    int before = 0;
    for (const Line& line : once) {
      if (done + line.end > wanted) break;
      lines.push_back({line.statement, {done + before, done + line.end}});
      before = line.end;
    }
    whole = before == length || done + before == wanted;
    done += before;
    if (before == 0) whole = false;
  }
  if (!whole)
    failProgram({}, "PyTorch runs whole lines: the first " + std::to_string(wanted) +
                        " statements of this program end within one of its lines or in a "
                        "function that it calls");
  std::string made;
  for (std::size_t i = 0; i < lines.size();) {
    const int segment = segmented ? segmentOf(lines[i].second) : -1;
    std::size_t end = i + 1;
    while (segmented && end < lines.size() && segmentOf(lines[end].second) == segment) ++end;
    if (segment < 0) {
      for (std::size_t at = i; at < end; ++at) made += statementText(*lines[at].first, depth);
    } else {
      std::vector<const SourceStatement*> group, later;
      for (std::size_t at = i; at < end; ++at) group.push_back(lines[at].first);
      for (std::size_t at = end; at < lines.size(); ++at) later.push_back(lines[at].first);
      std::vector<const SourceStatement*> earlier;
      for (std::size_t at = 0; at < i; ++at) earlier.push_back(lines[at].first);
      made += segmentText(group, earlier, later, last, returned, segment + 1, depth);
    }
    i = end;
  }
  return made + indented(depth, "return " + returned);
}

int SourceBody::segmentOf(std::pair<int, int> statements) const {
  int segment = -2;
  for (int i = statements.first; i < statements.second; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const int own = at < source_.segments.size() ? source_.segments[at] : -1;
    if (segment != -2 && own != segment)
      failProgram({},
                  "PyTorch recomputes whole lines: a checkpoint begins within a line of this "
                  "program or in a function that it calls");
    segment = own;
  }
  return segment == -2 ? -1 : segment;
}

std::string SourceBody::segmentText(const std::vector<const SourceStatement*>& group,
                                    const std::vector<const SourceStatement*>& earlier,
                                    const std::vector<const SourceStatement*>& later,
                                    const SourceStatement* last, const std::string& returned,
                                    int number, int depth) const {
  NameSet locals;
  if (function_)
    for (const ast::Parameter& each : function_->parameters) locals.insert(each.name);
  for (const std::string& input : program_.inputs) locals.insert(input);
  LineNames before;
  for (const SourceStatement* each : earlier) namesOf(*each, before);
  locals.insert(before.binds.begin(), before.binds.end());
  locals.erase("self");
  std::vector<std::string> given, bound;
  for (const SourceStatement* each : group) {
    LineNames names;
    namesOf(*each, names);
    for (const std::string& name : names.reads)
      if (locals.contains(name) && std::ranges::find(bound, name) == bound.end() &&
          std::ranges::find(given, name) == given.end())
        given.push_back(name);
    for (const std::string& name : names.binds)
      if (std::ranges::find(bound, name) == bound.end()) bound.push_back(name);
  }
  LineNames after;
  for (const SourceStatement* each : later) namesOf(*each, after);
  if (last && last->value && !source_.statements) readBy(*last->value, after.reads);
  std::string word;
  for (const char c : returned + " ") {
    if (isNameCharacter(c)) {
      word += c;
      continue;
    }
    after.reads.push_back(word);
    word.clear();
  }
  std::vector<std::string> results;
  for (const std::string& name : bound)
    if (std::ranges::find(after.reads, name) != after.reads.end()) results.push_back(name);
  const std::string name = "segment_" + std::to_string(number);
  std::string made = indented(depth, "def " + name + "(" + joinedNames(given) + "):");
  for (const SourceStatement* each : group) made += statementText(*each, depth + 1);
  if (!results.empty()) made += indented(depth + 1, "return " + joinedNames(results));
  std::vector<std::string> arguments{name};
  arguments.insert(arguments.end(), given.begin(), given.end());
  return made + indented(depth, joinedNames(results) + (results.empty() ? "" : " = ") +
                                    "torch.utils.checkpoint.checkpoint(" + joinedNames(arguments) +
                                    ", use_reentrant=False)");
}

}  // namespace fusebench
