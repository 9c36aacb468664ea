// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fusebench {

/// The source that a program was built from. Empty if that is not known (no git, a library's
/// tests); with a "+" at the end if there were uncommitted changes.
struct Build {
  std::string commit;  ///< git's, abbreviated
  std::string engine;  ///< git's name for the state of the engine's sources
};

/// The build of this program. Programs register it when they start (cmake/BuildCommit.cmake), so
/// that a commit only relinks them.
const Build& build();
void noteBuild(Build build);

}  // namespace fusebench
