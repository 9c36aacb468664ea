// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/canvas_surface.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyle>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/models/base/as_index.h"
#include "ui/views/canvas/canvas_edge_item.h"
#include "ui/views/canvas/canvas_frame_item.h"
#include "ui/views/canvas/canvas_island_item.h"
#include "ui/views/canvas/canvas_node_item.h"
#include "ui/views/canvas/canvas_style.h"

namespace fusebench {
namespace {

constexpr double kSurfaceMargin = 10;
constexpr double kSurfaceColumnGap = 16;
constexpr double kBesideColumn = 8;     // from kernels' boxes to labels
constexpr double kNarrowestNode = 108;  // of a chain in a narrow panel
constexpr double kNodeEnd = 8, kWidthStep = 4;
constexpr double kPortReach = canvas::kLayerGap * 0.38;
constexpr int kDots = 24;  // scene units between dots of the ground

bool contains(const std::vector<int>& list, int value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

CanvasSurface::CanvasSurface(QWidget* parent) : QGraphicsView(parent) {
  setScene(&scene_);
  setRenderHint(QPainter::Antialiasing);
  setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  setTransformationAnchor(NoAnchor);
  setResizeAnchor(NoAnchor);
  setViewportUpdateMode(FullViewportUpdate);
  setFrameShape(NoFrame);
  setMouseTracking(true);
  viewport()->setMouseTracking(true);
  viewport()->setAttribute(Qt::WA_AcceptTouchEvents);
  viewport()->grabGesture(Qt::PinchGesture);
  // The surface has the keyboard and the name; a click on the viewport goes to it.
  viewport()->setFocusPolicy(Qt::NoFocus);
  setAcceptDrops(true);
  viewport()->setAcceptDrops(true);
  setFocusPolicy(Qt::StrongFocus);
  setProperty("ring", true);
  // Nothing moves but when a graph is shown, and a model has thousands of items, few of them in
  // sight.
  scene_.setItemIndexMethod(QGraphicsScene::BspTreeIndex);
}

CanvasSurface::~CanvasSurface() = default;

void CanvasSurface::setTheme(const Theme& theme) {
  theme_ = &theme;
  for (CanvasNodeItem* item : nodes_) item->setTheme(theme);
  for (CanvasEdgeItem* item : edges_) item->setTheme(theme);
  for (CanvasFrameItem* item : frames_) item->setTheme(theme);
  if (islands_) islands_->setTheme(theme);
  viewport()->update();
}

void CanvasSurface::show(CanvasGraph graph, std::vector<int> selected, int current,
                         std::vector<int> heads) {
  graph_ = std::move(graph);
  hoveredNode_ = hoveredEdge_ = hoveredField_ = target_ = candidate_ = selectedEdge_ = -1;
  scene_.clear();
  nodes_.clear();
  edges_.clear();
  frames_.clear();
  heads_ = std::move(heads);
  measureHeadRoom();
  place();
  selected_.clear();
  current_ = -2;  // whatever is selected now is news
  select(std::move(selected), current);
  emit graphShown();
  emit viewChanged();
}

/// Sizes and edges for the layout. It places the boxes of the kernels, which need room on both
/// sides of an op, more on the left, and room above it for the caption.
LayoutInput CanvasSurface::layoutInput(double width) const {
  LayoutInput input;
  const double wider = canvas::kGutter + canvas::kHullSide;
  const double aside = (canvas::kGutter - canvas::kHullSide) / 2;
  const auto boxed = [this](int i) { return graph_.nodes[at(i)].kind == CanvasNode::Kind::op; };
  for (const CanvasNode& node : graph_.nodes) {
    QSizeF size = faceOf(node, width).size;
    if (node.kind == CanvasNode::Kind::op) size.rwidth() += wider;
    input.nodes.push_back({size, node.kind == CanvasNode::Kind::input});
  }
  for (int i = 0; i < static_cast<int>(graph_.nodes.size()); ++i)
    input.nodes[at(i)].size.rheight() += headRoom(i);
  for (const CanvasEdge& edge : graph_.edges) {
    const double to = boxed(edge.to) ? aside : 0;
    input.edges.push_back(
        {edge.from, edge.to, boxed(edge.from) ? aside : 0,
         to + portX(graph_.nodes[at(edge.to)], edge.operand,
                    input.nodes[at(edge.to)].size.width() - (boxed(edge.to) ? wider : 0))});
  }
  return input;
}

/// Lays out the nodes that are not hidden; hidden ones get an empty rectangle.
LayoutResult CanvasSurface::laidOut(double width, const LayoutOptions& options) const {
  const LayoutInput all = layoutInput(width);
  LayoutInput input;
  std::vector<int> number(all.nodes.size(), -1);
  for (std::size_t i = 0; i < all.nodes.size(); ++i) {
    if (graph_.nodes[i].hidden) continue;
    number[i] = static_cast<int>(input.nodes.size());
    input.nodes.push_back(all.nodes[i]);
  }
  if (input.nodes.size() == all.nodes.size()) return layoutGraph(all, options);
  for (LayoutInput::Edge edge : all.edges) {
    edge.from = number[at(edge.from)];
    edge.to = number[at(edge.to)];
    input.edges.push_back(edge);
  }
  LayoutResult result = layoutGraph(input, options);
  LayoutResult whole = result;
  whole.nodes.assign(all.nodes.size(), QRectF());
  whole.layers.assign(all.nodes.size(), 0);
  for (std::size_t i = 0; i < all.nodes.size(); ++i)
    if (number[i] >= 0) {
      whole.nodes[i] = result.nodes[at(number[i])];
      whole.layers[i] = result.layers[at(number[i])];
    }
  return whole;
}

/// Width of the nodes of a chain that also keeps the labels to their right in view. It changes in
/// steps, so that resizing the panel does not redo the layout at every pixel. 0: not a chain.
double CanvasSurface::fittedWidth() const {
  if (chainWidth_ <= 0) return 0;
  double label = 0, least = kNarrowestNode;
  for (const CanvasEdge& edge : graph_.edges)
    label = std::max(label, CanvasEdgeItem::labelWidth(edge));
  for (const CanvasNode& node : graph_.nodes)
    if (node.kind == CanvasNode::Kind::op)
      least = std::max(least, faceOf(node).title.right() + kNodeEnd);
  const int bar = std::max(verticalScrollBar()->sizeHint().width(),
                           style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this));
  const double beside =
      canvas::kGutter + canvas::kHullSide + kBesideColumn + label + 2 * kSurfaceMargin;
  const double room =
      std::floor((maximumViewportSize().width() - bar - 2 - beside) / kWidthStep) * kWidthStep;
  return room >= chainWidth_ || room < least ? chainWidth_ : room;
}

/// Measures the nodes, lays them out, and makes the items.
void CanvasSurface::place() {
  double width = 0;
  for (const CanvasNode& node : graph_.nodes)
    if (node.kind == CanvasNode::Kind::op) width = std::max(width, faceOf(node).size.width());
  LayoutOptions options;
  options.layerGap = canvas::kLayerGap;
  options.columnGap = kSurfaceColumnGap;
  layout_ = laidOut(width, options);
  chainWidth_ =
      layout_.bounds.width() <= width + canvas::kGutter + canvas::kHullSide + 1 ? width : 0;
  nodeWidth_ = fittedWidth();
  if (nodeWidth_ != width && chainWidth_ > 0) layout_ = laidOut(width = nodeWidth_, options);
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
    if (graph_.nodes[i].kind == CanvasNode::Kind::op && !graph_.nodes[i].hidden)
      layout_.nodes[i].adjust(canvas::kGutter, headRoom(static_cast<int>(i)), -canvas::kHullSide,
                              0);
  for (std::size_t e = 0; e < graph_.edges.size(); ++e)
    layout_.edges[e].back().setY(layout_.nodes[at(graph_.edges[e].to)].top());
  islands_ = new CanvasIslandItem(*theme_);
  scene_.addItem(islands_);
  scene_.addItem(new CanvasCaptionItem(*islands_));
  makeEdges();
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    auto* item = new CanvasNodeItem(graph_.nodes[i], width, *theme_);
    item->setPos(layout_.nodes[i].topLeft());
    item->setVisible(!graph_.nodes[i].hidden);
    scene_.addItem(item);
    nodes_.push_back(item);
  }
  std::vector<QPainterPath> paths;
  for (const CanvasEdgeItem* item : edges_) paths.push_back(item->path());
  islands_->setPlaces(layout_.nodes, std::move(paths));
  makeFrames();
  // Hulls go a little beyond the outermost edges.
  const QRectF hulls = islands_->boundingRect();
  content_.setLeft(std::min(content_.left(), hulls.left()));
  content_.setRight(std::max(content_.right(), hulls.right()));
  settleZoom();
}

void CanvasSurface::makeEdges() {
  content_ = layout_.bounds;
  byTop_.resize(graph_.nodes.size());
  std::iota(byTop_.begin(), byTop_.end(), 0);
  std::ranges::stable_sort(byTop_, {}, [this](int i) { return layout_.nodes[at(i)].top(); });
  highest_ = 0;
  for (const QRectF& node : layout_.nodes) highest_ = std::max(highest_, node.height());
  std::vector<bool> labeled(graph_.nodes.size(), false);
  for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
    const CanvasEdge& edge = graph_.edges[i];
    auto* item = new CanvasEdgeItem(edge, layout_.edges[i], *theme_);
    CanvasEdgeItem::State state;
    state.dim = graph_.nodes[at(edge.to)].dim;
    // One label says what a value is, however many read it.
    state.labeled = !labeled[at(edge.from)];
    labeled[at(edge.from)] = true;
    item->setState(state);
    item->setLabelPlace(labelPlace(*item));
    if (state.labeled) content_ |= item->labelFrame();
    scene_.addItem(item);
    if (!edge.label.isEmpty()) scene_.addItem(new CanvasEdgeLabelItem(*item));
    edges_.push_back(item);
  }
  content_.adjust(-kSurfaceMargin, 0, kSurfaceMargin, 0);
  keepLabelsApart();
}

