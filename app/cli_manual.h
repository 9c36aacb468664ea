// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace fusebench::cli {

/// Adds the commands that tell man and shells of all others: `completion`, and `manual`, which no
/// help names. `code` gets their exit code.
void addManualCommands(CLI::App& app, int& code);

}  // namespace fusebench::cli
