// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/code/search_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextDocument>
#include <QToolButton>

#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {
constexpr qsizetype kMostPlaces = 5000;  ///< more are counted as "5000+"
}

SearchBar::SearchBar(QPlainTextEdit& editor, QWidget* parent)
    : QWidget(parent),
      editor_(editor),
      field_(new QLineEdit(this)),
      count_(new QLabel(this)),
      back_(new QToolButton(this)),
      on_(new QToolButton(this)),
      close_(new QToolButton(this)) {
  field_->setPlaceholderText(uiText("Find in this code"));
  field_->setAccessibleName(uiText("Find in this code"));
  field_->installEventFilter(this);
  count_->setObjectName(QStringLiteral("muted"));
  back_->setText(QStringLiteral("‹"));
  back_->setAccessibleName(uiText("Previous match"));
  back_->setToolTip(uiText("Previous (Shift+Enter, Shift+F3)"));
  on_->setText(QStringLiteral("›"));
  on_->setAccessibleName(uiText("Next match"));
  on_->setToolTip(uiText("Next (Enter, F3)"));
  close_->setObjectName(QStringLiteral("iconOnly"));
  close_->setAccessibleName(uiText("Close the search"));
  close_->setToolTip(uiText("Close (Esc)"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->setSpacing(6);
  layout->addWidget(field_, 1);
  layout->addWidget(count_);
  layout->addWidget(back_);
  layout->addWidget(on_);
  layout->addWidget(close_);
  connect(field_, &QLineEdit::textChanged, this, [this] {
    search();
    step(0);
  });
  connect(back_, &QToolButton::clicked, this, [this] { step(-1); });
  connect(on_, &QToolButton::clicked, this, [this] { step(1); });
  connect(close_, &QToolButton::clicked, this, &SearchBar::close);
  hide();
}

void SearchBar::setTheme(const Theme& theme) {
  close_->setIcon(themedIcon(QStringLiteral("close"), theme, theme.muted));
}

void SearchBar::open() {
  show();
  const QString selected = editor_.textCursor().selectedText();
  if (!selected.isEmpty() && !selected.contains(QChar::ParagraphSeparator))
    field_->setText(selected);
  field_->setFocus();
  field_->selectAll();
  search();
  step(0);
}

void SearchBar::close() {
  hide();
  places_.clear();
  emit found({});
  editor_.setFocus();
}

void SearchBar::next(bool backwards) {
  if (field_->text().isEmpty()) return open();
  if (!isVisibleTo(parentWidget())) {
    show();
    search();
  }
  step(backwards ? -1 : 1);
}

void SearchBar::refresh() {
  if (isVisibleTo(parentWidget())) search();
}

void SearchBar::search() {
  places_.clear();
  at_ = -1;
  const QString text = field_->text();
  if (!text.isEmpty()) {
    const auto* document = editor_.document();
    for (QTextCursor place = document->find(text, 0);
         !place.isNull() && places_.size() < kMostPlaces; place = document->find(text, place))
      places_.append(place);
  }
  count_->setText(text.isEmpty()      ? QString()
                  : places_.isEmpty() ? uiText("not found")
                                      : uiText("%1 found").arg(places_.size()));
  on_->setEnabled(!places_.isEmpty());
  back_->setEnabled(!places_.isEmpty());
  emit found(places_);
}

/// 0: to the place at or after the cursor.
void SearchBar::step(int by) {
  if (places_.isEmpty()) return;
  const auto size = static_cast<int>(places_.size());
  if (at_ < 0 || by == 0) {
    const QTextCursor cursor = editor_.textCursor();
    int first = 0;
    while (first < size && places_[first].selectionStart() < cursor.selectionStart()) ++first;
    // The cursor has selected this match, so it was visited already.
    const bool seen = first < size && cursor.hasSelection() &&
                      places_[first].selectionStart() == cursor.selectionStart();
    if (by > 0 && seen) ++first;
    if (by < 0) --first;
    return select((first + size) % size);
  }
  select((at_ + by + size) % size);
}

void SearchBar::select(int index) {
  at_ = index;
  editor_.setTextCursor(places_[index]);
  editor_.ensureCursorVisible();
  count_->setText(uiText("%1 of %2%3")
                      .arg(index + 1)
                      .arg(places_.size())
                      .arg(places_.size() == kMostPlaces ? QStringLiteral("+") : QString()));
}

bool SearchBar::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto& key = *static_cast<QKeyEvent*>(event);
  if (key.key() == Qt::Key_Escape) {
    close();
    return true;
  }
  if (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter) {
    step(key.modifiers() & Qt::ShiftModifier ? -1 : 1);
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace fusebench

#include "moc_search_bar.cpp"
