// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figures/figure_ticks.h"

#include <algorithm>

#include "ui/export/figures/figure.h"

namespace fusebench {

FigureTicks figureTicks(QCPAxisTicker& ticker, const AxisRange& range) {
  QVector<double> at;
  QVector<QString> labels;
  ticker.generate(QCPRange(range.low, range.high), QLocale::c(), QLatin1Char('g'), 6, at, nullptr,
                  &labels);
  FigureTicks ticks;
  for (qsizetype i = 0; i < at.size(); ++i)
    if (at[i] >= range.low && at[i] <= range.high) {
      ticks.at.push_back(at[i]);
      ticks.labels << labels[i];
    }
  return ticks;
}

double widestText(const QStringList& texts, double em, bool bold) {
  double width = 0;
  for (const QString& text : texts) width = std::max(width, figureTextWidth(text, em, bold));
  return width;
}

}  // namespace fusebench
