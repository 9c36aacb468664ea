// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsView>
#include <functional>
#include <optional>
#include <vector>

#include "ui/models/canvas/canvas_kernels.h"
#include "ui/models/canvas/canvas_layout.h"
#include "ui/theme/theme.h"

namespace fusebench {

class CanvasEdgeItem;
class CanvasFrameItem;
class CanvasIslandItem;
class CanvasNodeItem;

/// The drawn graph: positions, selection and zoom. It does not know how the graph is edited;
/// `handler` does that.
class CanvasSurface : public QGraphicsView {
  Q_OBJECT

 public:
  /// Gets the surface's events first; returns whether it has dealt with them.
  using Handler = std::function<bool(QEvent*)>;

  explicit CanvasSurface(QWidget* parent = nullptr);
  ~CanvasSurface() override;
  void setHandler(Handler handler) { handler_ = std::move(handler); }
  void setTheme(const Theme& theme);
  const Theme& theme() const { return *theme_; }

  /// Draws another graph; the selection is of nodes of the new one. Above each of `heads` there is
  /// room for a kernel's caption.
  void show(CanvasGraph graph, std::vector<int> selected, int current, std::vector<int> heads = {});
  const CanvasGraph& graph() const { return graph_; }
  const LayoutResult& layout() const { return layout_; }
  const std::vector<QRectF>& places() const { return layout_.nodes; }
  CanvasNodeItem& node(int i) const { return *nodes_[static_cast<std::size_t>(i)]; }
  CanvasEdgeItem& edge(int i) const { return *edges_[static_cast<std::size_t>(i)]; }
  CanvasIslandItem& islands() const { return *islands_; }
  int nodeCount() const { return static_cast<int>(nodes_.size()); }
  int edgeCount() const { return static_cast<int>(edges_.size()); }

  /// What is at a place in the scene; -1: none.
  int nodeAt(QPointF scene) const;
  int edgeAt(QPointF scene, double reach = 7) const;
  /// The edge between two nodes with nothing but a gap between them, and the place in that gap; -1:
  /// none. The gap is as wide as the nodes, whose edge is a line in its middle.
  int gapAt(QPointF scene) const;
  /// The open frame whose name is at this position, as an index into CanvasGraph::frames.
  int frameAt(QPointF scene) const;
  const std::vector<CanvasFrameItem*>& frames() const { return frames_; }
  struct PortHit {
    int node = -1;
    int operand = 0;
    bool out = false;
  };
  std::optional<PortHit> portAt(QPointF scene, double reach = 9) const;

  /// Selected nodes in the order of their numbers; the current one is where the
  /// keyboard is.
  const std::vector<int>& selected() const { return selected_; }
  int current() const { return current_; }
  int selectedEdge() const { return selectedEdge_; }
  bool isSelected(int node) const;
  void select(std::vector<int> nodes, int current);
  void selectEdge(int edge);
  /// Ops of the sketch that something else points at.
  void mark(const std::vector<int>& originals);
  void hover(int node, int edge, int field = -1);
  void setTarget(int edge);
  int target() const { return target_; }
  /// A node that a connection may come from or go to.
  void setCandidate(int node);

  /// Who says how near one looks: the width of the panel, the whole program's size, or the person.
  enum class Zooming { width, whole, byHand };
  Zooming zooming() const { return zooming_; }
  double zoom() const { return transform().m11(); }
  /// About a place in the viewport, which stays where it is.
  void zoomBy(double factor, std::optional<QPointF> about = {});
  void setZoom(double zoom);
  /// Back to the zoom that follows the panel's width; where it does already, the whole program.
  void fit();
  /// As near as the width allows, from the top.
  void showStart();
  /// Pixels at the top of the program that an overlay may cover.
  void setClearance(int pixels);
  /// Pixels at the top of the widget that are not the viewport's.
  void setStrip(int pixels);
  int strip() const { return viewportMargins().top(); }
  /// Pixels at the right of the widget that are not the viewport's.
  void setAside(int pixels);
  /// All that is drawn, edges' labels included.
  const QRectF& content() const { return content_; }
  void reveal(int node);
  void panBy(QPointF pixels);
  QRect onViewport(const QRectF& scene) const;

 signals:
  void selectionChanged();
  void viewChanged();
  /// Another graph is shown.
  void graphShown();
  /// The panel's width has changed so much that the graph must be laid out again.
  void roomChanged();

 protected:
  bool viewportEvent(QEvent* event) override;
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void drawBackground(QPainter* painter, const QRectF& rect) override;
  void scrollContentsBy(int dx, int dy) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void place();
  LayoutInput layoutInput(double width) const;
  double fittedWidth() const;
  void makeEdges();
  void keepLabelsApart();
  void makeFrames();
  LayoutResult laidOut(double width, const LayoutOptions& options) const;
  void measureHeadRoom();
  double headRoom(int node) const;
  void updateStates();
  QPointF labelPlace(const CanvasEdgeItem& item) const;
  void settleZoom();
  void applyZoom(double zoom);
  void growScene();
  double widthZoom() const;
  double middleOfStart() const;
  double wholeZoom() const;

  Handler handler_;
  const Theme* theme_ = &darkTheme();
  QGraphicsScene scene_;
  CanvasGraph graph_;
  LayoutResult layout_;
  QRectF content_;
  double chainWidth_ = 0;   ///< width that the nodes of a chain prefer; 0: not a chain
  double nodeWidth_ = 0;    ///< their actual width
  std::vector<int> heads_;  // nodes with room for a caption
  std::vector<double> headRoom_;
  std::vector<int> byTop_;  // nodes from top to bottom
  double highest_ = 0;      // height of a node
  Zooming zooming_ = Zooming::width;
  int clearance_ = 0;
  std::vector<CanvasNodeItem*> nodes_;  // owned by the scene
  std::vector<CanvasEdgeItem*> edges_;
  std::vector<CanvasFrameItem*> frames_;  // those that are open
  CanvasIslandItem* islands_ = nullptr;
  std::vector<int> selected_, marked_;
  int current_ = -1, selectedEdge_ = -1, target_ = -1, candidate_ = -1;
  int hoveredNode_ = -1, hoveredEdge_ = -1, hoveredField_ = -1;
};

}  // namespace fusebench
