// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/lesson/lesson_view.h"

#include <QScrollBar>
#include <utility>

#include "ui/models/base/ui_text.h"
#include "ui/views/lesson/lesson_document.h"
#include "ui/views/lesson/lesson_links.h"
#include "ui/views/lesson/lesson_text.h"

namespace fusebench {

LessonView::LessonView(QWidget* parent) : QTextBrowser(parent) {
  setObjectName(QStringLiteral("lesson"));
  setAccessibleName(uiText("Guide"));
  setDocument(new LessonDocument(this));
  followLessonLinks(*this);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  document()->setDocumentMargin(14);
  document()->setIndentWidth(20);
}

void LessonView::setTheme(const Theme& theme) {
  theme_ = &theme;
  typesetOrWait();
}

void LessonView::setLesson(const QString& markdown) {
  if (markdown == markdown_) return;  // keeps the reader's position
  markdown_ = markdown;
  toStart_ = true;
  typesetOrWait();
}

/// Behind other tabs the page may never be read, and setting it takes longer than most views do.
void LessonView::typesetOrWait() {
  waits_ = !isVisible() && parentWidget();
  if (!waits_) typeset();
}

void LessonView::showEvent(QShowEvent* event) {
  if (std::exchange(waits_, false)) typeset();
  QTextBrowser::showEvent(event);
}

void LessonView::typeset() {
  const int scroll = verticalScrollBar()->value();
  typesetLesson(*document(), markdown_, *theme_);
  // The text cursor is kept in view when the width changes: it belongs at the top.
  moveCursor(QTextCursor::Start);
  verticalScrollBar()->setValue(std::exchange(toStart_, false) ? 0 : scroll);
}

}  // namespace fusebench

#include "moc_lesson_view.cpp"
