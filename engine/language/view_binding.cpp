// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/view_binding.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/language/call_arguments.h"
#include "engine/language/program_errors.h"
#include "engine/ops/op_choices.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

/// Binds one call of a view, parameter by parameter.
class ViewBinding {
 public:
  ViewBinding(const std::string& shown, const OpRow& row, std::vector<CallArgument> arguments,
              SourcePlace place, ProgramBuilder& builder)
      : shown_(shown), row_(row), place_(place), builder_(builder), given_(row.parameters.size()) {
    op_.row = &row;
    op_.place = place;
    op_.parameters.assign(row.parameters.size(), 0);
    op_.operands.push_back(takeTensor(shown_, arguments, place_));
    takePositional(arguments);
    for (const CallArgument& argument : arguments)
      if (!argument.keyword.empty()) takeKeyword(argument);
  }

  Op bind() {
    for (std::size_t p = 0; p < given_.size(); ++p) set(parameter(p), given_[p]);
    return std::move(op_);
  }

 private:
  /// The argument for one parameter.
  struct Given {
    bool is = false;
    std::vector<PythonValue> items;
    SourcePlace place;
  };

  const Parameter& parameter(std::size_t p) const { return row_.parameters.begin()[p]; }
  static bool isList(const Parameter& parameter) { return parameter.high != 1; }

  void takePositional(const std::vector<CallArgument>& arguments) {
    std::size_t next = 0;
    for (const CallArgument& argument : arguments) {
      if (!argument.keyword.empty()) continue;
      // x.view(2, 3): what follows the last parameter belongs to its list.
      const bool more = next == given_.size() && next > 0 && isList(parameter(next - 1)) &&
                        !given_[next - 1].items.empty() && isInt(argument.value) && open_;
      if (more) {
        given_[next - 1].items.push_back(argument.value);
        continue;
      }
      if (next == given_.size())
        failProgram(argument.place, shown_ + " takes at most " + std::to_string(given_.size()) +
                                        (given_.size() == 1 ? " argument" : " arguments") +
                                        usage());
      take(next++, argument);
      open_ = isInt(argument.value);
    }
  }

  void takeKeyword(const CallArgument& argument) {
    // Its own names come first: x.expand(size=...) and x.view(size=...) name different parameters.
    std::vector<std::string_view> names{argument.keyword};
    for (const KeywordAlias& alias : keywordAliases())
      if (argument.keyword == alias.alias && !alias.flag) names.push_back(alias.keyword);
    for (const std::string_view name : names)
      for (std::size_t p = 0; p < given_.size(); ++p)
        if (parameter(p).name == name) return take(p, argument);
    failProgram(argument.place, shown_ + " has no argument '" + argument.keyword + "'" + usage());
  }

  std::string usage() const {
    std::string text;
    for (const Parameter& each : row_.parameters)
      text += (text.empty() ? "; it takes " : ", ") + std::string(each.name);
    return text;
  }

  static bool isInt(const PythonValue& value) {
    return value.isSize() || (value.kind == Kind::number && value.integer);
  }

  void take(std::size_t p, const CallArgument& argument) {
    Given& given = given_[p];
    const std::string name(parameter(p).name);
    if (given.is) failProgram(argument.place, shown_ + " got '" + name + "' twice");
    if (argument.value.kind == Kind::none && !parameter(p).required) return;
    given.is = true;
    given.place = argument.place;
    const bool list = argument.value.kind == Kind::list;
    if (list && !isList(parameter(p)))
      failProgram(argument.place, name + " of " + shown_ + " must be an int");
    given.items = list ? argument.value.items() : std::vector<PythonValue>{argument.value};
    for (const PythonValue& item : given.items) {
      refuseHugeSize(shown_, item, argument.place);
      if (!isInt(item))
        failProgram(argument.place, name + " of " + shown_ + " must be " +
                                        (isList(parameter(p)) ? "ints" : "an int") +
                                        ", but found " + item.shown());
    }
  }

  void set(const Parameter& parameter, const Given& given) {
    if (!given.is && parameter.required)
      failProgram(place_, shown_ + " is missing its argument '" + std::string(parameter.name) +
                              "'" + usage());
    const bool usual = !given.is && !parameter.required && !std::isnan(parameter.fallback);
    if (parameter.kind == Parameter::Kind::dims) {
      if (!given.is && !usual) return;
      if (!op_.dims) op_.dims.emplace();
      if (usual) op_.dims->push_back(static_cast<int>(parameter.fallback));
      for (const PythonValue& item : given.items) op_.dims->push_back(dimOf(item, given.place));
      return;
    }
    if (usual) addSize(-1, parameter.fallback);
    for (const PythonValue& item : given.items) addSize(item.size, item.number);
  }

  int dimOf(const PythonValue& written, SourcePlace place) const {
    const PythonValue item = builder_.decided(written, "dim of " + shown_);
    if (item.number < -kMaxRank - 1 || item.number > kMaxRank)
      failProgram(place, "dim of " + shown_ + " is out of range; tensors have at most " +
                             std::to_string(kMaxRank) + " dimensions");
    return static_cast<int>(item.number);
  }

  void addSize(SizeId size, double number) {
    op_.sizes.push_back(size);
    op_.sizeNumbers.push_back(static_cast<std::int64_t>(number));
  }

  const std::string& shown_;
  const OpRow& row_;
  SourcePlace place_;
  ProgramBuilder& builder_;
  std::vector<Given> given_;
  bool open_ = false;  ///< the last positional argument was an int: more ints may follow
  Op op_;
};

}  // namespace

Op bindView(const std::string& shown, const OpRow& row, std::vector<CallArgument> arguments,
            SourcePlace place, ProgramBuilder& builder) {
  return ViewBinding(shown, row, std::move(arguments), place, builder).bind();
}

}  // namespace fusebench
