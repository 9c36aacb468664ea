// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/canvas_view.h"

#include <QKeyEvent>
#include <algorithm>
#include <optional>
#include <string>

#include "engine/base/work_limit.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/canvas/canvas_frames.h"
#include "ui/models/canvas/palette_model.h"
#include "ui/views/canvas/canvas_actions.h"
#include "ui/views/canvas/canvas_bar.h"
#include "ui/views/canvas/canvas_drops.h"
#include "ui/views/canvas/canvas_field_editor.h"
#include "ui/views/canvas/canvas_gestures.h"
#include "ui/views/canvas/canvas_island_item.h"
#include "ui/views/canvas/canvas_keys.h"
#include "ui/views/canvas/canvas_message.h"
#include "ui/views/canvas/canvas_path_bar.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/canvas/palette_popup.h"

namespace fusebench {
namespace {

constexpr int kMostOpen = 60;  ///< ops; a larger program is shown folded at first

QString executorWords(const Variant& variant) {
  return uiText("Kernels that %1 launches (%2)")
      .arg(QString::fromStdString(variant.name), QString::fromStdString(variant.executor));
}

bool sameTypes(const std::vector<std::optional<ValueType>>& a,
               const std::vector<std::optional<ValueType>>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.has_value() == y.has_value() && (!x || (x->shape == y->shape && x->dtype == y->dtype));
  });
}

}  // namespace

/// Widgets go after what they call: from here on they call nothing.
CanvasView::~CanvasView() {
  timesOf = nullptr;
  editor_->close();
  editor_->check = nullptr;
  editor_->commit = nullptr;
  surface_->setHandler({});
}

/// The document's problems of the program, as the graph takes them.
std::vector<SketchProblem> CanvasView::problemsFound() const {
  std::vector<SketchProblem> found;
  for (const Problem& problem : document_.problems())
    if (problem.where == Problem::Where::program)
      found.push_back({problem.place, problem.text.toStdString(), problem.index, problem.op});
  return found;
}

CanvasExtent CanvasView::extent() const {
  if (shown_ <= 0) return {};
  std::int64_t drawn = shown_;
  for (const Axis& axis : document_.experiment().axes)
    if (axis.name == "statements" && !axis.values.empty())
      drawn = std::max(drawn, axis.values.back());
  return {static_cast<int>(std::min<std::int64_t>(drawn, 1000)), shown_};
}

void CanvasView::documentChanged() {
  // The sketch is of the text before: what is shown stays until the new one is there.
  if (document_.reading()) return;
  const auto count = static_cast<int>(document_.experiment().variants.size());
  variant_ = variantDrawn(std::clamp(variant_, 0, std::max(0, count - 1)));
  message_->hide();
  origins_ = canvasOrigins(document_.experiment(), document_.sketch().program);
  times_ = timesOf ? timesOf(variant_) : std::vector<double>();
  showSegments();
  rebuild();
}

/// This variant if it runs the program that is drawn, else the first one that does.
int CanvasView::variantDrawn(int wanted) const {
  const Experiment& experiment = document_.experiment();
  const auto runsIt = [&](const Variant& variant) {
    return variant.program.empty() || variant.program == experiment.programName;
  };
  const auto at = static_cast<std::size_t>(wanted);
  if (at >= experiment.variants.size() || runsIt(experiment.variants[at])) return wanted;
  const auto found = std::ranges::find_if(experiment.variants, runsIt);
  return found == experiment.variants.end() ? wanted
                                            : static_cast<int>(found - experiment.variants.begin());
}

CanvasGraph CanvasView::makeGraph() const {
  CanvasGraph graph = canvasGraph(document_.sketch(), types_, problemsFound(), extent(), origins_);
  foldFrames(graph, folded_);
  if (!graph.frames.empty()) setShares(graph, times_);
  return graph;
}

void CanvasView::toggleFrame(int frame) {
  const CanvasFrame of = surface_->graph().frames[static_cast<std::size_t>(frame)];
  if (!folded_.erase(of.key)) folded_.insert(of.key);
  rebuild();
  surface_->select({of.first}, of.first);
  surface_->reveal(of.first);
}

/// Opens the folded node that has the keyboard, or folds the innermost frame around a node.
void CanvasView::fold() {
  const int node = actions_->node();
  if (node < 0) return;
  const CanvasGraph& graph = surface_->graph();
  const CanvasNode& at = graph.nodes[static_cast<std::size_t>(node)];
  if (const int frame = at.folded >= 0 ? at.folded : at.frame; frame >= 0)
    return toggleFrame(frame);
  message_->say(uiText("This is not in a function, module or loop"),
                surface_->places()[static_cast<std::size_t>(node)].bottomLeft(),
                CanvasMessage::Tone::refusal);
}

