// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QButtonGroup>
#include <QWidget>
#include <vector>

#include "ui/theme/theme.h"

class QComboBox;
class QHBoxLayout;
class QToolButton;

namespace fusebench {

/// Above the canvas: the variant whose kernels are shown, one segment per variant (or a list if
/// there is no room for segments), and the zoom.
class CanvasBar : public QWidget {
  Q_OBJECT

 public:
  explicit CanvasBar(QWidget* parent = nullptr);

  struct Segment {
    QString name, tip;
    QColor color;
    friend bool operator==(const Segment&, const Segment&) = default;
  };
  void setSegments(const std::vector<Segment>& segments, int chosen);
  void choose(int segment);
  int chosen() const { return chosen_; }
  void setZoom(double zoom);

  QToolButton* segment(int i) const;
  QToolButton& fitButton() { return *fit_; }
  QToolButton& zoomButton() { return *zoom_; }
  QComboBox& list() { return *list_; }
  bool showsList() const;

 signals:
  void picked(int segment);
  void zoomIn();
  void zoomOut();
  void zoomReset();
  void fit();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeSegments();
  void paintSegments();
  void chooseForm();
  QToolButton* button(const QString& text, const QString& name, const QString& tip);

  std::vector<Segment> segments_;
  int chosen_ = 0;
  QWidget* row_;
  QHBoxLayout* rowLayout_;
  QButtonGroup group_;
  QComboBox* list_;
  QToolButton *out_, *zoom_, *in_, *fit_;
};

}  // namespace fusebench
