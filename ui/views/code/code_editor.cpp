// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/code/code_editor.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolTip>
#include <cstdlib>

#include "ui/models/base/ui_text.h"
#include "ui/models/code/code_lines.h"
#include "ui/models/code/code_paste.h"
#include "ui/models/setup/pasted_function.h"
#include "ui/views/base/plain_texts.h"
#include "ui/views/code/code_gutter.h"
#include "ui/views/code/code_highlighter.h"
#include "ui/views/code/completion_popup.h"

namespace fusebench {
namespace {

constexpr int kNoteGap = 28;  ///< between a line and the words about it, in pixels
constexpr int kNarrowestNote = 90;
constexpr int kStatementWidth = 3;  ///< width of the color of a statement

QColor faded(QColor color, float alpha) {
  color.setAlphaF(alpha);
  return color;
}

}  // namespace

CodeEditor::CodeEditor(QWidget* parent)
    : QPlainTextEdit(parent),
      gutter_(new CodeGutter(*this)),
      highlighter_(new CodeHighlighter(document())),
      completion_(new CompletionPopup(*this)) {
  setUndoRedoEnabled(false);  // the document's history is the only one
  setTabChangesFocus(true);   // lines are indented by themselves: Tab leads on, as in a form
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setFrameShape(QFrame::NoFrame);
  setAccessibleName(uiText("Program as PyTorch text"));
  setPlaceholderText(
      uiText("Paste a PyTorch function, or type one:\n\ndef program(x):\n    x = torch.exp(x)\n    "
             "return x.sum()"));
  setTheme(*theme_);
  connect(this, &QPlainTextEdit::textChanged, this, [this] {
    if (!showing_) emit typed();
  });
  connect(this, &QPlainTextEdit::blockCountChanged, this, &CodeEditor::placeGutter);
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
    refreshSelections();
    gutter_->update();
  });
  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
    if (dy)
      gutter_->scroll(0, dy);
    else
      gutter_->update(0, rect.y(), gutter_->width(), rect.height());
  });
}

void CodeEditor::setTheme(const Theme& theme) {
  theme_ = &theme;
  setFont(monoFont());
  setTabStopDistance(4 * QFontMetricsF(monoFont()).horizontalAdvance(u' '));
  highlighter_->setTheme(theme);
  completion_->setTheme(theme);
  placeGutter();
  refreshSelections();
  gutter_->update();
}

void CodeEditor::setMarks(std::vector<CodeMark> marks) {
  marks_ = std::move(marks);
  refreshSelections();
  gutter_->update();
  viewport()->update();
}

void CodeEditor::setTinted(const std::set<int>& lines) {
  tinted_ = lines;
  refreshSelections();
}

void CodeEditor::setStatements(std::vector<int> statements) {
  if (statements == statements_) return;
  statements_ = std::move(statements);
  gutter_->update();
}

void CodeEditor::showText(const QString& text) {
  const QString now = toPlainText();
  if (text == now) return;
  qsizetype begin = 0, after = 0;
  const qsizetype shorter = std::min(text.size(), now.size());
  while (begin < shorter && text[begin] == now[begin]) ++begin;
  while (after < shorter - begin && text[text.size() - 1 - after] == now[now.size() - 1 - after])
    ++after;
  showing_ = true;
  const QTextCursor caret = textCursor();
  const int line = caret.blockNumber(), column = caret.positionInBlock();
  const bool inside = caret.position() > begin && caret.position() < now.size() - after;
  QTextCursor change(document());
  change.setPosition(static_cast<int>(begin));
  change.setPosition(static_cast<int>(now.size() - after), QTextCursor::KeepAnchor);
  change.insertText(text.mid(begin, text.size() - begin - after));
  if (inside) {  // the text around the caret was replaced: keep line and column
    const QTextBlock block = document()->findBlockByNumber(std::min(line, blockCount() - 1));
    QTextCursor back(block);
    back.setPosition(block.position() + std::min(column, block.length() - 1));
    setTextCursor(back);
  }
  showing_ = false;
}

void CodeEditor::goTo(int line, int column) {
  const QTextBlock block = document()->findBlockByNumber(std::max(line, 1) - 1);
  if (!block.isValid()) return;
  QTextCursor cursor(block);
  cursor.setPosition(block.position() +
                     std::min(charactersBefore(block.text(), column), block.length() - 1));
  setTextCursor(cursor);
  ensureCursorVisible();
  setFocus(Qt::OtherFocusReason);
}