/// Inputs are close to each other, so a long label of one may cover the next.
void CanvasSurface::keepLabelsApart() {
  constexpr double kBetween = 6;
  struct Label {
    CanvasEdgeItem* item;
    QRectF frame;
  };
  std::vector<Label> labels;
  for (CanvasEdgeItem* item : edges_)
    if (item->state().labeled) labels.push_back({item, item->wholeLabelFrame()});
  // From top to bottom, so that each is compared only with those at its height.
  std::ranges::stable_sort(labels, {}, [](const Label& label) { return label.frame.top(); });
  const auto narrow = [](const Label& label, const Label& next) {
    if (label.frame.intersects(next.frame) && next.frame.left() > label.frame.left())
      label.item->setLabelRoom(
          std::min(label.item->labelFrame().width(),
                   std::max(0.0, next.frame.left() - label.frame.left() - kBetween)));
  };
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t j = i + 1;
         j < labels.size() && labels[j].frame.top() <= labels[i].frame.bottom(); ++j) {
      narrow(labels[i], labels[j]);
      narrow(labels[j], labels[i]);
    }
}

/// The label is next to the line if the gap below the node has room. In the narrow gaps of a chain
/// it is to the right of the column, where the boxes of the kernels do not cover it.
QPointF CanvasSurface::labelPlace(const CanvasEdgeItem& item) const {
  const QRectF from = layout_.nodes[at(item.edge().from)];
  const QRectF to = layout_.nodes[at(item.edge().to)];
  const double caption = headRoom(item.edge().to);
  const double gap = to.top() - caption - from.bottom();
  const double y = from.bottom() + std::min(gap, canvas::kLayerGap + 6) / 2;
  const QPointF near(from.center().x() + 8, y);
  if (gap > canvas::kLayerGap + 4) return near;
  const QPointF outside(std::max(from.right(), to.right()) + canvas::kHullSide + kBesideColumn, y);
  const QRectF frame = item.labelFrame().translated(outside - item.labelFrame().topLeft() -
                                                    QPointF(0, item.labelFrame().height() / 2));
  // Only nodes at the label's height can be in its way, and highest_ limits how far up they begin.
  const auto first = std::ranges::lower_bound(byTop_, frame.top() - highest_ - canvas::kHullEnd, {},
                                              [this](int i) { return layout_.nodes[at(i)].top(); });
  for (auto i = first; i != byTop_.end(); ++i) {
    const QRectF& node = layout_.nodes[at(*i)];
    if (node.top() - canvas::kHullEnd > frame.bottom()) break;
    if (node.adjusted(-canvas::kGutter, -canvas::kHullEnd, canvas::kHullSide, canvas::kHullEnd)
            .intersects(frame))
      return near;
  }
  return outside;
}

