// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/canvas/canvas_fields.h"

#include <QLocale>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "engine/base/saying.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

QString dimsText(const std::optional<std::vector<int>>& dims) {
  if (!dims) return QStringLiteral("all");
  QStringList parts;
  for (int dim : *dims) parts << QString::number(dim);
  return parts.join(QStringLiteral(", "));
}

CanvasField::Kind kindOf(Parameter::Kind kind) {
  switch (kind) {
    case Parameter::Kind::number:
      return CanvasField::Kind::number;
    case Parameter::Kind::integer:
    case Parameter::Kind::sizes:
      return CanvasField::Kind::integer;
    case Parameter::Kind::flag:
      return CanvasField::Kind::flag;
    case Parameter::Kind::dims:
      return CanvasField::Kind::dims;
  }
  return CanvasField::Kind::number;
}

/// An op has keepdim as a member of its own, not among its parameters.
bool isKeepDims(const OpRow& row, const Parameter& parameter) {
  return row.kind == OpKind::reduce && parameter.kind == Parameter::Kind::flag;
}

CanvasField parameterField(const Op& op, int position) {
  const Parameter& parameter = op.row->parameters.begin()[position];
  const auto at = static_cast<std::size_t>(position);
  const double value = at < op.parameters.size() ? op.parameters[at] : parameter.fallback;
  CanvasField field;
  field.kind = kindOf(parameter.kind);
  field.position = position;
  field.name = text(parameter.name);
  field.low = parameter.low;
  field.high = parameter.high;
  field.doc = text(said(parameter.doc));
  switch (field.kind) {
    case CanvasField::Kind::dims:
      field.text = dimsText(op.dims);
      field.isDefault = !op.dims;
      break;
    case CanvasField::Kind::flag: {
      const bool on = isKeepDims(*op.row, parameter) ? op.keepDims : value != 0;
      field.text = on ? QStringLiteral("True") : QStringLiteral("False");
      field.isDefault = on == (parameter.fallback != 0);
      break;
    }
    default:
      field.text = numberText(value);
      field.isDefault = !parameter.required && value == parameter.fallback;
  }
  return field;
}

FieldValue wrong(const QString& why) {
  FieldValue value;
  value.error = why;
  return value;
}

std::optional<double> readNumber(QString typed) {
  typed = typed.trimmed().toLower();
  typed.remove(QLatin1Char('_'));
  double sign = 1;
  QString rest = typed;
  if (rest.startsWith(QLatin1Char('-')) || rest.startsWith(QChar(0x2212))) {
    sign = -1;
    rest = rest.mid(1).trimmed();
  }
  if (rest == QLatin1String("inf") || rest == QLatin1String("infinity") || rest == QChar(0x221e))
    return sign * std::numeric_limits<double>::infinity();
  bool good = false;
  const double value = rest.toDouble(&good);
  if (!good || rest == QLatin1String("nan")) return std::nullopt;
  return sign * value;
}

FieldValue readNumberField(const CanvasField& field, const QString& typed) {
  const std::optional<double> value = readNumber(typed);
  if (!value)
    return wrong(uiText("“%1” is not a number; %2 takes %3")
                     .arg(typed.trimmed(), field.name, field.range()));
  if (field.kind == CanvasField::Kind::integer && std::floor(*value) != *value)
    return wrong(
        uiText("%1 is a whole number, such as %2").arg(field.name, numberText(std::round(*value))));
  if (*value < field.low || *value > field.high)
    return wrong(uiText("%1 is out of range; %2 takes %3")
                     .arg(numberText(*value), field.name, field.range()));
  FieldValue result;
  result.number = *value;
  return result;
}

