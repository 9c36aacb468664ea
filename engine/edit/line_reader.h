// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/edit/sketch_read.h"

namespace fusebench {

/// Reads statements one by one into a program, and can undo each: the writer of edited programs
/// uses this to check that a line has the intended meaning.
class LineReader : public TolerantParser {
 public:
  /// text: the program before the edit, for the code around its lines (functions, classes,
  /// modules); held: the inputs that belong to the program.
  LineReader(std::string_view text, const ProgramHints& hints,
             const std::vector<std::string>& inputs, const std::vector<std::string>& held,
             const std::vector<std::pair<std::string, PythonValue>>& constants);

  /// Reads one statement, return, import or similar line. `understood` false: as an op without a
  /// row. Returns false if it is not understood; error() has the reason.
  bool read(std::string source, bool understood);
  /// Removes what the last read() added.
  void undo();
  const std::string& error() const { return error_; }

  /// The statements that have been read so far; results are numbered from kFirstResult.
  const Program& program() const { return program_; }
  std::size_t opsBefore() const { return start_.ops; }
  /// The value that a name stands for; -1: none.
  ValueId valueOf(const std::string& name) const;
  const Names& names() const { return names_; }
  /// The values of the last statement or return.
  std::vector<ValueId> values() const;
  bool madeStatement() const { return program_.statements.size() > start_.statements; }

 private:
  std::string source_;
  std::string error_;
  Before start_;
};

}  // namespace fusebench
