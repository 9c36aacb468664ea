// SPDX-License-Identifier: GPL-3.0-or-later
// Everything of the program that reads what somebody else may have written, each under a name.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fusebench::fuzz {

/// The function that tries a reader, and valid inputs for it.
struct Tried {
  /// Takes an input and says what it understood, as a text that is the same for the same content;
  /// nothing if it refuses the input without an exception. "partial" in front: it says itself that
  /// it did not take all. Throws std::logic_error if what was read is not what is written back.
  std::function<std::optional<std::string>(const std::string&)> read;
  std::vector<std::string> corpus;
};

/// By name; each is made when it is wanted, and works in the current folder.
using Readers = std::map<std::string, std::function<Tried()>>;

/// Adds all readers but the window's.
void addProfilerReaders(Readers& readers);
/// Adds the window's readers: its session, its settings, reports, the notes of runs.
void addWindowReaders(Readers& readers);
/// All that this program was built with.
Readers allReaders();

/// The text that `read` returns; nothing after a documented refusal. Passes on other exceptions.
std::optional<std::string> readOrRefuse(const Tried& tried, const std::string& text);

/// The files of a folder of the sources that are not longer and whose names end so; in the order of
/// their texts.
std::vector<std::string> filesIn(const std::string& folder, std::size_t longest,
                                 const std::string& ending = "");
/// The text of a small run's file.
std::string sampleRun();
/// Where readers of files find theirs.
std::string inputFile();

}  // namespace fusebench::fuzz
