// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "engine/edit/sketch_write.h"

namespace fusebench {
namespace {

using LineKind = SketchLine::Kind;

/// Goes through the lines as Python would and finds names that are given away too soon.
class Naming {
 public:
  explicit Naming(SketchModel& model) : model_(model) {
    for (std::size_t i = 0; i < model.lines.size(); ++i) {
      const int line = static_cast<int>(i);
      for (int node : model.lines[i].nodes) {
        madeIn_[SketchModel::resultOf(node)] = line;
        for (const Operand& operand : model.nodes[static_cast<std::size_t>(node)].op.operands)
          if (!operand.isNumber()) lastUse_[operand.value] = line;
      }
      for (ValueId value : model.lines[i].values)
        if (!model.within(model.lines[i], value)) lastUse_[value] = line;
    }
  }

  void run() {
    while (!pass()) {
    }
  }

 private:
  /// False: a value got another name, so everything must be gone through again.
  bool pass() {
    holder_.clear();
    for (std::size_t i = 0; i < model_.inputs.size(); ++i)
      holder_[model_.inputs[i]] = static_cast<ValueId>(i);
    for (std::size_t i = 0; i < model_.lines.size(); ++i) {
      SketchLine& line = model_.lines[i];
      if (line.kind != LineKind::statement) continue;
      const int at = static_cast<int>(i);
      if (line.fixed) {
        holder_[line.target] = line.values[0];
        for (std::size_t n = 0; n < line.alsoNames.size() && n + 1 < line.values.size(); ++n)
          holder_[line.alsoNames[n]] = line.values[n + 1];
        continue;
      }
      if (line.target.empty() && line.understood) {
        line.target = chosen(line, at, line.item < 0 && model_.mayReuse);
      } else if (!line.target.empty() && blocked(line.target, line.values[0], at)) {
        if (renameHolder(line)) return false;
        line.target = chosen(line, at, true);
      }
      if (!line.target.empty()) holder_[line.target] = line.values[0];
      for (const std::string& name : line.alsoNames) holder_[name] = line.values[0];
    }
    return true;
  }

  /// Whether `name` stands for another value that is read after line `at` and has no other name.
  bool blocked(const std::string& name, ValueId value, int at) const {
    const auto found = holder_.find(name);
    if (found == holder_.end() || found->second == value) return false;
    const auto last = lastUse_.find(found->second);
    if (last == lastUse_.end() || last->second <= at) return false;
    return std::none_of(holder_.begin(), holder_.end(), [&](const auto& other) {
      return other.second == found->second && other.first != name;
    });
  }

  /// Gives the value that holds the line's name another one, from the start. False if it is an
  /// input, or a new value that has just been given this name.
  bool renameHolder(const SketchLine& line) {
    const ValueId old = holder_.at(line.target);
    if (!SketchModel::isNode(old)) return false;
    SketchLine& maker = model_.lines[static_cast<std::size_t>(madeIn_.at(old))];
    if (maker.target != line.target || !maker.understood || !line.understood) return false;
    maker.target = model_.freshName();
    return true;
  }

  /// The name of what the line reads first, if that is free; else a fresh one.
  std::string chosen(const SketchLine& line, int at, bool mayTakeInput) {
    if (line.ownName) return model_.freshName();
    for (int node : line.nodes)
      for (const Operand& operand : model_.nodes[static_cast<std::size_t>(node)].op.operands) {
        if (operand.isNumber() || model_.within(line, operand.value)) continue;
        for (const auto& [name, value] : holder_)
          if (value == operand.value && !blocked(name, line.values[0], at) &&
              (mayTakeInput || SketchModel::isNode(value)))
            return name;
        return model_.freshName();
      }
    return model_.freshName();
  }

  SketchModel& model_;
  std::map<ValueId, int> madeIn_;
  std::map<ValueId, int> lastUse_;
  std::map<std::string, ValueId> holder_;
};

}  // namespace

void nameValues(SketchModel& model) {
  Naming(model).run();
}

}  // namespace fusebench
