// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fusebench {

/// A run or a trace that was measured elsewhere and ships with the program, for users whose own
/// machine cannot measure it, usually because it has no GPU.
struct Recording {
  std::string name;  ///< "h100_every_way"
  std::string path;
  std::string title, about;  ///< for display, one line each
  /// The name of the Reference whose study it repeats on a GPU, and in a sentence where its curves
  /// cross; both are empty for the others.
  std::string reference, crossings;
  bool isRun() const { return path.ends_with(".jsonl"); }
};

/// The recordings in the shipped folder, in the order of its index; none if the folder is missing.
std::vector<Recording> shippedRecordings();
/// The one that repeats the study of a reference on a GPU, if there is one.
std::optional<Recording> recordingOf(std::string_view reference);

}  // namespace fusebench
