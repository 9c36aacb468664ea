// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <vector>

namespace fusebench {

/// Ticks for nanoseconds, labelled with units: 200 ns, 1 µs, 2 ms. On a logarithmic axis decades,
/// with 2 and 5 between them where there are few, and even steps below one decade (where
/// QCustomPlot's own logarithmic ticker leaves the axis bare).
class LatencyTicker : public QCPAxisTicker {
 public:
  void setLogarithmic(bool on) { logarithmic_ = on; }

 protected:
  QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
  QVector<double> createSubTickVector(int subTickCount, const QVector<double>& ticks) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

 private:
  bool logarithmic_ = true;
  bool decadesOnly_ = false;
  QCPRange range_;
};

/// Ticks exactly at the axis' values, every k-th if there are more than fit.
class ValueTicker : public QCPAxisTicker {
 public:
  void setValues(std::vector<double> values) { values_ = std::move(values); }
  void setMaximum(int labels) { maximum_ = labels; }

 protected:
  QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
  QVector<double> createSubTickVector(int subTickCount, const QVector<double>& ticks) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

 private:
  std::vector<double> values_;
  int maximum_ = 12;
};

/// "4Ki", "16Mi" for powers of two from 1,024 on, else digits in groups.
QString axisValueText(double value);

}  // namespace fusebench