int CanvasSurface::nodeAt(QPointF scene) const {
  for (int i = nodeCount() - 1; i >= 0; --i)
    if (!graph_.nodes[at(i)].hidden && node(i).frame().contains(scene)) return i;
  return -1;
}

int CanvasSurface::edgeAt(QPointF scene, double reach) const {
  int best = -1;
  double distance = reach / std::max(zoom(), 0.2);
  for (int i = 0; i < edgeCount(); ++i)
    if (const double d = edge(i).distanceTo(scene); d < distance) {
      distance = d;
      best = i;
    }
  return best;
}

int CanvasSurface::gapAt(QPointF scene) const {
  int best = -1;
  double lowest = 2 * canvas::kRowHeight;  // a longer edge passes other nodes on its way
  for (int i = 0; i < edgeCount(); ++i) {
    const CanvasEdge& of = graph().edges[at(i)];
    const QRectF &from = places()[at(of.from)], &to = places()[at(of.to)];
    const double height = to.top() - from.bottom();
    const double left = std::min(from.left(), to.left());
    const double right = std::max(from.right(), to.right());
    if (height <= 0 || height >= lowest || scene.x() < left || scene.x() > right) continue;
    if (scene.y() < from.bottom() || scene.y() > to.top()) continue;
    lowest = height;
    best = i;
  }
  return best;
}

