// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/timeline_view.h"

#include <algorithm>

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <optional>
#include <tuple>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/views/timeline/figures_panel.h"
#include "ui/views/timeline/file_panel.h"
#include "ui/views/timeline/lanes_menu.h"
#include "ui/views/timeline/overview_strip.h"
#include "ui/views/timeline/timeline_canvas.h"

namespace fusebench {
namespace {

constexpr int kHeightForTables = 460;
constexpr int kWidthForButtons = 780;  ///< at least
constexpr int kWidthForSteps = 620;    ///< narrower ones have Alt+Left and Alt+Right
constexpr int kWidthOfSteps = 150;     ///< next to all other buttons
constexpr int kWidthForArrows = 480;   ///< Enter and F3 do the same; fitting is in the menu
constexpr int kTablesHeight = 190;
constexpr double kMostForTables = 0.5;  ///< share of the height

}  // namespace

TimelineView::TimelineView(TimelineModel& model, QWidget* parent)
    : QWidget(parent),
      model_(model),
      search_(new QLineEdit(this)),
      regular_(new QToolButton(this)),
      found_(new QToolButton(this)),
      back_(new QToolButton(this)),
      on_(new QToolButton(this)),
      earlier_(new QToolButton(this)),
      later_(new QToolButton(this)),
      fit_(new QToolButton(this)),
      open_(new QToolButton(this)),
      below_(new QToolButton(this)),
      export_(new QToolButton(this)),
      tablesButton_(new QToolButton(this)),
      more_(new QToolButton(this)),
      cancel_(new QToolButton(this)),
      lanes_(new QToolButton(this)),
      record_(new QToolButton(this)),
      lanesMenu_(new LanesMenu(model, lanes_)),
      notice_(new QLabel(this)),
      progress_(new QProgressBar(this)),
      overview_(new OverviewStrip(model, this)),
      canvas_(new TimelineCanvas(model, this)),
      figures_(new TimelineFigures(model, this)) {
  layOut();
  connect(search_, &QLineEdit::textChanged, &model_, &TimelineModel::search);
  connect(search_, &QLineEdit::returnPressed, this, [this] { model_.next(false); });
  connect(back_, &QToolButton::clicked, this, [this] { model_.next(true); });
  connect(on_, &QToolButton::clicked, this, [this] { model_.next(false); });
  connect(fit_, &QToolButton::clicked, &model_, &TimelineModel::fit);
  regular_->setCheckable(true);
  connect(regular_, &QToolButton::toggled, &model_, &TimelineModel::setRegular);
  connect(found_, &QToolButton::clicked, this, [this] {
    if (!tablesButton_->isChecked()) tablesButton_->click();
    figures_->showMatches();
  });
  connect(earlier_, &QToolButton::clicked, this, [this] { model_.step(true); });
  connect(later_, &QToolButton::clicked, this, [this] { model_.step(false); });
  connect(&model_, &TimelineModel::viewChanged, this, &TimelineView::refreshSteps);
  connect(open_, &QToolButton::clicked, this, [this] { emit openRequested(false); });
  connect(below_, &QToolButton::clicked, this, [this] { emit openRequested(true); });
  connect(export_, &QToolButton::clicked, this, &TimelineView::exportRequested);
  connect(record_, &QToolButton::clicked, this, &TimelineView::recordRequested);
  connect(&canvas_->emptyCard().button(), &QPushButton::clicked, this,
          &TimelineView::recordRequested);
  connect(&model_, &TimelineModel::lanesChanged, this, &TimelineView::refreshLanes);
  connect(&model_, &TimelineModel::tracesChanged, this, &TimelineView::refreshLanes);
  tablesButton_->setCheckable(true);
  connect(tablesButton_, &QToolButton::clicked, this, [this](bool on) {
    tablesChosen_ = true;
    showTables(on);
  });
  connect(cancel_, &QToolButton::clicked, &model_.loader(), &TimelineLoader::cancel);
  connect(&model_.loader(), &TimelineLoader::progressed, this,
          [this](double share) { progress_->setValue(int(share * 1000)); });
  connect(&model_, &TimelineModel::loadingChanged, this, &TimelineView::refreshLoading);
  connect(&model_, &TimelineModel::searchChanged, this, &TimelineView::refreshSearch);
  connect(figures_, &TimelineFigures::kernelActivated, this, [this](const QString& name) {
    search_->setText(name);
    model_.next(false);
  });
  connect(figures_, &TimelineFigures::subjectChanged, this, &TimelineView::shareHeight);
  connect(parts_, &QSplitter::splitterMoved, this, [this] { heightChosen_ = true; });
  connect(&model_, &TimelineModel::tracesChanged, this, &TimelineView::shareHeight);
  connect(figures_, &TimelineFigures::laneWanted, canvas_, &TimelineCanvas::showDeviceOf);
  const auto bind = [this](const QKeySequence& keys, auto act) {
    auto* shortcut = new QShortcut(keys, this);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, act);
  };
  bind(QKeySequence::Find, [this] {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
  });
  bind(Qt::ALT | Qt::Key_Left, [this] { model_.step(true); });
  bind(Qt::ALT | Qt::Key_Right, [this] { model_.step(false); });
  bind(Qt::Key_F3, [this] { model_.next(false); });
  bind(Qt::SHIFT | Qt::Key_F3, [this] { model_.next(true); });
  setFocusProxy(canvas_);
  setRecording(false);
  showTables(false);
  refreshSearch();
  refreshSteps();
  refreshLoading();
  refreshLanes();
  FileModel* const files[] = {&model_.compileLogs(), &model_.executionTrace(), &model_.memory()};
  for (FileModel* file : files)
    connect(file, &FileModel::changed, this, &TimelineView::refreshAlone);
  connect(figures_, &TimelineFigures::subjectChanged, this, &TimelineView::refreshAlone);
  connect(&model_, &TimelineModel::tracesChanged, this, &TimelineView::refreshAlone);
}

