// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/edit/line_reader.h"

namespace fusebench {

LineReader::LineReader(const std::vector<std::string>& inputs,
                       const std::vector<std::pair<std::string, PythonValue>>& constants)
    : TolerantParser(std::string_view()), start_(before()) {
  names_.declared = true;
  program_.inputs = inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    names_.bound[inputs[i]] = PythonValue::tensorOf(static_cast<ValueId>(i), {});
  for (const auto& [name, value] : constants) names_.bound[name] = value;
  start_ = before();
}

bool LineReader::read(std::string source, bool understood) {
  source_ = std::move(source);
  text_ = source_;
  lexerProblems_.clear();
  tokens_ = tokeniseTolerantly(text_, lexerProblems_);
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
  if (madeStatement()) return {program_.statements.back().value};
  return program_.outputs;
}

}  // namespace fusebench
