// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/kernel_table.h"

#include <QHeaderView>
#include <QStandardItemModel>

#include "ui/models/base/ui_text.h"

namespace fusebench {

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
  setStyleSheet(QStringLiteral("QTableView::item { border: 0; padding: 0 7px; }"));
  setTextElideMode(Qt::ElideMiddle);
  setWordWrap(false);
  setMinimumHeight(60);
}

QStringList KernelTable::usualTitles() {
  return {uiText("Kernel"), uiText("Total"), uiText("Share"), uiText("Count"),
          uiText("Mean"),   uiText("Min"),   uiText("Max")};
}

void KernelTable::begin(const QStringList& titles) {
  rows_->clear();
  rows_->setHorizontalHeaderLabels(titles);
  for (int column = 0; column < rows_->columnCount(); ++column)
    rows_->horizontalHeaderItem(column)->setTextAlignment(
        (column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

void KernelTable::markTitle(int column, const QColor& color) {
  QPixmap square(10, 10);
  square.fill(color);
  QStandardItem& title = *rows_->horizontalHeaderItem(column);
  title.setIcon(QIcon(square));
  // A square stands at the left of its column: the title goes there with it.
  title.setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

void KernelTable::explainTitle(int column, const QString& words) {
  rows_->horizontalHeaderItem(column)->setToolTip(words);
}

QStandardItem* KernelTable::addKernel(const QString& name, const QStringList& figures) {
  QList<QStandardItem*> items{new QStandardItem(name)};
  items.front()->setToolTip(name);
  for (const QString& figure : figures) {
    items << new QStandardItem(figure);
    items.back()->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  }
  rows_->appendRow(items);
  return items.front();
}

}  // namespace fusebench
