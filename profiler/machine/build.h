// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fusebench {

/// The source that a program was built from. Empty where that is not known (no git, a library's
/// tests); a "+" at the end: with changes that were not committed.
struct Build {
  std::string commit;  ///< git's, abbreviated
  std::string engine;  ///< git's name for the state of the engine's sources
};

/// This program's. The programs note it when they start (cmake/BuildCommit.cmake), so that only
/// they are linked again for a commit.
const Build& build();
void noteBuild(Build build);

}  // namespace fusebench
