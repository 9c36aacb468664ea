// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setup/inspector_sites.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/models/base/ui_text.h"
#include "ui/models/setup/devices_model.h"
#include "ui/theme/theme.h"

namespace fusebench {
namespace {

constexpr std::size_t kLeast = 2;  ///< one alone is what Run measures

QString wordsFor(const Site& site) {
  const QString name = nameOf(site);
  return site.model.isEmpty() ? name : name + QStringLiteral(" · ") + site.model;
}

}  // namespace

InspectorSites::InspectorSites(DevicesModel& devices, QWidget* parent)
    : QWidget(parent),
      devices_(devices),
      fold_(new QToolButton(this)),
      content_(new QWidget(this)),
      words_(new QLabel(content_)),
      list_(new QVBoxLayout),
      run_(new QPushButton(content_)) {
  fold_->setObjectName(QStringLiteral("fold"));
  fold_->setText(uiText("Several in turn"));
  fold_->setFont(textFont(1, QFont::DemiBold));
  fold_->setCheckable(true);
  fold_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  fold_->setToolTip(uiText("Measure on several machines or devices, and compare the runs"));
  fold_->setAccessibleName(fold_->toolTip());
  words_->setObjectName(QStringLiteral("muted"));
  words_->setFont(textFont(0.92));
  words_->setWordWrap(true);
  words_->setTextFormat(Qt::PlainText);
  list_->setSpacing(4);
  auto* body = new QVBoxLayout(content_);
  body->setContentsMargins(0, 0, 0, 0);
  body->setSpacing(6);
  body->addWidget(words_);
  body->addLayout(list_);
  body->addWidget(run_, 0, Qt::AlignLeft);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 6, 0, 0);
  layout->setSpacing(4);
  // Its text begins where the titles above it do.
  layout->addWidget(fold_, 0, Qt::AlignLeft);
  layout->addWidget(content_);
  connect(fold_, &QToolButton::toggled, this, &InspectorSites::setOpen);
  connect(run_, &QPushButton::clicked, this,
          [this] { devices_.sites().busy() ? emit stopWanted() : emit startWanted(); });
  connect(&devices_.sites(), &SitesModel::changed, this, &InspectorSites::refresh);
  connect(&devices_, &DevicesModel::changed, this, &InspectorSites::refresh);
  setOpen(false);
  refresh();
}

QString InspectorSites::words() const {
  return words_->text();
}

void InspectorSites::setOpen(bool open) {
  fold_->setChecked(open);
  fold_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
  content_->setVisible(open);
}

/// Ticks stay where they are while nothing new is found: one of them may have the keyboard.
void InspectorSites::refresh() {
  SitesModel& sites = devices_.sites();
  const std::vector<Site> all = sites.sites();
  while (ticks_.size() > all.size()) {
    ticks_.back()->hide();
    ticks_.back()->deleteLater();
    ticks_.pop_back();
  }
  while (ticks_.size() < all.size()) {
    ticks_.push_back(new QCheckBox(content_));
    list_->addWidget(ticks_.back());
    connect(ticks_.back(), &QCheckBox::clicked, this, [this, i = ticks_.size() - 1](bool on) {
      const std::vector<Site> now = devices_.sites().sites();
      if (i < now.size()) devices_.sites().tick(now[i], on);
    });
  }
  const bool free = !sites.busy() && !devices_.quiet();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const QString words = wordsFor(all[i]);
    ticks_[i]->setText(words);
    ticks_[i]->setToolTip(words);
    ticks_[i]->setAccessibleName(uiText("Measure on %1, too").arg(words));
    ticks_[i]->setChecked(sites.ticked(all[i]));
    ticks_[i]->setEnabled(free);
  }
  const std::size_t chosen = sites.chosen().size();
  words_->setText(sites.busy() ? sites.progress()
                               : uiText("Each selected machine or device measures this experiment, "
                                        "one after another; then the runs are compared."));
  run_->setText(sites.busy()      ? uiText("Stop")
                : chosen < kLeast ? uiText("Run on each")
                                  : uiText("Run on all %1").arg(chosen));
  run_->setEnabled(sites.busy() || (free && chosen >= kLeast));
  if (sites.busy()) setOpen(true);
}

}  // namespace fusebench

#include "moc_inspector_sites.cpp"
