// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/edit/line_reader.h"

#include <algorithm>

namespace fusebench {
namespace {

/// Lines are read once: those that need their functions' own backward are errors.
ProgramHints withoutAsking(ProgramHints hints) {
  using How = ProgramHints::OwnBackward;
  if (hints.ownBackward == How::asked) hints.ownBackward = How::left;
  return hints;
}

}  // namespace

LineReader::LineReader(std::string_view text, const ProgramHints& hints,
                       const std::vector<std::string>& inputs, const std::vector<std::string>& held,
                       const std::vector<std::pair<std::string, PythonValue>>& constants)
    : TolerantParser(text, withoutAsking(hints)), start_(before()) {
  // Reads the code around the program's own lines, which these may call.
  if (layout_.mainPart >= 0) {
    while (!names_.declared && now().kind != Token::Kind::end) step();
  } else {
    defineLater();
  }
  layout_ = {};
  defined_.clear();  // the lines that are read next have other tokens
  blockAllowed_ = false;
  program_ = {};
  builder_.forgetTypes();
  evaluator_.setPreparing(false);
  evaluator_.forgetPending();
  names_.declared = true;
  program_.inputs = inputs;
  std::erase_if(names_.bound, [](const auto& each) { return each.second.isTensor(); });
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto id = static_cast<ValueId>(i);
    if (std::find(held.begin(), held.end(), inputs[i]) != held.end())
      evaluator_.setHeld(inputs[i], id);
    else
      names_.bound[inputs[i]] = PythonValue::tensorOf(id, {});
  }
  for (const auto& [name, value] : constants) names_.bound[name] = value;
  start_ = before();
}

bool LineReader::read(std::string source, bool understood) {
  source_ = std::move(source);
  setText(source_);
  lexerProblems_.clear();
  tokens_ = tokenizeTolerantly(text_, lexerProblems_);
  cursor_.seek(0);
  start_ = before();
  error_.clear();
  if (!understood) {
    const std::size_t end = statementEnd(0, true);
    const SourceRange range{0, source_.size()};
    if (now().is("return"))
      placeholderReturn(0, end, range);
    else
      placeholder(0, end, range, false);
    return true;
  }
  if (!lexerProblems_.empty()) {
    error_ = lexerProblems_.front().message;
    return false;
  }
  try {
    line();
  } catch (const ProgramError& error) {
    error_ = error.what();
    return false;
  }
  return now().kind == Token::Kind::end || now().kind == Token::Kind::newline;
}

void LineReader::undo() {
  restore(start_);
}

ValueId LineReader::valueOf(const std::string& name) const {
  const auto found = names_.bound.find(name);
  return found != names_.bound.end() && found->second.isTensor() ? found->second.value : -1;
}

std::vector<ValueId> LineReader::values() const {
  if (!program_.outputs.empty()) return program_.outputs;
  if (!madeStatement()) return {};
  std::vector<ValueId> found{program_.statements.back().value};
  for (std::size_t s = start_.statements; s + 1 < program_.statements.size(); ++s)
    found.push_back(program_.statements[s].value);
  return found;
}

}  // namespace fusebench
