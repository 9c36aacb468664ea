// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the canvas view and the overlays above the graph.
#include <QHelpEvent>
#include <QLabel>
#include <QMenu>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>

#include "ui/models/base/ui_text.h"
#include "ui/views/base/plain_texts.h"
#include "ui/views/canvas/canvas_actions.h"
#include "ui/views/canvas/canvas_bar.h"
#include "ui/views/canvas/canvas_drops.h"
#include "ui/views/canvas/canvas_edge_item.h"
#include "ui/views/canvas/canvas_field_editor.h"
#include "ui/views/canvas/canvas_gestures.h"
#include "ui/views/canvas/canvas_island_item.h"
#include "ui/views/canvas/canvas_keys.h"
#include "ui/views/canvas/canvas_message.h"
#include "ui/views/canvas/canvas_node_item.h"
#include "ui/views/canvas/canvas_overview.h"
#include "ui/views/canvas/canvas_path_bar.h"
#include "ui/views/canvas/canvas_style.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/canvas/canvas_view.h"
#include "ui/views/canvas/layout_tip.h"
#include "ui/views/canvas/palette_popup.h"

namespace fusebench {
namespace {

/// Whether the program has no statements and returns the sum of its input, as a new one does.
bool isEmptyChain(const CanvasGraph& graph) {
  return graph.statements == 0 && graph.ops <= 1 &&
         std::ranges::none_of(graph.nodes, [](const CanvasNode& node) {
           return node.kind == CanvasNode::Kind::op && node.name != QLatin1String("sum");
         });
}

constexpr int kFlowMs = 350;
constexpr int kDockedBelow = 640;  // pixels
constexpr int kWidestBadge = 240, kBadgeMargin = 10;
constexpr int kStripHeight = 28;
constexpr double kReadableZoom = 0.75;  // below, a problem's words at its node are too small
constexpr qsizetype kProblemsSaid = 3;

QLabel* overlay(QWidget* over, const char* name, const QString& accessible) {
  auto* label = new QLabel(over);
  label->setObjectName(QString::fromLatin1(name));
  label->setAccessibleName(accessible);
  label->setAttribute(Qt::WA_TransparentForMouseEvents);
  label->hide();
  return label;
}

/// The problems of nodes, each with its statement; the first few, and how many more there are.
QStringList nodeProblems(const CanvasGraph& graph) {
  QStringList lines;
  for (const CanvasNode& node : graph.nodes)
    for (const QString& problem : node.problems)
      lines << (node.statement >= 0 ? QStringLiteral("%1: %2").arg(node.statement + 1).arg(problem)
                                    : problem);
  const qsizetype more = lines.size() - kProblemsSaid;
  if (more <= 0) return lines;
  lines.resize(kProblemsSaid);
  return lines << uiText("and %1 more").arg(more);
}

}  // namespace

CanvasView::CanvasView(DocumentModel& document, QWidget* parent)
    : QWidget(parent), document_(document) {
  build();
  wire();
  wireActions();
  setTheme(*theme_);
  documentChanged();
}

void CanvasView::build() {
  bar_ = new CanvasBar(this);
  pathBar_ = new CanvasPathBar(this);
  pathBar_->hide();
  surface_ = new CanvasSurface(this);
  surface_->setAccessibleName(uiText("Program as a graph"));
  actions_ = std::make_unique<CanvasActions>(document_, *surface_);
  gestures_ = std::make_unique<CanvasGestures>(*surface_, *actions_);
  keys_ = std::make_unique<CanvasKeys>(*surface_, *actions_);
  drops_ = std::make_unique<CanvasDrops>(*surface_, *actions_);
  editor_ = new CanvasFieldEditor(*surface_);
  message_ = new CanvasMessage(*surface_);
  popup_ = new PalettePopup(this);
  overview_ = new CanvasOverview(*surface_);
  badge_ = overlay(surface_, "canvasBadge", uiText("Launches"));
  badge_->setTextFormat(Qt::RichText);
  invitation_ = overlay(surface_->viewport(), "canvasInvitation", uiText("Empty program"));
  invitation_->setAlignment(Qt::AlignCenter);
  invitation_->setTextFormat(Qt::RichText);
  invitation_->setText(
      uiText("The program returns the sum of its input x.<br>Drop an op here, press <b>/</b> to "
             "search,<br>or paste PyTorch code"));
  elsewhere_ = overlay(surface_->viewport(), "canvasProblems", uiText("Problems"));
  elsewhere_->setWordWrap(true);
  elsewhere_->setTextFormat(Qt::PlainText);
  legend_ = overlay(surface_->viewport(), "canvasLegend", uiText("Colors of the boxes"));
  legend_->setTextFormat(Qt::RichText);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(bar_);
  layout->addWidget(pathBar_);
  layout->addWidget(surface_, 1);
  setFocusProxy(surface_);
  setMinimumSize(240, 200);
  animation_.setDuration(kFlowMs);
  animation_.setStartValue(0.0);
  animation_.setEndValue(1.0);
  animation_.setEasingCurve(QEasingCurve::InOutCubic);
}

void CanvasView::wire() {
  surface_->setHandler([this](QEvent* event) { return handle(event); });
  connect(surface_, &CanvasSurface::selectionChanged, this, &CanvasView::tellSelection);
  connect(surface_, &CanvasSurface::viewChanged, this, [this] {
    bar_->setZoom(surface_->zoom());
    if (const bool far = surface_->zoom() < kReadableZoom; far != far_) {
      far_ = far;
      return showOverlays();  // places them, too
    }
    placeOverlays();
  });
  // After the resizing: what is shown cannot change amid it.
  connect(surface_, &CanvasSurface::roomChanged, this, &CanvasView::rebuild, Qt::QueuedConnection);
  connect(&animation_, &QVariantAnimation::valueChanged, this,
          [this](const QVariant& value) { surface_->islands().setProgress(value.toDouble()); });
  connect(bar_, &CanvasBar::picked, this, [this](int variant) {
    setVariant(variant);
    emit variantChanged(variant);
    const auto& variants = document_.experiment().variants;
    const std::string program = variants[static_cast<std::size_t>(variant)].program;
    if (!program.empty()) document_.chooseProgram(program);
  });
  connect(bar_, &CanvasBar::fit, surface_, &CanvasSurface::fit);
  connect(bar_, &CanvasBar::zoomReset, this, [this] { surface_->setZoom(1); });
  connect(bar_, &CanvasBar::zoomIn, this, [this] { surface_->zoomBy(1.2); });
  connect(bar_, &CanvasBar::zoomOut, this, [this] { surface_->zoomBy(1 / 1.2); });
  wireModules();
  connect(&document_, &DocumentModel::loaded, this, [this] { fresh_ = true; });
  connect(&document_, &DocumentModel::programChanged, this, [this] { textChanged_ = true; });
  connect(&document_, &DocumentModel::changed, this, &CanvasView::documentChanged);
}

void CanvasView::wireActions() {
  using Tone = CanvasMessage::Tone;
  actions_->say = [this](const QString& words, QPointF scene) {
    message_->say(words, scene, Tone::refusal);
  };
  actions_->choose = [this](const QString& heading, QPointF scene, CanvasActions::Chosen chosen) {
    const QPoint place = surface_->mapFromScene(scene) + QPoint(14, 6);
    popup_->open(surface_->viewport()->mapToGlobal(place), heading, std::move(chosen));
  };
  gestures_->editField = [this](int node, int field) {
    const CanvasNode& shown = surface_->graph().nodes[static_cast<std::size_t>(node)];
    const bool flag = shown.fields[static_cast<std::size_t>(field)].kind == CanvasField::Kind::flag;
    flag ? actions_->toggle(node, field) : editField(node, field);
  };
  gestures_->editShape = [this](int node) {
    emit shapeWanted(surface_->graph().nodes[static_cast<std::size_t>(node)].title);
  };
  gestures_->foldFrame = [this](int frame) { toggleFrame(frame); };
  gestures_->pressed = [this] { editor_->leave(); };
  keys_->editField = [this](int node, int field) { editField(node, field); };
  keys_->hint = [this](const QString& words, QPointF scene) {
    message_->say(words, scene, Tone::hint);
  };
  keys_->fold = [this] { fold(); };
  keys_->layout = [this] { showLayout(); };
  keys_->space = [this](bool held) { gestures_->holdSpace(held); };
  keys_->cancelMouse = [this] { return gestures_->cancel(); };
  keys_->menu = [this] {
    const int node = actions_->node();
    openMenu(node < 0 ? surface_->viewport()->rect().center()
                      : surface_->mapFromScene(surface_->node(node).frame().bottomLeft()));
  };
  editor_->check = [this](int node, int field, const QString& typed) {
    return actions_->check(node, field, typed);
  };
  editor_->commit = [this](int node, int field, const QString& typed) {
    return actions_->setField(node, field, typed);
  };
  editor_->say = [this](const QString& words, QPointF scene) {
    message_->say(words, scene, Tone::refusal);
  };
}

void CanvasView::setTheme(const Theme& theme) {
  theme_ = &theme;
  pathBar_->setTheme(theme);
  surface_->setTheme(theme);
  overview_->setTheme(theme);
  popup_->setTheme(theme);
  styleBadge();
  styleBy(*invitation_, withRoles("#canvasInvitation { color: @muted@; background: transparent; "
                                  "border: 1px dashed @border@; border-radius: 8px; "
                                  "padding: 12px 16px; }"));
  styleBy(*elsewhere_, withRoles("#canvasProblems { background: @panel@; color: @error@; "
                                 "border: 1px solid @error@; border-radius: 6px; "
                                 "padding: 6px 10px; }"));
  showSegments();
  showOverlays();
}

void CanvasView::styleBadge() {
  styleBy(*badge_, withRoles(docked_ ? "#canvasBadge { background: @panel@; color: @text@; "
                                       "border-bottom: 1px solid @border@; padding: 2px 12px; }"
                                     : "#canvasBadge { background: @panel@; color: @text@; "
                                       "border: 1px solid @border@; border-radius: 8px; "
                                       "padding: 5px 11px; }"));
}

void CanvasView::showOverlays() {
  const CanvasGraph& graph = surface_->graph();
  const QString count = kernels_.count();
  // Nodes show their own problems, so the badge does not repeat them.
  const QString words = kernels_.known() ? count
                        : !problemsFound().empty()
                            ? uiText("Kernels are shown once the problems are solved")
                            : kernels_.unknown;
  const auto space = count.indexOf(QLatin1Char(' '));
  badge_->setText(
      kernels_.known()
          ? QStringLiteral("<span style='font-size:%5pt; font-weight:600; color:%1'>"
                           "%2</span><span style='color:%3'> %4</span>")
                .arg(kernels_.launches() == 1 ? theme_->accent.name() : theme_->text.name(),
                     count.left(space), theme_->muted.name(), count.mid(space + 1))
                .arg(docked_ ? 12 : 15)
          : QStringLiteral("<span style='color:%1'>%2</span>")
                .arg(theme_->muted.name(), words.toHtmlEscaped()));
  badge_->setAccessibleDescription(words);
  badge_->setWordWrap(!kernels_.known());
  badge_->setVisible(graph.ops > 0);
  QStringList lines(graph.elsewhere.begin(), graph.elsewhere.end());
  if (surface_->zoom() < kReadableZoom) lines += nodeProblems(graph);
  elsewhere_->setText(lines.join(QLatin1Char('\n')));
  elsewhere_->setVisible(!lines.isEmpty());
  showLegend();
  placeOverlays();
}

void CanvasView::placeOverlays() {
  placeBadge();
  const QRect room = surface_->viewport()->rect().adjusted(10, 10, -10, -10);
  elsewhere_->setFixedWidth(std::max(60, std::min(460, room.width())));
  elsewhere_->setFixedHeight(std::max(10, elsewhere_->heightForWidth(elsewhere_->width())));
  elsewhere_->move(room.left(), room.bottom() - elsewhere_->height() + 1);
  legend_->setWordWrap(false);
  legend_->setMaximumWidth(QWIDGETSIZE_MAX);
  legend_->adjustSize();
  if (legend_->width() > room.width()) {  // in two lines rather than cut
    legend_->setWordWrap(true);
    legend_->setMaximumWidth(std::max(60, room.width()));
    legend_->resize(legend_->maximumWidth(), legend_->heightForWidth(legend_->maximumWidth()));
  }
  legend_->move(room.right() - legend_->width() + 1, room.bottom() - legend_->height() + 1);
  invitation_->adjustSize();
  const CanvasGraph& graph = surface_->graph();
  const int bottom = surface_->onViewport(surface_->layout().bounds).bottom();
  const int lowest = room.bottom() - invitation_->height();
  invitation_->move(room.center().x() - invitation_->width() / 2,
                    std::clamp(bottom + 24, room.top(), std::max(room.top(), lowest)));
  // On top of the chain, neither of the two could be read.
  invitation_->setVisible(isEmptyChain(graph) && document_.sketch().valid() && lowest > bottom);
}

/// The badge is a card over a wide canvas; in a narrow panel it would cover the program, so it is a
/// strip above it.
void CanvasView::placeBadge() {
  const bool shown = !badge_->isHidden(), dock = surface_->width() < kDockedBelow;
  if (dock != docked_) {
    docked_ = dock;
    styleBadge();
    return showOverlays();  // which comes back here
  }
  badge_->setMinimumWidth(dock ? surface_->width() : 0);
  badge_->setMaximumWidth(dock ? surface_->width() : kWidestBadge);
  badge_->adjustSize();
  const bool wraps = badge_->wordWrap();
  badge_->setMinimumHeight(dock ? kStripHeight : 0);
  if (dock)
    badge_->resize(surface_->width(),
                   wraps ? badge_->heightForWidth(surface_->width()) : badge_->sizeHint().height());
  surface_->setStrip(shown && dock ? badge_->height() : 0);
  surface_->setClearance(shown && !dock ? badge_->height() + 2 * kBadgeMargin : 0);
  badge_->move(dock ? 0 : surface_->viewport()->width() - badge_->width() - kBadgeMargin,
               dock ? 0 : kBadgeMargin);
}

bool CanvasView::toolTip(QEvent* event) {
  const auto* help = static_cast<QHelpEvent*>(event);
  const QPointF scene = surface_->mapToScene(help->pos());
  QString words;
  if (const int i = surface_->nodeAt(scene); i >= 0) {
    const CanvasNode& node = surface_->graph().nodes[static_cast<std::size_t>(i)];
    const int field = surface_->node(i).fieldAt(scene);
    if (!node.problems.isEmpty())
      words = node.problems.join(QLatin1Char('\n'));
    else if (field >= 0)
      words = uiText("%1: %2. Takes %3.")
                  .arg(node.fields[static_cast<std::size_t>(field)].name,
                       node.fields[static_cast<std::size_t>(field)].doc,
                       node.fields[static_cast<std::size_t>(field)].range());
    else
      words = node.row ? QStringLiteral("%1\n%2").arg(
                             QString::fromUtf8(node.row->doc.data(),
                                               static_cast<qsizetype>(node.row->doc.size())),
                             node.code)
                       : surface_->graph().description(i);
    if (node.row && !node.module.isEmpty()) words += u'\n' + uiText("module %1").arg(node.module);
    if (node.row && !node.source.isEmpty()) words += u'\n' + node.source;
    if (const auto others = surface_->graph().sharing(i).size(); others > 0 && node.row)
      words +=
          uiText("\nWritten once and run %1 times: an edit changes all of them").arg(others + 1);
  } else if (const int f = surface_->frameAt(scene); f >= 0) {
    words = uiText("Click to fold");
    if (surface_->graph().frames[static_cast<std::size_t>(f)].kind == Frame::Kind::way)
      words = uiText(
                  "One of two branches: each call waits for the condition and takes this branch if "
                  "it is true. The other branch is in the text.") +
              u'\n' + words;
  } else if (const int e = surface_->edgeAt(scene); e >= 0) {
    const int from = surface_->edge(e).edge().from;
    const bool input =
        surface_->graph().nodes[static_cast<std::size_t>(from)].kind == CanvasNode::Kind::input;
    const QString change = uiText("Click the shape to change it");
    words = layoutOf(from);
    if (words.isEmpty())
      words = surface_->edge(e).edge().label + (input ? u'\n' + change : QString());
    else if (input)
      words += QStringLiteral("<div>%1</div>").arg(change);
  } else if (const int k = surface_->islands().kernelAt(scene); k >= 0) {
    const CanvasKernel& kernel = kernels_.kernels[static_cast<std::size_t>(k)];
    words = uiText("Launch %1 of %2: %3").arg(k + 1).arg(kernels_.launches()).arg(kernel.name);
  }
  if (words.isEmpty())
    QToolTip::hideText();
  else
    showTip(help->globalPos(), words, surface_->viewport());
  return true;
}

/// Tool tip about the memory layout of a node's tensor; empty if the layout is not known.
QString CanvasView::layoutOf(int node) const {
  const CanvasGraph& graph = surface_->graph();
  const ValueId value = graph.originalValue(node);
  const auto layouts = document_.layouts(variant_);
  if (value < 0 || static_cast<std::size_t>(value) >= layouts.size()) return {};
  const auto& layout = layouts[static_cast<std::size_t>(value)];
  if (!layout || layout->extents.empty()) return {};
  const CanvasNode& at = graph.nodes[static_cast<std::size_t>(node)];
  const QString root = layout->of >= 0 && layout->of < graph.inputs
                           ? graph.nodes[static_cast<std::size_t>(layout->of)].title
                           : QString();
  return layoutTip(at.title + u' ' + at.type, *layout, root, *theme_);
}

void CanvasView::showLayout() {
  const int node = actions_->node();
  if (node < 0) return;
  const QRect frame = surface_->onViewport(surface_->node(node).frame());
  const QPoint place = surface_->viewport()->mapToGlobal(frame.bottomLeft());
  const QString words = layoutOf(node);
  showTip(place, words.isEmpty() ? uiText("The memory layout is not known") : words,
          surface_->viewport());
}

void CanvasView::openMenu(QPoint viewport) {
  QMenu* menu = menuAt(actions_->node()).release();
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->popup(surface_->viewport()->mapToGlobal(viewport));
}

std::unique_ptr<QMenu> CanvasView::menuAt(int node) {
  auto menu = std::make_unique<QMenu>(this);
  CanvasActions* a = actions_.get();
  const bool some = !a->ops().empty();
  const auto add = [&](const QString& text, const char* keys, bool enabled, auto&& what) {
    QAction* action = menu->addAction(text + QLatin1Char('\t') + QLatin1String(keys));
    action->setEnabled(enabled);
    connect(action, &QAction::triggered, this, what);
  };
  const bool at = node >= 0;
  if (const QString module = moduleAt(node); !module.isEmpty()) {
    add(uiText("Measure this part: %1").arg(module), "", true,
        [this, module] { emit partWanted(module); });
    menu->addSeparator();
  }
  add(uiText("Insert after…"), "/", true, [a] { a->chooseAfter(); });
  add(uiText("Insert before…"), "Shift+Ins", at, [a] { a->chooseBefore(); });
  add(uiText("Branch…"), "B", at, [a] { a->chooseBranch(); });
  add(uiText("Replace…"), "R", some, [a] { a->chooseReplacement(); });
  add(uiText("Connect…"), "C", at, [this] { keys_->startConnecting(); });
  add(uiText("Fold or unfold"), "F", at && !surface_->graph().frames.empty(), [this] { fold(); });
  add(uiText("Show its layout in memory"), "L", at, [this] { showLayout(); });
  menu->addSeparator();
  add(uiText("Move up"), "Alt+Up", some, [a] { a->moveBy(false); });
  add(uiText("Move down"), "Alt+Down", some, [a] { a->moveBy(true); });
  add(uiText("Duplicate"), "Ctrl+D", some, [a] { a->duplicate(); });
  menu->addSeparator();
  add(uiText("Cut"), "Ctrl+X", some, [a] { a->cut(); });
  add(uiText("Copy as PyTorch"), "Ctrl+C", some, [a] { a->copy(); });
  add(uiText("Paste PyTorch"), "Ctrl+V", true, [a] { a->paste(); });
  add(uiText("Delete"), "Del", some || surface_->selectedEdge() >= 0, [a] { a->remove(); });
  if (!document_.sketch().valid()) {
    menu->addSeparator();
    add(uiText("Remove lines that are not understood"), "", true, [a] { a->removeProblemLines(); });
  }
  return menu;
}

}  // namespace fusebench