void CanvasView::setDevice(const std::string& device) {
  if (device_ == device) return;
  device_ = device;
  rebuild();
}

void CanvasView::rebuild() {
  gestures_->cancel();
  keys_->stopConnecting();
  editor_->close();
  types_ = document_.types(variant_);
  // The selection as op numbers from before the change, which `told_` still has.
  std::vector<int> originals = told_;
  const CanvasGraph& old = surface_->graph();
  const int current = surface_->current();
  int currentOp = -1, currentOther = -1;
  if (current >= 0 && current < static_cast<int>(old.nodes.size())) {
    currentOp = old.nodes[static_cast<std::size_t>(current)].original;
    if (currentOp < 0) currentOther = current < old.inputs ? current : current - old.ops;
  }
  // While another document is read, the sketch is still that of the one before.
  const bool fresh = fresh_ && !document_.reading();
  if (fresh) {
    originals.clear();
    currentOp = currentOther = -1;
    folded_.clear();
    // A large program starts folded, as an overview of its parts.
    const CanvasGraph open = makeGraph();
    if (open.ops > (origins_.captured ? kMostBoxes : kMostOpen)) folded_ = overviewFolds(open);
  }
  const auto now = [this](int op) {
    if (!textChanged_ || op < 0) return op;
    const auto& map = document_.opsNow();
    return static_cast<std::size_t>(op) < map.size() ? map[static_cast<std::size_t>(op)] : -1;
  };
  CanvasGraph graph = makeGraph();
  std::vector<int> nodes;
  for (int op : originals) nodes.push_back(graph.nodeOfOriginal(now(op)));
  int currentNode = graph.nodeOfOriginal(now(currentOp));
  if (currentOther >= 0)
    currentNode = currentOther < graph.inputs ? currentOther : currentOther + graph.ops;
  std::vector<int> heads = plan(graph);
  surface_->show(std::move(graph), std::move(nodes), currentNode, std::move(heads));
  textChanged_ = false;
  showKernels(false);
  if (fresh && isVisible()) {
    surface_->showStart();
    placed_ = true;
  }
  if (fresh) fresh_ = false;
  showOverlays();
  search(pathBar_->searched());
  showPath();
}

KernelsRequest CanvasView::request(const CanvasGraph& graph) const {
  KernelsRequest request{graph, document_.sharedSketch(), {}, shown_, device_};
  const auto& variants = document_.experiment().variants;
  for (std::size_t i = 0; i < variants.size(); ++i)
    request.types.try_emplace({variants[i].executor, variants[i].inputs},
                              document_.types(static_cast<int>(i)));
  return request;
}

/// Plans the kernels of all variants: at once if that takes a moment only. Returns captioned().
std::vector<int> CanvasView::plan(const CanvasGraph& graph) {
  task_.cancel();
  planned_.clear();
  KernelsRequest wanted = request(graph);
  if (document_.isSmall())
    if (auto planned = LatestTask::tryNow([&] { return planKernels(wanted); })) {
      planned_ = std::move(*planned);
      return captioned();
    }
  task_.start(
      [wanted = std::move(wanted)](const std::stop_token& stop) {
        const WorkLimit limit(WorkLimit::kUsualSeconds, stop);
        return planKernels(wanted);
      },
      [this](PlannedKernels planned) { takePlanned(std::move(planned)); });
  return {};
}

/// Captions need room above nodes: the graph is laid out again.
void CanvasView::takePlanned(PlannedKernels planned) {
  planned_ = std::move(planned);
  CanvasGraph graph = surface_->graph();
  if (std::vector<int> heads = captioned(); !heads.empty())
    surface_->show(std::move(graph), surface_->selected(), surface_->current(), std::move(heads));
  showKernels(false);
  emit this->planned();
}

/// The nodes over which some variant's kernel has its caption: the drawing is the same for all of
/// them, so that only the hulls move when another one is shown.
std::vector<int> CanvasView::captioned() const {
  std::vector<int> heads;
  for (const auto& [key, kernels] : planned_)
    for (const CanvasKernel& kernel : kernels.kernels)
      if (kernel.nodes.size() > 1) heads.push_back(kernel.nodes.front());
  std::sort(heads.begin(), heads.end());
  heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
  return heads;
}

