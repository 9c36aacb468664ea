// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/runs/runs_view.h"

#include <QComboBox>
#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/base/tone.h"
#include "ui/models/base/ui_text.h"
#include "ui/views/base/flow_layout.h"
#include "ui/views/runs/run_delegate.h"

namespace fusebench {
namespace {

constexpr int kNotesPause = 600;  ///< ms after the last key until notes are written

QLabel* mutedLabel(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setObjectName(QStringLiteral("muted"));
  label->setWordWrap(true);
  return label;
}

}  // namespace

RunsView::RunsView(RunLibrary& library, QWidget* parent)
    : QWidget(parent), library_(library), order_(library), problem_(mutedLabel(this)) {
  setObjectName(QStringLiteral("runs"));
  setProperty("ring", true);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  buildSearch();
  buildList();
  buildUndo();
  buildNotes();
  buildButtons();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(searchRow_);
  auto* middle = new QWidget(this);
  stack_ = new QStackedLayout(middle);
  stack_->addWidget(empty_);
  stack_->addWidget(list_);
  layout->addWidget(middle, 1);
  layout->addWidget(undo_);
  layout->addWidget(problem_);
  layout->addWidget(notes_);
  layout->addWidget(buttons_);
  problem_->setContentsMargins(14, 6, 14, 6);
  problem_->hide();
  for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(&order_, signal, this, &RunsView::refreshEmptyState);
  connect(&order_, &QAbstractItemModel::layoutChanged, this, &RunsView::refreshEmptyState);
  connect(&order_, &QAbstractItemModel::dataChanged, this, &RunsView::refreshButtons);
  connect(&library, &RunLibrary::busyChanged, this, &RunsView::refreshEmptyState);
  connect(&library, &RunLibrary::overlaysChanged, this, &RunsView::overlaysChanged);
  connect(&library, &RunLibrary::undoChanged, this, &RunsView::refreshUndo);
  connect(&library, &RunLibrary::failed, this, [this](const QString& what) {
    problem_->setText(what);
    problem_->show();
  });
  refreshUndo();
  refreshEmptyState();
  showNotes();
}

RunsView::~RunsView() {
  keepNotes();
}

// ---- building ----

void RunsView::buildSearch() {
  searchRow_ = new QWidget(this);
  search_ = new QLineEdit(searchRow_);
  search_->setPlaceholderText(uiText("Search runs"));
  search_->setAccessibleName(uiText("Search runs"));
  search_->setClearButtonEnabled(true);
  connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
    order_.setSearch(text);
    refreshEmptyState();
  });
  auto* sort = new QComboBox(searchRow_);
  sort->addItems({uiText("Newest first"), uiText("Oldest first"), uiText("By name")});
  sort->setAccessibleName(uiText("Order of the runs"));
  connect(sort, &QComboBox::currentIndexChanged, this,
          [this](int index) { order_.setBy(static_cast<RunLibraryOrder::By>(index)); });
  auto* layout = new QHBoxLayout(searchRow_);
  layout->setContentsMargins(12, 8, 12, 8);
  layout->setSpacing(8);
  layout->addWidget(search_, 1);
  layout->addWidget(sort);
}

void RunsView::buildList() {
  list_ = new QListView(this);
  list_->setModel(&order_);
  list_->setItemDelegate(new RunDelegate(theme_, list_));
  list_->setAccessibleName(uiText("Runs"));
  list_->setAccessibleDescription(
      uiText("Enter opens, Space overlays on the chart, F2 renames, Delete deletes"));
  list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list_->setEditTriggers(QAbstractItemView::EditKeyPressed);
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setUniformItemSizes(true);
  list_->setMouseTracking(true);
  list_->installEventFilter(this);
  connect(list_, &QListView::doubleClicked, this, &RunsView::openCurrent);
  connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    showNotes();
    refreshButtons();
  });
  empty_ = mutedLabel(this);
  empty_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  empty_->setContentsMargins(14, 14, 14, 14);
}

