// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/code/code_problems.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {
constexpr int kMostHeight = 132;  ///< height of the list: about four problems of two lines
}

CodeProblems::CodeProblems(QWidget* parent)
    : QFrame(parent),
      count_(new QLabel(this)),
      remove_(new QPushButton(uiText("Remove the lines not understood"), this)),
      list_(new QListWidget(this)) {
  setObjectName(QStringLiteral("panel"));
  auto* head = new QHBoxLayout;
  head->setContentsMargins(14, 6, 8, 2);
  count_->setFont(textFont(1, QFont::DemiBold));
  head->addWidget(count_, 1);
  remove_->setObjectName(QStringLiteral("small"));
  remove_->setToolTip(uiText("Lines that used them then use their first operand instead"));
  head->addWidget(remove_);
  list_->setAccessibleName(uiText("Problems in the program"));
  list_->setWordWrap(true);
  list_->setTextElideMode(Qt::ElideNone);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setResizeMode(QListView::Adjust);
  list_->setFrameShape(QFrame::NoFrame);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 4);
  layout->setSpacing(2);
  layout->addLayout(head);
  layout->addWidget(list_);
  const auto pick = [this](QListWidgetItem* item) {
    const CodeMark& mark = marks_[static_cast<std::size_t>(list_->row(item))];
    emit picked(mark.line, mark.column);
  };
  connect(list_, &QListWidget::itemClicked, this, pick);
  connect(list_, &QListWidget::itemActivated, this, pick);
  connect(remove_, &QPushButton::clicked, this, &CodeProblems::removeAsked);
  setTheme(*theme_);
  hide();
}

void CodeProblems::setTheme(const Theme& theme) {
  theme_ = &theme;
  styleBy(*this, withRoles(R"(
CodeProblems, fusebench--CodeProblems { border-top: 1px solid @border@; }
QListWidget::item { padding: 3px 12px; }
QListWidget::item:hover { background: @raised@; }
QListWidget::item:selected { background: @raised@; color: @text@; }
)"));
  QPalette palette = count_->palette();
  palette.setColor(QPalette::WindowText, theme.error);
  count_->setPalette(palette);
}

void CodeProblems::show(const std::vector<CodeMark>& marks, bool removable) {
  marks_ = marks;
  const int row = list_->currentRow();
  list_->clear();
  for (const CodeMark& mark : marks)
    list_->addItem(mark.line > 0 ? uiText("Line %1: %2").arg(mark.line).arg(mark.text) : mark.text);
  if (row >= 0 && row < list_->count()) list_->setCurrentRow(row);
  count_->setText(marks.size() == 1 ? uiText("1 problem")
                                    : uiText("%1 problems").arg(marks.size()));
  remove_->setVisible(removable);
  setVisible(!marks.empty());
  fitHeight();
}

/// As high as its lines, within bounds. Reckoned from the text: the list itself does not know its
/// width before it is shown.
void CodeProblems::fitHeight() {
  constexpr int kAround = 12 + 12, kScrollBar = 12, kAboveAndBelow = 8;
  const QFontMetrics metrics(list_->font());
  const int room = std::max(60, width() - kAround - kScrollBar);
  int height = 4;
  for (int i = 0; i < list_->count(); ++i) {
    const QRect text =
        metrics.boundingRect({0, 0, room, 10'000}, Qt::TextWordWrap, list_->item(i)->text());
    const int row = std::max(22, text.height() + kAboveAndBelow);
    list_->item(i)->setSizeHint({room, row});
    height += row;
  }
  list_->setFixedHeight(std::clamp(height, 26, kMostHeight));
}

void CodeProblems::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  fitHeight();
}

}  // namespace fusebench

#include "moc_code_problems.cpp"
