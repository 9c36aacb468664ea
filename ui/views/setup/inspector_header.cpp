// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setup/inspector_header.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>
#include <string>
#include <vector>

#include "profiler/study/study.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/setup/axis_form.h"

namespace fusebench {

InspectorHeader::InspectorHeader(DocumentModel& document, QWidget* parent)
    : InspectorSection(uiText("Experiment"), Problem::Where::header, document, parent),
      fields_(body()) {
  addLine(uiText("Title"), QStringLiteral("title"), uiText("Change the title"), &Experiment::title);
  addArea(uiText("Question"), QStringLiteral("question"), uiText("Change the question"),
          &Experiment::question);
  addArea(uiText("Note"), QStringLiteral("note"), uiText("Change the note"), &Experiment::note);
  addLine(uiText("Guide"), QStringLiteral("lesson"), uiText("Change the guide"),
          &Experiment::lesson);
  addLine(uiText("Reference"), QStringLiteral("reference"), uiText("Change the reference"),
          &Experiment::reference);
}

void InspectorHeader::addLine(const QString& label, const QString& key, const QString& name,
                              std::string Experiment::*text) {
  auto* field = fields_.add(new LineField(label, key, this));
  if (key == QLatin1String("lesson"))
    field->line().setPlaceholderText(uiText("name of a help page"));
  if (key == QLatin1String("reference"))
    field->line().setPlaceholderText(uiText("name of published data"));
  connect(field, &LineField::edited, this, [this, key, name, text](const QString& now) {
    document_.edit(name, key, [&](Experiment& e) { e.*text = now.toStdString(); });
  });
  shows_.push_back(
      [this, field, text] { field->show(QString::fromStdString(experiment().*text)); });
}

void InspectorHeader::addArea(const QString& label, const QString& key, const QString& name,
                              std::string Experiment::*text) {
  auto* field = fields_.add(new AreaField(label, key, this));
  connect(field, &AreaField::edited, this, [this, key, name, text](const QString& now) {
    document_.edit(name, key, [&](Experiment& e) { e.*text = now.toStdString(); });
  });
  shows_.push_back(
      [this, field, text] { field->show(QString::fromStdString(experiment().*text)); });
}

void InspectorHeader::showSettings() {
  for (const auto& show : shows_) show();
  showOwnProblems(fields_.show(document_.problems(), Problem::Where::header, -1));
}

namespace {

std::vector<ChoiceField::Choice> cacheChoices() {
  return {{QStringLiteral("hot"),
           uiText("warm: a call finds what the one before it left in the cache"),
           {},
           uiText("Hot")},
          {QStringLiteral("flushed"),
           uiText("cold: the cache is emptied before each call; on a GPU only"),
           {},
           uiText("Flushed")}};
}

std::vector<ChoiceField::Choice> resetChoices() {
  return {{QStringLiteral("each sample"),
           uiText("tensors that the program writes are restored before each sample"),
           {},
           uiText("Each sample")},
          {QStringLiteral("each call"),
           uiText("tensors that the program writes are restored before each call, which is timed "
                  "separately"),
           {},
           uiText("Each call")}};
}

}  // namespace

InspectorMeasure::InspectorMeasure(DocumentModel& document, QWidget* parent)
    : InspectorSection(uiText("Measuring"), Problem::Where::measure, document, parent),
      fields_(body()) {
  auto* budget =
      fields_.add(numberField(uiText("Budget, s"), QStringLiteral("budgetSeconds"), this));
  budget->setNote(
      uiText("seconds of sampling for all data points together. A quick run takes a tenth of it "
             "and may leave out points. In other runs, every data point gets at least %1 samples")
          .arg(kLeastSamples));
  connect(budget, &LineField::edited, this, [this](const QString& text) {
    document_.edit(uiText("Change the time budget"), QStringLiteral("measure/budgetSeconds"),
                   [&](Experiment& e) { e.measure.budgetSeconds = text.trimmed().toDouble(); });
  });
  shows_.push_back([this, budget] {
    budget->show(QString::number(experiment().measure.budgetSeconds, 'g', 12));
  });
  addWhole(uiText("Minimum samples"), QStringLiteral("minimumSamples"),
           uiText("Change the minimum samples"),
           uiText("minimum samples per data point, however narrow its interval"),
           &MeasureSettings::minimumSamples);
  addWhole(uiText("Maximum samples"), QStringLiteral("maximumSamples"),
           uiText("Change the maximum samples"),
           uiText("maximum samples per data point, however wide its interval"),
           &MeasureSettings::maximumSamples);
  auto* precision =
      fields_.add(numberField(uiText("Precision, %"), QStringLiteral("precision"), this));
  precision->setNote(
      uiText("a data point is done when its interval is this narrow: plus or minus"));
  connect(precision, &LineField::edited, this, [this](const QString& text) {
    document_.edit(uiText("Change the precision"), QStringLiteral("measure/precision"),
                   [&](Experiment& e) { e.measure.precision = text.trimmed().toDouble() / 100; });
  });
  shows_.push_back([this, precision] {
    precision->show(QString::number(experiment().measure.precision * 100, 'g', 12));
  });
  addWhole(uiText("Compile repeats"), QStringLiteral("compileRepeats"),
           uiText("Change the compile repeats"),
           uiText("first calls with an empty cache, timed for the payback; 0: none"),
           &MeasureSettings::compileRepeats);
  auto* seed = fields_.add(new LineField(uiText("Seed"), QStringLiteral("seed"), this));
  seed->setStep(1);
  seed->setCheck([](const QString& text) {
    bool number = false;
    text.trimmed().toULongLong(&number);
    return number ? QString() : uiText("this must be a whole number of 0 or more");
  });
  seed->setNote(uiText("the same seed gives the same inputs and the same order of measuring"));
  connect(seed, &LineField::edited, this, [this](const QString& text) {
    document_.edit(uiText("Change the seed"), QStringLiteral("measure/seed"),
                   [&](Experiment& e) { e.measure.seed = text.trimmed().toULongLong(); });
  });
  shows_.push_back([this, seed] { seed->show(QString::number(experiment().measure.seed)); });
  auto* cache = fields_.add(new ChoiceField(uiText("Device cache"), QStringLiteral("cache"), this));
  connect(cache, &ChoiceField::chosen, this, [this](const QString& value) {
    document_.edit(uiText("Change the device cache"), QStringLiteral("measure/cache"),
                   [&](Experiment& e) { e.measure.cache = value.toStdString(); });
  });
  shows_.push_back([this, cache] {
    cache->show(cacheChoices(), QString::fromStdString(experiment().measure.cache));
  });
  auto* reset = fields_.add(new ChoiceField(uiText("Reset state"), QStringLiteral("reset"), this));
  connect(reset, &ChoiceField::chosen, this, [this](const QString& value) {
    document_.edit(uiText("Change when state is reset"), QStringLiteral("measure/reset"),
                   [&](Experiment& e) { e.measure.reset = value.toStdString(); });
  });
  shows_.push_back([this, reset] {
    reset->show(resetChoices(), QString::fromStdString(experiment().measure.reset));
  });
}

void InspectorMeasure::addWhole(const QString& label, const QString& key, const QString& name,
                                const QString& note, int MeasureSettings::*number) {
  auto* field = fields_.add(wholeField(label, key, this));
  field->setNote(note);
  connect(field, &LineField::edited, this, [this, key, name, number](const QString& text) {
    document_.edit(name, QStringLiteral("measure/") + key,
                   [&](Experiment& e) { e.measure.*number = static_cast<int>(*readWhole(text)); });
  });
  shows_.push_back(
      [this, field, number] { field->show(QString::number(experiment().measure.*number)); });
}

void InspectorMeasure::showSettings() {
  for (const auto& show : shows_) show();
  showOwnProblems(fields_.show(document_.problems(), Problem::Where::measure, -1));
}

}  // namespace fusebench

#include "moc_inspector_header.cpp"
