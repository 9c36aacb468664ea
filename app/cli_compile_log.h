// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fusebench::cli {

/// Whether the path is a log of torch.compile.
bool isCompileLog(const std::string& path);

/// Prints what torch.compile did and why: findings, compilations, breaks. `csv`: a directory for
/// all of it as tables; empty: none.
int analyzeCompileLog(const std::string& path, bool json, const std::string& csv);

}  // namespace fusebench::cli
