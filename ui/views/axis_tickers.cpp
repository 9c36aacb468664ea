// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/axis_tickers.h"

#include <cmath>

#include "ui/models/format.h"

namespace fusebench {

QVector<double> LatencyTicker::createTickVector(double tickStep, const QCPRange& range) {
  range_ = range;
  decadesOnly_ = false;
  if (!logarithmic_ || range.lower <= 0) return QCPAxisTicker::createTickVector(tickStep, range);
  const double decades = std::log10(range.upper / range.lower);
  if (decades < 1) return QCPAxisTicker::createTickVector(getTickStep(range), range);
  decadesOnly_ = decades > 3.5;
  QVector<double> ticks;
  const int first = static_cast<int>(std::floor(std::log10(range.lower)));
  const int last = static_cast<int>(std::ceil(std::log10(range.upper)));
  for (int power = first; power <= last; ++power)
    for (const double digit : {1.0, 2.0, 5.0})
      if (digit == 1 || !decadesOnly_) ticks << digit * std::pow(10.0, power);
  return ticks;
}

QVector<double> LatencyTicker::createSubTickVector(int subTickCount, const QVector<double>& ticks) {
  if (!logarithmic_ || !decadesOnly_)
    return logarithmic_ ? QVector<double>{}
                        : QCPAxisTicker::createSubTickVector(subTickCount, ticks);
  QVector<double> subTicks;
  for (const double tick : ticks)
    for (int digit = 2; digit < 10; ++digit) subTicks << digit * tick;
  return subTicks;
}

QString LatencyTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  if (std::abs(tick) < 1e-9 * range_.size()) return QStringLiteral("0");
  // A linear axis keeps one unit all along; on a logarithmic one each tick has its own.
  const TimeUnit unit = timeUnit(logarithmic_ ? tick : range_.upper);
  return QString::number(tick / unit.nanoseconds, 'g', 6) + QChar(0x202F) + unit.symbol;
}

QVector<double> ValueTicker::createTickVector(double, const QCPRange&) {
  QVector<double> ticks;
  const auto stride =
      std::max<std::size_t>(1, (values_.size() + static_cast<std::size_t>(maximum_) - 1) /
                                   static_cast<std::size_t>(std::max(1, maximum_)));
  for (std::size_t i = 0; i < values_.size(); i += stride) ticks << values_[i];
  return ticks;
}

QVector<double> ValueTicker::createSubTickVector(int, const QVector<double>&) {
  return {};
}

QString ValueTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  return axisValueText(tick);
}

QString axisValueText(double value) {
  const auto whole = static_cast<std::int64_t>(std::llround(value));
  if (whole >= 1024 && (whole & (whole - 1)) == 0) {
    if (whole >= std::int64_t{1} << 30) return QStringLiteral("%1Gi").arg(whole >> 30);
    if (whole >= std::int64_t{1} << 20) return QStringLiteral("%1Mi").arg(whole >> 20);
    return QStringLiteral("%1Ki").arg(whole >> 10);
  }
  return std::abs(value - static_cast<double>(whole)) < 1e-9 ? formatCount(whole)
                                                             : formatPlace(value);
}

}  // namespace fusebench
