// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "engine/ops/ops.h"

namespace fusebench {

/// One possible completion of the typed text.
struct OpCompletion {
  QString insert;         ///< what is put in place of the typed characters, without brackets
  QString shown;          ///< "torch.exp"
  QString doc;            ///< of the op
  bool takesMore = true;  ///< the caret belongs between the brackets; otherwise behind them
};

struct OpCompletions {
  int typed = 0;  ///< characters before the caret that a completion replaces
  std::vector<OpCompletion> choices;
};

/// What the end of a line (up to the caret) may become: functions behind `torch.` and `F.`, methods
/// behind a value and a dot, and functions for a plain word of two letters or more. Names that
/// begin with what is typed come first, then those that contain it.
OpCompletions completeOp(const QString& beforeCaret, std::size_t most = 12);

}  // namespace fusebench