const CodeMark* CodeEditor::markAt(int line) const {
  for (const CodeMark& mark : marks_)
    if (mark.line == line) return &mark;
  return nullptr;
}

// --- keys
// ------------------------------------------------------------------------------------------

bool CodeEditor::event(QEvent* event) {
  // The window must not take undo and redo before the text that is being typed is in the document.
  if (event->type() == QEvent::ShortcutOverride) {
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
      event->accept();
      return true;
    }
  }
  return QPlainTextEdit::event(event);
}

void CodeEditor::keyPressEvent(QKeyEvent* event) {
  if (completion_->takes(event)) return;
  if (event->matches(QKeySequence::Undo)) return emit undoAsked();
  if (event->matches(QKeySequence::Redo) ||
      (event->key() == Qt::Key_Y && event->modifiers() == Qt::ControlModifier))
    return emit redoAsked();
  if (event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier)
    return completion_->offer(true);
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return startLine();
  // Comes here only where there is nothing to lead on to.
  if (event->key() == Qt::Key_Tab || event->key() == Qt::Key_Backtab) return event->ignore();
  QPlainTextEdit::keyPressEvent(event);
  const QString text = event->text();
  if (!text.isEmpty() && (text[0].isLetterOrNumber() || text[0] == u'.' || text[0] == u'_' ||
                          (event->key() == Qt::Key_Backspace && completion_->isVisible())))
    completion_->offer(false);
  else
    completion_->hide();
}

/// A new line that is indented as the one before it, deeper after a header.
void CodeEditor::startLine() {
  const QString line = textCursor().block().text();
  const QString before = line.left(textCursor().positionInBlock());
  QString indent;
  for (const QChar c : before)
    if (c == u' ')
      indent += c;
    else
      break;
  if (before.trimmed().endsWith(u':')) indent += QStringLiteral("    ");
  insertPlainText(QStringLiteral("\n") + indent);
  ensureCursorVisible();
}

void CodeEditor::insertFromMimeData(const QMimeData* source) {
  if (!source->hasText()) return;
  const QTextCursor cursor = textCursor();
  // A whole function pasted into a line of another one would not be a valid program, so it becomes
  // the new program. The same holds if it replaces the whole text.
  const bool all =
      std::abs(cursor.position() - cursor.anchor()) + 1 >= document()->characterCount();
  if (isFunction(source->text()) &&
      (all || (!cursor.hasSelection() && !cursor.block().text().isEmpty()))) {
    emit newProgramPasted(pastedText(source->text(), QString()));
    return;
  }
  const QString before = cursor.block().text().left(
      std::min(cursor.selectionStart(), cursor.position()) - cursor.block().position());
  insertPlainText(pastedText(source->text(), before));
}

void CodeEditor::pasteAsProgram() {
  emit newProgramPasted(pastedText(QApplication::clipboard()->text(), QString()));
}

void CodeEditor::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  const auto add = [&](const QString& text, QKeySequence::StandardKey key, bool enabled, auto act) {
    QAction* action = menu.addAction(text, this, act);
    action->setShortcut(key);
    action->setEnabled(enabled);
  };
  const bool selected = textCursor().hasSelection();
  const bool pastable = !QApplication::clipboard()->text().isEmpty();
  add(uiText("Undo"), QKeySequence::Undo, true, &CodeEditor::undoAsked);
  add(uiText("Redo"), QKeySequence::Redo, true, &CodeEditor::redoAsked);
  menu.addSeparator();
  add(uiText("Cut"), QKeySequence::Cut, selected, &QPlainTextEdit::cut);
  add(uiText("Copy"), QKeySequence::Copy, selected, &QPlainTextEdit::copy);
  add(uiText("Paste"), QKeySequence::Paste, pastable, &QPlainTextEdit::paste);
  menu.addAction(uiText("Paste as new program"), this, &CodeEditor::pasteAsProgram)
      ->setEnabled(pastable);
  menu.addSeparator();
  add(uiText("Select all"), QKeySequence::SelectAll, true, &QPlainTextEdit::selectAll);
  menu.exec(event->globalPos());
}

void CodeEditor::focusOutEvent(QFocusEvent* event) {
  QPlainTextEdit::focusOutEvent(event);
  completion_->hide();
  emit left();
}

// --- drawing
// ---------------------------------------------------------------------------------------