std::optional<CanvasSurface::PortHit> CanvasSurface::portAt(QPointF scene, double reach) const {
  std::optional<PortHit> best;
  // Never so far that an edge between two nodes, or a node's middle, cannot be got hold of.
  double distance = std::min(reach / std::max(zoom(), 0.2), kPortReach);
  const auto offer = [&](QPointF place, PortHit hit) {
    const double d = std::hypot(place.x() - scene.x(), place.y() - scene.y());
    if (d >= distance) return;
    distance = d;
    best = hit;
  };
  for (int i = 0; i < nodeCount(); ++i) {
    const CanvasNode& shown = graph_.nodes[at(i)];
    if (shown.hidden || shown.folded >= 0) continue;
    if (shown.kind != CanvasNode::Kind::output) offer(node(i).outPort(), {i, 0, true});
    if (shown.kind == CanvasNode::Kind::output) offer(node(i).inPort(0), {i, shown.index, false});
    if (shown.kind == CanvasNode::Kind::op)
      for (int k = 0; k < shown.ports; ++k) offer(node(i).inPort(k), {i, k, false});
  }
  return best;
}

bool CanvasSurface::isSelected(int node) const {
  return contains(selected_, node);
}

void CanvasSurface::select(std::vector<int> nodes, int current) {
  // A repeat stands for the op that is written; only that one can be edited.
  for (int& i : nodes)
    if (i >= 0 && i < nodeCount() && graph_.nodes[at(i)].repeat)
      i = graph_.nodeOfOriginal(graph_.nodes[at(i)].original);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::erase_if(nodes,
                [this](int i) { return i < 0 || i >= nodeCount() || graph_.nodes[at(i)].hidden; });
  if (current >= nodeCount() || (current >= 0 && graph_.nodes[at(current)].hidden)) current = -1;
  const bool news = nodes != selected_ || current != current_ || selectedEdge_ >= 0;
  selected_ = std::move(nodes);
  current_ = current;
  selectedEdge_ = -1;
  updateStates();
  if (news) emit selectionChanged();
}

