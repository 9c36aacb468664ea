// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/base/format.h"

#include <algorithm>
#include <cmath>

#include "engine/base/quantity_text.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

const QString kDash = QStringLiteral("–");

}  // namespace

ShownUnit timeUnit(double nanoseconds) {
  const TimeUnit unit = unitOfTime(nanoseconds);
  return {unit.nanoseconds, text(unit.page)};
}

QString formatSignificant(double value, int significant) {
  return std::isfinite(value) ? text(digits(value, significant)) : kDash;
}

QString formatTime(double nanoseconds) {
  return std::isfinite(nanoseconds) ? text(timeText(nanoseconds, Letters::page)) : kDash;
}

QString formatInterval(const Estimate& estimate) {
  if (estimate.kind == Estimate::Kind::none) return kDash;
  const QString ends =
      text(timeEndsText(estimate.value, estimate.low, estimate.high, Letters::page));
  if (ends.isEmpty()) return kDash;  // nothing moves
  return estimate.kind == Estimate::Kind::range ? QStringLiteral("(%1)").arg(ends) : ends;
}

QString formatRatioInterval(const Estimate& estimate) {
  if (estimate.kind == Estimate::Kind::none) return kDash;
  const QString ends = text(endsText(estimate.value, estimate.low, estimate.high, Letters::page));
  return ends.isEmpty() ? kDash : ends + QStringLiteral("×");
}

QString formatRatio(double ratio) {
  if (!std::isfinite(ratio)) return kDash;
  return text(ratioText(ratio, Letters::page));
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
  return bytes < 0 ? kDash : text(bytesText(static_cast<double>(bytes)));
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
