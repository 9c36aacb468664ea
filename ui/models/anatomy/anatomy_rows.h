// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "ui/models/anatomy/anatomy_model.h"

namespace fusebench {

/// One bar, wherever it is drawn: a call of a variant or one of its launches, on the host or on the
/// device. Times in nanoseconds.
struct AnatomyRow {
  enum class Side : std::uint8_t { host, device };
  struct Piece {
    AnatomyPart part;
    double time = 0;
  };

  int bar = 0;  ///< index among the model's bars
  Side side = Side::host;
  int launch = -1;     ///< -1: the whole call
  QString label = {};  ///< "static", "on the device", "exp · statement 3"
  QString title = {};  ///< the same, for a view that shows no other row above it
  std::vector<Piece> pieces = {};
  double total = 0;
  QString problem = {};  ///< why there is no bar though there should be one

  bool whole() const { return launch < 0; }
  /// Whether this is a variant's call on the host, to which the rows below it belong.
  bool leads() const { return whole() && side == Side::host; }
};

/// A bar for each variant, with one for its device below it; below the variants in `open`, one bar
/// for each launch.
std::vector<AnatomyRow> anatomyRows(const AnatomyModel& model, const std::set<int>& open = {});

/// "14%"
QString pieceShare(const AnatomyRow& row, const AnatomyRow::Piece& piece);
/// "dispatch: 0.54 µs (13.9%)"
QString pieceText(const AnatomyRow& row, const AnatomyRow::Piece& piece);

}  // namespace fusebench
