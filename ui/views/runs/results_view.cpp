// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/runs/results_view.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/views/runs/results_delegate.h"

namespace fusebench {
namespace {
constexpr int kRefitMilliseconds = 1000;
constexpr int kRowsToMeasure = 100;  ///< rows of a long table that set its widths
constexpr int kArrow = 14;           ///< width of the arrow in the sorted column's head
}  // namespace

ResultsView::ResultsView(ResultsTableModel& model, QWidget* parent)
    : QWidget(parent),
      model_(model),
      shown_(new ResultsFilterModel(model, this)),
      table_(new QTableView(this)),
      filter_(new QLineEdit(this)),
      count_(new QLabel(this)),
      empty_(new QLabel(this)),
      stack_(new QStackedLayout(this)) {
  setProperty("ring", true);
  empty_->setObjectName(QStringLiteral("muted"));
  empty_->setText(
      uiText("Every measured data point will be listed here: latency with its interval, speedup, "
             "launches and error."));
  empty_->setWordWrap(true);
  empty_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  empty_->setContentsMargins(14, 14, 14, 14);
  empty_->setBackgroundRole(QPalette::Base);
  empty_->setAutoFillBackground(true);
  QWidget* full = buildTable();
  stack_->addWidget(empty_);
  stack_->addWidget(full);
  const auto choose = [this, full] {
    stack_->setCurrentWidget(model_.rowCount() ? full : static_cast<QWidget*>(empty_));
    setFocusProxy(model_.rowCount() ? table_ : nullptr);
    fitColumns(true);
    refreshCount();
  };
  connect(&model_, &QAbstractItemModel::modelReset, this, choose);
  // Results arrive frequently, so the columns are fitted at most once in each interval.
  refit_.setSingleShot(true);
  refit_.setInterval(kRefitMilliseconds);
  connect(&refit_, &QTimer::timeout, this, [this] { fitColumns(false); });
  connect(&model_, &QAbstractItemModel::dataChanged, this, [this] {
    if (!refit_.isActive()) refit_.start();
  });
  choose();
}

QWidget* ResultsView::buildTable() {
  auto* full = new QWidget(this);
  full->setObjectName(QStringLiteral("panel"));
  filter_->setPlaceholderText(uiText("Filter: static 30, budget, n>=10"));
  filter_->setAccessibleName(uiText("Filter the results"));
  filter_->setToolTip(uiText(
      "Shows the rows that match all words: part of a variant's name, why it stopped, a value "
      "of an axis, or a condition such as n>=10 (Ctrl+F)"));
  filter_->setClearButtonEnabled(true);
  filter_->setMaximumWidth(320);
  count_->setObjectName(QStringLiteral("muted"));
  table_->setModel(shown_);
  table_->setItemDelegate(new ResultsDelegate(table_, theme_, marked_, padding_));
  table_->setAccessibleName(uiText("Results"));
  table_->setShowGrid(false);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->setTabKeyNavigation(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(ResultsDelegate::kRowHeight);
  table_->verticalHeader()->setMinimumSectionSize(ResultsDelegate::kRowHeight);
  QHeaderView& head = *table_->horizontalHeader();
  head.setObjectName(QStringLiteral("resultsHeader"));  // as close as the cells
  head.setHighlightSections(false);
  head.setSectionsClickable(true);
  head.setSortIndicatorShown(true);
  head.setSortIndicatorClearable(true);
  head.setSortIndicator(-1, Qt::AscendingOrder);
  table_->setSortingEnabled(true);
  connect(&head, &QHeaderView::sortIndicatorChanged, this, [this] { fitColumns(true); });
  shown_->sort(-1);
  setPadding(ResultsDelegate::kPadding);
  table_->setContextMenuPolicy(Qt::ActionsContextMenu);
  const auto addCopy = [this](const QString& text, void (ResultsView::*copy)() const) {
    auto* action = new QAction(text, table_);
    connect(action, &QAction::triggered, this, copy);
    table_->addAction(action);
  };
  addCopy(uiText("Copy selected rows"), &ResultsView::copySelection);
  addCopy(uiText("Copy all rows"), &ResultsView::copyAll);
  for (QWidget* widget : {static_cast<QWidget*>(table_), static_cast<QWidget*>(filter_)})
    widget->installEventFilter(this);
  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
    shown_->setFilterText(text);
    refreshCount();
  });
  connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
    // More than one row is a selection to copy, not a place to look at.
    if (table_->selectionModel()->selectedRows().size() == 1)
      emit picked(index.data(ResultsTableModel::AxisValueRole).toDouble());
  });
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(4, 5, 8, 4);
  bar->setSpacing(10);
  bar->addWidget(filter_, 1);
  bar->addWidget(count_);
  bar->addStretch(1);
  auto* layout = new QVBoxLayout(full);
  layout->setContentsMargins(5, 0, 0, 0);  // the first column is not to touch the border
  layout->setSpacing(0);
  layout->addLayout(bar);
  layout->addWidget(table_, 1);
  return full;
}