QTextEdit::ExtraSelection CodeEditor::squiggle(const CodeMark& mark) const {
  QTextEdit::ExtraSelection selection;
  const QTextBlock block = document()->findBlockByNumber(std::max(mark.line, 1) - 1);
  if (!block.isValid()) return selection;
  const QString line = block.text();
  int begin = charactersBefore(line, mark.column);
  int length = markedLength(line, begin);
  if (begin >= line.size() && !line.isEmpty()) {  // behind the end: under the last sign
    begin = static_cast<int>(line.size()) - 1;
    length = 1;
  }
  selection.cursor = QTextCursor(block);
  selection.cursor.setPosition(block.position() + begin);
  selection.cursor.setPosition(
      block.position() + std::min(begin + length, static_cast<int>(line.size())),
      QTextCursor::KeepAnchor);
  selection.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
  selection.format.setUnderlineColor(theme_->error);
  return selection;
}

void CodeEditor::refreshSelections() {
  QList<QTextEdit::ExtraSelection> selections;
  const auto wholeLine = [&](int line, const QColor& color) {
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (!block.isValid()) return;
    QTextEdit::ExtraSelection selection;
    selection.cursor = QTextCursor(block);
    selection.format.setBackground(color);
    selection.format.setProperty(QTextFormat::FullWidthSelection, true);
    selections.push_back(selection);
  };
  if (hasFocus() && !textCursor().hasSelection())
    wholeLine(caretLine(), faded(theme_->raised, 0.55f));
  for (const int line : tinted_) wholeLine(line, faded(theme_->accent, 0.16f));
  for (const CodeMark& mark : marks_) {
    wholeLine(mark.line, faded(theme_->error, 0.10f));
    selections.push_back(squiggle(mark));
  }
  setExtraSelections(selections);
}

/// Draws the problem of a line behind the line, as far as there is room.
void CodeEditor::paintEvent(QPaintEvent* event) {
  QPlainTextEdit::paintEvent(event);
  QPainter painter(viewport());
  painter.setFont(textFont(0.92));
  painter.setPen(theme_->error);
  const QFontMetrics metrics(painter.font());
  for (const CodeMark& mark : marks_) {
    if (&mark != markAt(mark.line)) continue;  // one a line; the others are in the list
    const QTextBlock block = document()->findBlockByNumber(mark.line - 1);
    if (!block.isValid()) continue;
    const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
    if (place.bottom() < 0 || place.top() > viewport()->height()) continue;
    const int x = static_cast<int>(contentOffset().x()) +
                  QFontMetrics(font()).horizontalAdvance(block.text()) + kNoteGap;
    const int room = viewport()->width() - x - 8;
    if (room < kNarrowestNote) continue;
    painter.drawText(QRectF(x, place.top(), room, place.height()), Qt::AlignVCenter | Qt::AlignLeft,
                     metrics.elidedText(mark.text, Qt::ElideRight, room));
  }
}

bool CodeEditor::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    const int line = cursorForPosition(help->pos()).blockNumber() + 1;
    QStringList words;
    for (const CodeMark& mark : marks_)
      if (mark.line == line) words.push_back(mark.text);
    if (words.isEmpty())
      QToolTip::hideText();
    else
      showTip(help->globalPos(), words.join(u'\n'), this);
    return true;
  }
  return QPlainTextEdit::viewportEvent(event);
}

void CodeEditor::placeGutter() {
  const int width = gutter_->wantedWidth(blockCount());
  setViewportMargins(width, 0, 0, 0);
  const QRect area = contentsRect();
  gutter_->setGeometry(area.left(), area.top(), width, area.height());
}

void CodeEditor::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  placeGutter();
}

void CodeEditor::paintGutter(QPaintEvent* event) {
  QPainter painter(gutter_);
  painter.fillRect(event->rect(), theme_->panel);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(monoFont(0.88));
  const int caret = caretLine();
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
    if (place.top() > event->rect().bottom()) break;
    const int line = block.blockNumber() + 1;
    const bool wrong = markAt(line) != nullptr;
    painter.setPen(wrong ? theme_->error : line == caret ? theme_->text : theme_->muted);
    painter.drawText(QRectF(0, place.top(), gutter_->width() - 14, place.height()),
                     Qt::AlignRight | Qt::AlignVCenter, QString::number(line));
    const auto index = static_cast<std::size_t>(block.blockNumber());
    if (index < statements_.size() && statements_[index] >= 0)
      painter.fillRect(
          QRectF(gutter_->width() - kStatementWidth, place.top(), kStatementWidth, place.height()),
          theme_->series(statements_[index]).color);
    if (!wrong) continue;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_->error);
    painter.drawEllipse(QPointF(7, place.center().y()), 3, 3);
  }
}

}  // namespace fusebench

#include "moc_code_editor.cpp"
