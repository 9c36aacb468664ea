// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "engine/recorder.h"
#include "ui/theme.h"

namespace fusebench {

/// The parts of a call with their colours, in a row that breaks where there is no room. Each says
/// what it is in a tool tip.
class PartLegend : public QWidget {
  Q_OBJECT

 public:
  explicit PartLegend(QWidget* parent = nullptr);
  void setParts(std::vector<CallPart> parts);
  void setTheme(const Theme& theme);
  QSize sizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Entry {
    CallPart part;
    QRect place;
  };
  std::vector<Entry> layOut(int width) const;

  std::vector<CallPart> parts_;
  const Theme* theme_ = &darkTheme();
};

}  // namespace fusebench