bool ResultsView::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  auto& key = *static_cast<QKeyEvent*>(event);
  if (key.matches(QKeySequence::Find)) {
    filter_->setFocus(Qt::ShortcutFocusReason);
    filter_->selectAll();
    return true;
  }
  if (watched == filter_) {
    if (key.key() == Qt::Key_Down) {
      table_->setFocus();
      if (!table_->currentIndex().isValid()) table_->selectRow(0);
      return true;
    }
  } else if (key.matches(QKeySequence::Copy)) {
    copySelection();
    return true;
  } else if (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter) {
    if (const QModelIndex index = table_->currentIndex(); index.isValid())
      emit picked(index.data(ResultsTableModel::AxisValueRole).toDouble());
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

/// Sets the padding of cells and of their heads.
void ResultsView::setPadding(int padding) {
  if (padding == padding_) return;
  for (int& width : widths_) width += 2 * (padding - padding_);
  padding_ = padding;
  table_->horizontalHeader()->setStyleSheet(
      QStringLiteral("QHeaderView::section { padding: 6px %1px; }").arg(padding));
  for (std::size_t column = 0; column < widths_.size(); ++column)
    table_->setColumnWidth(static_cast<int>(column), widths_[column]);
}

void ResultsView::fitColumns(bool anew) {
  if (model_.columnCount() == 0) return;
  // Widths only grow while results come in: columns that breathe with every digit are hard to read.
  const QFontMetrics header(textFont());
  const QFontMetrics mono(monoFont(0.94));
  const auto least = [&](int column) {
    switch (column - model_.axisCount()) {
      case ResultsTableModel::latencyColumn:
        return mono.horizontalAdvance(formatTime(88'800));  // its space is not a plain one
      case ResultsTableModel::intervalColumn:
        return mono.horizontalAdvance(QStringLiteral("88.8 – 88.8 µs"));
      case ResultsTableModel::speedUpColumn:
        return mono.horizontalAdvance(uiText("baseline"));
      case ResultsTableModel::stopColumn:
        return header.horizontalAdvance(uiText("converged") + QStringLiteral(" · 188"));
      default:
        return 0;
    }
  };
  const int sorted = table_->horizontalHeader()->sortIndicatorSection();
  widths_.resize(static_cast<std::size_t>(model_.columnCount()));
  for (const int column : {ResultsTableModel::hostColumn, ResultsTableModel::deviceColumn,
                           ResultsTableModel::eventsColumn, ResultsTableModel::aloneColumn})
    table_->setColumnHidden(model_.axisCount() + column, !model_.hasDeviceColumn(column));
  const int rows = std::min(shown_->rowCount(), kRowsToMeasure);
  for (int column = 0; column < model_.columnCount(); ++column) {
    const QString title = model_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    int width =
        std::max(header.horizontalAdvance(title) + (column == sorted ? kArrow : 0), least(column)) +
        2 * padding_ + ResultsDelegate::kSlack;
    for (int row = 0; row < rows; ++row)
      width =
          std::max(width, table_->itemDelegate()->sizeHint({}, shown_->index(row, column)).width());
    int& known = widths_[static_cast<std::size_t>(column)];
    known = anew ? width : std::max(known, width);
    if (table_->columnWidth(column) < known || anew) table_->setColumnWidth(column, known);
  }
  stretchLast();
}

/// The last column takes the remaining width but is never cut. Instead the padding of the cells
/// shrinks, and if that is not enough, the table scrolls.
void ResultsView::stretchLast() {
  QHeaderView& head = *table_->horizontalHeader();
  const int last = model_.columnCount() - 1;
  if (last < 0) return;
  int needed = 0;  // with the usual padding
  for (int column = 0; column <= last; ++column)
    if (!table_->isColumnHidden(column))
      needed +=
          widths_[static_cast<std::size_t>(column)] + 2 * (ResultsDelegate::kPadding - padding_);
  setPadding(needed > table_->viewport()->width() ? ResultsDelegate::kTightPadding
                                                  : ResultsDelegate::kPadding);
  int others = 0;
  for (int column = 0; column < last; ++column) others += table_->columnWidth(column);
  table_->setColumnWidth(last, std::max(widths_[static_cast<std::size_t>(last)],
                                        table_->viewport()->width() - others));
  head.setStretchLastSection(false);
}

void ResultsView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (static_cast<int>(widths_.size()) == model_.columnCount()) stretchLast();
}

void ResultsView::refreshCount() {
  const int all = model_.rowCount(), left = shown_->rowCount();
  const QString rows = all == 1 ? uiText("row") : uiText("rows");
  count_->setText(left == all ? QStringLiteral("%1 %2").arg(all).arg(rows)
                              : uiText("%1 of %2 %3").arg(left).arg(all).arg(rows));
}

void ResultsView::setTheme(const Theme& theme) {
  theme_ = &theme;
  table_->viewport()->update();
}

void ResultsView::mark(std::optional<double> x, bool scroll) {
  if (x == marked_ && !scroll) return;
  marked_ = x;
  if (x && scroll)
    for (int row = 0; row < shown_->rowCount(); ++row)
      if (shown_->index(row, 0).data(ResultsTableModel::AxisValueRole).toDouble() == *x) {
        table_->scrollTo(shown_->index(row, 0), QAbstractItemView::EnsureVisible);
        break;
      }
  table_->viewport()->update();
}

void ResultsView::copyAll() const {
  QApplication::clipboard()->setText(model_.toText());
}

void ResultsView::copySelection() const {
  QModelIndexList selected = table_->selectionModel()->selectedRows();
  std::sort(selected.begin(), selected.end(),
            [](const QModelIndex& a, const QModelIndex& b) { return a.row() < b.row(); });
  std::vector<int> rows;
  for (const QModelIndex& index : selected) rows.push_back(shown_->mapToSource(index).row());
  if (rows.empty())
    for (int row = 0; row < shown_->rowCount(); ++row)
      rows.push_back(shown_->mapToSource(shown_->index(row, 0)).row());
  QApplication::clipboard()->setText(model_.toText(rows));
}

}  // namespace fusebench

#include "moc_results_view.cpp"
