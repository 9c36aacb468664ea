// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/flame_graph.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>

#include "profiler/trace/kernel_names.h"
#include "ui/look/span_colors.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/views/base/plain_texts.h"

namespace fusebench {
namespace {

constexpr double kBarHeight = 20, kBarGap = 1, kNarrowestBar = 1.5;
constexpr double kRoomForText = 24;
constexpr double kLabelSize = 0.9;  ///< relative to the usual text
constexpr std::size_t kDeepestBars = 200;

/// Modules have a color of their own, since readers look for them first.
QColor barColor(OperatorNode::Kind kind, const Theme& theme) {
  switch (kind) {
    case OperatorNode::Kind::root:
      return theme.raised;
    case OperatorNode::Kind::module:
      return blend(theme.seriesColors[3], theme.panel, 0.5);
    case OperatorNode::Kind::range:
      return spanColor(SpanKind::annotation, theme);
    case OperatorNode::Kind::kernel:
      return spanColor(SpanKind::kernel, theme);
    case OperatorNode::Kind::op:
      break;
  }
  return spanColor(SpanKind::op, theme);
}

/// "ConvolutionBackward0" of "autograd::engine::evaluate_function: ConvolutionBackward0". A name
/// of several words without a colon is kept, as in "no operator recorded".
QString lastPart(const QString& name) {
  const qsizetype at = std::max(name.lastIndexOf(QLatin1String("::")) + 1,
                                name.lastIndexOf(QLatin1String(": ")) + 1);
  return at > 0 && at + 1 < name.size() ? name.mid(at + 1) : name;
}

}  // namespace

FlameGraph::FlameGraph(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setProperty("ring", true);
  setMouseTracking(true);
  setAccessibleName(uiText("Flame graph of operators"));
}

void FlameGraph::setTheme(const Theme& theme) {
  theme_ = &theme;
  update();
}

QSize FlameGraph::minimumSizeHint() const {
  return {160, 60};
}

const OperatorTree* FlameGraph::tree() const {
  return !made_ ? nullptr : callers_ ? &made_->callers : &made_->tree;
}

void FlameGraph::setFigures(std::shared_ptr<const OperatorFigures::Made> made, bool callers,
                            bool busy) {
  if (made == made_ && callers == callers_ && busy == busy_) return;
  made_ = std::move(made);
  callers_ = callers;
  busy_ = busy;
  top_ = marked_ = 0;
  hovered_ = kNoNode;
  scrolled_ = 0;
  layOut();
}

void FlameGraph::mark(std::uint32_t node) {
  const OperatorTree* const shown = tree();
  marked_ = shown && node < shown->nodes.size() ? node : 0;
  if (marked_ != 0 && std::ranges::find(bars_, marked_, &Bar::node) == bars_.end()) {
    // It is too narrow, or outside of what has the width.
    top_ = 0;
    layOut();
    if (std::ranges::find(bars_, marked_, &Bar::node) == bars_.end())
      showNode(shown->nodes[marked_].parent);
  }
  scrollToMarked();
  update();
}

void FlameGraph::scrollToMarked() {
  const auto bar = std::ranges::find(bars_, marked_, &Bar::node);
  if (marked_ == 0 || bar == bars_.end()) return;
  if (bar->place.top() < scrolled_) scrollTo(bar->place.top());
  if (bar->place.bottom() > scrolled_ + height()) scrollTo(bar->place.bottom() - height());
}

void FlameGraph::showNode(std::uint32_t node) {
  const OperatorTree* const shown = tree();
  if (!shown || node >= shown->nodes.size()) return;
  top_ = node;
  scrolled_ = 0;
  layOut();
}

/// Bars from the root to the one that has the width, then its children. What is narrower than a
/// pixel or two is left out, with all below it: a tree of any size has so many bars at most.
void FlameGraph::layOut() {
  bars_.clear();
  height_ = 0;
  const OperatorTree* const shown = tree();
  if (shown && shown->timeOf(top_) > 0) {
    std::vector<std::uint32_t> above;
    for (std::uint32_t node = top_; node != 0; node = shown->nodes[node].parent)
      above.push_back(node);
    above.push_back(0);
    double y = 0;
    for (auto node = above.rbegin(); node != above.rend(); ++node, y += kBarHeight)
      bars_.push_back({QRectF(0, y, width(), kBarHeight - kBarGap), *node, *node != top_});
    // By levels: each bar's children are laid out below it.
    for (std::size_t at = bars_.size() - 1; at < bars_.size(); ++at) {
      const Bar bar = bars_[at];
      if (bar.place.top() > kDeepestBars * kBarHeight) break;
      const double whole = double(std::max<Nanoseconds>(1, shown->timeOf(bar.node)));
      double x = bar.place.left();
      for (const std::uint32_t child : shown->nodes[bar.node].children) {
        const double wide = bar.place.width() * std::min(1.0, double(shown->timeOf(child)) / whole);
        if (wide < kNarrowestBar) break;  // the longest come first
        if (x + wide > bar.place.right() + 1) break;
        bars_.push_back(
            {QRectF(x, bar.place.top() + kBarHeight, wide, kBarHeight - kBarGap), child, false});
        x += wide;
      }
      height_ = std::max(height_, bar.place.bottom());
    }
  }
  scrollTo(scrolled_);
}

void FlameGraph::scrollTo(double from) {
  scrolled_ = std::clamp(from, 0.0, std::max(0.0, height_ - height()));
  update();
}

QString FlameGraph::wordsOf(std::uint32_t node) const {
  const OperatorTree* const shown = tree();
  if (!shown || node >= shown->nodes.size()) return {};
  const OperatorNode& of = shown->nodes[node];
  const double share =
      double(shown->timeOf(node)) / double(std::max<Nanoseconds>(1, shown->timeOf(0)));
  QStringList lines{text(nodeName(*made_->trace, of))};
  lines << uiText("%1, %2 % of all, %3 calls")
               .arg(formatTime(double(shown->timeOf(node))), QString::number(100 * share, 'f', 1),
                    formatCount(std::int64_t(of.calls)));
  if (shown->device && of.kind != OperatorNode::Kind::kernel && !callers_)
    lines << uiText("On the host %1").arg(formatTime(double(of.hostTotal)));
  return lines.join(u'\n');
}

QString FlameGraph::labelOf(std::uint32_t node, double width) const {
  const OperatorTree& shown = *tree();
  const OperatorNode& of = shown.nodes[node];
  QString name = text(nodeName(*made_->trace, of));
  if (of.kind == OperatorNode::Kind::kernel)
    name = QString::fromStdString(shortKernelName(nodeName(*made_->trace, of)));
  const QFontMetrics metrics(textFont(kLabelSize));
  const auto fits = [&](const QString& words) { return metrics.horizontalAdvance(words) <= width; };
  const QString timed = name + QStringLiteral("  ·  ") + formatTime(double(shown.timeOf(node)));
  if (fits(timed)) return timed;
  if (fits(name)) return name;
  return metrics.elidedText(lastPart(name), Qt::ElideRight, int(width));
}

void FlameGraph::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_->panel);
  if (bars_.empty()) {
    painter.setFont(textFont());
    painter.setPen(theme_->muted);
    painter.drawText(rect().adjusted(8, 0, -8, 0), Qt::AlignCenter | Qt::TextWordWrap,
                     busy_ ? uiText("Summarizing operators…")
                           : uiText("No operators or kernels are recorded here."));
    return;
  }
  painter.setFont(textFont(kLabelSize));
  for (const Bar& bar : bars_) {
    const double top = bar.place.top() - scrolled_;
    if (top + kBarHeight >= 0 && top <= height()) paintBar(painter, bar);
  }
  if (height_ <= height()) return;
  // How much there is above and below what is seen.
  const double share = height() / height_;
  painter.fillRect(QRectF(width() - 3, scrolled_ * share, 3, height() * share), theme_->muted);
}

