// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace fusebench {

/// Facts that a measurement depends on besides the program: processor, caches, governor, turbo,
/// cores, memory, load, kernel, compiler, virtualization, cost of the clock. Facts that cannot be
/// determined are left out. `backend` is the backend's own description, which names its compiler.
/// Members: cpu{model, cores, threads, governor, turbo, mhz, caches{L1d, L1i, L2, L3},
/// vector_units[]}, memory{total_bytes, available_bytes}, load[3], kernel, os, compiler, backend,
/// virtual, clock{source, cost_ns}, version, commit, engine (see Build). A study adds the facts of
/// its other workers: torch{torch, python, parallel, cpu_capability, cuda}; and the version of the
/// device's recorder: cupti.
nlohmann::json collectEnvironment(const std::string& backend);

/// The environment on one line, for the foot of a table.
std::string environmentLine(const nlohmann::json& environment);

/// A note that the run was measured with another engine than this program's; empty if it was not,
/// or if one of the two is not known.
std::string engineNote(const nlohmann::json& environment);

/// The 1, 5 and 15 minute load; null if unknown.
nlohmann::json systemLoad();

/// The vector units of this processor that Fusebench knows, widest first.
std::vector<std::string> vectorUnits();

/// A processor's instructions for products of narrow numbers.
struct NarrowUnit {
  std::string name;    ///< "VNNI"
  std::string serves;  ///< "int8"
  bool there = false;
};
/// Those that an x86 processor may have, by its flags in /proc/cpuinfo, with a space before and
/// after each; none without flags: another kind of processor, or one whose flags cannot be read.
std::vector<NarrowUnit> narrowUnits(std::string_view flags);
std::vector<NarrowUnit> narrowUnits();  ///< this processor's

/// The frequency governor of the first core, and whether turbo is on ("on", "off"); empty if
/// unknown.
std::string governor();
std::string turbo();

/// "a container", "a virtual machine (KVM)", or empty if there is no sign of either.
std::string virtualisation();

}  // namespace fusebench
