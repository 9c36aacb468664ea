// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace fusebench::cli {

/// Adds the commands that describe all others to man and to shells: `completion`, and `manual`,
/// which no help lists. `code` gets their exit code.
void addManualCommands(CLI::App& app, int& code);

}  // namespace fusebench::cli
