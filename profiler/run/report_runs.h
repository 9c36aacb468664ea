// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fusebench {

/// The type of the script element that holds a run inside a report's page.
inline constexpr const char* kEmbeddedRunType = "application/x-fusebench-run";

/// Whether a text's first line marks it as a run.
bool isRunText(std::string_view text);

/// Whether a file of this name can be a report: .html or .pdf; case does not matter.
bool isReportName(std::string_view path);

/// The texts of the runs inside a report, given its content: a page's script elements, or files
/// that a PDF has attached.
std::vector<std::string> runsInReport(std::string_view content);

}  // namespace fusebench
