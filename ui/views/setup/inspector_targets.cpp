// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setup/inspector_targets.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/models/base/ui_text.h"
#include "ui/models/setup/targets_model.h"
#include "ui/theme/theme.h"

namespace fusebench {
namespace {

QLabel* mutedLine(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setObjectName(QStringLiteral("muted"));
  label->setFont(textFont(0.92));
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  return label;
}

QToolButton* smallButton(const QString& text, const QString& tip, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setObjectName(QStringLiteral("small"));
  button->setText(text);
  button->setToolTip(tip);
  return button;
}

}  // namespace

InspectorTargets::InspectorTargets(TargetsModel& targets, QWidget* parent)
    : QWidget(parent),
      targets_(targets),
      list_(new QVBoxLayout),
      line_(new QLineEdit(this)),
      problem_(new QLabel(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 6);
  layout->setSpacing(4);
  auto* title = new QLabel(uiText("Machine"), this);
  title->setFont(textFont(1, QFont::DemiBold));
  layout->addWidget(title);
  list_->setSpacing(4);
  layout->addLayout(list_);
  line_->setPlaceholderText(uiText("Add ssh:user@host or slurm:partition"));
  line_->setAccessibleName(uiText("Add a machine"));
  line_->setToolTip(
      uiText("Uses your own ssh or Slurm, with your keys; Enter adds the machine to the list"));
  layout->addWidget(line_);
  problem_->setObjectName(QStringLiteral("problem"));
  problem_->setWordWrap(true);
  problem_->setTextFormat(Qt::PlainText);
  problem_->hide();
  layout->addWidget(problem_);
  connect(line_, &QLineEdit::returnPressed, this, &InspectorTargets::add);
  connect(&targets_, &TargetsModel::listChanged, this, &InspectorTargets::rebuild);
  connect(&targets_, &TargetsModel::changed, this, &InspectorTargets::refresh);
  rebuild();
}

QString InspectorTargets::problem() const {
  return problem_->text();
}

void InspectorTargets::add() {
  const QString name = line_->text().trimmed();
  if (name.isEmpty()) return;
  const QString wrong = targets_.add(name);
  problem_->setText(wrong);
  problem_->setVisible(!wrong.isEmpty());
  if (!wrong.isEmpty()) return;
  line_->clear();
  targets_.look(name);
}

InspectorTargets::Row InspectorTargets::makeRow(const QString& name) {
  Row row{};
  row.widget = new QWidget(this);
  const bool here = name == targets_.targets().front().name;
  const QString shown = here ? uiText("This machine") : name;
  row.name = new QRadioButton(shown, row.widget);
  row.words = mutedLine(row.widget);
  row.look = smallButton(uiText("Look"), uiText("Show the devices of this machine"), row.widget);
  row.copy = smallButton(
      uiText("Install Fusebench"),
      uiText("Install this version of Fusebench in your account on that machine"), row.widget);
  row.remove = smallButton(QStringLiteral("×"), uiText("Remove it from the list"), row.widget);
  row.copy->setAccessibleName(uiText("Copy the program to %1").arg(shown));
  row.look->setAccessibleName(uiText("Look at %1").arg(shown));
  row.remove->setAccessibleName(uiText("Remove %1").arg(shown));
  auto* layout = new QVBoxLayout(row.widget);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  auto* head = new QHBoxLayout;
  head->addWidget(row.name, 1);
  for (QToolButton* button : {row.copy, row.look, row.remove}) head->addWidget(button);
  layout->addLayout(head);
  layout->addWidget(row.words);
  connect(row.name, &QRadioButton::clicked, &targets_, [this, name] {
    targets_.choose(name);
    refresh();  // it is chosen once it is ready
  });
  connect(row.look, &QToolButton::clicked, &targets_, [this, name] {
    const TargetsModel::Target* const target = targets_.find(name);
    if (target && target->state == TargetsModel::Target::State::looking)
      targets_.stopLooking();
    else
      targets_.look(name);
  });
  connect(row.copy, &QToolButton::clicked, &targets_, [this, name] { targets_.install(name); });
  // Not while the button is still in its own click.
  connect(
      row.remove, &QToolButton::clicked, &targets_, [this, name] { targets_.remove(name); },
      Qt::QueuedConnection);
  return row;
}

void InspectorTargets::rebuild() {
  for (const Row& row : rows_) row.widget->deleteLater();
  rows_.clear();
  for (const TargetsModel::Target& target : targets_.targets()) {
    rows_.push_back(makeRow(target.name));
    list_->addWidget(rows_.back().widget);
  }
  refresh();
}

void InspectorTargets::refresh() {
  using State = TargetsModel::Target::State;
  for (std::size_t r = 0; r < rows_.size() && r < targets_.targets().size(); ++r) {
    const TargetsModel::Target& target = targets_.targets()[r];
    const Row& row = rows_[r];
    const bool here = r == 0, looking = target.state == State::looking;
    // Only one is checked, and which one the model says.
    row.name->setAutoExclusive(false);
    row.name->setChecked(target.name == targets_.chosen());
    row.name->setEnabled(!targets_.quiet());
    row.words->setText(target.words);
    row.words->setVisible(!here);
    row.look->setVisible(!here);
    row.look->setText(looking ? uiText("Stop") : uiText("Look"));
    row.look->setEnabled(looking || !targets_.quiet());
    row.copy->setVisible(target.state == State::lacksProgram);
    row.remove->setVisible(!here);
    row.remove->setEnabled(!targets_.quiet());
  }
}

}  // namespace fusebench

#include "moc_inspector_targets.cpp"
