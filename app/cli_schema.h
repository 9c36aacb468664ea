// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace fusebench::cli {

/// Adds the command `schema`: the keys of experiment files, for editors and people. `code` gets its
/// exit code.
void addSchemaCommand(CLI::App& app, int& code);

}  // namespace fusebench::cli
