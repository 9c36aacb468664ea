// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <limits>
#include <optional>
#include <vector>

#include "engine/language/program.h"

namespace fusebench {

/// An editable field on a node of the canvas.
struct CanvasField {
  enum class Kind {
    operand,  ///< a number in place of a tensor
    number,
    integer,
    flag,
    dims,
    name,  ///< name of an input
  };
  Kind kind = Kind::number;
  int position = 0;   ///< operand: which operand; name: which input; else which
                      ///< parameter of the row
  QString name;       ///< as PyTorch calls it
  QString text;       ///< the value as the user types it; dims: "all", "0", "0, 1"
  bool bare = false;  ///< shown without its name: `+ 0.1`
  bool isDefault = false;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();  ///< dims: the most of them
  QString doc;

  bool on() const { return text == QLatin1String("True"); }
  /// The text on the node: "alpha 0.5", "0.1", "all dims", "keepdim".
  QString shown() const;
  /// What values are accepted, in words: "a number of at least 0".
  QString range() const;
};

/// The fields of an op: numbers among its operands, then its parameters.
std::vector<CanvasField> canvasFields(const Op& op);

/// A typed value, or why it is not one.
struct FieldValue {
  double number = 0;                     ///< operand, number, integer; flag: 0 or 1
  std::optional<std::vector<int>> dims;  ///< nothing: all
  QString text;                          ///< name
  QString error;                         ///< in words; empty: the value is valid
  bool good() const { return error.isEmpty(); }
};

/// Reads what was typed into a field and checks it against the row's range.
/// `rank` is that of the reduced operand, or -1 if it is not known.
FieldValue readField(const CanvasField& field, const QString& typed, int rank = -1);

/// The shortest text that reads back as the same value: "0.1", "2", "-inf".
QString numberText(double value);

}  // namespace fusebench
