// SPDX-License-Identifier: GPL-3.0-or-later
// The modules of a large program on the canvas: the path to fold by, the search, and their times.
#include <QLabel>
#include <algorithm>

#include "ui/models/base/as_index.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/canvas/canvas_modules.h"
#include "ui/views/canvas/canvas_actions.h"
#include "ui/views/canvas/canvas_island_item.h"
#include "ui/views/canvas/canvas_path_bar.h"
#include "ui/views/canvas/canvas_style.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/canvas/canvas_view.h"

namespace fusebench {

void CanvasView::wireModules() {
  connect(pathBar_, &CanvasPathBar::crumbChosen, this, &CanvasView::chooseCrumb);
  connect(pathBar_, &CanvasPathBar::searchChanged, this, &CanvasView::search);
  connect(pathBar_, &CanvasPathBar::nextWanted, this, &CanvasView::goToFound);
  connect(pathBar_, &CanvasPathBar::left, surface_, [this] { surface_->setFocus(); });
}

/// The frames around a node, the outermost first; with the one that it stands for.
std::vector<int> CanvasView::framesAt(int node) const {
  std::vector<int> frames;
  const CanvasGraph& graph = surface_->graph();
  if (node < 0 || at(node) >= graph.nodes.size()) return frames;
  const int folded = graph.nodes[at(node)].folded;
  for (int f = folded >= 0 ? folded : graph.nodes[at(node)].frame; f >= 0;
       f = graph.frames[at(f)].parent)
    frames.push_back(f);
  std::ranges::reverse(frames);
  return frames;
}

void CanvasView::showPath() {
  const CanvasGraph& graph = surface_->graph();
  pathBar_->setVisible(!graph.frames.empty() && (origins_.captured || !folded_.empty()));
  QStringList titles;
  for (const int frame : framesAt(actions_->node())) titles << graph.frames[at(frame)].title;
  pathBar_->setPath(titles);
}

void CanvasView::chooseCrumb(int number) {
  const std::vector<int> frames = framesAt(actions_->node());
  if (number >= 0) {
    if (at(number) < frames.size()) toggleFrame(frames[at(number)]);
    return;
  }
  folded_.clear();
  folded_ = overviewFolds(makeGraph());
  rebuild();
  surface_->select({}, -1);
  surface_->showStart();
}

void CanvasView::search(const QString& text) {
  const int shown = foundAt_ >= 0 ? found_[at(foundAt_)] : -1;
  found_ = nodesFound(surface_->graph(), text);
  const auto same = std::ranges::find(found_, shown);
  foundAt_ = same == found_.end() ? -1 : static_cast<int>(same - found_.begin());
  pathBar_->setFound(static_cast<int>(found_.size()), foundAt_ + 1);
}

void CanvasView::goToFound(bool backwards) {
  const auto count = static_cast<int>(found_.size());
  if (count == 0) return;
  foundAt_ =
      foundAt_ < 0 ? (backwards ? count - 1 : 0) : (foundAt_ + (backwards ? count - 1 : 1)) % count;
  unfoldTo(found_[at(foundAt_)]);
  pathBar_->setFound(count, foundAt_ + 1);
}

/// Opens what a node is within, and shows the node.
void CanvasView::unfoldTo(int node) {
  bool shut = false;
  for (const QString& key : framesAround(surface_->graph(), node))
    shut = folded_.erase(key) > 0 || shut;
  if (shut) rebuild();
  surface_->select({node}, node);
  surface_->reveal(node);
}

void CanvasView::showModule(const QString& path) {
  const CanvasGraph& graph = surface_->graph();
  const auto frame = std::ranges::find(graph.frames, path, &CanvasFrame::module);
  if (frame != graph.frames.end()) {
    const int first = frame->first;
    const QString key = frame->key;
    unfoldTo(first);
    folded_.insert(key);
    rebuild();
    surface_->select({first}, first);
    surface_->reveal(first);
    return;
  }
  const auto node = std::ranges::find_if(graph.nodes, [&](const CanvasNode& each) {
    return isWithinModule(each.module.toStdString(), path.toStdString());
  });
  if (node != graph.nodes.end()) unfoldTo(static_cast<int>(node - graph.nodes.begin()));
}

/// The module that a node is, or is directly in; empty: the program is not a captured model's.
QString CanvasView::moduleAt(int node) const {
  const CanvasGraph& graph = surface_->graph();
  if (!origins_.captured || node < 0 || at(node) >= graph.nodes.size()) return {};
  const CanvasNode& shown = graph.nodes[at(node)];
  if (shown.folded < 0) return shown.module;
  const QString module = graph.frames[at(shown.folded)].module;
  return module.isEmpty() ? shown.module : module;
}

void CanvasView::refreshTimes() {
  std::vector<double> times = timesOf ? timesOf(variant_) : std::vector<double>();
  if (times == times_) return;
  times_ = std::move(times);
  if (surface_->graph().frames.empty()) return;
  CanvasGraph graph = makeGraph();
  std::vector<int> heads = captioned();
  surface_->show(std::move(graph), surface_->selected(), surface_->current(), std::move(heads));
  surface_->islands().setKernels(surface_->graph(), kernels_, kernels_);
  showOverlays();
}

void CanvasView::showLegend() {
  const CanvasGraph& graph = surface_->graph();
  legend_->setVisible(graph.hottest > 0);
  if (graph.hottest <= 0) return;
  constexpr int kSteps = 6;
  const QColor fill = theme_->dark ? theme_->raised : theme_->panel;
  QString ramp;
  for (int i = 0; i < kSteps; ++i)
    ramp += QStringLiteral("<span style='background-color:%1'>&nbsp;&nbsp;&nbsp;</span>")
                .arg(heatColor(*theme_, fill, static_cast<double>(i) / (kSteps - 1)).name());
  const auto& variants = document_.experiment().variants;
  const QString name = at(variant_) < variants.size()
                           ? QString::fromStdString(variants[at(variant_)].name)
                           : QString();
  legend_->setText(QStringLiteral("%1<br>0 %2&nbsp; %3")
                       .arg(uiText("Share of a recorded call of %1:").arg(name.toHtmlEscaped()),
                            ramp, shareText(graph.hottest)));
  styleBy(*legend_, withRoles("#canvasLegend { background: @panel@; color: @text@; "
                              "border: 1px solid @border@; border-radius: 6px; "
                              "padding: 4px 8px; }"));
}

}  // namespace fusebench
