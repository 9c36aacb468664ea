// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/code/completion_popup.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTextBlock>

#include "ui/models/base/ui_text.h"
#include "ui/views/code/code_editor.h"

namespace fusebench {
namespace {

constexpr int kPopupRowHeight = 24;
constexpr int kPopupMostRows = 8;
constexpr int kPopupWidth = 440;
constexpr int kDocRole = Qt::UserRole;

/// Draws the function, followed by its description in gray.
class CompletionDelegate : public QStyledItemDelegate {
 public:
  explicit CompletionDelegate(QObject* parent) : QStyledItemDelegate(parent) {}
  const Theme* theme = &darkTheme();

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return {kPopupWidth - 20, kPopupRowHeight};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    painter->save();
    if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, theme->border);
    const QString name = index.data().toString();
    const QFontMetrics mono(monoFont());
    QRect rest = option.rect.adjusted(10, 0, -8, 0);
    painter->setFont(monoFont());
    painter->setPen(theme->text);
    painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, name);
    rest.setLeft(rest.left() + std::max(130, mono.horizontalAdvance(name) + 16));
    painter->setFont(textFont(0.92));
    painter->setPen(theme->muted);
    painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(index.data(kDocRole).toString(),
                                                        Qt::ElideRight, rest.width()));
    painter->restore();
  }
};

}  // namespace

CompletionPopup::CompletionPopup(CodeEditor& editor) : QListWidget(&editor), editor_(editor) {
  setFocusPolicy(Qt::NoFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setItemDelegate(new CompletionDelegate(this));
  setUniformItemSizes(true);
  setAccessibleName(uiText("Functions that fit"));
  hide();
  connect(this, &QListWidget::itemClicked, this,
          [this](QListWidgetItem* item) { accept(row(item)); });
}

void CompletionPopup::setTheme(const Theme& theme) {
  static_cast<CompletionDelegate*>(itemDelegate())->theme = &theme;
  styleBy(*this, withRoles("QListWidget { background: @raised@; border: 1px solid @border@; }"));
}

void CompletionPopup::offer(bool asked) {
  const QTextCursor caret = editor_.textCursor();
  completions_ = completeOp(caret.block().text().left(caret.positionInBlock()));
  const bool whole = completions_.choices.size() == 1 &&
                     completions_.choices[0].insert.size() == completions_.typed;
  if (completions_.choices.empty() || (whole && !asked)) return hide();
  clear();
  for (const OpCompletion& choice : completions_.choices) {
    auto* item = new QListWidgetItem(choice.shown, this);
    item->setData(kDocRole, choice.doc);
    item->setData(Qt::AccessibleDescriptionRole, choice.doc);
    item->setToolTip(choice.doc);
  }
  setCurrentRow(0);
  place();
  show();
  raise();
}

void CompletionPopup::place() {
  const QRect caret = editor_.cursorRect().translated(editor_.viewport()->pos());
  const int rows = std::min(count(), kPopupMostRows);
  const QSize size(std::min(kPopupWidth, editor_.width() - 8), rows * kPopupRowHeight + 2);
  QPoint at(caret.left(), caret.bottom() + 3);
  if (at.y() + size.height() > editor_.height() && caret.top() > size.height() + 3)
    at.setY(caret.top() - size.height() - 3);
  at.setX(std::clamp(at.x(), 4, std::max(4, editor_.width() - size.width() - 4)));
  setGeometry(QRect(at, size));
}

bool CompletionPopup::takes(QKeyEvent* event) {
  if (!isVisible()) return false;
  const int step = event->key() == Qt::Key_Down       ? 1
                   : event->key() == Qt::Key_Up       ? -1
                   : event->key() == Qt::Key_PageDown ? kPopupMostRows
                   : event->key() == Qt::Key_PageUp   ? -kPopupMostRows
                                                      : 0;
  if (step != 0) {
    setCurrentRow(std::clamp(currentRow() + step, 0, count() - 1));
    return true;
  }
  switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Tab:
      accept(currentRow());
      return true;
    case Qt::Key_Escape:
      hide();
      return true;
    default:
      return false;
  }
}

void CompletionPopup::accept(int row) {
  hide();
  if (row < 0 || static_cast<std::size_t>(row) >= completions_.choices.size()) return;
  const OpCompletion& choice = completions_.choices[static_cast<std::size_t>(row)];
  QTextCursor cursor = editor_.textCursor();
  cursor.movePosition(QTextCursor::Left, QTextCursor::KeepAnchor, completions_.typed);
  const QString after = cursor.block().text().mid(editor_.textCursor().positionInBlock());
  const bool called = after.startsWith(u'(');
  cursor.insertText(choice.insert + (called ? QString() : QStringLiteral("()")));
  if (!called && choice.takesMore) cursor.movePosition(QTextCursor::Left);
  editor_.setTextCursor(cursor);
}

}  // namespace fusebench

#include "moc_completion_popup.cpp"
