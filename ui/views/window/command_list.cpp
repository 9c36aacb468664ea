// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/command_list.h"

#include <QAction>
#include <QMenu>
#include <QPointer>
#include <algorithm>

namespace fusebench {
namespace {

constexpr int kNotFound = -1;

bool beginsWord(const QString& in, const QString& word) {
  for (qsizetype at = in.indexOf(word); at >= 0; at = in.indexOf(word, at + 1))
    if (at == 0 || !in[at - 1].isLetterOrNumber()) return true;
  return false;
}

/// How many letters of `in` are between those of `word` in this order; -1: they are not there.
int gapsBetween(const QString& in, const QString& word) {
  qsizetype at = -1, first = -1;
  for (const QChar letter : word) {
    at = in.indexOf(letter, at + 1);
    if (at < 0) return kNotFound;
    if (first < 0) first = at;
  }
  return static_cast<int>(at - first + 1 - word.size());
}

int rankOf(const Command& command, const QString& word) {
  const QString name = command.name.toLower();
  if (name == word) return 0;
  if (name.startsWith(word)) return 1;
  if (beginsWord(name, word)) return 2;
  if (beginsWord(command.group.toLower(), word)) return 4;
  if (name.contains(word)) return 5;
  if (beginsWord(command.about.toLower(), word)) return 7;
  constexpr int kWidestGaps = 12, kByLetters = 10;
  const int gaps = gapsBetween(name, word);
  return word.size() > 1 && gaps >= 0 && gaps <= kWidestGaps ? kByLetters + gaps : kNotFound;
}

}  // namespace

int commandRank(const Command& command, const QString& typed) {
  int total = 0;
  for (const QString& word : typed.toLower().split(u' ', Qt::SkipEmptyParts)) {
    const int rank = rankOf(command, word);
    if (rank < 0) return kNotFound;
    total += rank;
  }
  return total;
}

void addMenuCommands(std::vector<Command>& commands, QMenu& menu, const QString& group) {
  for (QAction* const action : menu.actions()) {
    if (action->isSeparator() || !action->isEnabled()) continue;
    QString name = action->text();
    name.remove(u'&');
    if (QMenu* const inner = action->menu()) {
      addMenuCommands(commands, *inner, name);
      continue;
    }
    const QString about = action->toolTip() == action->text() ? QString() : action->toolTip();
    commands.push_back({name, group, action->shortcut().toString(QKeySequence::NativeText),
                        about.section(u'\n', 0, 0), [action = QPointer<QAction>(action)] {
                          if (action) action->trigger();
                        }});
  }
}

}  // namespace fusebench
