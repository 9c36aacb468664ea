// SPDX-License-Identifier: GPL-3.0-or-later
// What shells are taught: the commands, their options, and what these take.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "app/program_text.h"
#include "engine/base/saying.h"

namespace fusebench {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

/// Inside single quotes of a POSIX shell.
std::string quoted(const std::string& text) {
  return "'" + replaced(text, "'", "'\\''") + "'";
}

std::string functionName(const std::string& program) {
  return "_" + replaced(program, "-", "_");
}

std::vector<std::string> optionNames(const std::vector<OptionText>& options) {
  std::vector<std::string> names;
  for (const OptionText& option : options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

/// A program without commands is one whose only command has no name.
std::vector<CommandText> commandsOf(const ProgramText& program) {
  if (!program.commands.empty()) return program.commands;
  return {{"", program.about, program.positionals, program.options}};
}

// ---- bash

std::string bashOffer(const OptionText& option) {
  std::string text;
  if (!option.choices.empty())
    text += fmt::format("      COMPREPLY+=($(compgen -W {} -- \"$cur\"))\n",
                        quoted(fmt::format("{}", fmt::join(option.choices, " "))));
  if (option.kind == ValueKind::file || option.kind == ValueKind::folder)
    text +=
        fmt::format("      compopt -o filenames\n      COMPREPLY+=($(compgen -{} -- \"$cur\"))\n",
                    option.kind == ValueKind::file ? "f" : "d");
  return text;
}

std::string bashScript(const ProgramText& program) {
  const std::vector<CommandText> commands = commandsOf(program);
  std::vector<std::string> names;
  for (const CommandText& command : program.commands) names.push_back(command.name);
  std::string text = fmt::format(
      "# Completion of {0} for bash.\n"
      "{1}() {{\n"
      "  local cur prev command= word\n"
      "  cur=${{COMP_WORDS[COMP_CWORD]}}\n"
      "  prev=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  # A colon is a part of the words here: cuda:0.\n"
      "  if declare -F _get_comp_words_by_ref >/dev/null; then\n"
      "    _get_comp_words_by_ref -n : cur prev\n"
      "  fi\n"
      "  COMPREPLY=()\n",
      program.name, functionName(program.name));
  if (!names.empty())
    text += fmt::format(
        "  for word in \"${{COMP_WORDS[@]:1:COMP_CWORD-1}}\"; do\n"
        "    case $word in\n      {}) command=$word; break ;;\n    esac\n  done\n",
        fmt::join(names, " | "));
  text += "  case \"$command $prev\" in\n";
  std::vector<CommandText> valued = commands;  // and the program's own options, before a command
  if (!names.empty()) valued.push_back({"", program.about, {}, program.options});
  for (const CommandText& command : valued)
    for (const OptionText& option : command.options) {
      if (option.value.empty()) continue;
      for (const std::string& name : option.names)
        text += fmt::format("    {})\n{}      return ;;\n", quoted(command.name + " " + name),
                            bashOffer(option) +
                                "      declare -F __ltrim_colon_completions >/dev/null && "
                                "__ltrim_colon_completions \"$cur\"\n");
    }
  text += "  esac\n  case $command in\n";
  for (const CommandText& command : commands) {
    text += fmt::format("    {})\n      if [[ $cur == -* ]]; then\n", quoted(command.name));
    text +=
        fmt::format("        COMPREPLY=($(compgen -W {} -- \"$cur\"))\n        return\n      fi\n",
                    quoted(fmt::format("{} --help", fmt::join(optionNames(command.options), " "))));
    for (const OptionText& positional : command.positionals) text += bashOffer(positional);
    text += "      ;;\n";
  }
  if (!names.empty())
    text += fmt::format("    '') COMPREPLY=($(compgen -W {} -- \"$cur\")) ;;\n",
                        quoted(fmt::format("{} {}", fmt::join(names, " "),
                                           fmt::join(optionNames(program.options), " "))));
  return text +
         fmt::format("  esac\n}}\ncomplete -F {} {}\n", functionName(program.name), program.name);
}

// ---- zsh

/// Inside the brackets of an _arguments specification, which ends at a bracket or a colon.
std::string zshWords(const std::string& text) {
  return replaced(replaced(replaced(replaced(text, "\\", "\\\\"), "[", "\\["), "]", "\\]"), ":",
                  "\\:");
}

std::string zshAction(const OptionText& option) {
  std::vector<std::string> choices;
  for (const std::string& choice : option.choices) choices.push_back(zshWords(choice));
  const std::string given = fmt::format("({})", fmt::join(choices, " "));
  std::string files = option.kind == ValueKind::folder ? "_files -/" : "_files";
  if (option.kind == ValueKind::text || option.kind == ValueKind::none)
    return choices.empty() ? " " : given;
  if (choices.empty()) return files;
  return fmt::format("_alternative \"names:name:{}\" \"files:file:{}\"", given, files);
}

std::string zshArguments(const std::vector<OptionText>& positionals,
                         const std::vector<OptionText>& options, const std::string& indent) {
  std::string text = indent + "_arguments";
  const auto add = [&](const std::string& specification) {
    text += fmt::format(" \\\n{}  {}", indent, quoted(specification));
  };
  for (const OptionText& option : options)
    for (const std::string& name : option.names) {
      std::string one = fmt::format("*{}[{}]", name, zshWords(option.about));
      if (!option.value.empty())
        one += fmt::format(":{}:{}", zshWords(option.value), zshAction(option));
      add(one);
    }
  add("--help[Print help]");
  for (const OptionText& positional : positionals)
    add(fmt::format("*:{}:{}", zshWords(positional.names.front()), zshAction(positional)));
  return text + "\n";
}

std::string zshScript(const ProgramText& program) {
  std::string text =
      fmt::format("#compdef {}\n# Completion of {} for zsh.\n", program.name, program.name);
  if (program.commands.empty())
    return text + zshArguments(program.positionals, program.options, "");
  text += "local state line\nlocal -a commands=(\n";
  for (const CommandText& command : program.commands)
    text += fmt::format("  {}\n", quoted(command.name + ":" + command.about));
  text +=
      ")\n_arguments -C '--help[Print help]' '--version[Print the version]' '1: :->command' "
      "'*:: :->rest'\ncase $state in\n  command) _describe command commands ;;\n"
      "  rest)\n    case ${line[1]} in\n";
  for (const CommandText& command : program.commands)
    text += fmt::format("      {})\n{}        ;;\n", command.name,
                        zshArguments(command.positionals, command.options, "        "));
  return text + "    esac\n    ;;\nesac\n";
}

// ---- fish

std::string fishQuoted(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fishOffer(const OptionText& option) {
  std::string text;
  const bool files = option.kind == ValueKind::file || option.kind == ValueKind::folder;
  text += files ? " -F" : " -f";
  if (!option.choices.empty())
    text += " -a " + fishQuoted(fmt::format("{}", fmt::join(option.choices, " ")));
  return text;
}

std::string fishOption(const std::string& head, const OptionText& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return fmt::format("{}{}{} -d {}\n", head, names,
                     option.value.empty() ? std::string(" -f") : " -r" + fishOffer(option),
                     fishQuoted(option.about));
}

std::string fishScript(const ProgramText& program) {
  std::string text = fmt::format("# Completion of {} for fish.\n", program.name);
  const std::string all = fmt::format("complete -c {}", program.name);
  const bool commands = !program.commands.empty();
  for (const CommandText& command : program.commands)
    text += fmt::format("{} -n __fish_use_subcommand -f -a {} -d {}\n", all, command.name,
                        fishQuoted(command.about));
  for (const CommandText& command : commandsOf(program)) {
    const std::string head =
        commands ? fmt::format("{} -n '__fish_seen_subcommand_from {}'", all, command.name) : all;
    for (const OptionText& option : command.options) text += fishOption(head, option);
    for (const OptionText& positional : command.positionals)
      text += head + fishOffer(positional) + "\n";
  }
  return text;
}

}  // namespace

const std::vector<std::string>& completedShells() {
  static const std::vector<std::string> kShells = {"bash", "zsh", "fish"};
  return kShells;
}

std::string completionScript(const ProgramText& program, const std::string& shell) {
  if (shell == "bash") return bashScript(program);
  if (shell == "zsh") return zshScript(program);
  if (shell == "fish") return fishScript(program);
  throw std::invalid_argument(saying("there is no completion for the shell {}", shell));
}

}  // namespace fusebench
