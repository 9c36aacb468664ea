// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>
#include <QPainterPath>
#include <map>
#include <vector>

#include "ui/models/canvas/canvas_kernels.h"
#include "ui/theme/theme.h"

namespace fusebench {

/// Which ops become one kernel: a hull around the ops of each launch. Between
/// two variants the hulls flow into each other, box by box.
class CanvasIslandItem : public QGraphicsItem {
 public:
  explicit CanvasIslandItem(const Theme& theme);
  void setTheme(const Theme& theme);

  /// The frames of the nodes and the paths of the edges that the hulls enclose.
  void setPlaces(std::vector<QRectF> nodes, std::vector<QPainterPath> edges);
  /// The hulls to show; `from` those that they grow out of, as progress goes
  /// from 0 to 1.
  void setKernels(const CanvasGraph& graph, const CanvasKernels& from, const CanvasKernels& to);
  void setProgress(double progress);
  double progress() const { return progress_; }

  /// The kernel (of `to`) whose hull is at a place in the scene, or -1.
  int kernelAt(QPointF scene) const;
  /// Around the kernel's boxes.
  QRectF hullBounds(int kernel) const;

  QRectF boundingRect() const override { return bounds_; }
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override;
  /// The kernels' names at the tops of their hulls, over the edges.
  void paintCaptions(QPainter& painter, const QRectF& exposed) const;
  /// Area of the caption of a kernel in `to`; empty for a kernel of one op, which has none.
  QRectF captionFrame(int kernel) const;

 private:
  struct Box {
    QRectF rect;                           ///< without its caption
    double headBefore = 0, headAfter = 0;  ///< how much of a caption it has above it, 0 or 1
    double before = 0, after = 0;          ///< how much of it is shown, 0 or 1
    int tintBefore = -1, tintAfter = -1;   ///< -1: a kernel of one op
  };
  struct Link {
    int from = 0, to = 0, edge = -1;
    double before = 0, after = 0;  ///< how much it is joined
  };
  double between(double before, double after) const;
  QRectF shown(const Box& box) const;
  bool isExposed(const Box& box, const QRectF& exposed) const;
  QRectF captionOver(const CanvasKernel& kernel) const;
  QColor tint(int number) const;
  QColor fill(const Box& box) const;
  QColor outline(const Box& box) const;
  // Each paints only what reaches into `exposed`: a model has thousands of boxes.
  void paintBoxes(QPainter& painter, bool border, const QRectF& exposed) const;
  void paintLinks(QPainter& painter, bool border, const QRectF& exposed) const;
  void paintLabels(QPainter& painter, bool after, double opacity, const QRectF& exposed) const;
  void paintBadge(QPainter& painter, const QRectF& place, std::size_t number, int tint) const;
  void paintPhase(QPainter& painter, const QRectF& place, int phase) const;
  void paintCaption(QPainter& painter, const CanvasKernel& kernel) const;

  const Theme* theme_;
  std::vector<QRectF> nodes_;
  std::vector<QPainterPath> edges_;
  CanvasKernels from_, to_;
  std::map<int, Box> boxes_;  ///< by node
  std::vector<Link> links_;
  std::vector<int> partsBefore_, partsAfter_;  ///< first nodes of a kernel's further parts
  double progress_ = 1;
  QRectF bounds_;
};

/// Paints the hulls' captions where edges do not cross them.
class CanvasCaptionItem : public QGraphicsItem {
 public:
  explicit CanvasCaptionItem(const CanvasIslandItem& islands);
  QRectF boundingRect() const override { return islands_.boundingRect(); }
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override;

 private:
  const CanvasIslandItem& islands_;
};

}  // namespace fusebench
