// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/models/anatomy/anatomy_model.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// The parts of a call with their colors, in a row that wraps. The parts of a device have a
/// separate row. A tooltip explains each part.
class PartLegend : public QWidget {
  Q_OBJECT

 public:
  explicit PartLegend(QWidget* parent = nullptr);
  void setParts(const std::vector<CallPart>& parts, const std::vector<DevicePart>& device);
  void setTheme(const Theme& theme);
  struct Entry {
    AnatomyPart part;
    QRect place;
  };
  std::vector<Entry> entries() const { return layOut(width()); }
  QSize sizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  std::vector<Entry> layOut(int width) const;

  std::vector<AnatomyPart> parts_;  ///< the host's first
  const Theme* theme_ = &darkTheme();
};

}  // namespace fusebench
