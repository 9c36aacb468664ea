// SPDX-License-Identifier: GPL-3.0-or-later
// The texts for man and for shells. They are read from the parser, so that they always agree with
// --help.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/cli_commands.h"
#include "app/cli_manual.h"
#include "app/program_text.h"
#include "profiler/catalogue/catalogue.h"
#include "profiler/course/lesson.h"
#include "profiler/files/resources.h"
#include "profiler/machine/sim_devices.h"
#include "profiler/run/recordings.h"

namespace fusebench::cli {
namespace {

/// "TEXT:{split,launches}" says that there are two choices.
std::vector<std::string> choicesIn(const std::string& type) {
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open == std::string::npos ? 0 : open);
  std::vector<std::string> choices;
  if (open == std::string::npos || close == std::string::npos) return choices;
  std::string word;
  for (const char c : type.substr(open + 1, close - open - 1) + ",") {
    if (c != ',') {
      word += c;
      continue;
    }
    choices.push_back(word);
    word.clear();
  }
  return choices;
}

bool isAnyOf(const std::string& text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return text == word; });
}

/// The kind of a value follows from the word that stands for it.
void describeValue(OptionText& option) {
  const std::string& word = option.value;
  option.kind = ValueKind::text;
  if (word == "DIR") option.kind = ValueKind::folder;
  if (isAnyOf(word, {"EXPERIMENT", "RUN_OR_EXPERIMENT", "LESSON", "FILE", "RUN", "PATH"}) ||
      word.find('.') != std::string::npos)
    option.kind = ValueKind::file;
  if (!option.choices.empty()) option.kind = ValueKind::text;
  if (isAnyOf(word, {"EXPERIMENT", "RUN_OR_EXPERIMENT"})) option.choices = shippedExperiments();
  if (word == "LESSON") option.choices = course::shippedLessons();
  if (option.names.front() == "--language") option.choices = languages();
  if (word == "FILE") option.choices = shippedReferences();
  if (isAnyOf(word, {"FILE", "RUN"}))
    for (const Recording& recording : shippedRecordings()) option.choices.push_back(recording.name);
  if (option.names.front() == "--device") {
    option.choices = {"cpu", "cuda:0"};
    for (const std::string& name : shippedDevices()) option.choices.push_back("sim:" + name);
  }
}

OptionText textOf(const CLI::Option& option) {
  OptionText text;
  text.about = option.get_description();
  text.required = option.get_required();
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  if (option.get_positional()) text.names = {option.get_name(true, false)};
  if (option.get_items_expected_max() == 0) return text;
  const std::string type = option.get_type_name();
  text.choices = choicesIn(type);
  text.value = option.get_positional() ? text.names.front() : type.substr(0, type.find(':'));
  text.closed = !text.choices.empty();
  if (text.closed && !option.get_positional()) text.value = "WORD";
  describeValue(text);
  return text;
}

void readOptions(const CLI::App& app, std::vector<OptionText>& positionals,
                 std::vector<OptionText>& options) {
  for (const CLI::Option* option : app.get_options())
    if (option != app.get_help_ptr())
      (option->get_positional() ? positionals : options).push_back(textOf(*option));
}

ProgramText textOf(const CLI::App& app) {
  ProgramText text;
  text.name = "fusebench-cli";
  text.about = saying("measure kernel fusion and kernel launches, from the command line");
  text.description = saying(
      "Runs programs of tensor operations in several ways, with one kernel per operation or fused "
      "into one, and prints the latencies with their intervals, where fusing breaks even, and "
      "after how many calls a compile has paid for itself. Results go to standard output, messages "
      "and progress to standard error.");
  text.seeAlso = {"fusebench(1)"};
  text.environment = {{{"FUSEBENCH_PYTHON"},
                       "",
                       saying("The Python interpreter with PyTorch."),
                       {},
                       false,
                       {},
                       false},
                      {{"FUSEBENCH_CUPTI"},
                       "",
                       saying("The CUPTI library that records launches on a GPU."),
                       {},
                       false,
                       {},
                       false},
                      {{"FUSEBENCH_RESOURCES"},
                       "",
                       saying("Folder to search first for shipped files."),
                       {},
                       false,
                       {},
                       false}};
  readOptions(app, text.positionals, text.options);
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_group().empty()) continue;
    CommandText& told = text.commands.emplace_back();
    told.name = command->get_name();
    told.about = command->get_description();
    readOptions(*command, told.positionals, told.options);
  }
  return text;
}

}  // namespace

void addManualCommands(CLI::App& app, int& code) {
  auto shell = std::make_shared<std::string>();
  CLI::App* completion = app.add_subcommand(
      "completion", saying("Print a completion script for a shell; packages install it"));
  completion->add_option("SHELL", *shell, saying("Shell: bash, zsh or fish"))
      ->required()
      ->check(CLI::IsMember(completedShells()));
  completion->callback([shell, &app, &code] {
    printOut(completionScript(textOf(app), *shell));
    code = kDone;
  });
  app.add_subcommand("manual", saying("Print the man page"))->group("")->callback([&app, &code] {
    printOut(manualPage(textOf(app)));
    code = kDone;
  });
}

}  // namespace fusebench::cli