void CanvasSurface::selectEdge(int edge) {
  selected_.clear();
  current_ = -1;
  selectedEdge_ = edge;
  updateStates();
  emit selectionChanged();
}

void CanvasSurface::mark(const std::vector<int>& originals) {
  marked_ = originals;
  updateStates();
}

void CanvasSurface::hover(int node, int edge, int field) {
  if (node == hoveredNode_ && edge == hoveredEdge_ && field == hoveredField_) return;
  hoveredNode_ = node;
  hoveredEdge_ = edge;
  hoveredField_ = field;
  updateStates();
}

void CanvasSurface::setTarget(int edge) {
  if (edge == target_) return;
  target_ = edge;
  updateStates();
}

void CanvasSurface::setCandidate(int node) {
  candidate_ = node;
  updateStates();
}

void CanvasSurface::updateStates() {
  // Nodes that are edited together with a selected one are marked as well.
  std::vector<int> shared;
  for (const int i : selected_)
    for (const int other : graph_.sharing(i)) shared.push_back(other);
  for (int i = 0; i < nodeCount(); ++i) {
    CanvasNodeItem::State state = node(i).state();
    state.selected = isSelected(i) || i == candidate_;
    state.current = i == current_ && hasFocus();
    const int original = graph_.nodes[at(i)].original;
    state.marked = (original >= 0 && contains(marked_, original)) || contains(shared, i) ||
                   std::ranges::any_of(graph_.nodes[at(i)].inside,
                                       [this](int op) { return contains(marked_, op); });
    state.hovered = i == hoveredNode_;
    state.field = i == hoveredNode_ ? hoveredField_ : -1;
    node(i).setState(state);
  }
  for (int i = 0; i < edgeCount(); ++i) {
    CanvasEdgeItem::State state = edge(i).state();
    state.target = i == target_;
    state.selected = i == selectedEdge_;
    state.hovered = i == hoveredEdge_;
    edge(i).setState(state);
  }
}

bool CanvasSurface::viewportEvent(QEvent* event) {
  if (handler_ && handler_(event)) return true;
  return QGraphicsView::viewportEvent(event);
}

bool CanvasSurface::event(QEvent* event) {
  if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) updateStates();
  // Tab walks the nodes before it leaves the canvas, so it must be seen as a
  // key.
  const bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
  if (key && handler_ && handler_(event)) return true;
  return QGraphicsView::event(event);
}

void CanvasSurface::keyPressEvent(QKeyEvent* event) {
  event->ignore();  // what the handler did not take is the window's
}

void CanvasSurface::keyReleaseEvent(QKeyEvent* event) {
  if (!handler_ || !handler_(event)) event->ignore();
}

void CanvasSurface::drawBackground(QPainter* painter, const QRectF& rect) {
  painter->fillRect(rect, canvasGround(*theme_));
  if (zoom() < 0.5) return;
  painter->setPen(QPen(mixed(theme_->grid, theme_->muted, theme_->dark ? 0.1 : 0.2), 1.4,
                       Qt::SolidLine, Qt::RoundCap));
  std::vector<QPointF> dots;
  for (double x = std::floor(rect.left() / kDots) * kDots; x < rect.right(); x += kDots)
    for (double y = std::floor(rect.top() / kDots) * kDots; y < rect.bottom(); y += kDots)
      dots.emplace_back(x, y);
  painter->drawPoints(dots.data(), static_cast<int>(dots.size()));
}

}  // namespace fusebench

#include "moc_canvas_surface.cpp"
