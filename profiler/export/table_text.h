// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/export/export_table.h"

namespace fusebench {

// Within a table's cell and in running text: escapes characters that have a meaning in the format.
std::string markdown(const std::string& text);
std::string latex(const std::string& text);

/// In GitHub's table syntax.
std::string markdownTable(const ExportTable& table);
/// A tabular with \toprule, \midrule and \bottomrule: \usepackage{booktabs}.
std::string latexTable(const ExportTable& table);

}  // namespace fusebench