void RunsView::buildUndo() {
  undo_ = new QFrame(this);
  undo_->setObjectName(QStringLiteral("banner"));
  undo_->setProperty("tone", nameOf(Tone::info));
  undoText_ = new QLabel(undo_);
  undoText_->setWordWrap(true);
  auto* button = new QPushButton(uiText("Undo"), undo_);
  button->setAccessibleName(uiText("Undo deleting"));
  connect(button, &QPushButton::clicked, &library_, &RunLibrary::undoRemove);
  auto* close = new QToolButton(undo_);
  close->setText(QStringLiteral("×"));
  close->setAccessibleName(uiText("Close this notice; deleted runs stay in the trash"));
  connect(close, &QToolButton::clicked, undo_, &QWidget::hide);
  auto* layout = new QHBoxLayout(undo_);
  layout->setContentsMargins(14, 6, 8, 6);
  layout->addWidget(undoText_, 1);
  layout->addWidget(button);
  layout->addWidget(close);
}

void RunsView::buildNotes() {
  notes_ = new QPlainTextEdit(this);
  notes_->setObjectName(QStringLiteral("notes"));
  notes_->setAccessibleName(uiText("Notes on the run"));
  notes_->setTabChangesFocus(true);
  notes_->setFixedHeight(80);
  notes_->document()->setDocumentMargin(6);
  notesPause_.setSingleShot(true);
  notesPause_.setInterval(kNotesPause);
  connect(notes_, &QPlainTextEdit::textChanged, this, [this] { notesPause_.start(); });
  connect(&notesPause_, &QTimer::timeout, this, &RunsView::keepNotes);
}

void RunsView::buildButtons() {
  buttons_ = new QWidget(this);
  auto* layout = new FlowLayout(buttons_, 6);  // a narrow panel has them in two rows
  layout->setContentsMargins(12, 8, 12, 10);
  const auto make = [&](const QString& text, const QString& tip, void (RunsView::*slot)()) {
    auto* button = new QPushButton(text, buttons_);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    connect(button, &QPushButton::clicked, this, slot);
    layout->addWidget(button);
    return button;
  };
  open_ = make(uiText("Open"), uiText("Open the run (Enter)"), &RunsView::openCurrent);
  overlay_ =
      make(uiText("Overlay"), uiText("Overlay on the chart (Space)"), &RunsView::toggleOverlay);
  compare_ =
      make(uiText("Compare"), uiText("Compare the selected runs"), &RunsView::compareSelected);
  export_ = make(uiText("Export…"), uiText("Export the run, or a comparison of several"),
                 &RunsView::exportSelected);
  rename_ = make(uiText("Rename"), uiText("Rename the run (F2)"), &RunsView::renameCurrent);
  delete_ =
      make(uiText("Delete"), uiText("Delete; can be undone (Delete)"), &RunsView::deleteSelected);
}

void RunsView::setTheme(const Theme& theme) {
  theme_ = &theme;
  list_->viewport()->update();
}

// ---- state ----

QString RunsView::currentPath() const {
  const QStringList selected = selectedPaths();
  return selected.size() == 1 ? selected.front() : QString();
}

QStringList RunsView::selectedPaths() const {
  QModelIndexList rows = list_->selectionModel()->selectedIndexes();
  std::sort(rows.begin(), rows.end());
  QStringList paths;
  for (const QModelIndex& row : rows) paths << row.data(RunLibrary::PathRole).toString();
  return paths;
}

void RunsView::select(const QString& path) {
  for (int row = 0; row < order_.rowCount(); ++row)
    if (order_.index(row, 0).data(RunLibrary::PathRole).toString() == path)
      // It alone, whichever keys are held meanwhile.
      return list_->selectionModel()->setCurrentIndex(order_.index(row, 0),
                                                      QItemSelectionModel::ClearAndSelect);
}

bool RunsView::usable(const QString& path) const {
  const RunRecord* record = library_.record(path);
  return record && record->problem.isEmpty();
}

void RunsView::refreshButtons() {
  const QStringList selected = selectedPaths();
  const bool allUsable = std::all_of(selected.begin(), selected.end(),
                                     [this](const QString& path) { return usable(path); });
  open_->setEnabled(selected.size() == 1 && allUsable);
  rename_->setEnabled(selected.size() == 1);
  overlay_->setEnabled(!selected.isEmpty() && allUsable);
  const bool several = selected.size() > 1;
  compare_->setEnabled(several && allUsable);
  compare_->setToolTip(several ? uiText("Compare the oldest of the selected runs with the others")
                               : uiText("Select two or more runs (Ctrl+click) to compare them"));
  export_->setEnabled(!selected.isEmpty() && allUsable);
  export_->setToolTip(several ? uiText("Export a comparison of the selected runs: report, "
                                       "chart, table, data")
                              : uiText("Export the run: report, chart, table, data"));
  delete_->setEnabled(!selected.isEmpty());
}

