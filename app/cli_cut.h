// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace fusebench::cli {

/// Adds the command `cut`: a module of a captured model as an experiment. `code` gets its exit
/// code.
void addCutCommand(CLI::App& app, int& code);

}  // namespace fusebench::cli
