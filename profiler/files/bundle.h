// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace fusebench {

/// The content of a .fusebench file: an experiment, its run, notes and the view settings, in one
/// JSON object. Each part has the form of its own files.
struct Bundle {
  std::string experiment;  ///< text of an experiment's file; empty: none
  std::string run;         ///< text of a run's file; empty: none
  std::string notes;       ///< by the person
  std::string view;        ///< a JSON object of the window's, which others ignore; empty: none
};

/// Whether a file of this name is a bundle; case does not matter.
bool isBundleName(std::string_view path);
/// Whether a text begins like one. Its first 100 bytes are enough.
bool isBundleText(std::string_view text);

/// Throws InputError: "file:line:column: cause; remedy".
Bundle parseBundle(std::string_view text, std::string_view file);
std::string toText(const Bundle& bundle);

/// The text of the run inside a bundle; any other text unchanged. Throws InputError if the bundle
/// has no run.
std::string runTextOf(std::string text, std::string_view file);
/// The same for the text of the experiment.
std::string experimentTextOf(std::string text, std::string_view file);

}  // namespace fusebench
