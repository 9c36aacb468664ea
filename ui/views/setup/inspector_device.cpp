// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setup/inspector_device.h"

#include <QComboBox>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <string>
#include <vector>

#include "ui/models/base/ui_text.h"
#include "ui/models/setup/devices_model.h"
#include "ui/theme/theme.h"
#include "ui/views/setup/inspector_sites.h"
#include "ui/views/setup/inspector_targets.h"

namespace fusebench {
namespace {

QString plainText(const std::string& text) {
  return QString::fromStdString(text);
}

/// A problem and its fix, in lines that wrap.
QString tipOf(const std::string& found, const std::string& remedy) {
  QString tip = plainText(found).toHtmlEscaped();
  if (!remedy.empty()) tip += QStringLiteral("<br>") + plainText(remedy).toHtmlEscaped();
  return QStringLiteral("<qt>%1</qt>").arg(tip);
}

/// The line under a device that is chosen.
QString aboutDevice(const ListedDevice& device) {
  QString text = plainText(device.details);
  if (!device.limit.empty())
    text += (text.isEmpty() ? QString() : QStringLiteral("; ")) + plainText(device.limit);
  return text;
}

ChoiceField::Choice choiceOf(const ListedDevice& device) {
  const QString name = plainText(device.name);
  ChoiceField::Choice choice{name, aboutDevice(device), {}, {}};
  if (!device.model.empty()) choice.shown = name + QStringLiteral(" · ") + plainText(device.model);
  if (!device.usable()) {
    choice.shown = name + QStringLiteral(" · ") + uiText("none here");
    choice.refusal = tipOf(device.problem, device.remedy);
  }
  return choice;
}

/// "Launches are recorded", and where they are not the collector's state.
QString recordingWords(const RecordingState& state) {
  if (state.works()) return uiText("CUPTI on: launches are recorded");
  if (state.state.empty()) return uiText("CUPTI could not be tried");
  if (state.state == "degraded") return uiText("CUPTI degraded: some launches are recorded");
  return uiText("CUPTI %1: launches are not recorded").arg(plainText(state.state));
}

}  // namespace

InspectorDevice::InspectorDevice(DevicesModel& devices, QWidget* parent)
    : QWidget(parent),
      devices_(devices),
      targets_(new InspectorTargets(devices.targets(), this)),
      choice_(new ChoiceField({}, QStringLiteral("device"), this)),
      recording_(new QLabel(this)),
      again_(new QToolButton(this)),
      sites_(new InspectorSites(devices, this)) {
  recording_->setObjectName(QStringLiteral("muted"));
  recording_->setFont(textFont(0.92));
  recording_->setWordWrap(true);
  recording_->setTextFormat(Qt::PlainText);
  again_->setObjectName(QStringLiteral("small"));
  again_->setText(uiText("Rescan"));
  again_->setToolTip(uiText("Look for devices again, for example after installing a driver"));
  again_->setAccessibleName(uiText("Look for devices again"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(14, 4, 14, 12);
  layout->setSpacing(4);
  layout->addWidget(targets_);
  auto* title = new QLabel(uiText("Device"), this);
  title->setFont(textFont(1, QFont::DemiBold));
  title->setBuddy(choice_->control());
  auto* head = new QHBoxLayout;
  head->addWidget(title, 1);
  head->addWidget(again_);
  layout->addLayout(head);
  layout->addWidget(choice_);
  layout->addWidget(recording_);
  layout->addWidget(sites_);
  choice_->control()->setAccessibleName(title->text());
  connect(choice_, &ChoiceField::chosen, &devices_, &DevicesModel::choose);
  connect(again_, &QToolButton::clicked, &devices_, &DevicesModel::examine);
  connect(&devices_, &DevicesModel::changed, this, &InspectorDevice::refresh);
  refresh();
}

void InspectorDevice::refresh() {
  std::vector<ChoiceField::Choice> choices;
  for (const ListedDevice& device : devices_.devices()) choices.push_back(choiceOf(device));
  choice_->show(choices, devices_.chosen());
  if (!devices_.problem().isEmpty()) choice_->setNote(devices_.problem());
  choice_->control()->setToolTip(
      devices_.quiet()
          ? uiText("Stop the run to choose another device")
          : uiText("Device for Run, Explore, the code and the launches; kept for the next start"));
  choice_->setEnabled(!devices_.quiet());
  again_->setEnabled(!devices_.looking() && !devices_.quiet());
  refreshRecording();
}

void InspectorDevice::refreshRecording() {
  const RecordingState* state = devices_.recording();
  QString words, tip;
  if (devices_.looking()) {
    words = uiText("Looking for GPUs…");
  } else if (devices_.onGpu() && devices_.find(devices_.device())) {
    words = state ? recordingWords(*state) : uiText("CUPTI: not tried yet");
    if (state) tip = tipOf(state->found, state->remedy);
  }
  recording_->setText(words);
  recording_->setVisible(!words.isEmpty());
  recording_->setToolTip(tip);
}

QString InspectorDevice::recording() const {
  return recording_->text();
}
QString InspectorDevice::recordingTip() const {
  return recording_->toolTip();
}

}  // namespace fusebench

#include "moc_inspector_device.cpp"
