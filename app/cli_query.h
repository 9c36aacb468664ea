// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace fusebench::cli {

/// Adds the command `query`: SQL over a trace. `code` gets its exit code.
void addQueryCommand(CLI::App& app, int& code);

}  // namespace fusebench::cli
