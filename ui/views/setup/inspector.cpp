// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setup/inspector.h"

#include <QLineEdit>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/models/base/ui_text.h"
#include "ui/models/setup/devices_model.h"
#include "ui/views/setup/inspector_axes.h"
#include "ui/views/setup/inspector_device.h"
#include "ui/views/setup/inspector_field.h"
#include "ui/views/setup/inspector_header.h"
#include "ui/views/setup/inspector_inputs.h"
#include "ui/views/setup/inspector_variants.h"

namespace fusebench {
namespace {

constexpr const char* kInspectorSheet = R"(
#inspectorForm { background: @panel@; }
#inspectorCard { background: @panel@; border: 1px solid @border@; border-radius: 6px; }
#fieldProblem { color: @error@; }
#muted { color: @muted@; }
#cardMenu { padding: 1px 7px; }
#fold { border: 1px solid transparent; padding: 4px 6px; }
#fold:focus { border-color: @accent@; }
#sectionLine { background: @border@; }
QPlainTextEdit { background: @raised@; color: @text@; border: 1px solid @border@;
  border-radius: 5px; padding: 3px 7px; selection-background-color: @accent@;
  selection-color: @onAccent@; }
QPlainTextEdit:hover { border-color: @muted@; }
QPlainTextEdit:focus { border-color: @accent@; }
QLineEdit[wrong="true"], QComboBox[wrong="true"], QPlainTextEdit[wrong="true"] {
  border-color: @error@; }
)";

}  // namespace

Inspector::Inspector(DocumentModel& document, DevicesModel& devices, QWidget* parent)
    : QScrollArea(parent), document_(document) {
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFrameShape(QFrame::NoFrame);
  setAccessibleName(uiText("Settings of the experiment"));
  auto* form = new QWidget(viewport());
  form->setObjectName(QStringLiteral("inspectorForm"));
  auto* layout = new QVBoxLayout(form);
  layout->setContentsMargins(0, 4, 0, 12);
  layout->setSpacing(0);
  device_ = new InspectorDevice(devices, form);
  auto* variants = new InspectorVariants(document, form);
  connect(variants, &InspectorVariants::pythonWanted, this, &Inspector::pythonWanted);
  sections_ = {new InspectorInputs(document, form), new InspectorAxes(document, form), variants,
               new InspectorMeasure(document, form), new InspectorHeader(document, form)};
  for (InspectorSection* section : sections_) {
    auto* line = new QFrame(form);
    line->setObjectName(QStringLiteral("sectionLine"));
    line->setFixedHeight(1);
    layout->addWidget(line);
    layout->addWidget(section);
    // The inputs come first, then the device.
    if (section == sections_.front()) {
      auto* under = new QFrame(form);
      under->setObjectName(QStringLiteral("sectionLine"));
      under->setFixedHeight(1);
      layout->addWidget(under);
      layout->addWidget(device_);
    }
  }
  layout->addStretch(1);
  setWidget(form);
  setMinimumWidth(280);
  connect(&document_, &DocumentModel::changed, this, &Inspector::refresh);
  const auto tellDevice = [this, &devices] {
    for (InspectorSection* section : sections_) section->setOnGpu(devices.onGpu());
  };
  tellDevice();
  connect(&devices, &DevicesModel::chosenChanged, this, [this, tellDevice] {
    tellDevice();
    refresh();
  });
  setTheme(darkTheme());
}

void Inspector::refresh() {
  for (InspectorSection* section : sections_) section->refresh();
}

void Inspector::setTheme(const Theme& theme) {
  if (theme_ == &theme) return;
  theme_ = &theme;
  styleBy(*this, withRoles(kInspectorSheet));
  for (InspectorSection* section : sections_) section->setTheme(theme);
  refresh();
}

InspectorSection& Inspector::section(Problem::Where where) const {
  for (InspectorSection* section : sections_)
    if (section->where() == where) return *section;
  return *sections_.back();
}

void Inspector::showShape(const QString& input, const QString& inputSet) {
  const auto& sets = document_.experiment().inputSets;
  std::size_t set = 0;
  for (std::size_t i = 0; i < sets.size(); ++i)
    if (sets[i].name == inputSet.toStdString()) set = i;
  if (set >= sets.size()) return;
  const auto& specs = sets[set].inputs;
  const auto spec = std::ranges::find_if(
      specs, [&](const InputSpec& each) { return each.name == input.toStdString(); });
  InspectorSection& there = section(Problem::Where::inputs);
  there.setOpen(true);
  const auto wanted = static_cast<std::size_t>(spec - specs.begin());
  for (InputSetCard* card : there.findChildren<InputSetCard*>())
    if (card->index() == static_cast<int>(set) && wanted < specs.size()) card->reveal(wanted);
  for (TensorFields* fields : there.findChildren<TensorFields*>()) {
    if (!fields->isOf(static_cast<int>(set), static_cast<int>(wanted))) continue;
    auto* extents = fields->findChild<LineField*>(QStringLiteral("extents"));
    QTimer::singleShot(0, extents, [this, extents] {  // once the form has its places
      ensureWidgetVisible(extents);
      extents->line().setFocus(Qt::OtherFocusReason);
      extents->line().selectAll();
    });
    return;
  }
}

void Inspector::showDevice() {
  QTimer::singleShot(0, device_, [this] {  // once the form has its places
    QWidget* const list = device_->choice().control();
    ensureWidgetVisible(list);
    list->setFocus(Qt::OtherFocusReason);
  });
}

void Inspector::showProblem(const Problem& problem) {
  if (problem.where == Problem::Where::program) return;
  InspectorSection& there = section(problem.where);
  there.setOpen(true);
  ensureWidgetVisible(&there);
  for (InspectorField* field : there.findChildren<InspectorField*>())
    if (field->problem().contains(problem.text)) {
      for (InspectorCard* card : there.findChildren<InspectorCard*>())
        if (card->isAncestorOf(field)) card->setOpen(true);
      ensureWidgetVisible(field);
      field->control()->setFocus(Qt::OtherFocusReason);
      return;
    }
}

}  // namespace fusebench

#include "moc_inspector.cpp"
