// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/base/format.h"

#include <algorithm>
#include <cmath>

#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

const QString kDash = QStringLiteral("–");

int decimalsFor(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const int before = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  return std::clamp(digits - before, 0, 9);
}

/// Both ends with one count of decimals, so that columns of intervals line up.
QString bothEnds(double value, double low, double high) {
  int digits = 3;
  while (digits < 5 && high > low &&
         formatSignificant(low, digits) == formatSignificant(high, digits))
    ++digits;
  const int decimals = decimalsFor(value, digits);
  return QStringLiteral("%1 – %2").arg(QString::number(low, 'f', decimals),
                                       QString::number(high, 'f', decimals));
}

}  // namespace

TimeUnit timeUnit(double nanoseconds) {
  // 999.5 would be printed as 1000: it belongs to the next unit already.
  if (nanoseconds >= 999.5e6) return {1e9, QStringLiteral("s")};
  if (nanoseconds >= 999.5e3) return {1e6, QStringLiteral("ms")};
  if (nanoseconds >= 999.5) return {1e3, QStringLiteral("µs")};
  return {1, QStringLiteral("ns")};
}

QString formatSignificant(double value, int digits) {
  if (!std::isfinite(value)) return kDash;
  int decimals = decimalsFor(value, digits);
  // 9.996 rounds up to four digits; look again at what it becomes.
  const double scale = std::pow(10.0, decimals);
  decimals = decimalsFor(std::round(value * scale) / scale, digits);
  return QString::number(value, 'f', decimals);
}

QString formatTime(double nanoseconds) {
  if (!std::isfinite(nanoseconds)) return kDash;
  const TimeUnit unit = timeUnit(nanoseconds);
  return formatSignificant(nanoseconds / unit.nanoseconds) + QChar(0x202F) + unit.symbol;
}

QString formatInterval(const Estimate& estimate) {
  if (estimate.kind == Estimate::Kind::none) return kDash;
  // One sample, or several that are all the same, have no range that says anything.
  if (estimate.kind == Estimate::Kind::range && !(estimate.low < estimate.high)) return kDash;
  const TimeUnit unit = timeUnit(estimate.value);
  const QString text = bothEnds(estimate.value / unit.nanoseconds, estimate.low / unit.nanoseconds,
                                estimate.high / unit.nanoseconds) +
                       u' ' + unit.symbol;
  return estimate.kind == Estimate::Kind::range ? QStringLiteral("(%1)").arg(text) : text;
}

QString formatRatioInterval(const Estimate& estimate) {
  if (estimate.kind == Estimate::Kind::none) return kDash;
  return bothEnds(estimate.value, estimate.low, estimate.high) + QStringLiteral("×");
}

QString formatRatio(double ratio) {
  if (!std::isfinite(ratio)) return kDash;
  return formatSignificant(ratio) + QStringLiteral("×");
}

QString formatError(double relativeError) {
  if (std::isnan(relativeError)) return kDash;
  if (relativeError == 0) return QStringLiteral("0");
  return QString::number(relativeError, 'e', 1);
}

QString formatRate(double bytesPerSecond) {
  if (!std::isfinite(bytesPerSecond) || bytesPerSecond < 0) return kDash;
  double shown = bytesPerSecond;
  const char* unit = "B/s";
  for (const char* next : {"kB/s", "MB/s", "GB/s", "TB/s"}) {
    if (shown < 999.5) break;
    shown /= 1000;
    unit = next;
  }
  return formatSignificant(shown) + u' ' + QLatin1String(unit);
}

QString formatCount(std::int64_t count) {
  QString digits = QString::number(std::llabs(count));
  for (qsizetype at = digits.size() - 3; at > 0; at -= 3) digits.insert(at, QChar(0x202F));
  return count < 0 ? QStringLiteral("-") + digits : digits;
}

QString formatBytes(std::int64_t bytes) {
  if (bytes < 0) return kDash;
  if (bytes < 10'000) return QStringLiteral("%1 B").arg(bytes);
  double shown = static_cast<double>(bytes) / 1024;
  const char* unit = "KiB";
  for (const char* next : {"MiB", "GiB", "TiB"}) {
    if (shown < 9'999.5) break;
    shown /= 1024;
    unit = next;
  }
  return formatSignificant(shown) + u' ' + QLatin1String(unit);
}

QString formatMean(double mean) {
  if (!std::isfinite(mean)) return kDash;
  const double rounded = std::round(mean);
  if (std::abs(mean - rounded) < 0.005) return formatCount(static_cast<std::int64_t>(rounded));
  return QString::number(mean, 'f', 2);
}

QString formatDuration(double seconds) {
  if (!(seconds >= 1)) return uiText("less than a second");
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  if (whole < 60) return QStringLiteral("%1 s").arg(whole);
  if (whole < 600 && whole % 60 != 0) return uiText("%1 min %2 s").arg(whole / 60).arg(whole % 60);
  if (whole < 3600) return uiText("%1 min").arg((whole + 59) / 60);
  return uiText("%1 h %2 min").arg(whole / 3600).arg((whole % 3600) / 60);
}

std::pair<QString, QString> formatDurationsApart(double a, double b) {
  std::pair<QString, QString> texts{formatDuration(a), formatDuration(b)};
  for (int digits = std::min(a, b) < 10 ? 1 : 0; texts.first == texts.second && digits <= 2;
       ++digits)
    texts = {QStringLiteral("%1 s").arg(a, 0, 'f', digits),
             QStringLiteral("%1 s").arg(b, 0, 'f', digits)};
  return texts;
}

QString formatPlace(double value) {
  if (!std::isfinite(value)) return kDash;
  const double whole = std::round(value);
  if (std::abs(value) >= 1000 || value == whole)
    return formatCount(static_cast<std::int64_t>(whole));
  return formatSignificant(value);
}

wording::PlaceStyle placeStyle(const std::vector<double>& values) {
  std::vector<std::int64_t> whole;
  for (const double value : values) whole.push_back(std::llround(value));
  return wording::placeStyle(whole);
}

QString axisValueText(double value, wording::PlaceStyle style) {
  return std::isfinite(value) ? QString::fromStdString(wording::place(value, style)) : kDash;
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
