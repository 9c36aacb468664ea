// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/canvas/canvas_path_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr int kSearchLeast = 90, kSearchMost = 140;

}  // namespace

CanvasPathBar::CanvasPathBar(QWidget* parent)
    : QWidget(parent),
      path_(new QWidget(this)),
      pathLayout_(new QHBoxLayout(path_)),
      search_(new QLineEdit(this)),
      found_(new QLabel(this)) {
  setObjectName(QStringLiteral("canvasPathBar"));
  setAttribute(Qt::WA_StyledBackground);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 3, 8, 3);
  layout->setSpacing(6);
  pathLayout_->setContentsMargins(0, 0, 0, 0);
  pathLayout_->setSpacing(0);
  // A long path gives way to the search: its end is cut off.
  path_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  layout->addWidget(path_, 1);
  layout->addWidget(found_);
  layout->addWidget(search_);
  search_->setPlaceholderText(uiText("Find (Ctrl+F)"));
  search_->setAccessibleName(uiText("Find in the graph"));
  search_->setToolTip(
      uiText("Finds ops, module paths and source lines (Ctrl+F); Enter goes to the next one"));
  search_->setClearButtonEnabled(true);
  search_->setMinimumWidth(kSearchLeast);
  search_->setMaximumWidth(kSearchMost);
  search_->installEventFilter(this);
  path_->installEventFilter(this);
  connect(search_, &QLineEdit::textChanged, this, &CanvasPathBar::searchChanged);
  setPath({});
}

QToolButton* CanvasPathBar::crumb(const QString& text, int number) {
  auto* made = new QToolButton(path_);
  made->setText(text);
  made->setFocusPolicy(Qt::TabFocus);
  made->setToolTip(number < 0 ? uiText("Fold the model to its overview")
                              : uiText("Fold or unfold %1").arg(text));
  connect(
      made, &QToolButton::clicked, this, [this, number] { emit crumbChosen(number); },
      Qt::QueuedConnection);
  pathLayout_->addWidget(made);
  crumbs_.push_back(made);
  return made;
}

void CanvasPathBar::setTheme(const Theme& theme) {
  theme_ = &theme;
  styleBy(*this, withRoles(R"(
#canvasPathBar { background: @panel@; border-bottom: 1px solid @border@; }
QToolButton, QLabel { color: @muted@; background: transparent; }
QToolButton { border: 1px solid transparent; border-radius: 4px; padding: 2px 4px; }
QToolButton:hover { background: @raised@; color: @text@; }
QToolButton:focus { border-color: @accent@; }
QToolButton[here="true"] { color: @text@; }
)"));
}

void CanvasPathBar::setPath(const QStringList& titles) {
  for (QToolButton* old : crumbs_) old->hide();
  while (QLayoutItem* item = pathLayout_->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  crumbs_.clear();
  marks_.clear();
  crumb(uiText("Model"), -1);
  const auto mark = [this](const QString& text) {
    auto* made = new QLabel(text, path_);
    pathLayout_->addWidget(made);
    return made;
  };
  leftOut_ = mark(QStringLiteral("› …"));
  leftOut_->setToolTip(titles.join(QStringLiteral(" › ")));
  for (int i = 0; i < titles.size(); ++i) {
    marks_.push_back(mark(QStringLiteral("›")));
    crumb(titles[i], i);
  }
  crumbs_.back()->setProperty("here", true);
  pathLayout_->addStretch(1);
  fitPath();
}

void CanvasPathBar::fitPath() {
  const auto widthOf = [](const QWidget* each) { return each->sizeHint().width(); };
  int width = 0;
  for (QToolButton* each : crumbs_) width += widthOf(each);
  for (QLabel* each : marks_) width += widthOf(each);
  std::size_t hidden = 0;  // crumbs after the first one
  const int room = path_->width();
  if (width > room) width += widthOf(leftOut_);
  while (width > room && hidden + 1 < marks_.size()) {
    width -= widthOf(marks_[hidden]) + widthOf(crumbs_[hidden + 1]);
    ++hidden;
  }
  leftOut_->setVisible(hidden > 0);
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    marks_[i]->setVisible(i >= hidden);
    crumbs_[i + 1]->setVisible(i >= hidden);
  }
}

void CanvasPathBar::setFound(int count, int shown) {
  if (search_->text().trimmed().isEmpty())
    found_->clear();
  else if (count == 0)
    found_->setText(uiText("none"));
  else
    found_->setText(shown > 0 ? uiText("%1 of %2").arg(shown).arg(count) : QString::number(count));
}

QString CanvasPathBar::searched() const {
  return search_->text();
}

void CanvasPathBar::startSearching() {
  search_->setFocus(Qt::ShortcutFocusReason);
  search_->selectAll();
}

bool CanvasPathBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched == path_ && event->type() == QEvent::Resize) fitPath();
  if (watched == search_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
      emit nextWanted(key->modifiers() & Qt::ShiftModifier);
      return true;
    }
    if (key->key() == Qt::Key_Escape) {
      search_->clear();
      emit left();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace fusebench

#include "moc_canvas_path_bar.cpp"
