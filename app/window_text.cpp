// SPDX-License-Identifier: GPL-3.0-or-later
// The window's command line, told to man and to shells.
#include "app/window_text.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/program_text.h"
#include "engine/base/saying.h"
#include "profiler/catalogue/catalogue.h"

namespace fusebench {
namespace {

OptionText textOf(const QCommandLineOption& option) {
  OptionText text;
  text.about = option.description().toStdString();
  text.value = option.valueName().toStdString();
  for (const QString& name : option.names())
    text.names.push_back((name.size() == 1 ? "-" : "--") + name.toStdString());
  if (text.value.empty()) return text;
  if (text.names.front() == "--language") text.choices = languages();
  text.kind = text.value == "DIR"   ? ValueKind::folder
              : text.value == "OUT" ? ValueKind::file
                                    : ValueKind::text;
  return text;
}

}  // namespace

QList<QCommandLineOption> manualOptions() {
  QCommandLineOption manual(QStringLiteral("manual"));
  QCommandLineOption completion(QStringLiteral("completion"), {}, QStringLiteral("SHELL"));
  for (QCommandLineOption* option : {&manual, &completion})
    option->setFlags(QCommandLineOption::HiddenFromHelp);
  return {manual, completion};
}

QString programTextFor(const QString& shell, const QString& filesAbout,
                       const QList<QCommandLineOption>& options) {
  ProgramText text;
  text.name = "fusebench";
  text.about = saying("see where kernel fusion pays off and what kernel launches cost");
  text.description = saying(
      "Opens a window in which a program of tensor operations is built, run in several ways and "
      "measured: curves with their intervals, break-evens, every launch on a timeline.");
  text.positionals = {
      {{"FILE"}, "FILE", filesAbout.toStdString(), {}, false, ValueKind::file, false}};
  for (const QCommandLineOption& option : options)
    if (!option.flags().testFlag(QCommandLineOption::HiddenFromHelp))
      text.options.push_back(textOf(option));
  text.seeAlso = {"fusebench-cli(1)"};
  if (shell.isEmpty()) return QString::fromStdString(manualPage(text));
  const std::vector<std::string>& known = completedShells();
  if (std::find(known.begin(), known.end(), shell.toStdString()) == known.end()) return {};
  return QString::fromStdString(completionScript(text, shell.toStdString()));
}

}  // namespace fusebench