void FlameGraph::paintBar(QPainter& painter, const Bar& bar) {
  const QRectF place = bar.place.translated(0, -scrolled_);
  const OperatorNode& node = tree()->nodes[bar.node];
  QColor color = barColor(node.kind, *theme_);
  if (bar.around) color = blend(color, theme_->panel, 0.45);
  if (bar.node == hovered_) color = blend(theme_->text, color, 0.16);
  const QRectF inner = place.adjusted(0, 0, place.width() > 3 ? -1 : 0, 0);
  painter.fillRect(inner, color);
  if (bar.node == marked_ && marked_ != 0) {
    painter.setPen(QPen(theme_->text, 2));
    painter.drawRect(inner.adjusted(1, 1, -1, -1));
  }
  if (place.width() < kRoomForText) return;
  painter.setPen(inkOn(color));
  painter.drawText(inner.adjusted(5, 0, -2, 0), Qt::AlignVCenter | Qt::AlignLeft,
                   labelOf(bar.node, inner.width() - 8));
}

void FlameGraph::resizeEvent(QResizeEvent*) {
  layOut();
}

const FlameGraph::Bar* FlameGraph::barAt(QPointF position) const {
  position.ry() += scrolled_;
  for (const Bar& bar : bars_)
    if (bar.place.contains(position)) return &bar;
  return nullptr;
}

