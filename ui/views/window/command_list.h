// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <vector>

class QMenu;

namespace fusebench {

/// Something that the command palette offers.
struct Command {
  QString name;   ///< "Export…", "Timeline", "layer_norm"
  QString group;  ///< "Studies", "Show", "Op": where else it is found
  QString keys;
  QString about;  ///< one line; may be empty
  std::function<void()> run;
};

/// How well a command answers what was typed: the smaller the better; -1: not at all. Each word
/// must be found: at the beginning of a word, within one, or by letters in this order.
int commandRank(const Command& command, const QString& typed);

/// All actions of a menu and of the menus in it that can be triggered now.
void addMenuCommands(std::vector<Command>& commands, QMenu& menu, const QString& group);

}  // namespace fusebench
