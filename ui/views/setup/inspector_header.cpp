// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setup/inspector_header.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include "profiler/study/study.h"
#include "ui/models/setup/axis_form.h"

namespace fusebench {

InspectorHeader::InspectorHeader(DocumentModel& document, QWidget* parent)
    : InspectorSection(tr("Experiment"), Problem::Where::header, document, parent),
      fields_(body()) {
  addLine(tr("Title"), QStringLiteral("title"), tr("Change the title"), &Experiment::title);
  addArea(tr("Question"), QStringLiteral("question"), tr("Change the question"),
          &Experiment::question);
  addArea(tr("Note"), QStringLiteral("note"), tr("Change the note"), &Experiment::note);
  addLine(tr("Lesson"), QStringLiteral("lesson"), tr("Change the lesson"), &Experiment::lesson);
  addLine(tr("Reference"), QStringLiteral("reference"), tr("Change the reference"),
          &Experiment::reference);
}

void InspectorHeader::addLine(const QString& label, const QString& key, const QString& name,
                              std::string Experiment::*text) {
  auto* field = fields_.add(new LineField(label, key, this));
  if (key == QLatin1String("lesson")) field->line().setPlaceholderText(tr("name of a help page"));
  if (key == QLatin1String("reference"))
    field->line().setPlaceholderText(tr("name of published data"));
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
           QObject::tr("warm: a call finds what the one before it left in the cache"),
           {},
           QObject::tr("Hot")},
          {QStringLiteral("flushed"),
           QObject::tr("cold: the cache is emptied before each call; on a GPU only"),
           {},
           QObject::tr("Flushed")}};
}

}  // namespace

InspectorMeasure::InspectorMeasure(DocumentModel& document, QWidget* parent)
    : InspectorSection(tr("Measuring"), Problem::Where::measure, document, parent),
      fields_(body()) {
  auto* budget = fields_.add(numberField(tr("Budget, s"), QStringLiteral("budgetSeconds"), this));
  budget->setNote(
      tr("seconds of sampling, all cells together; a quick run takes a tenth. Every cell gets %1 "
         "samples all the same")
          .arg(kLeastSamples));
  connect(budget, &LineField::edited, this, [this](const QString& text) {
    document_.edit(tr("Change the time budget"), QStringLiteral("measure/budgetSeconds"),
                   [&](Experiment& e) { e.measure.budgetSeconds = text.trimmed().toDouble(); });
  });
  shows_.push_back([this, budget] {
    budget->show(QString::number(experiment().measure.budgetSeconds, 'g', 12));
  });
  addWhole(tr("Least samples"), QStringLiteral("minimumSamples"), tr("Change the least samples"),
           tr("fewest samples of a cell, however narrow its interval"),
           &MeasureSettings::minimumSamples);
  addWhole(tr("Most samples"), QStringLiteral("maximumSamples"), tr("Change the most samples"),
           tr("most samples of a cell, however wide its interval"),
           &MeasureSettings::maximumSamples);
  auto* precision = fields_.add(numberField(tr("Precision, %"), QStringLiteral("precision"), this));
  precision->setNote(tr("a cell is done when its interval is this narrow: plus or minus"));
  connect(precision, &LineField::edited, this, [this](const QString& text) {
    document_.edit(tr("Change the precision"), QStringLiteral("measure/precision"),
                   [&](Experiment& e) { e.measure.precision = text.trimmed().toDouble() / 100; });
  });
  shows_.push_back([this, precision] {
    precision->show(QString::number(experiment().measure.precision * 100, 'g', 12));
  });
  addWhole(tr("Compile repeats"), QStringLiteral("compileRepeats"),
           tr("Change the compile repeats"),
           tr("first calls with no cache, timed for the payback; 0 measures none"),
           &MeasureSettings::compileRepeats);
  auto* seed = fields_.add(new LineField(tr("Seed"), QStringLiteral("seed"), this));
  seed->setStep(1);
  seed->setCheck([](const QString& text) {
    bool number = false;
    text.trimmed().toULongLong(&number);
    return number ? QString() : tr("this is not a whole number from 0 on");
  });
  seed->setNote(tr("the same seed gives the same inputs and the same order of measuring"));
  connect(seed, &LineField::edited, this, [this](const QString& text) {
    document_.edit(tr("Change the seed"), QStringLiteral("measure/seed"),
                   [&](Experiment& e) { e.measure.seed = text.trimmed().toULongLong(); });
  });
  shows_.push_back([this, seed] { seed->show(QString::number(experiment().measure.seed)); });
  auto* cache = fields_.add(new ChoiceField(tr("Device cache"), QStringLiteral("cache"), this));
  connect(cache, &ChoiceField::chosen, this, [this](const QString& value) {
    document_.edit(tr("Change the device cache"), QStringLiteral("measure/cache"),
                   [&](Experiment& e) { e.measure.cache = value.toStdString(); });
  });
  shows_.push_back([this, cache] {
    cache->show(cacheChoices(), QString::fromStdString(experiment().measure.cache));
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