bool FlameGraph::event(QEvent* event) {
  if (event->type() == QEvent::Leave) hover(kNoNode);
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const Bar* const bar = barAt(help->pos());
    if (bar)
      showTip(help->globalPos(), wordsOf(bar->node), this);
    else
      QToolTip::hideText();
    return true;
  }
  return QWidget::event(event);
}

void FlameGraph::hover(std::uint32_t node) {
  if (node == hovered_) return;
  hovered_ = node;
  setCursor(node == kNoNode ? Qt::ArrowCursor : Qt::PointingHandCursor);
  update();
}

void FlameGraph::mouseMoveEvent(QMouseEvent* event) {
  const Bar* const bar = barAt(event->position());
  hover(bar ? bar->node : kNoNode);
}

void FlameGraph::choose(std::uint32_t node) {
  showNode(node);
  marked_ = node;
  const OperatorTree* const shown = tree();
  if (shown && node != 0 && shown->nodes[node].longest != kNoEvent)
    emit eventWanted(shown->nodes[node].longest);
}

void FlameGraph::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (const Bar* const bar = barAt(event->position())) choose(bar->node);
}

void FlameGraph::wheelEvent(QWheelEvent* event) {
  scrollTo(scrolled_ - event->angleDelta().y() / 120.0 * 3 * kBarHeight);
  event->accept();
}

/// Down to the longest child, up to the parent, left and right among its siblings.
void FlameGraph::step(int key) {
  const OperatorTree& shown = *tree();
  const OperatorNode& at = shown.nodes[marked_];
  std::uint32_t node = marked_;
  if (key == Qt::Key_Down && !at.children.empty()) node = at.children.front();
  if (key == Qt::Key_Up) node = at.parent;
  if (key == Qt::Key_Left || key == Qt::Key_Right) {
    const auto& siblings = shown.nodes[at.parent].children;
    const auto place = std::ranges::find(siblings, marked_);
    if (place != siblings.end()) {
      if (key == Qt::Key_Left && place != siblings.begin()) node = *(place - 1);
      if (key == Qt::Key_Right && place + 1 != siblings.end()) node = *(place + 1);
    }
  }
  mark(node);
  setAccessibleDescription(wordsOf(node));
}

void FlameGraph::keyPressEvent(QKeyEvent* event) {
  if (!tree()) return QWidget::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Down:
    case Qt::Key_Up:
    case Qt::Key_Left:
    case Qt::Key_Right:
      return step(event->key());
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return choose(marked_);
    case Qt::Key_PageDown:
      return scrollTo(scrolled_ + height() - kBarHeight);
    case Qt::Key_PageUp:
      return scrollTo(scrolled_ - height() + kBarHeight);
    case Qt::Key_Escape:
      if (top_ != 0) return showNode(0);
      break;
    default:
      break;
  }
  QWidget::keyPressEvent(event);
}

}  // namespace fusebench

#include "moc_flame_graph.cpp"
