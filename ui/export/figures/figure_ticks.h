// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

#include "ui/look/axis_tickers.h"
#include "ui/models/chart/axis_range.h"

namespace fusebench {

/// The positions of an axis's ticks, and their labels.
struct FigureTicks {
  std::vector<double> at;
  QStringList labels;
};

/// Those within the range.
FigureTicks figureTicks(QCPAxisTicker& ticker, const AxisRange& range);

/// How wide the widest of these texts is.
double widestText(const QStringList& texts, double em, bool bold = false);

}  // namespace fusebench
