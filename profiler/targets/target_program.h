// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "profiler/targets/target_spec.h"

namespace fusebench {

/// A target cannot be reached or used. what() is one line with the remedy.
class TargetFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The command-line program that workers on targets are: a file on this machine, known by its hash.
struct PortableProgram {
  std::string path;
  std::uint64_t bytes = 0;
  std::string hash;  ///< SHA-256, hexadecimal
};
/// $FUSEBENCH_PORTABLE_CLI, else fusebench-cli-portable next to `own`, else the program that the
/// preset "portable" has built in the tree that `own` was built in, else `own` itself, which needs
/// the same libraries there as here. Throws InputError if it cannot be read.
PortableProgram portableProgram(const std::string& own);

/// The facts found on a target.
struct TargetFound {
  std::string system;    ///< "Linux x86_64"
  std::string path;      ///< where the program is, or would be copied to
  bool program = false;  ///< exactly this program is there
};
/// Probes the target. Throws TargetFailed.
TargetFound probeTarget(const TargetSpec& spec, const PortableProgram& program,
                        const std::stop_token& stop = {});

/// Copies the program to the path from probeTarget(), under a temporary name, checks its hash and
/// that it starts, and renames it. `copied` receives the bytes copied so far. Throws TargetFailed;
/// then nothing of it remains there.
void copyProgram(const TargetSpec& spec, const TargetFound& found, const PortableProgram& program,
                 const std::function<void(std::uint64_t)>& copied = {},
                 const std::stop_token& stop = {});

/// The line that precedes a command's own output: anything that a login shell prints comes before
/// it.
inline constexpr const char* kOutputBegins = "fusebench: output begins";

/// A shell script that runs the program there with these arguments. Temporary files are in a folder
/// that is removed with it. Its output begins after a line kOutputBegins.
std::string programScript(const std::string& path, const std::vector<std::string>& arguments);

/// The output after kOutputBegins; nothing if that line never came.
std::string afterBanner(const std::string& output);

}  // namespace fusebench
