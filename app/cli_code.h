// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace fusebench::cli {

/// Adds the command `code`: what a variant's kernels look like. `code` gets its exit code.
void addCodeCommand(CLI::App& app, int& code);

}  // namespace fusebench::cli