FieldValue readDims(const CanvasField& field, QString typed, int rank) {
  typed = typed.trimmed();
  if (typed.startsWith(QLatin1Char('(')) && typed.endsWith(QLatin1Char(')')))
    typed = typed.mid(1, typed.size() - 2).trimmed();
  const QString lower = typed.toLower();
  if (lower.isEmpty() || lower == QLatin1String("all") || lower == QLatin1String("none")) return {};
  static const QRegularExpression kBetween(QStringLiteral("[\\s,]+"));
  std::vector<int> dims;
  for (const QString& part : typed.split(kBetween, Qt::SkipEmptyParts)) {
    bool good = false;
    const int dim = part.toInt(&good);
    if (!good) return wrong(uiText("“%1” is not a dimension; write 0, or 0, 1, or all").arg(part));
    if (rank >= 0 && (dim >= rank || dim < -rank))
      return wrong(
          rank == 0 ? uiText("There is no dimension %1: the operand is a single number").arg(dim)
                    : uiText("There is no dimension %1; there are 0 to %2").arg(dim).arg(rank - 1));
    dims.push_back(dim);
  }
  if (static_cast<double>(dims.size()) > field.high)
    return wrong(uiText("Only one dimension can be given, or all"));
  for (std::size_t i = 0; i < dims.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (dims[i] == dims[j] || (rank > 0 && (dims[i] + rank) % rank == (dims[j] + rank) % rank))
        return wrong(uiText("Dimension %1 is given twice").arg(dims[i]));
  FieldValue value;
  value.dims = std::move(dims);
  return value;
}

FieldValue readName(const QString& typed) {
  static const QRegularExpression kName(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*$"));
  FieldValue value;
  value.text = typed.trimmed();
  if (!kName.match(value.text).hasMatch())
    value.error =
        uiText("A name consists of letters, digits and _, and does not start with a digit");
  return value;
}

}  // namespace

QString numberText(double value) {
  if (std::isnan(value)) return QStringLiteral("nan");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("inf") : QStringLiteral("-inf");
  return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

QString CanvasField::shown() const {
  switch (kind) {
    case Kind::flag:
      return name;
    case Kind::dims:
      return text == QLatin1String("all") ? uiText("all dims") : uiText("dim ") + text;
    default:
      return bare ? text : name + QLatin1Char(' ') + text;
  }
}

QString CanvasField::range() const {
  if (kind == Kind::dims)
    return high == 1 ? uiText("one dimension, or all") : uiText("dimensions such as 0, 1, or all");
  if (kind == Kind::flag) return uiText("True or False");
  if (kind == Kind::name) return QStringLiteral("a name");
  const QString what =
      kind == Kind::integer ? uiText("a whole number") : QStringLiteral("a number");
  const bool below = std::isfinite(low), above = std::isfinite(high);
  if (below && above)
    return uiText("%1 from %2 to %3").arg(what, numberText(low), numberText(high));
  if (below) return uiText("%1 of at least %2").arg(what, numberText(low));
  if (above) return uiText("%1 of at most %2").arg(what, numberText(high));
  return what;
}

std::vector<CanvasField> canvasFields(const Op& op) {
  std::vector<CanvasField> fields;
  if (!op.row) return fields;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    if (!op.operands[i].isNumber()) continue;
    CanvasField field;
    field.kind = CanvasField::Kind::operand;
    field.position = static_cast<int>(i);
    field.name = text(operandName(*op.row, static_cast<int>(i)));
    field.text = numberText(op.operands[i].number);
    field.bare = op.operands.size() == 2;
    field.doc = uiText("a number in place of a tensor");
    fields.push_back(field);
  }
  // Dimensions and sizes are edited in the text.
  if (op.row->kind == OpKind::view || op.row->kind == OpKind::make || op.row->kind == OpKind::copy)
    return fields;
  for (int i = 0; i < static_cast<int>(op.row->parameters.size()); ++i) {
    const Parameter& parameter = op.row->parameters.begin()[i];
    // Sizes are edited in the text, too.
    if (parameter.kind != Parameter::Kind::sizes && !isHidden(parameter))
      fields.push_back(parameterField(op, i));
  }
  return fields;
}

FieldValue readField(const CanvasField& field, const QString& typed, int rank) {
  switch (field.kind) {
    case CanvasField::Kind::dims:
      return readDims(field, typed, rank);
    case CanvasField::Kind::name:
      return readName(typed);
    case CanvasField::Kind::flag: {
      FieldValue value;
      value.number = typed == QLatin1String("True") ? 1 : 0;
      return value;
    }
    default:
      return readNumberField(field, typed);
  }
}

}  // namespace fusebench