/// Tracks that have nothing to show leave their room to a file that has.
void TimelineView::refreshAlone() {
  FilePanel* const shown = model_.empty() ? figures_->filePanel() : nullptr;
  if (alone_ != (shown != nullptr)) {
    alone_ = shown != nullptr;
    canvas_->setVisible(!alone_);
    fitBar();
    heightChosen_ = false;
    shareHeight();
  }
  setFocusProxy(shown ? static_cast<QWidget*>(&shown->table()) : canvas_);
  emit ownTableChanged(hasOwnTable());
}

void TimelineView::layOut() {
  search_->setPlaceholderText(uiText("Find a kernel"));
  search_->setAccessibleName(uiText("Find a kernel"));
  search_->setClearButtonEnabled(true);
  search_->setMaximumWidth(220);
  search_->setMinimumWidth(90);
  const std::tuple<QToolButton*, QString, QString> kButtons[] = {
      {back_, QStringLiteral("◂"), uiText("Previous (P, Shift+F3)")},
      {on_, QStringLiteral("▸"), uiText("Next (N, F3)")},
      {regular_, QStringLiteral(".*"), uiText("Search by a regular expression")},
      {found_, QString(), uiText("How many events match; a click lists them with their sums")},
      {earlier_, QStringLiteral("←"), uiText("Previous view (Alt+Left)")},
      {later_, QStringLiteral("→"), uiText("Next view (Alt+Right)")},
      {lanes_, uiText("Tracks"), uiText("Which tracks are shown: filter, hide, show again")},
      {record_, uiText("Record"),
       uiText("Record calls of the chain on the canvas, by every variant, and show them here")},
      {fit_, uiText("Fit"), uiText("Show all, or all that is selected (F)")},
      {open_, uiText("Open…"), uiText("Open a trace")},
      {below_, uiText("Add trace to compare…"),
       uiText("Open a second trace under this one, on the same time scale")},
      {export_, uiText("Export…"),
       uiText("Export what is shown: as a picture, or as a trace for Perfetto")},
      {more_, QStringLiteral("⋯"), uiText("Record, open and export")},
      {tablesButton_, uiText("Tables"), uiText("Time by kernel, launch delays and gaps")},
      {cancel_, uiText("Cancel"), uiText("Cancel")}};
  for (const auto& [button, label, tip] : kButtons) {
    button->setObjectName(QStringLiteral("small"));
    button->setText(label);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
  }
  auto* bar = bar_ = new QHBoxLayout;
  bar->setContentsMargins(8, 6, 8, 6);
  bar->setSpacing(6);
  for (QWidget* widget : std::initializer_list<QWidget*>{search_, regular_, back_, on_, found_})
    bar->addWidget(widget);
  bar->addStretch(1);
  for (QWidget* widget :
       {earlier_, later_, lanes_, fit_, tablesButton_, record_, open_, below_, export_, more_})
    bar->addWidget(widget);
  lanes_->setMenu(lanesMenu_);
  lanes_->setPopupMode(QToolButton::InstantPopup);
  // Menu of the buttons that a narrow view has no room for.
  auto* menu = new QMenu(more_);
  for (QToolButton* button : {open_, below_, export_, record_, fit_}) {
    QAction* action = menu->addAction(button->text(), button, &QToolButton::click);
    connect(menu, &QMenu::aboutToShow, action, [action, button] {
      action->setVisible(button->isHidden());
      action->setEnabled(button->isEnabled());
      action->setText(button->text());
    });
  }
  more_->setMenu(menu);
  more_->setPopupMode(QToolButton::InstantPopup);

  strip_ = new QWidget(this);
  auto* strip = new QHBoxLayout(strip_);
  strip->setContentsMargins(12, 0, 8, 6);
  notice_->setTextFormat(Qt::PlainText);
  notice_->setWordWrap(true);
  notice_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  progress_->setRange(0, 1000);
  progress_->setTextVisible(false);
  progress_->setFixedHeight(4);
  progress_->setAccessibleName(uiText("Reading the trace"));
  strip->addWidget(notice_, 1);
  strip->addWidget(progress_, 1);
  strip->addWidget(cancel_);

  auto* parts = parts_ = new QSplitter(Qt::Vertical, this);
  parts->setHandleWidth(1);
  parts->setChildrenCollapsible(false);
  parts->addWidget(canvas_);
  parts->addWidget(figures_);
  parts->setStretchFactor(0, 3);
  parts->setStretchFactor(1, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(bar);
  layout->addWidget(strip_);
  layout->addWidget(overview_);
  layout->addWidget(parts, 1);
}

/// Width of the bar with all its buttons, or kWidthForButtons if that is more. It counts their
/// preferred widths, so that a view can become narrow enough to hide some.
int TimelineView::widthForButtons() const {
  const QMargins margins = bar_->contentsMargins();
  int width = margins.left() + margins.right();
  for (int i = 0; i < bar_->count(); ++i)
    if (const QWidget* const widget = bar_->itemAt(i)->widget();
        widget && widget != more_ && widget != earlier_ && widget != later_ && widget != regular_ &&
        widget != found_)
      width += widget->sizeHint().width() + bar_->spacing();
  return std::max(width, kWidthForButtons);
}

/// Where there is little room the lanes get it.
void TimelineView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitBar();
  const bool room = height() >= kHeightForTables;
  if (!tablesChosen_ && room != tablesButton_->isChecked()) showTables(room);
  shareHeight();
}

