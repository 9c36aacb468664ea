// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace fusebench {

/// A run or a trace that was measured elsewhere and ships with the program: for people whose own
/// machine cannot, a GPU being what most lack.
struct Recording {
  std::string name;  ///< "h100_every_way"
  std::string path;
  std::string title, about;  ///< for people, one line each
  bool isRun() const { return path.ends_with(".jsonl"); }
};

/// Those in the folder recordings of the shipped files, in the order of its index; none where the
/// folder is not there.
std::vector<Recording> shippedRecordings();

}  // namespace fusebench
