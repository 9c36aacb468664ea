// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace fusebench {

/// The kind of a value on the command line, which determines how a shell completes it.
enum class ValueKind { none, text, file, folder };

struct OptionText {
  std::vector<std::string> names;  ///< "--out", or the word of a positional ("EXPERIMENT")
  std::string value;               ///< the word for its value ("RUN.jsonl"); empty: takes none
  std::string about;
  std::vector<std::string>
      choices;          ///< the choices that a shell offers; also files if `kind` is a file
  bool closed = false;  ///< only the choices are accepted
  ValueKind kind = ValueKind::none;
  bool required = false;
};

struct CommandText {
  std::string name, about;
  std::vector<OptionText> positionals, options;
};

/// A program's command line as its own parser knows it: man pages and completion are generated from
/// it.
struct ProgramText {
  std::string name, about, description;
  std::vector<OptionText> positionals, options;
  std::vector<CommandText> commands;
  std::vector<OptionText> environment;  ///< variables that it reads
  std::vector<std::string> seeAlso;     ///< "fusebench-cli(1)"
};

/// A page for man(1), in roff.
std::string manualPage(const ProgramText& program);

/// The shells for which `completionScript` makes a file.
const std::vector<std::string>& completedShells();
/// The file that teaches a shell ("bash", "zsh", "fish") the program's commands and options.
std::string completionScript(const ProgramText& program, const std::string& shell);

}  // namespace fusebench
