// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace fusebench::cli {

/// Adds the command `capture`: an experiment from a PyTorch model. `code` gets its exit code.
void addCaptureCommand(CLI::App& app, int& code);

}  // namespace fusebench::cli