/// Buttons for which there is no room, or nothing to do, are hidden.
void TimelineView::fitBar() {
  const bool wide = width() >= widthForButtons();
  const auto show = [this](std::initializer_list<QWidget*> buttons, bool room) {
    for (QWidget* button : buttons) button->setVisible(room && !alone_);
  };
  show({search_, lanes_, tablesButton_}, true);
  show({record_, open_, below_, export_}, wide);
  show({more_}, !wide);
  show({back_, on_, fit_}, width() >= kWidthForArrows);
  show({earlier_, later_, regular_},
       width() >= (wide ? widthForButtons() + kWidthOfSteps : kWidthForSteps));
  bar_->setContentsMargins(8, alone_ ? 0 : 6, 8, alone_ ? 0 : 6);
}

/// Escape also clears a selection that was made by a row of a table.
void TimelineView::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape || !model_.selection()) return QWidget::keyPressEvent(event);
  model_.select(std::nullopt);
}

void TimelineView::showTables(bool shown) {
  figures_->showTables(shown);
  tablesButton_->setChecked(shown);
  heightChosen_ = false;
  shareHeight();
  refreshAlone();
}

/// Graphs and texts get half of the height, and tables what the lanes leave.
void TimelineView::shareHeight() {
  if (heightChosen_) return;
  // The statistics' lines keep the height they need.
  if (!tablesButton_->isChecked()) return parts_->setSizes({height(), 1});
  const int whole = parts_->height(), left = whole - canvas_->contentHeight();
  const FiguresPanel* const panel = figures_->panel();
  const int most = int((panel ? panel->shareOfHeight() : kMostForTables) * whole);
  const int tables = std::max(kTablesHeight, panel ? most : std::min(left, most));
  parts_->setSizes({whole - tables, tables});
}

void TimelineView::setTheme(const Theme& theme) {
  overview_->setTheme(theme);
  canvas_->setTheme(theme);
  figures_->setTheme(theme);
}

void TimelineView::refreshLoading() {
  const bool busy = model_.loader().busy();
  const bool failed = !busy && !model_.failure().isEmpty();
  strip_->setVisible(busy || failed);
  progress_->setVisible(busy);
  cancel_->setVisible(busy);
  notice_->setVisible(failed);
  notice_->setText(model_.failure());
  if (busy) progress_->setValue(0);
  for (QToolButton* button : {open_, below_}) button->setEnabled(!busy);
  below_->setEnabled(!busy && !model_.empty());
  export_->setEnabled(!busy && !model_.empty());
}

void TimelineView::setRecording(bool recording) {
  record_->setText(recording ? uiText("Stop recording") : uiText("Record"));
  canvas_->emptyCard().button().setText(record_->text());
}

/// The button says how many lanes are left out: nobody looks for them then in vain.
void TimelineView::refreshLanes() {
  const std::size_t all = model_.lanes().entries().size(), left = model_.lanes().left();
  lanes_->setText(left == 0 ? uiText("Tracks") : uiText("Tracks %1/%2").arg(all - left).arg(all));
  lanes_->setEnabled(!model_.empty());
}

void TimelineView::refreshSearch() {
  if (search_->text() != model_.searched()) search_->setText(model_.searched());
  regular_->setChecked(model_.regular());
  const QString& wrong = model_.searchError();
  found_->setText(!wrong.isEmpty()        ? uiText("error")
                  : model_.matches() == 0 ? uiText("none")
                                          : formatCount(std::int64_t(model_.matches())));
  found_->setToolTip(wrong.isEmpty()
                         ? uiText("How many events match; a click lists them with their sums")
                         : wrong);
  found_->setVisible(!model_.searched().isEmpty());
}

void TimelineView::refreshSteps() {
  earlier_->setEnabled(model_.canStep(true));
  later_->setEnabled(model_.canStep(false));
}

}  // namespace fusebench

#include "moc_timeline_view.cpp"
