// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setup/inspector_axes.h"

#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <vector>

#include "ui/models/base/ui_text.h"
#include "ui/models/setup/axis_choice.h"
#include "ui/models/setup/settings_edits.h"

namespace fusebench {
namespace {

constexpr std::size_t kValuesShown = 9;

std::vector<ChoiceField::Choice> kindChoices() {
  return {{QStringLiteral("list"), uiText("one by one"), {}, uiText("List")},
          {QStringLiteral("linear"), uiText("equal steps"), {}, uiText("Linear")},
          {QStringLiteral("octaves"),
           uiText("equal ratios, with this many points per doubling"),
           {},
           uiText("Log, by octave")},
          {QStringLiteral("decades"),
           uiText("equal ratios, with this many points per power of ten"),
           {},
           uiText("Log, by decade")}};
}

QString kindName(AxisForm::Kind kind) {
  return kindChoices()[static_cast<std::size_t>(kind)].value;
}

}  // namespace

AxisCard::AxisCard(DocumentModel& document, int index, QWidget* parent)
    : InspectorCard(parent), document_(document), index_(index), fields_(body()) {
  name_ = fields_.add(new ChoiceField(uiText("Name"), QStringLiteral("name"), this, true));
  unit_ = fields_.add(new LineField(uiText("Unit"), QStringLiteral("unit"), this));
  kind_ = fields_.add(new ChoiceField(uiText("Values"), QStringLiteral("kind"), this));
  list_ = fields_.add(new LineField(uiText("List"), QStringLiteral("list"), this));
  from_ = fields_.add(new LineField(uiText("From"), QStringLiteral("from"), this));
  to_ = fields_.add(new LineField(uiText("To"), QStringLiteral("to"), this));
  step_ = fields_.add(new LineField(uiText("Step"), QStringLiteral("step"), this));
  list_->line().setToolTip(
      uiText("Whole numbers separated by commas; 4k, 1M and 2^20 are accepted"));
  list_->setCheck([](const QString& text) {
    return readValues(text) ? QString() : uiText("must be whole numbers separated by commas");
  });
  for (LineField* field : {from_, to_, step_}) {
    field->setStep(1);
    field->setCheck([](const QString& text) {
      return readWhole(text) ? QString()
                             : uiText("must be a whole number, such as 4096, 4k, 1M or 2^20");
    });
    connect(field, &LineField::edited, this, &AxisCard::editedForm);
  }
  connect(name_, &ChoiceField::chosen, this, &AxisCard::choseName);
  connect(unit_, &LineField::edited, this, [this](const QString& text) {
    document_.edit(
        uiText("Change unit"), QStringLiteral("axes/%1/unit").arg(index_),
        [&](Experiment& e) { e.axes[static_cast<std::size_t>(index_)].unit = text.toStdString(); });
  });
  connect(kind_, &ChoiceField::chosen, this, [this](const QString& value) {
    for (const auto kind : {AxisForm::Kind::list, AxisForm::Kind::linear, AxisForm::Kind::octaves,
                            AxisForm::Kind::decades})
      if (kindName(kind) == value) choseKind(kind);
  });
  connect(list_, &LineField::edited, this,
          [this](const QString& text) { setValues(uiText("Change values"), *readValues(text)); });
}

const Axis& AxisCard::axis() const {
  return document_.experiment().axes[static_cast<std::size_t>(index_)];
}

void AxisCard::choseName(const QString& name) {
  if (name.toStdString() == axis().name) return;
  document_.edit(uiText("Sweep %1").arg(name), {}, [&](Experiment& e) {
    chooseAxis(e, static_cast<std::size_t>(index_), name.toStdString());
  });
  forgetForm();  // the values are others now, in a form of their own
  show();
}

void AxisCard::choseKind(AxisForm::Kind kind) {
  form_ = formLike(kind, axis().values);
  if (kind == AxisForm::Kind::list)
    show();
  else
    setValues(uiText("Change values"), valuesOf(*form_));
  show();
}

void AxisCard::editedForm() {
  const auto from = readWhole(from_->line().text());
  const auto to = readWhole(to_->line().text());
  const auto step = readWhole(step_->line().text());
  if (!form_ || !from || !to || !step) return;
  form_->from = *from;
  form_->to = *to;
  if (form_->kind == AxisForm::Kind::linear)
    form_->step = *step;
  else
    form_->points = static_cast<int>(std::clamp<std::int64_t>(*step, 0, 1000));
  setValues(uiText("Change values"), valuesOf(*form_));
  show();
}

void AxisCard::setValues(const QString& step, std::vector<std::int64_t> values) {
  document_.edit(step, QStringLiteral("axes/%1/values").arg(index_), [&](Experiment& e) {
    e.axes[static_cast<std::size_t>(index_)].values = std::move(values);
  });
}

void AxisCard::showForm() {
  const std::vector<std::int64_t>& values = axis().values;
  // Undo, or an edit of the program, may have changed the values.
  if (!form_ || (form_->kind != AxisForm::Kind::list && valuesOf(*form_) != values))
    form_ = formOf(values);
  const bool list = form_->kind == AxisForm::Kind::list;
  kind_->show(kindChoices(), kindName(form_->kind));
  list_->setVisible(list);
  for (LineField* field : {from_, to_, step_}) field->setVisible(!list);
  const QString typed = list_->line().text();
  list_->show(readValues(typed) == std::optional(values) ? typed : showValues(values));
  const auto showNumber = [](LineField* field, std::int64_t number) {
    const QString now = field->line().text();
    field->show(readWhole(now) == std::optional(number) ? now : QString::number(number));
  };
  if (list) return;
  showNumber(from_, form_->from);
  showNumber(to_, form_->to);
  const bool linear = form_->kind == AxisForm::Kind::linear;
  showNumber(step_, linear ? form_->step : form_->points);
  step_->setLabel(linear                                   ? uiText("Step")
                  : form_->kind == AxisForm::Kind::octaves ? uiText("Per octave")
                                                           : uiText("Per decade"));
}

void AxisCard::show() {
  std::vector<ChoiceField::Choice> names;
  for (const QString& name : axisNames(document_.experiment())) names.push_back({name, {}, {}, {}});
  const QString now = QString::fromStdString(axis().name);
  setTitle(now);
  if (!name_->combo().hasFocus() || name_->combo().currentText() != now) name_->show(names, now);
  const QString followers = followersOf(document_.experiment(), axis().name);
  const QString otherAxis = !followers.isEmpty()
                                ? followers
                                : uiText("a name used in shapes, or a parameter of the program");
  name_->setNote(
      now == QLatin1String("statements") ? statementsRule(document_.experiment().program)
      : now == QLatin1String("ranks")
          ? uiText("processes that share the batch; replaces the variants' ranks")
      : now == QLatin1String("bucket")
          ? uiText("KiB of gradients that pass between the ranks together; 0: each by itself")
      : now == QLatin1String("segment") ? uiText("statements per recomputed segment; replaces the "
                                                 "variants' setting; 0: everything is saved")
      : now == QLatin1String("budget")
          ? uiText("Memory limit of a call in KB; replaces the variants' budget")
      : now != QLatin1String("threads") ? otherAxis
      : onGpu_                          ? uiText("CPU threads; a GPU ignores it")
                                        : uiText("replaces the variants' number of threads"));
  unit_->show(QString::fromStdString(axis().unit));
  showForm();
  kind_->setNote(form_->kind == AxisForm::Kind::list && axis().values.size() <= kValuesShown
                     ? QString()
                     : showValues(axis().values, kValuesShown));
  QStringList rest = fields_.show(document_.problems(), Problem::Where::axes, index_);
  QStringList values;
  for (const Problem& problem : document_.problems())
    if (problem.where == Problem::Where::axes && problem.index == index_ &&
        problem.field.startsWith(QLatin1String("values"))) {
      values.push_back(problem.text);
      rest.removeAll(problem.text);
    }
  if (values.size() > 1) values = {values.first()};  // one bad value can cause several problems
  InspectorField* blamed = kind_;
  if (form_->kind == AxisForm::Kind::list) blamed = list_;
  blamed->setProblem(values.join(u'\n'));
  showProblems(rest);
}

InspectorAxes::InspectorAxes(DocumentModel& document, QWidget* parent)
    : InspectorSection(uiText("Axes"), Problem::Where::axes, document, parent),
      list_(new QVBoxLayout),
      size_(addAction(uiText("Sweep size"),
                      uiText("Sweep the number of elements of the inputs: it becomes "
                             "the first axis, and the shapes follow it"))),
      add_(addAction(uiText("+ Add"), uiText("Add a second axis"))),
      swap_(addAction(uiText("Swap"), uiText("Swap the axes"))) {
  list_->setSpacing(8);
  body()->addLayout(list_);
  connect(add_, &QToolButton::clicked, this,
          [this] { document_.edit(uiText("Add axis"), {}, fusebench::addAxis); });
  connect(size_, &QToolButton::clicked, this,
          [this] { document_.edit(uiText("Sweep the size"), {}, sweepSize); });
  connect(swap_, &QToolButton::clicked, this,
          [this] { document_.edit(uiText("Swap axes"), {}, swapAxes); });
  connect(&document_, &DocumentModel::loaded, this, [this] {
    for (AxisCard* card : cards_) card->forgetForm();
  });
}

void InspectorAxes::showSettings() {
  const std::size_t count = experiment().axes.size();
  while (cards_.size() > count) {
    cards_.back()->hide();
    cards_.back()->deleteLater();
    cards_.pop_back();
  }
  while (cards_.size() < count) {
    const int index = static_cast<int>(cards_.size());
    auto* card = new AxisCard(document_, index, this);
    QToolButton* menu = card->menuButton(uiText("Axis %1: remove").arg(index + 1));
    menu->menu()->addAction(uiText("Remove"), this, [this, index] {
      document_.edit(uiText("Remove axis"), {},
                     [index](Experiment& e) { removeAxis(e, static_cast<std::size_t>(index)); });
    });
    cards_.push_back(card);
    list_->addWidget(card);
  }
  size_->setVisible(count == 0 || experiment().axes.front().name != "elements");
  add_->setVisible(count < 2);
  swap_->setVisible(count == 2);
  QStringList own;
  for (const Problem& problem : document_.problems())
    if (problem.where == Problem::Where::axes && problem.index < 0) own.push_back(problem.text);
  showOwnProblems(own);
  for (AxisCard* card : cards_) {
    card->setOnGpu(onGpu());
    card->show();
  }
}

}  // namespace fusebench

#include "moc_inspector_axes.cpp"
