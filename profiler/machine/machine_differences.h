// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace fusebench {

/// One thing in which the environments of two runs differ.
struct EnvironmentDifference {
  /// What differs, as a message: "processor".
  std::string what;
  std::string before, now;  ///< empty: not known
  /// Whether times of the two cannot be compared because the processor or device differs. Otherwise
  /// it is a difference that may be the subject of the comparison, such as a version.
  bool otherMachine = false;
};

/// The differences of two runs' environments (see collectEnvironment) and devices, the machine
/// first. A value that either does not state is not compared.
std::vector<EnvironmentDifference> environmentDifferences(const nlohmann::json& before,
                                                          const std::string& deviceBefore,
                                                          const nlohmann::json& now,
                                                          const std::string& deviceNow);

/// "processor: A instead of B; ..." of those of the machine, or of the others.
std::string differencesText(const std::vector<EnvironmentDifference>& differences,
                            bool otherMachine);

}  // namespace fusebench
