// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/palette_list.h"

#include <QDrag>
#include <QMimeData>
#include <QPainter>
#include <QStyledItemDelegate>
#include <cmath>
#include <string>

#include "ui/models/base/ui_text.h"
#include "ui/views/canvas/canvas_style.h"

namespace fusebench {
namespace {

constexpr int kPaletteRowHeight = 26, kHeadingHeight = 28;

class PaletteDelegate : public QStyledItemDelegate {
 public:
  explicit PaletteDelegate(PaletteList* list) : QStyledItemDelegate(list), list_(list) {}

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
    return {160,
            index.data(PaletteModel::HeadingRole).toBool() ? kHeadingHeight : kPaletteRowHeight};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (index.data(PaletteModel::HeadingRole).toBool())
      paintHeading(*painter, option.rect, index.data().toString());
    else
      paintOp(*painter, option, index);
    painter->restore();
  }

 private:
  void paintHeading(QPainter& painter, const QRect& rect, const QString& text) const {
    painter.setFont(textFont(0.86, QFont::DemiBold));
    painter.setPen(list_->theme().muted);
    painter.drawText(rect.adjusted(12, 6, -8, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
  }

  void paintOp(QPainter& painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const {
    const Theme& theme = list_->theme();
    const QRect rect = option.rect.adjusted(6, 1, -6, -1);
    const bool chosen = option.state & QStyle::State_Selected;
    if (chosen || option.state & QStyle::State_MouseOver) {
      painter.setPen(chosen && list_->isActiveWindow() ? QPen(theme.accent, 1) : Qt::NoPen);
      painter.setBrush(theme.raised);
      painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(categoryColor(
        theme, static_cast<Category>(index.data(PaletteModel::CategoryRole).toInt())));
    painter.drawRoundedRect(QRectF(rect.left() + 6, rect.center().y() - 6, 4, 13), 2, 2);
    const QString name = index.data(PaletteModel::NameRole).toString();
    const QFont font = textFont();
    painter.setFont(font);
    painter.setPen(theme.text);
    const QRect place = rect.adjusted(18, 0, -8, 0);
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, name);
    const int used = QFontMetrics(font).horizontalAdvance(name) + 12;
    const QString title = index.data(PaletteModel::TitleRole).toString();
    // Only where it says something that the name does not.
    if (title == name || place.width() - used < 16) return;
    painter.setFont(monoFont(0.92));
    painter.setPen(theme.muted);
    painter.drawText(place.adjusted(used, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter, title);
  }

  PaletteList* list_;
};

}  // namespace

PaletteList::PaletteList(PaletteModel& model, QWidget* parent) : QListView(parent), model_(model) {
  setModel(&model_);
  setItemDelegate(new PaletteDelegate(this));
  setMouseTracking(true);
  setDragEnabled(true);
  setDragDropMode(DragOnly);
  setEditTriggers(NoEditTriggers);
  setVerticalScrollMode(ScrollPerPixel);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(uiText("Ops"));
  dragStarter = [this](QMimeData* carried) {
    auto* drag = new QDrag(this);
    drag->setMimeData(carried);
    drag->exec(Qt::CopyAction);
  };
}

void PaletteList::setTheme(const Theme& theme) {
  theme_ = &theme;
  viewport()->update();
}

const OpRow* PaletteList::currentOp() const {
  return currentIndex().isValid() ? model_.at(currentIndex().row()) : nullptr;
}

void PaletteList::step(int rows) {
  const int direction = rows < 0 ? -1 : 1;
  int row = currentIndex().isValid() ? currentIndex().row() : (direction > 0 ? -1 : 0);
  int found = -1;
  for (int left = std::abs(rows); left > 0;) {
    row += direction;
    if (row < 0 || row >= model_.rowCount()) break;
    if (!model_.at(row)) continue;
    found = row;
    --left;
  }
  if (found >= 0) setCurrentIndex(model_.index(found));
}

void PaletteList::selectFirst() {
  const int first = model_.firstOp();
  setCurrentIndex(first < 0 ? QModelIndex() : model_.index(first));
  scrollToTop();
}

void PaletteList::startDrag(Qt::DropActions) {
  if (QMimeData* carried = model_.mimeData(selectedIndexes())) dragStarter(carried);
}

void PaletteList::paintEvent(QPaintEvent* event) {
  QListView::paintEvent(event);
  if (model_.rowCount() > 0) return;
  QString words = uiText("No operator matches “%1”.").arg(model_.search());
  QStringList near;
  for (const std::string& name : nearestNames(model_.search().trimmed().toStdString(), 3))
    near << QString::fromStdString(name);
  if (!near.isEmpty()) words += uiText(" Similar: %1.").arg(near.join(QStringLiteral(", ")));
  QPainter painter(viewport());
  painter.setPen(theme_->muted);
  painter.setFont(textFont());
  painter.drawText(viewport()->rect().adjusted(16, 16, -16, -16),
                   Qt::AlignTop | Qt::AlignLeft | Qt::TextWordWrap, words);
}

}  // namespace fusebench

#include "moc_palette_list.cpp"