void RunsView::refreshEmptyState() {
  const bool any = order_.rowCount() > 0;
  stack_->setCurrentWidget(any ? static_cast<QWidget*>(list_) : empty_);
  setFocusProxy(any ? list_ : nullptr);
  searchRow_->setVisible(library_.rowCount() > 0);
  buttons_->setVisible(library_.rowCount() > 0);
  if (library_.rowCount() > 0)
    empty_->setText(uiText("No run matches \"%1\".").arg(search_->text()));
  else if (library_.busy())
    empty_->setText(uiText("Reading the folder of runs…"));
  else
    empty_->setText(
        uiText("Each run that finishes is kept here, with its date and result. Open an earlier "
               "one, overlay several on the chart, or compare them point by point.\n\nRun a study "
               "to make the first."));
  refreshButtons();
}

void RunsView::refreshUndo() {
  undo_->setVisible(library_.canUndo());
  undoText_->setText(library_.undoText());
}

void RunsView::showNotes() {
  keepNotes();
  notesPath_ = currentPath();
  const RunRecord* record = library_.record(notesPath_);
  const QSignalBlocker quiet(notes_);
  notes_->setPlainText(record ? record->notes : QString());
  notes_->setEnabled(record);
  notes_->setVisible(record);
  notes_->setPlaceholderText(uiText("Notes: what was changed, what to look at"));
}

void RunsView::keepNotes() {
  notesPause_.stop();
  if (!notesPath_.isEmpty()) library_.setNotes(notesPath_, notes_->toPlainText());
}

// ---- doing ----

void RunsView::openCurrent() {
  if (const QString path = currentPath(); usable(path)) emit openRequested(path);
}

void RunsView::toggleOverlay() {
  for (const QString& path : selectedPaths()) library_.toggleOverlay(path);
}

/// The selected runs; none if one of them cannot be read.
QStringList RunsView::usableOldestFirst() const {
  QStringList paths = selectedPaths();
  if (!std::ranges::all_of(paths, [this](const QString& path) { return usable(path); })) return {};
  std::ranges::stable_sort(paths, {},
                           [this](const QString& path) { return library_.record(path)->date; });
  return paths;
}

void RunsView::compareSelected() {
  if (const QStringList paths = usableOldestFirst(); paths.size() > 1) emit compareRequested(paths);
}

void RunsView::exportSelected() {
  if (const QStringList paths = usableOldestFirst(); !paths.isEmpty()) emit exportRequested(paths);
}

void RunsView::renameCurrent() {
  if (!currentPath().isEmpty()) list_->edit(list_->selectionModel()->selectedIndexes().front());
}

void RunsView::deleteSelected() {
  const QStringList paths = selectedPaths();
  if (paths.isEmpty()) return;
  keepNotes();
  notesPath_.clear();
  int row = order_.rowCount();
  for (const QModelIndex& index : list_->selectionModel()->selectedIndexes())
    row = std::min(row, index.row());
  library_.remove(paths);
  // Selects the run that takes the place of the deleted ones and keeps the keyboard on the list.
  if (order_.rowCount() == 0) return search_->setFocus();
  list_->setCurrentIndex(order_.index(std::min(row, order_.rowCount() - 1), 0));
  list_->setFocus();
}

bool RunsView::eventFilter(QObject* watched, QEvent* event) {
  // While a name is being edited its keys mean the name; what the editor leaves comes here.
  if (watched == list_ && event->type() == QEvent::KeyPress &&
      !list_->isPersistentEditorOpen(list_->currentIndex())) {
    switch (static_cast<QKeyEvent*>(event)->key()) {
      case Qt::Key_Return:
      case Qt::Key_Enter:
        openCurrent();
        return true;
      case Qt::Key_Space:
        toggleOverlay();
        return true;
      case Qt::Key_Delete:
        deleteSelected();
        return true;
      default:
        break;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace fusebench

#include "moc_runs_view.cpp"
