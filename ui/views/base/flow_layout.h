// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>
#include <vector>

namespace fusebench {

/// Places its items one after the other and begins a new row when they no longer fit.
class FlowLayout : public QLayout {
 public:
  FlowLayout(QWidget* parent, int gap);
  /// If all items fit into one row, the first is at its left end and the others are at its right
  /// end.
  void setApart(bool apart) { apart_ = apart; }
  ~FlowLayout() override;

  void addItem(QLayoutItem* item) override { items_.push_back(item); }
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override { return minimumSize(); }
  QSize minimumSize() const override;
  void setGeometry(const QRect& rect) override;

 private:
  int arrange(const QRect& rect, bool place) const;

  std::vector<QLayoutItem*> items_;
  int gap_;
  bool apart_ = false;
};

}  // namespace fusebench
