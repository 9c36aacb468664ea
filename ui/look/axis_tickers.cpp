// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/look/axis_tickers.h"

#include <QHash>
#include <algorithm>
#include <cmath>

#include "ui/models/base/format.h"
#include "ui/models/chart/axis_range.h"
#include "ui/theme/theme.h"

namespace fusebench {
namespace {

constexpr double kTickLabelGap = 16;  // pixels between the labels of two ticks
constexpr double kTickLabelRow = 18;  // pixels that a label needs on an upright axis

/// In pixels. A chart asks for the same values at every frame.
double labelWidth(const QString& label) {
  // Reports are laid out on another thread than the window.
  thread_local const QFontMetricsF kMetrics(textFont(0.92));
  thread_local QHash<QString, double> known;
  constexpr qsizetype kMost = 20'000;
  if (known.size() > kMost) known.clear();
  const auto found = known.constFind(label);
  if (found != known.constEnd()) return *found;
  return *known.insert(label, kMetrics.horizontalAdvance(label));
}

struct ByteUnit {
  double bytes;
  const char* symbol;
};

/// The largest that is no more than so many.
ByteUnit byteUnit(double bytes) {
  ByteUnit unit{1, "B"};
  for (const char* next : {"KiB", "MiB", "GiB", "TiB"}) {
    if (bytes < unit.bytes * 1024) break;
    unit = {unit.bytes * 1024, next};
  }
  return unit;
}

}  // namespace

QVector<double> QuantityTicker::withinLimits(QVector<double> ticks) const {
  ticks.removeIf([this](double tick) { return tick < limits_.low || tick > limits_.high; });
  return ticks;
}

QVector<double> QuantityTicker::createTickVector(double tickStep, const QCPRange& range) {
  return withinLimits(ticksOf(tickStep, range));
}

QVector<double> QuantityTicker::ticksOf(double tickStep, const QCPRange& range) {
  range_ = range;
  decadesOnly_ = false;
  if (quantity_ == Quantity::bytes) return byteTicksOf(range);
  if (!logarithmic_ || range.lower <= 0) return QCPAxisTicker::createTickVector(tickStep, range);
  const double decades = std::log10(range.upper / range.lower);
  if (decades < 1) return QCPAxisTicker::createTickVector(getTickStep(range), range);
  const double rows = pixels_ > 0 ? std::max(1.0, pixels_ / kTickLabelRow) : 9;
  // The ticks at 1, 2 and 5 are at most log10(2) of a decade apart.
  decadesOnly_ = decades > 3.5 || (pixels_ > 0 && decades / std::log10(2.0) > rows);
  // A label a decade up to nine decades, then every other, and so on.
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / std::min(9.0, rows))));
  QVector<double> ticks;
  const int first = static_cast<int>(std::floor(std::log10(range.lower)));
  const int last = static_cast<int>(std::ceil(std::log10(range.upper)));
  for (int power = first; power <= last; ++power) {
    if (power % stride != 0) continue;
    for (const double digit : {1.0, 2.0, 5.0})
      if (digit == 1 || !decadesOnly_) ticks << digit * std::pow(10.0, power);
  }
  return ticks;
}

/// Ten million bytes would be 9.54 MiB: what is written in powers of two is marked at them.
QVector<double> QuantityTicker::byteTicksOf(const QCPRange& range) {
  constexpr double kFewDoublings = 3;
  const double doublings = range.lower > 0 ? std::log2(range.upper / range.lower) : 0;
  if (!logarithmic_ || doublings < kFewDoublings) {
    const double unit = byteUnit(range.upper).bytes;
    const double step = getTickStep({range.lower / unit, range.upper / unit}) * unit;
    return QCPAxisTicker::createTickVector(step, range);
  }
  const double rows = pixels_ > 0 ? std::max(1.0, pixels_ / kTickLabelRow) : 9;
  int stride = 1;
  for (const int wider : {2, 5, 10, 20, 50})
    if (doublings / stride > std::min(9.0, rows)) stride = wider;
  QVector<double> ticks;
  const int last = static_cast<int>(std::ceil(std::log2(range.upper)));
  for (int power = static_cast<int>(std::floor(std::log2(range.lower))); power <= last; ++power)
    if (power % stride == 0) ticks << std::exp2(power);
  return ticks;
}

QVector<double> QuantityTicker::createSubTickVector(int subTickCount,
                                                    const QVector<double>& ticks) {
  if (!logarithmic_ || !decadesOnly_)
    return logarithmic_ ? QVector<double>{}
                        : QCPAxisTicker::createSubTickVector(subTickCount, ticks);
  QVector<double> subTicks;
  for (const double tick : ticks)
    for (int digit = 2; digit < 10; ++digit) subTicks << digit * tick;
  return withinLimits(std::move(subTicks));
}

QString QuantityTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  if (std::abs(tick) < 1e-9 * range_.size()) return QStringLiteral("0");
  if (quantity_ == Quantity::ratio) return QString::number(tick, 'g', 6) + u'×';
  if (quantity_ == Quantity::bytes) {
    const ByteUnit unit = byteUnit(logarithmic_ ? tick : range_.upper);
    return QString::number(tick / unit.bytes, 'g', 4) + QChar(0x202F) + QLatin1String(unit.symbol);
  }
  if (quantity_ == Quantity::rate) return formatRate(tick);
  if (quantity_ == Quantity::error) return QString::number(tick, 'g', 2);
  if (quantity_ == Quantity::count)
    return tick == std::round(tick) && std::abs(tick) < 1e15
               ? formatCount(static_cast<std::int64_t>(tick))
               : QString::number(tick, 'g', 6);
  // A linear axis keeps one unit all along; on a logarithmic one each tick has its own.
  const ShownUnit unit = timeUnit(logarithmic_ ? tick : range_.upper);
  return QString::number(tick / unit.nanoseconds, 'g', 6) + QChar(0x202F) + unit.symbol;
}

QVector<double> ValueTicker::createTickVector(double, const QCPRange& range) {
  const AxisRange axis{range.lower, range.upper, logarithmic_ && range.lower > 0};
  const auto pixelOf = [&](double value) { return shareOf(axis, value) * pixels_; };
  QVector<double> ticks;
  std::vector<double> inside;
  for (const double value : values_)
    if (value >= range.lower && value <= range.upper) inside.push_back(value);
  // If the last two labels would overlap, keep the last one.
  const auto clash = [&](double a, double b) {
    const double distance = std::abs(pixelOf(b) - pixelOf(a));
    return distance < kTickLabelGap ||
           distance < (labelWidth(labelOf(a)) + labelWidth(labelOf(b))) / 2 + kTickLabelGap;
  };
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (!ticks.isEmpty() && clash(ticks.back(), inside[i])) {
      if (i + 1 == inside.size() && ticks.size() > 1) ticks.back() = inside[i];
      continue;
    }
    ticks << inside[i];
  }
  if (ticks.size() > 1 && clash(ticks[ticks.size() - 2], ticks.back()))
    ticks.removeAt(ticks.size() - 2);
  if (ticks.size() >= 2) return ticks;
  // Few values, or zoomed in between them: whole numbers, which is what an axis counts.
  const double step = std::ceil(getTickStep(range));
  if (!(step > 0)) return ticks;
  ticks = QCPAxisTicker::createTickVector(step, range);
  ticks.removeIf([](double tick) { return tick != std::round(tick); });
  return ticks;
}

QVector<double> ValueTicker::createSubTickVector(int, const QVector<double>&) {
  return {};
}

QString ValueTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  return labelOf(tick);
}

}  // namespace fusebench
