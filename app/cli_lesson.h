// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace fusebench::cli {

/// Adds the command `lesson`: the course, one of its lessons, the answers given by a run, answers
/// handed in. `code` gets its exit code.
void addLessonCommand(CLI::App& app, int& code);

}  // namespace fusebench::cli
