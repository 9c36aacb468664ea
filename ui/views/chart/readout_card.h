// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>

#include "ui/models/chart/chart_readout.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// The values under the cursor, in columns. It paints itself, because it changes with every move of
/// the mouse, and laying out rich text takes longer than everything else that a move does.
class ReadoutCard : public QWidget {
  Q_OBJECT

 public:
  explicit ReadoutCard(QWidget* parent);

  /// Resizes the card to its content. If there is little room, notes and the lines below rows are
  /// left out first, then intervals. Rows that do not fit into `room` pixels are counted at the
  /// end.
  void setReadout(Readout readout, bool intervals, bool notes, int room, const Theme& theme);
  /// The text of the card, one line per row.
  QString text() const { return readout_.plainText(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  static constexpr std::size_t kColumns = 5;  ///< name, value, interval, second figure, note
  using Texts = std::array<QString, kColumns>;

  Texts texts(const ReadoutRow& row) const;
  void measure();
  void fitInto();
  QString lineBelow(const ReadoutRow& row) const;
  QString moreText() const;

  Readout readout_;
  bool intervals_ = true, notes_ = true;
  int room_ = 0;           ///< pixels of height
  std::size_t shown_ = 0;  ///< rows
  bool dense_ = false;     ///< no second lines
  const Theme* theme_ = &darkTheme();
  std::array<int, kColumns> widths_{};
};

}  // namespace fusebench
