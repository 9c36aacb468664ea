// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "profiler/analysis/slowdowns.h"
#include "profiler/export/export_table.h"

namespace fusebench {

/// One row per data point: where it is, both times, the change with its interval, the result.
ExportTable checkTable(const CheckReport& report);
/// How much the machine's own pace changed; empty if it was not recorded.
std::string machineLine(const CheckReport& report);
/// Which times the table shows; empty if nothing was compared.
std::string timesLine(const CheckReport& report);

/// For the comment of a pull request: headline, table of slower or unclear points, and all data
/// points folded.
std::string checkMarkdown(const CheckReport& report);
/// JUnit's XML: one test case per data point. A slower one is a failure, an unclear one is skipped.
std::string checkJunit(const CheckReport& report, const std::string& title);
/// Workflow commands of GitHub Actions: an error per slower data point, a warning per unclear one.
std::string checkAnnotations(const CheckReport& report);
/// Existing keys do not change; new ones may be added. A figure that was not measured is null.
nlohmann::ordered_json checkJson(const CheckReport& report);

}  // namespace fusebench
