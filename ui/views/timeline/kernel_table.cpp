// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/kernel_table.h"

#include <QFontMetrics>
#include <QHeaderView>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <algorithm>
#include <utility>

#include "ui/models/base/ui_text.h"
#include "ui/models/timeline/names_apart.h"

namespace fusebench {
namespace {

constexpr int kNarrowestName = 170;
constexpr int kWidestText = 360;
constexpr int kCellPadding = 7;  ///< pixels left and right of a cell's text

/// Draws the names of kernels.
class NameDelegate : public QStyledItemDelegate {
 public:
  explicit NameDelegate(KernelTable& table) : QStyledItemDelegate(&table), table_(table) {}
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    QStyleOptionViewItem drawn = option;
    initStyleOption(&drawn, index);
    drawn.text = table_.shownName(index.row());
    table_.style()->drawControl(QStyle::CE_ItemViewItem, &drawn, painter, &table_);
  }

 private:
  KernelTable& table_;
};

}  // namespace

KernelTable::KernelTable(QWidget* parent)
    : QTableView(parent), rows_(new QStandardItemModel(this)) {
  setModel(rows_);
  setAccessibleName(uiText("Time by kernel"));
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(24);
  setShowGrid(false);
  setTabKeyNavigation(false);  // Tab leaves it; arrows walk in it
  setFrameShape(QFrame::NoFrame);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setStyleSheet(
      QStringLiteral("QTableView::item { border: 0; padding: 0 %1px; }").arg(kCellPadding));
  setItemDelegateForColumn(0, new NameDelegate(*this));
  setTextElideMode(Qt::ElideMiddle);
  setWordWrap(false);
  setMinimumHeight(60);
}

QStringList KernelTable::usualTitles() {
  return {uiText("Kernel"), uiText("Total"), uiText("Share"), uiText("Count"),
          uiText("Mean"),   uiText("Min"),   uiText("Max")};
}

bool KernelTable::isText(int column) const {
  return column == 0 || std::ranges::find(texts_, column) != texts_.end();
}

void KernelTable::begin(const QStringList& titles, std::vector<int> texts) {
  rows_->clear();
  texts_ = std::move(texts);
  shownFor_ = -1;
  rows_->setHorizontalHeaderLabels(titles);
  for (int column = 0; column < rows_->columnCount(); ++column)
    rows_->horizontalHeaderItem(column)->setTextAlignment(
        (isText(column) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

void KernelTable::markTitle(int column, const QColor& color) {
  QPixmap square(10, 10);
  square.fill(color);
  QStandardItem& title = *rows_->horizontalHeaderItem(column);
  title.setIcon(QIcon(square));
  // The square is at the left of its column, so the title is as well.
  title.setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

void KernelTable::explainTitle(int column, const QString& words) {
  rows_->horizontalHeaderItem(column)->setToolTip(words);
}

QStandardItem* KernelTable::addKernel(const QString& name, const QStringList& figures) {
  QList<QStandardItem*> items{new QStandardItem(name)};
  items.front()->setToolTip(name);
  for (const QString& figure : figures) {
    const bool text = isText(int(items.size()));
    items << new QStandardItem(figure);
    items.back()->setTextAlignment((text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (text) items.back()->setToolTip(figure);
  }
  rows_->appendRow(items);
  shownFor_ = -1;
  return items.front();
}

void KernelTable::fitColumns() {
  resizeColumnsToContents();
  namesWidth_ = columnWidth(0);
  for (const int column : texts_)
    setColumnWidth(column, std::min(columnWidth(column), kWidestText));
  textWidth_ = texts_.empty() ? 0 : columnWidth(texts_.back());
  widenNames();
}

/// Where there is little room, the last figures scroll. The last column of text gets room that is
/// left, so that figures end at the right edge.
void KernelTable::widenNames() {
  if (rows_->columnCount() == 0) return;
  if (!texts_.empty()) setColumnWidth(texts_.back(), textWidth_);
  int figures = 0;
  for (int column = 1; column < rows_->columnCount(); ++column) figures += columnWidth(column);
  const int room = viewport()->width() - figures;
  const int name = std::max(kNarrowestName, texts_.empty() ? room : std::min(room, namesWidth_));
  setColumnWidth(0, name);
  if (!texts_.empty()) setColumnWidth(texts_.back(), textWidth_ + std::max(0, room - name));
}

int KernelTable::leastWidth() const {
  int width = kNarrowestName;
  for (int column = 1; column < rows_->columnCount(); ++column) width += columnWidth(column);
  return width + verticalScrollBar()->sizeHint().width();
}

void KernelTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  widenNames();
}

QString KernelTable::shownName(int row) const {
  const int width = columnWidth(0);
  if (width != shownFor_) {
    shownFor_ = width;
    QStringList names;
    for (int i = 0; i < rows_->rowCount(); ++i) names << rows_->item(i)->text();
    const QFontMetrics metrics(font());
    // A style may keep a pixel or two at either side besides.
    const int room = width - 2 * kCellPadding - 6;
    const QStringList shown = namesApart(names, [&metrics, room](const QString& text) {
      return metrics.horizontalAdvance(text) <= room;
    });
    shown_.assign(shown.begin(), shown.end());
  }
  return static_cast<std::size_t>(row) < shown_.size() ? shown_[static_cast<std::size_t>(row)]
                                                       : QString();
}

}  // namespace fusebench
