// SPDX-License-Identifier: GPL-3.0-or-later
// What keeps an edited program writable as lines of text: names for shared values, an order, fresh
// names.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "engine/edit/sketch_model.h"

namespace fusebench {
namespace {

using LineKind = SketchLine::Kind;

}  // namespace

/// Forgets ops of the line that neither its values nor the values read elsewhere depend on; puts
/// the others in an order in which they can be computed.
void SketchModel::keepReachable(SketchLine& line, const std::set<ValueId>& elsewhere) {
  std::vector<int> kept;
  std::vector<std::pair<int, std::size_t>> open;  // op, operand to look at next
  std::map<int, bool> seen;
  const auto visit = [&](ValueId value) {
    if (!within(line, value) || seen[value - kFirstResult]) return;
    seen[value - kFirstResult] = true;
    open.emplace_back(value - kFirstResult, 0);
  };
  std::vector<ValueId> roots = line.values;
  for (int each : line.nodes)
    if (elsewhere.contains(resultOf(each))) roots.push_back(resultOf(each));
  for (ValueId value : roots) {
    visit(value);
    while (!open.empty()) {
      auto& [at, operand] = open.back();
      const std::vector<Operand>& operands = nodes[static_cast<std::size_t>(at)].op.operands;
      if (operand < operands.size()) {
        const Operand& next = operands[operand++];
        if (!next.isNumber()) visit(next.value);
        continue;
      }
      kept.push_back(at);
      open.pop_back();
    }
  }
  line.nodes = std::move(kept);
}

/// Splits off one op inside of a line that something else reads, too. False if there is none.
bool SketchModel::splitOne() {
  std::map<ValueId, int> uses;
  for (const SketchLine& line : lines) {
    for (int each : line.nodes)
      for (const Operand& operand : nodes[static_cast<std::size_t>(each)].op.operands)
        if (!operand.isNumber()) ++uses[operand.value];
    if (line.kind == LineKind::returned)
      for (ValueId value : line.values) ++uses[value];
  }
  std::map<ValueId, int> own;  // uses within the line that makes it
  for (std::size_t i = 0; i < lines.size(); ++i) {
    SketchLine& line = lines[i];
    if (line.fixed) continue;
    own.clear();
    for (int each : line.nodes)
      for (const Operand& operand : nodes[static_cast<std::size_t>(each)].op.operands)
        if (within(line, operand.value)) ++own[operand.value];
    if (line.kind == LineKind::returned)
      for (ValueId value : line.values)
        if (within(line, value)) ++own[value];
    for (int each : line.nodes) {
      const ValueId value = resultOf(each);
      if (line.kind == LineKind::statement && line.values[0] == value && own[value] == 0) continue;
      if (own[value] <= 1 && uses[value] == own[value] &&
          nodes[static_cast<std::size_t>(each)].op.row)
        continue;
      if (line.kind == LineKind::returned && own[value] == 1 && uses[value] == 1) continue;
      SketchLine part;
      part.nodes = line.nodes;
      part.values = {value};
      keepReachable(part, {});
      for (int moved : part.nodes) std::erase(line.nodes, moved);
      insertStatement(static_cast<int>(i), part.nodes, value);
      return true;
    }
  }
  return false;
}

void SketchModel::settle() {
  std::map<ValueId, const SketchLine*> madeIn;
  for (const SketchLine& line : lines)
    for (int each : line.nodes) madeIn[resultOf(each)] = &line;
  std::set<ValueId> elsewhere;  // read by another line than the one that makes it
  for (const SketchLine& line : lines) {
    const auto note = [&](ValueId value) {
      const auto found = madeIn.find(value);
      if (found != madeIn.end() && found->second != &line) elsewhere.insert(value);
    };
    for (int each : line.nodes)
      for (const Operand& operand : nodes[static_cast<std::size_t>(each)].op.operands)
        note(operand.value);
    for (ValueId value : line.values) note(value);
  }
  for (SketchLine& line : lines)
    if (!line.fixed) keepReachable(line, elsewhere);
  while (splitOne()) {
  }
  std::erase_if(lines, [](const SketchLine& line) {
    return line.kind == LineKind::statement && line.hadNodes && line.nodes.empty();
  });
}

void SketchModel::order() {
  std::map<ValueId, std::size_t> madeIn;
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (int each : lines[i].nodes) madeIn[resultOf(each)] = i;
  std::vector<std::size_t> sequence;
  std::vector<char> state(lines.size(), 0);  // 1: being placed, 2: placed
  // Depth first: what a line reads comes before it, the rest keeps its order.
  std::vector<std::pair<std::size_t, std::vector<std::size_t>>> open;
  const auto begin = [&](std::size_t i) {
    state[i] = 1;
    std::vector<std::size_t> needed;
    const auto need = [&](ValueId value) {
      const auto found = madeIn.find(value);
      if (found != madeIn.end() && found->second != i) needed.push_back(found->second);
    };
    for (int each : lines[i].nodes)
      for (const Operand& operand : nodes[static_cast<std::size_t>(each)].op.operands)
        need(operand.value);
    for (ValueId value : lines[i].values) need(value);
    std::sort(needed.rbegin(), needed.rend());
    open.emplace_back(i, std::move(needed));
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (state[i] != 0) continue;
    begin(i);
    while (!open.empty()) {
      auto& [at, needed] = open.back();
      if (needed.empty()) {
        state[at] = 2;
        sequence.push_back(at);
        open.pop_back();
        continue;
      }
      const std::size_t next = needed.back();
      needed.pop_back();
      if (state[next] == 1)
        throw EditRefused("this would make a cycle: an op would need its own result");
      if (state[next] == 0) begin(next);
    }
  }
  std::vector<SketchLine> ordered;
  for (std::size_t i : sequence) ordered.push_back(std::move(lines[i]));
  lines = std::move(ordered);
}

std::string SketchModel::freshName() {
  static constexpr std::array<std::string_view, 12> kLetters = {"y", "z", "u", "v", "w", "a",
                                                                "b", "c", "d", "p", "q", "r"};
  for (;;) {
    const auto n = static_cast<std::size_t>(freshCount_++);
    std::string name(kLetters[n % kLetters.size()]);
    if (n >= kLetters.size()) name += std::to_string(n / kLetters.size());
    if (!std::binary_search(words.begin(), words.end(), name)) return name;
  }
}

}  // namespace fusebench
