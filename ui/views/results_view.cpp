// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/results_view.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QTableView>

namespace fusebench {
namespace {

constexpr int kRowHeight = 24;
constexpr int kPadding = 8;
constexpr int kSlack = 2;  // advances are rounded, eliding is not
constexpr int kSwatch = 9;

/// One cell: figures in fixed width, the variant with its colour, a line where a group begins.
class ResultDelegate : public QStyledItemDelegate {
 public:
  ResultDelegate(QObject* parent, const Theme* const& theme, const std::optional<double>& marked)
      : QStyledItemDelegate(parent), theme_(theme), marked_(marked) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const auto& model = *static_cast<const ResultsTableModel*>(index.model());
    painter->save();
    const bool marked =
        marked_ && index.data(ResultsTableModel::AxisValueRole).toDouble() == *marked_;
    if (marked || (option.state & QStyle::State_Selected))
      painter->fillRect(option.rect, theme_->raised);
    const bool groupStart = index.data(ResultsTableModel::GroupStartRole).toBool();
    if (groupStart && index.row() > 0) {
      painter->setPen(theme_->grid);
      painter->drawLine(option.rect.topLeft(), option.rect.topRight());
    }
    QRect box = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    const bool isAxis = index.column() < model.axisCount();
    const bool isVariant = index.column() == model.axisCount() + ResultsTableModel::variantColumn;
    const bool isStop = index.column() == model.axisCount() + ResultsTableModel::stopColumn;
    if (isVariant) {
      const QColor color = theme_->series(index.data(ResultsTableModel::VariantRole).toInt()).color;
      painter->fillRect(QRect(box.left(), box.center().y() - kSwatch / 2, kSwatch, kSwatch), color);
      box.adjust(kSwatch + 7, 0, 0, 0);
    }
    painter->setFont(isVariant || isStop ? textFont() : monoFont(0.94));
    painter->setPen(index.data(ResultsTableModel::MutedRole).toBool() ? theme_->muted
                                                                      : theme_->text);
    const auto alignment = index.data(Qt::TextAlignmentRole).toInt();
    // The place is written once for the group.
    if (!isAxis || groupStart)
      painter->drawText(
          box, alignment,
          painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, box.width()));
    painter->restore();
  }

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
    const auto& model = *static_cast<const ResultsTableModel*>(index.model());
    const int column = index.column() - model.axisCount();
    const bool words =
        column == ResultsTableModel::variantColumn || column == ResultsTableModel::stopColumn;
    const int width = QFontMetrics(words ? textFont() : monoFont(0.94))
                          .horizontalAdvance(index.data().toString()) +
                      (column == ResultsTableModel::variantColumn ? kSwatch + 7 : 0);
    return {width + 2 * kPadding + kSlack, kRowHeight};
  }

 private:
  const Theme* const& theme_;
  const std::optional<double>& marked_;
};

}  // namespace

ResultsView::ResultsView(ResultsTableModel& model, QWidget* parent)
    : QWidget(parent),
      model_(model),
      table_(new QTableView(this)),
      empty_(new QLabel(this)),
      stack_(new QStackedLayout(this)) {
  empty_->setObjectName(QStringLiteral("muted"));
  empty_->setText(
      QStringLiteral("Every measured cell will be listed here: latency with its interval, "
                     "speed-up, launches and error."));
  empty_->setWordWrap(true);
  empty_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  empty_->setContentsMargins(14, 14, 14, 14);
  empty_->setBackgroundRole(QPalette::Base);
  empty_->setAutoFillBackground(true);
  table_->setModel(&model_);
  table_->setItemDelegate(new ResultDelegate(table_, theme_, marked_));
  table_->setAccessibleName(QStringLiteral("Results"));
  table_->setShowGrid(false);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->setTabKeyNavigation(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(kRowHeight);
  table_->verticalHeader()->setMinimumSectionSize(kRowHeight);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setSectionsClickable(false);
  stack_->addWidget(empty_);
  stack_->addWidget(table_);
  connect(&model_, &QAbstractItemModel::modelReset, this, [this] {
    stack_->setCurrentWidget(model_.rowCount() ? static_cast<QWidget*>(table_) : empty_);
    fitColumns(true);
  });
  connect(&model_, &QAbstractItemModel::dataChanged, this, [this] { fitColumns(false); });
  connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
    emit picked(index.data(ResultsTableModel::AxisValueRole).toDouble());
  });
  stack_->setCurrentWidget(model_.rowCount() ? static_cast<QWidget*>(table_) : empty_);
  fitColumns(true);
}

void ResultsView::fitColumns(bool anew) {
  if (model_.columnCount() == 0) return;
  // Widths only grow while results come in: columns that breathe with every digit are hard to read.
  const QFontMetrics header(textFont());
  const QFontMetrics mono(monoFont(0.94));
  const auto least = [&](int column) {
    switch (column - model_.axisCount()) {
      case ResultsTableModel::latencyColumn:
        return mono.horizontalAdvance(QStringLiteral("88.8 µs"));
      case ResultsTableModel::intervalColumn:
        return mono.horizontalAdvance(QStringLiteral("88.8 – 88.8 µs"));
      case ResultsTableModel::speedUpColumn:
        return mono.horizontalAdvance(QStringLiteral("baseline"));
      case ResultsTableModel::stopColumn:
        return header.horizontalAdvance(QStringLiteral("converged · 188"));
      default:
        return 0;
    }
  };
  for (int column = 0; column < model_.columnCount(); ++column) {
    const QString title = model_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    int width = std::max(header.horizontalAdvance(title), least(column)) + 2 * kPadding;
    for (int row = 0; row < model_.rowCount(); ++row)
      width =
          std::max(width, table_->itemDelegate()->sizeHint({}, model_.index(row, column)).width());
    if (anew || width > table_->columnWidth(column)) table_->setColumnWidth(column, width);
  }
  table_->horizontalHeader()->setStretchLastSection(true);
}

void ResultsView::setTheme(const Theme& theme) {
  theme_ = &theme;
  table_->viewport()->update();
}

void ResultsView::mark(std::optional<double> x, bool scroll) {
  if (x == marked_ && !scroll) return;
  marked_ = x;
  if (x && scroll)
    if (const int row = model_.firstRowAt(static_cast<std::int64_t>(*x)); row >= 0)
      table_->scrollTo(model_.index(row, 0), QAbstractItemView::EnsureVisible);
  table_->viewport()->update();
}

void ResultsView::copyAll() const {
  QApplication::clipboard()->setText(model_.toText());
}

}  // namespace fusebench
