// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chain_view.h"

#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace fusebench {
namespace {

constexpr int kRowHeight = 22;
constexpr int kNumberWidth = 40;

/// A statement with its number in a gutter.
class StatementDelegate : public QStyledItemDelegate {
 public:
  StatementDelegate(QObject* parent, const Theme* const& theme)
      : QStyledItemDelegate(parent), theme_(theme) {}

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
    const int width = QFontMetrics(monoFont()).horizontalAdvance(index.data().toString());
    return {kNumberWidth + width + 24, kRowHeight};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    painter->save();
    const bool active = index.data(ProgramModel::ActiveRole).toBool();
    const bool isReturn = index.data(ProgramModel::ReturnRole).toBool();
    const int number = index.data(ProgramModel::NumberRole).toInt();
    if (option.state & (QStyle::State_MouseOver | QStyle::State_Selected))
      painter->fillRect(option.rect, theme_->raised);
    painter->setOpacity(active ? 1 : 0.38);
    const QRect gutter = option.rect.adjusted(0, 0, 0, 0)
                             .intersected(QRect(option.rect.left(), option.rect.top(),
                                                kNumberWidth - 12, kRowHeight));
    painter->setFont(monoFont(0.88));
    painter->setPen(theme_->muted);
    if (number)
      painter->drawText(gutter, Qt::AlignRight | Qt::AlignVCenter, QString::number(number));
    painter->setFont(monoFont());
    // Statements that come round again look lighter than the first time.
    painter->setPen(index.data(ProgramModel::RepeatedRole).toBool() ? theme_->muted : theme_->text);
    if (isReturn) painter->setPen(theme_->accent);
    painter->drawText(option.rect.adjusted(kNumberWidth, 0, -6, 0),
                      Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
    painter->restore();
  }

 private:
  const Theme* const& theme_;
};

}  // namespace

ChainView::ChainView(ProgramModel& model, QWidget* parent)
    : QWidget(parent), model_(model), inputs_(new QLabel(this)), list_(new QListView(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  inputs_->setObjectName(QStringLiteral("muted"));
  inputs_->setTextFormat(Qt::RichText);
  inputs_->setContentsMargins(14, 10, 8, 8);
  inputs_->setAccessibleName(QStringLiteral("Inputs"));
  list_->setModel(&model_);
  list_->setItemDelegate(new StatementDelegate(list_, theme_));
  list_->setAccessibleName(QStringLiteral("Statements of the chain"));
  list_->setMouseTracking(true);
  list_->setUniformItemSizes(true);
  list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& now) {
            if (const int number = now.data(ProgramModel::NumberRole).toInt(); number > 0)
              emit statementPicked(number);
          });
  layout->addWidget(inputs_);
  layout->addWidget(list_, 1);
}

void ChainView::setTheme(const Theme& theme) {
  theme_ = &theme;
  writeInputs();
  list_->viewport()->update();
}

void ChainView::setInputs(const std::vector<InputLine>& lines) {
  lines_ = lines;
  writeInputs();
}

void ChainView::writeInputs() {
  QString text;
  for (const InputLine& line : lines_)
    text += QStringLiteral(
                "<div style='font-family:\"%1\"; color:%2'>%3</div>"
                "<div style='margin-bottom:5px'>%4%5</div>")
                .arg(monoFont().family(), theme_->text.name(), line.text.toHtmlEscaped(),
                     line.variants.isEmpty() ? QStringLiteral("not used")
                                             : line.variants.toHtmlEscaped(),
                     line.count.isEmpty() ? QString() : QStringLiteral(" · ") + line.count);
  inputs_->setText(text);
  inputs_->setVisible(!lines_.empty());
}

}  // namespace fusebench
