// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setup/inspector_section.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPixmap>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "ui/models/base/ui_text.h"
#include "ui/views/base/elided_label.h"

namespace fusebench {
namespace {

QLabel* problemLabel(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setObjectName(QStringLiteral("fieldProblem"));
  label->setFont(textFont(0.92));
  label->setWordWrap(true);
  label->hide();
  return label;
}

void showWords(QLabel* label, const QStringList& words) {
  label->setText(words.join(u'\n'));
  label->setVisible(!words.isEmpty());
}

}  // namespace

InspectorSection::InspectorSection(const QString& title, Problem::Where where,
                                   DocumentModel& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      title_(title),
      where_(where),
      fold_(new QToolButton(this)),
      count_(new ElidedLabel(this)),
      problems_(problemLabel(this)),
      content_(new QWidget(this)) {
  fold_->setObjectName(QStringLiteral("fold"));
  fold_->setText(title);
  fold_->setFont(textFont(1, QFont::DemiBold));
  fold_->setCheckable(true);
  fold_->setChecked(true);
  fold_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  fold_->setArrowType(Qt::DownArrow);
  fold_->setAccessibleName(uiText("Section %1").arg(title));
  count_->setObjectName(QStringLiteral("fieldProblem"));
  head_ = new QHBoxLayout;
  head_->setContentsMargins(4, 4, 8, 4);
  head_->addWidget(fold_);
  head_->addWidget(count_);
  head_->addStretch(1);
  body_ = new QVBoxLayout(content_);
  body_->setContentsMargins(14, 2, 14, 12);
  body_->setSpacing(8);
  body_->addWidget(problems_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(head_);
  layout->addWidget(content_);
  connect(fold_, &QToolButton::toggled, this, &InspectorSection::setOpen);
}

bool InspectorSection::open() const {
  return fold_->isChecked();
}
void InspectorSection::setOpen(bool open) {
  fold_->setChecked(open);
  fold_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
  content_->setVisible(open);
}

void InspectorSection::setTheme(const Theme& theme) {
  theme_ = &theme;
}

void InspectorSection::refresh() {
  showSettings();
  const auto& problems = document_.problems();
  const auto here = std::count_if(problems.begin(), problems.end(),
                                  [&](const Problem& p) { return p.where == where_; });
  count_->setText(here == 0   ? QString()
                  : here == 1 ? uiText("1 problem")
                              : uiText("%1 problems").arg(here));
}

void InspectorSection::showOwnProblems(const QStringList& words) {
  showWords(problems_, words);
}

QToolButton* InspectorSection::addAction(const QString& text, const QString& tip) {
  auto* button = new QToolButton(this);
  button->setObjectName(QStringLiteral("small"));
  button->setText(text);
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  head_->addWidget(button);
  return button;
}

InspectorCard::InspectorCard(QWidget* parent)
    : QFrame(parent),
      head_(new QHBoxLayout),
      body_(new QVBoxLayout(this)),
      folded_(new QWidget(this)),
      content_(new QVBoxLayout(folded_)),
      icon_(new QLabel(this)),
      title_(new ElidedLabel(this)),
      details_(new ElidedLabel(this)),
      problems_(problemLabel(this)) {
  setObjectName(QStringLiteral("inspectorCard"));
  body_->setContentsMargins(10, 6, 10, 10);
  body_->setSpacing(7);
  head_->setSpacing(7);
  icon_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  icon_->hide();
  title_->setFont(textFont(1, QFont::DemiBold));
  title_->setTextFormat(Qt::PlainText);
  head_->addWidget(icon_);
  details_->setObjectName(QStringLiteral("muted"));
  details_->setFont(textFont(0.92));
  details_->hide();
  head_->addWidget(title_, 1);
  head_->addWidget(details_, 1);
  body_->addLayout(head_);
  body_->addWidget(problems_);
  body_->addWidget(folded_);
  content_->setContentsMargins(0, 0, 0, 0);
  content_->setSpacing(body_->spacing());
}

QCheckBox* InspectorCard::addTick(const QString& name) {
  auto* tick = new QCheckBox(this);
  tick->setAccessibleName(name);
  tick->setToolTip(name);
  head_->insertWidget(0, tick);
  return tick;
}

void InspectorCard::makeFoldable(const QString& name) {
  fold_ = new QToolButton(this);
  fold_->setObjectName(QStringLiteral("cardMenu"));
  fold_->setCheckable(true);
  fold_->setAccessibleName(name);
  fold_->setToolTip(name);
  head_->insertWidget(head_->count() - 1, fold_);
  body_->setContentsMargins(10, 4, 6, 4);
  connect(fold_, &QToolButton::toggled, this, &InspectorCard::setOpen);
  setOpen(false);
}

void InspectorCard::setOpen(bool open) {
  if (!fold_) return;
  fold_->setChecked(open);
  fold_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
  folded_->setVisible(open);
}

bool InspectorCard::open() const {
  return !fold_ || fold_->isChecked();
}

void InspectorCard::setDetails(const QString& text) {
  details_->setText(text);
  details_->setVisible(!text.isEmpty());
  placeDetails();
}

/// Places the details after the title, or on their own line where they would be cut.
void InspectorCard::placeDetails() {
  const QString text = details_->text();
  int taken = 0;  // by the others of the row
  for (int i = 0; i < head_->count(); ++i)
    if (const QWidget* one = head_->itemAt(i)->widget(); one && one != details_ && !one->isHidden())
      taken +=
          (one == title_ ? title_->minimumWidth() : one->sizeHint().width()) + head_->spacing();
  const QMargins around = body_->contentsMargins();
  const int room = width() - around.left() - around.right() - taken;
  const bool below =
      !text.isEmpty() && QFontMetrics(details_->font()).horizontalAdvance(text) > room;
  head_->setStretchFactor(title_, text.isEmpty() || below ? 1 : 0);  // else the row drifts apart
  if (below == (body_->indexOf(details_) >= 0)) return;
  if (below) {
    head_->removeWidget(details_);
    body_->insertWidget(1, details_);
  } else {
    body_->removeWidget(details_);
    head_->insertWidget(head_->indexOf(title_) + 1, details_, 1);
  }
}

void InspectorCard::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  placeDetails();
}

void InspectorCard::showProblems(const QStringList& words) {
  showWords(problems_, words);
}

void InspectorCard::setTitle(const QString& title, const QIcon& icon) {
  title_->setText(title);
  // The text after the title shrinks first. A long name is cut, so that it does not widen the
  // panel; the field below shows all of it.
  constexpr int kWholeUpTo = 84;
  title_->setMinimumWidth(
      std::min(kWholeUpTo, QFontMetrics(title_->font()).horizontalAdvance(title) + 2));
  icon_->setVisible(!icon.isNull());
  if (!icon.isNull()) icon_->setPixmap(icon.pixmap(QSize(16, 16), devicePixelRatioF()));
}

QString InspectorCard::title() const {
  return title_->text();
}

QToolButton* InspectorCard::menuButton(const QString& name) {
  auto* button = new QToolButton(this);
  button->setObjectName(QStringLiteral("cardMenu"));
  button->setText(QStringLiteral("⋯"));
  button->setPopupMode(QToolButton::InstantPopup);
  button->setAccessibleName(name);
  button->setToolTip(name);
  button->setMenu(new QMenu(button));
  head_->addWidget(button);
  return button;
}

QIcon seriesIcon(const Theme& theme, int series) {
  static std::map<std::pair<bool, int>, QIcon> drawn;
  QIcon& icon = drawn[{theme.dark, series}];
  if (!icon.isNull()) return icon;
  for (const qreal ratio : {1.0, 2.0}) {
    QPixmap pixmap(QSize(16, 16) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.series(series).color);
    painter.drawRoundedRect(QRectF(2, 2, 12, 12), 3, 3);
    painter.end();
    icon.addPixmap(pixmap);
  }
  return icon;
}

}  // namespace fusebench

#include "moc_inspector_section.cpp"
