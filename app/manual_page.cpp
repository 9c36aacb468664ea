// SPDX-License-Identifier: GPL-3.0-or-later
// Man pages in roff, by the macros that man(7) describes.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "app/program_text.h"
#include "engine/base/saying.h"

namespace fusebench {
namespace {

/// Escapes text for roff: a hyphen becomes a minus, and a backslash or a leading dot or quote does
/// not start a request.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  if (!out.empty() && (out.front() == '.' || out.front() == '\'')) out.insert(0, "\\&");
  return out;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string sentence(const std::string& about) {
  return about.empty() || about.back() == '.' ? roff(about) : roff(about) + ".";
}

std::string entry(const OptionText& option) {
  std::string head;
  for (const std::string& name : option.names)
    head += fmt::format("{}\\fB{}\\fR", head.empty() ? "" : ", ", roff(name));
  if (!option.value.empty() && option.value != option.names.front())
    head += fmt::format(" \\fI{}\\fR", roff(option.value));
  std::string text = fmt::format(".TP\n{}\n{}\n", head, sentence(option.about));
  if (option.closed) {
    std::string choices;
    for (const std::string& choice : option.choices)
      choices += (choices.empty() ? "" : ", ") + roff(choice);
    text += saying("One of: {}.\n", choices);
  }
  return text;
}

std::string usage(const std::string& words, const std::vector<OptionText>& positionals) {
  std::string text = fmt::format("\\fB{}\\fR [\\fIOPTIONS\\fR]", roff(words));
  for (const OptionText& positional : positionals)
    text += (positional.required ? " \\fI" : " [\\fI") + roff(positional.names.front()) +
            (positional.required ? "\\fR" : "\\fR]");
  return text;
}

std::string entries(const std::vector<OptionText>& options) {
  std::string text;
  for (const OptionText& option : options) text += entry(option);
  return text;
}

std::string synopsis(const ProgramText& program) {
  std::string text = ".SH SYNOPSIS\n";
  if (program.commands.empty()) return text + usage(program.name, program.positionals) + "\n";
  for (std::size_t c = 0; c < program.commands.size(); ++c)
    text += fmt::format(
        "{}{}\n", c ? ".br\n" : "",
        usage(program.name + " " + program.commands[c].name, program.commands[c].positionals));
  return text;
}

std::string exitStatus() {
  return fmt::format(
      ".SH EXIT STATUS\n.TP\n0\n{}\n.TP\n1\n{}\n.TP\n2\n{}\n.TP\n3\n{}\n", roff(saying("Done.")),
      roff(saying("Failed, or was interrupted partway; what was measured is kept and printed.")),
      roff(saying("The input or the arguments are wrong: one line on standard error gives the "
                  "location, the cause and the fix.")),
      roff(saying("A check cannot tell: the samples are too few or too noisy. For a check, 1 means "
                  "slower.")));
}

}  // namespace

std::string manualPage(const ProgramText& program) {
  std::string text = fmt::format(".TH {} 1 \"\" \"Fusebench {}\" \"User Commands\"\n",
                                 roff(upper(program.name)), FUSEBENCH_VERSION);
  text += fmt::format(".SH NAME\n{} \\- {}\n", roff(program.name), roff(program.about));
  text += synopsis(program);
  text += fmt::format(".SH DESCRIPTION\n{}\n", roff(program.description));
  text += entries(program.positionals);
  for (const CommandText& command : program.commands)
    text +=
        fmt::format(".SH COMMAND {}\n{}\n", roff(upper(command.name)), sentence(command.about)) +
        entries(command.positionals) + entries(command.options);
  if (!program.options.empty()) text += ".SH OPTIONS\n" + entries(program.options);
  if (!program.environment.empty()) text += ".SH ENVIRONMENT\n" + entries(program.environment);
  text += exitStatus();
  text += ".SH SEE ALSO\n";
  for (std::size_t s = 0; s < program.seeAlso.size(); ++s) {
    const std::string& page = program.seeAlso[s];
    const std::size_t bracket = page.find('(');
    text += fmt::format(".BR {} {}{}\n", roff(page.substr(0, bracket)), page.substr(bracket),
                        s + 1 < program.seeAlso.size() ? "," : "");
  }
  return text;
}

}  // namespace fusebench
