// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

namespace fusebench {

/// Assembly, or PTX, with its mnemonics and its operands in columns of their own, whatever tabs it
/// came with. Lines stay lines.
QString inColumns(const QString& assembly);

/// The line (from 0) at which the loop begins that does the work: of those loops that hold no
/// other, the one with the most lines of ops. 0 without a loop.
int innermostLoop(const QString& assembly, const std::vector<int>& lineOps);

}  // namespace fusebench
