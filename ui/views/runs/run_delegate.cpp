// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/runs/run_delegate.h"

#include <QPainter>

#include "ui/models/base/ui_text.h"
#include "ui/models/runs/run_library.h"

namespace fusebench {
namespace {

constexpr int kRunSide = 14, kRunTop = 8, kRunLine = 19, kMark = 4;

}  // namespace

void RunDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const bool selected = option.state & QStyle::State_Selected;
  const bool hovered = option.state & QStyle::State_MouseOver;
  if (selected || hovered) {
    QColor ground = theme_->raised;
    if (!selected) ground.setAlphaF(0.5f);
    painter->fillRect(option.rect, ground);
  }
  // An overlay has a bar at the edge and a word, because color alone is not visible to everyone.
  const bool overlaid = index.data(RunLibrary::OverlaidRole).toBool();
  if (overlaid)
    painter->fillRect(
        QRect(option.rect.left(), option.rect.top() + 1, kMark, option.rect.height() - 2),
        theme_->accent);
  if ((option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_Active)) {
    painter->setPen(QPen(theme_->accent, 1));
    painter->drawRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5));
  }
  QRect line = option.rect.adjusted(kRunSide, kRunTop, -kRunSide, 0);
  line.setHeight(kRunLine);
  const auto write = [&](const QString& text, const QFont& font, const QColor& color, int width) {
    painter->setFont(font);
    painter->setPen(color);
    painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                      QFontMetrics(font).elidedText(text, Qt::ElideRight, width));
  };
  int nameWidth = line.width();
  if (overlaid) {
    const QString word = uiText("overlay");
    painter->setFont(textFont(0.88));
    painter->setPen(theme_->accent);
    painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, word);
    nameWidth -= painter->fontMetrics().horizontalAdvance(word) + 8;
  }
  write(index.data().toString(), textFont(1, QFont::DemiBold), theme_->text, nameWidth);
  line.translate(0, kRunLine);
  const QString problem = index.data(RunLibrary::ProblemRole).toString();
  const QString result = index.data(RunLibrary::ResultRole).toString();
  if (!problem.isEmpty())
    write(problem, textFont(), theme_->warning, line.width());
  else
    write(result.isEmpty() ? uiText("being read…") : result, textFont(),
          result.isEmpty() ? theme_->muted : theme_->text, line.width());
  line.translate(0, kRunLine);
  QString detail = index.data(RunLibrary::DetailRole).toString();
  if (!index.data(RunLibrary::NotesRole).toString().isEmpty()) detail += uiText(" · notes");
  write(detail, textFont(0.92), theme_->muted, line.width());
  painter->setPen(theme_->grid);
  painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
  painter->restore();
}

QSize RunDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
  return {200, 3 * kRunLine + 2 * kRunTop};
}

void RunDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                       const QModelIndex&) const {
  editor->setGeometry(option.rect.adjusted(kRunSide - 6, 4, -kRunSide + 6, 0).left(),
                      option.rect.top() + 4, option.rect.width() - 2 * kRunSide + 12, kRunLine + 8);
}

}  // namespace fusebench

#include "moc_run_delegate.cpp"
