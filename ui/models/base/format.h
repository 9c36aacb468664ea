// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <utility>
#include <vector>

#include "profiler/analysis/wording.h"
#include "profiler/statistics/statistics.h"

namespace fusebench {

/// A time unit that people read: nanoseconds per unit, and its symbol.
struct ShownUnit {
  double nanoseconds;
  QString symbol;
};
/// The unit in which `nanoseconds` has 1 to 3 digits before the point.
ShownUnit timeUnit(double nanoseconds);

/// Three significant digits without an exponent: "1.23", "45.6", "789", "0.0123".
QString formatSignificant(double value, int digits = 3);

/// "1.23 µs"; a dash for NaN.
QString formatTime(double nanoseconds);

/// Both ends in the unit of the middle: "1.22 – 1.25 µs", with as many digits as distinguish them
/// (at most 5). A dash if there is no interval or both ends are equal; brackets around a range of
/// too few samples.
QString formatInterval(const Estimate& estimate);

/// "2.35×"; a dash for NaN.
QString formatRatio(double ratio);

/// "2.31 – 2.38×": both ends with as many digits as tell them apart (at most 5).
QString formatRatioInterval(const Estimate& estimate);

/// "3.1e-07", "0"
QString formatError(double relativeError);

/// "23.4 GB/s" for a number of bytes per second; the prefixes are powers of 1000.
QString formatRate(double bytesPerSecond);

/// 34, 1,048,576 with thin spaces between thousands.
QString formatCount(std::int64_t count);

/// "9600 B", "64 KiB", "1.5 GiB"; a dash for what is not known, below 0.
QString formatBytes(std::int64_t bytes);

/// A mean of counts: "34", "1.25"
QString formatMean(double mean);

/// Remaining time for people, never falsely exact: "less than a second", "12 s", "1 min 20 s".
QString formatDuration(double seconds);
/// Two durations in different words: if both would read the same, they are given in seconds, with
/// as few digits as distinguish them: "6.2 s" and "5.9 s".
std::pair<QString, QString> formatDurationsApart(double a, double b);

/// "4.98", "7.5": a place on an axis.
QString formatPlace(double value);

/// A value of a swept axis: "4Ki", "16Mi" for powers of two of at least 1,024, else grouped digits.
QString axisValueText(double value);
/// The same as the axis writes its places: see wording::placeStyle.
QString axisValueText(double value, wording::PlaceStyle style);
wording::PlaceStyle placeStyle(const std::vector<double>& values);

}  // namespace fusebench
