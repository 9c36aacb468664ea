// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <limits>
#include <utility>
#include <vector>

#include "ui/models/base/format.h"
#include "ui/models/chart/chart_series.h"

namespace fusebench {

/// Ticks labeled with units: 200 ns, 1 µs, 2 ms; 2×; 1 000. Bytes have ticks at powers of two. A
/// logarithmic axis has decades, with 2 and 5 between them where there are few, and even steps
/// below one decade (where QCustomPlot's own logarithmic ticker draws none).
class QuantityTicker : public QCPAxisTicker {
 public:
  void setLogarithmic(bool on) { logarithmic_ = on; }
  void setQuantity(Quantity quantity) { quantity_ = quantity; }
  /// No ticks beyond these, for example where there are words instead of numbers.
  void setLimits(double low, double high) { limits_ = {low, high}; }
  /// The height of a vertical axis in pixels, so that labels do not touch. Returns whether it
  /// changed.
  bool setPixels(int pixels) { return std::exchange(pixels_, pixels) != pixels; }

 protected:
  QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
  QVector<double> createSubTickVector(int subTickCount, const QVector<double>& ticks) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

 private:
  QVector<double> ticksOf(double tickStep, const QCPRange& range);
  QVector<double> byteTicksOf(const QCPRange& range);
  QVector<double> withinLimits(QVector<double> ticks) const;

  struct {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
  } limits_;
  bool logarithmic_ = true;
  bool decadesOnly_ = false;
  Quantity quantity_ = Quantity::time;
  QCPRange range_;
  int pixels_ = 0;  ///< 0: not known
};

/// Ticks at the axis' own values, as many as have room for their label; between two values that are
/// far apart on the screen, round ones.
class ValueTicker : public QCPAxisTicker {
 public:
  void setValues(std::vector<double> values) {
    values_ = std::move(values);
    style_ = placeStyle(values_);
  }
  void setLogarithmic(bool on) { logarithmic_ = on; }
  void setPixels(int pixels) { pixels_ = pixels; }

 protected:
  QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
  QVector<double> createSubTickVector(int subTickCount, const QVector<double>& ticks) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

 private:
  QString labelOf(double value) const { return axisValueText(value, style_); }

  std::vector<double> values_;
  wording::PlaceStyle style_ = wording::PlaceStyle::decimal;
  bool logarithmic_ = false;
  int pixels_ = 400;
};

}  // namespace fusebench
