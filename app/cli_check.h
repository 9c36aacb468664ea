// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace fusebench::cli {

/// Adds the command `check`: whether a run, or an experiment that it measures, is slower than a
/// baseline. `code` gets its exit code: kDone, kFailed for slower, kCannotTell.
void addCheckCommand(CLI::App& app, int& code);

}  // namespace fusebench::cli