void CanvasView::showKernels(bool animate) {
  const auto& variants = document_.experiment().variants;
  const auto at = static_cast<std::size_t>(variant_);
  const CanvasKernels before = kernels_;
  if (at >= variants.size()) {
    kernels_ = {{}, uiText("There is no variant")};
  } else {
    const auto found = planned_.find({variants[at].executor, variants[at].inputs});
    kernels_ = found != planned_.end() ? found->second
                                       : CanvasKernels{{}, uiText("The kernels are being planned")};
  }
  animation_.stop();
  const bool flow = animate && animated_ && isVisible() && before.kernels != kernels_.kernels;
  surface_->islands().setKernels(surface_->graph(), flow ? before : kernels_, kernels_);
  surface_->islands().setProgress(flow ? 0 : 1);
  if (flow) animation_.start();
  showOverlays();
}

void CanvasView::setVariant(int variant) {
  const auto count = static_cast<int>(document_.experiment().variants.size());
  if (variant < 0 || variant >= count || variant == variant_) return;
  variant_ = variant;
  bar_->choose(variant);
  refreshTimes();
  // Inputs of another set may have other shapes: then the labels change, too.
  const auto types = document_.types(variant_);
  if (!sameTypes(types, types_)) {
    const CanvasKernels before = kernels_;
    const std::vector<int> selected = surface_->selected();
    const int current = surface_->current();
    types_ = types;
    gestures_->cancel();
    keys_->stopConnecting();
    editor_->close();
    CanvasGraph graph = makeGraph();
    std::vector<int> heads = captioned();
    surface_->show(std::move(graph), selected, current, std::move(heads));
    kernels_ = before;
  }
  showKernels(true);
}

void CanvasView::setShownStatements(int n) {
  if (n == shown_) return;
  shown_ = n;
  rebuild();
}

void CanvasView::markOps(std::vector<int> ops) {
  surface_->mark(ops);
  if (!ops.empty()) surface_->reveal(surface_->graph().nodeOfOriginal(ops.front()));
}

void CanvasView::appendOp(const OpRow* row) {
  if (row) actions_->append(*row);
}

void CanvasView::sharePalette(PaletteModel& palette) {
  popup_->share(palette);
}

void CanvasView::showSegments() {
  std::vector<CanvasBar::Segment> segments;
  int i = 0;
  for (const Variant& variant : document_.experiment().variants) {
    const int series = variant.series > 0 ? variant.series - 1 : i;
    segments.push_back({QString::fromStdString(variant.name), executorWords(variant),
                        theme_->series(series).color});
    ++i;
  }
  bar_->setSegments(segments, variant_);
}

void CanvasView::tellSelection() {
  const int node = actions_->node();
  const QString words = surface_->graph().description(node);
  surface_->setAccessibleDescription(words);
  showPath();
  std::vector<int> ops = actions_->ops();
  if (ops == told_) return;
  told_ = std::move(ops);
  emit opsSelected(told_);
}

void CanvasView::editField(int node, int field) {
  const CanvasNode& shown = surface_->graph().nodes[static_cast<std::size_t>(node)];
  if (field < 0 || field >= static_cast<int>(shown.fields.size())) return;
  editor_->open(node, field);
}

bool CanvasView::handle(QEvent* event) {
  switch (event->type()) {
    case QEvent::ShortcutOverride:
      if (static_cast<QKeyEvent*>(event)->matches(QKeySequence::Find) && pathBar_->isVisible()) {
        event->accept();
        return true;
      }
      if (!keys_->wants(static_cast<QKeyEvent*>(event))) return false;
      event->accept();
      return true;
    case QEvent::KeyPress:
      if (message_->tone() == CanvasMessage::Tone::refusal) message_->hide();
      if (static_cast<QKeyEvent*>(event)->matches(QKeySequence::Find) && pathBar_->isVisible()) {
        pathBar_->startSearching();
        event->accept();
        return true;
      }
      if (!keys_->press(static_cast<QKeyEvent*>(event))) {
        if (shown_ == 0 || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape) return false;
        emit shownStatementsRefused();
      }
      event->accept();
      return true;
    case QEvent::KeyRelease:
      return keys_->release(static_cast<QKeyEvent*>(event));
    case QEvent::MouseButtonPress:
      keys_->stopConnecting();
      if (message_->tone() == CanvasMessage::Tone::refusal) message_->hide();
      return gestures_->handle(event);
    case QEvent::ContextMenu:
      openMenu(static_cast<QContextMenuEvent*>(event)->pos());
      return true;
    case QEvent::ToolTip:
      return toolTip(event);
    default:
      return drops_->handle(event) || gestures_->handle(event);
  }
}

bool CanvasView::event(QEvent* event) {
  if (event->type() == QEvent::FocusIn) surface_->setFocus();
  return QWidget::event(event);
}

void CanvasView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!placed_) surface_->showStart();
  placed_ = true;
  placeOverlays();
}

}  // namespace fusebench

#include "moc_canvas_view.cpp"
