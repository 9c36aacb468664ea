// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fusebench {

/// Where shipped files are: in $FUSEBENCH_RESOURCES, next to the executable, among the sources if
/// the executable is in its build tree, or in the installation prefix. No other folder is searched:
/// some of the files are executed, and another folder could belong to anyone.
std::string resourcePath(std::string_view relative);
/// A shipped experiment or reference ("experiments/fusion_study.json"): the file where there is
/// one, otherwise the copy inside the program, so that a single executable has them, too. Throws
/// InputError naming the existing ones.
std::string resourceText(std::string_view relative);
/// The shipped files inside the program whose names have this prefix ("torch/"), in the order of
/// their names.
std::vector<std::string> shippedFiles(std::string_view beginning);
/// Names of the shipped experiments, without extension, sorted.
std::vector<std::string> shippedExperiments();
/// Names of the shipped published reference data, without extension, sorted.
std::vector<std::string> shippedReferences();
/// Names of the shipped simulated devices, without extension, sorted.
std::vector<std::string> shippedDevices();

}  // namespace fusebench
