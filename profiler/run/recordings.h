// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace fusebench {

/// A run or a trace that was measured elsewhere and ships with the program, for users whose own
/// machine cannot measure it, usually because it has no GPU.
struct Recording {
  std::string name;  ///< "h100_every_way"
  std::string path;
  std::string title, about;  ///< for display, one line each
  bool isRun() const { return path.ends_with(".jsonl"); }
};

/// The recordings in the shipped folder, in the order of its index; none if the folder is missing.
std::vector<Recording> shippedRecordings();

}  // namespace fusebench
