// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/axis_form.h"

#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 40;  ///< largest value of an axis

/// from * base^(n / points), rounded, until past `to`.
std::vector<std::int64_t> logarithmic(const AxisForm& form, double base) {
  std::vector<std::int64_t> values;
  if (form.from < 1 || form.points < 1) return values;
  for (int n = 0; values.size() <= kMostAxisValues; ++n) {
    const double exact = static_cast<double>(form.from) *
                         std::pow(base, static_cast<double>(n) / static_cast<double>(form.points));
    // A hair of rounding must not lose the end.
    if (exact > static_cast<double>(form.to) * (1 + 1e-12)) break;
    const auto value = static_cast<std::int64_t>(std::llround(exact));
    if (values.empty() || value > values.back()) values.push_back(value);
  }
  return values;
}

}  // namespace

std::vector<std::int64_t> valuesOf(const AxisForm& form) {
  if (form.from < 0 || form.to < form.from || form.to > kMost) return {};
  switch (form.kind) {
    case AxisForm::Kind::list:
      return {};
    case AxisForm::Kind::octaves:
      return logarithmic(form, 2);
    case AxisForm::Kind::decades:
      return logarithmic(form, 10);
    case AxisForm::Kind::linear:
      break;
  }
  std::vector<std::int64_t> values;
  if (form.step < 1) return values;
  for (std::int64_t value = form.from; value <= form.to && values.size() <= kMostAxisValues;
       value += form.step)
    values.push_back(value);
  return values;
}

AxisForm formLike(AxisForm::Kind kind, const std::vector<std::int64_t>& values) {
  AxisForm form;
  form.kind = kind;
  if (values.empty()) return form;
  const auto steps = static_cast<double>(values.size() - 1);
  form.from = values.front();
  form.to = values.back();
  if (kind == AxisForm::Kind::linear) {
    const double step = static_cast<double>(form.to - form.from) / std::max(1.0, steps);
    form.step = std::max<std::int64_t>(1, std::llround(step));
  } else {
    form.from = std::max<std::int64_t>(1, form.from);
    form.to = std::max(form.from, form.to);
    const double base = kind == AxisForm::Kind::octaves ? 2 : 10;
    const double spans =
        std::log(static_cast<double>(form.to) / static_cast<double>(form.from)) / std::log(base);
    form.points = spans > 0 ? std::clamp(static_cast<int>(std::lround(steps / spans)), 1, 50) : 1;
  }
  return form;
}

AxisForm formOf(const std::vector<std::int64_t>& values) {
  if (values.size() >= 3)
    for (const auto kind :
         {AxisForm::Kind::linear, AxisForm::Kind::octaves, AxisForm::Kind::decades})
      if (const AxisForm form = formLike(kind, values); valuesOf(form) == values) return form;
  return formLike(AxisForm::Kind::list, values);
}

std::optional<std::int64_t> readWhole(const QString& text) {
  static const QRegularExpression kWhole(
      QStringLiteral(R"(^\s*([+-]?\d{1,13})\s*(?:([kKmMgG])|\^(\d{1,2}))?\s*$)"));
  const auto match = kWhole.match(text);
  if (!match.hasMatch()) return std::nullopt;
  std::int64_t value = match.captured(1).toLongLong();
  const std::int64_t base = value;
  const QString unit = match.captured(2).toLower();
  int times = unit == QLatin1String("k")   ? 1
              : unit == QLatin1String("m") ? 2
              : unit.isEmpty()             ? 0
                                           : 3;
  for (; times > 0; --times)
    if (__builtin_mul_overflow(value, std::int64_t{1024}, &value)) return std::nullopt;
  if (!match.captured(3).isEmpty()) {
    value = 1;
    for (int i = match.captured(3).toInt(); i > 0; --i)
      if (__builtin_mul_overflow(value, base, &value)) return std::nullopt;
  }
  return value;
}

std::optional<std::vector<std::int64_t>> readValues(const QString& text) {
  static const QRegularExpression kBetween(QStringLiteral(R"([\s,;]+)"));
  std::vector<std::int64_t> values;
  for (const QString& part : text.split(kBetween, Qt::SkipEmptyParts)) {
    const auto value = readWhole(part);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

QString showValues(const std::vector<std::int64_t>& values, std::size_t most) {
  QStringList parts;
  const bool cut = most > 2 && values.size() > most;
  const std::size_t first = cut ? most - 1 : values.size();
  for (std::size_t i = 0; i < first; ++i) parts.push_back(QString::number(values[i]));
  if (cut) {
    parts.push_back(QStringLiteral("…"));
    parts.push_back(QString::number(values.back()));
  }
  QString text = parts.join(QStringLiteral(", "));
  if (most > 0)
    text += values.size() == 1 ? QStringLiteral(" (1 value)")
                               : uiText(" (%1 values)").arg(values.size());
  return text;
}

}  // namespace fusebench
