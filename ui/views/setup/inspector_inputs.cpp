// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setup/inspector_inputs.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "profiler/experiment/experiment_rules.h"
#include "profiler/experiment/inputs.h"
#include "ui/models/base/extents_text.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/setup/axis_form.h"
#include "ui/models/setup/settings_edits.h"

namespace fusebench {
namespace {

std::vector<ChoiceField::Choice> choices(std::span<const std::string_view> names,
                                         std::initializer_list<QString> docs) {
  std::vector<ChoiceField::Choice> result;
  auto doc = docs.begin();
  for (const std::string_view name : names)
    result.push_back({QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())),
                      doc == docs.end() ? QString() : *doc++,
                      {},
                      {}});
  return result;
}

template <typename Card>
void fit(std::vector<Card*>& cards, std::size_t count, QVBoxLayout* layout,
         const std::function<Card*(int)>& make) {
  while (cards.size() > count) {
    cards.back()->hide();
    cards.back()->deleteLater();
    cards.pop_back();
  }
  while (cards.size() < count) {
    cards.push_back(make(static_cast<int>(cards.size())));
    layout->addWidget(cards.back());
  }
}

QString placeName(bool onHost, bool pinned) {
  return !onHost  ? uiText("on the device")
         : pinned ? uiText("in pinned memory")
                  : uiText("in host memory");
}

/// Whether elements are drawn from a range of integers, whatever the fill.
bool drawsIntegers(const InputSpec& spec) {
  return spec.range && isInteger(classOf(dtypeOf(spec)));
}

QString normalText(const InputSpec& spec) {
  if (!drawsIntegers(spec)) return uiText("mean 0, deviation 1");
  return uiText("integers from %1 to %2")
      .arg(qlonglong((*spec.range)[0]))
      .arg(qlonglong((*spec.range)[1]));
}

/// Among the fills: the elements are computed.
QString computedName() {
  return uiText("computed");
}

/// Code to begin with, of as many dimensions as the tensor has.
std::string usualCode(const InputSpec& spec) {
  std::string sizes;
  for (const std::string& extent : spec.extents) {
    const bool isNumber = QString::fromStdString(extent).toLongLong() > 0;
    sizes += (sizes.empty() ? "" : ", ") + (isNumber ? extent : std::string("16"));
  }
  return sizes.empty() ? "torch.tensor(1.0)" : "torch.rand(" + sizes + ") * 2 - 1";
}

/// "8 192 elements" of extents that are all numbers.
QString elementsText(const InputSpec& spec) {
  constexpr qlonglong kMost = qlonglong{1} << 50;
  qlonglong count = 1;
  for (const std::string& extent : spec.extents) {
    const qlonglong value = QString::fromStdString(extent).toLongLong();
    if (value <= 0 || value > kMost / count) return {};
    count *= value;
  }
  return count == 1 ? uiText("1 element") : uiText("%1 elements").arg(formatCount(count));
}

}  // namespace

TensorFields::TensorFields(DocumentModel& document, int set, int tensor, QWidget* parent)
    : QWidget(parent),
      document_(document),
      set_(set),
      tensor_(tensor),
      title_(new QLabel(this)),
      remove_(new QToolButton(this)),
      fields_(new QVBoxLayout(this)) {
  auto* column = static_cast<QVBoxLayout*>(layout());
  column->setContentsMargins(0, 4, 0, 0);
  column->setSpacing(6);
  auto* head = new QHBoxLayout;
  title_->setFont(monoFont());
  head->addWidget(title_, 1);
  remove_->setObjectName(QStringLiteral("small"));
  remove_->setText(uiText("Remove"));
  head->addWidget(remove_);
  column->addLayout(head);
  extents_ = fields_.add(new LineField(uiText("Shape"), QStringLiteral("extents"), this));
  extents_->line().setFont(monoFont());
  extents_->line().setPlaceholderText(QStringLiteral("i % 10 + 4, 16"));
  extents_->line().setToolTip(
      uiText("Outermost dimension first, separated by commas: numbers, names of axes, or "
             "expressions such as elements // 16. In a set of several tensors, i is the index of "
             "the tensor: 0, 1, 2 and so on."));
  fill_ = fields_.add(new ChoiceField(uiText("Fill"), QStringLiteral("fill"), this));
  code_ = fields_.add(new AreaField(uiText("Code"), QStringLiteral("code"), this));
  code_->area().setFont(monoFont());
  code_->area().setToolTip(
      uiText("Lines of Python that compute the elements with torch, F and math. The last line is "
             "an expression, such as torch.rand(4, 8) * 2."));
  layout_ = fields_.add(new ChoiceField(uiText("Layout"), QStringLiteral("layout"), this));
  dtype_ = fields_.add(new ChoiceField(uiText("Type"), QStringLiteral("dtype"), this));
  place_ = fields_.add(new ChoiceField(uiText("Memory"), QStringLiteral("device"), this));
  connect(place_, &ChoiceField::chosen, this, [this](const QString& value) {
    edit(uiText("Change its memory"), {}, [&](InputSpec& spec) {
      spec.onHost = value != placeName(false, false);
      spec.pinned = value == placeName(true, true);
    });
  });
  connect(dtype_, &ChoiceField::chosen, this, [this](const QString& value) {
    edit(uiText("Change type"), {}, [&](InputSpec& spec) { spec.dtype = value.toStdString(); });
  });
  connect(extents_, &LineField::edited, this, [this](const QString& text) {
    edit(uiText("Change extents"), QStringLiteral("extents"),
         [&](InputSpec& spec) { spec.extents = readExtents(text); });
  });
  connect(fill_, &ChoiceField::chosen, this, [this](const QString& value) {
    edit(uiText("Change fill"), {}, [&](InputSpec& spec) {
      if (drawsIntegers(spec)) spec.range.reset();
      if (value == computedName()) {
        if (spec.code.empty()) spec.code = usualCode(spec);
        return;
      }
      spec.code.clear();
      spec.fill = value.toStdString();
    });
  });
  connect(code_, &AreaField::edited, this, [this](const QString& text) {
    edit(uiText("Change code"), QStringLiteral("code"),
         [&](InputSpec& spec) { spec.code = text.toStdString(); });
  });
  connect(layout_, &ChoiceField::chosen, this, [this](const QString& value) {
    edit(uiText("Change layout"), {}, [&](InputSpec& spec) { spec.layout = value.toStdString(); });
  });
  connect(remove_, &QToolButton::clicked, this, [this] {
    document_.edit(uiText("Remove tensor"), {}, [this](Experiment& e) {
      auto& specs = e.inputSets[static_cast<std::size_t>(set_)].inputs;
      specs.erase(specs.begin() + tensor_);
    });
  });
}

void TensorFields::edit(const QString& name, const QString& field,
                        const std::function<void(InputSpec&)>& change) {
  const QString key =
      field.isEmpty() ? QString()
                      : QStringLiteral("inputs/%1/tensors/%2/%3").arg(set_).arg(tensor_).arg(field);
  document_.edit(name, key, [&](Experiment& e) {
    change(e.inputSets[static_cast<std::size_t>(set_)].inputs[static_cast<std::size_t>(tensor_)]);
  });
}

void TensorFields::show() {
  const Experiment& experiment = document_.experiment();
  const InputSet& set = experiment.inputSets[static_cast<std::size_t>(set_)];
  const InputSpec& spec = set.inputs[static_cast<std::size_t>(tensor_)];
  const auto& wanted = document_.sketch().program.inputs;
  const bool read = std::find(wanted.begin(), wanted.end(), spec.name) != wanted.end();
  const QString name = QString::fromStdString(spec.name);
  title_->setText(QStringLiteral("%1 · %2").arg(name, QString::fromStdString(spec.dtype)));
  remove_->setVisible(!read);
  remove_->setAccessibleName(uiText("Remove tensor %1").arg(name));
  extents_->line().setAccessibleName(uiText("Shape of %1").arg(name));
  // As typed, as long as it means the same: "8,16" is "8, 16".
  const QString typed = extents_->line().text();
  extents_->show(readExtents(typed) == spec.extents ? typed : showExtents(spec.extents));
  // The gray note under the field shows only information that the field itself does not.
  const QString preview = shapePreview(experiment, set, spec);
  // There is always one, or all below would jump while a shape is typed.
  extents_->setNote(preview == QStringLiteral("(%1)").arg(showExtents(spec.extents))
                        ? elementsText(spec)
                        : preview);
  std::vector<ChoiceField::Choice> fills =
      choices(rules::kFills, {normalText(spec), uiText("from 0 to 1"), {}, {}});
  fills.push_back({computedName(), uiText("by lines of Python"), {}, {}});
  const bool isComputed = !spec.code.empty();
  fill_->show(fills, isComputed ? computedName() : QString::fromStdString(spec.fill));
  code_->setVisible(isComputed);
  code_->area().setAccessibleName(uiText("Code of %1").arg(name));
  if (isComputed) code_->show(QString::fromStdString(spec.code));
  layout_->show(choices(rules::kLayouts,
                        {{}, uiText("last two dims swapped"), uiText("every other element")}),
                QString::fromStdString(spec.layout));
  dtype_->show(choices(rules::kDTypes, {}), QString::fromStdString(spec.dtype));
  place_->show({{placeName(false, false), uiText("where the program computes"), {}, {}},
                {placeName(true, false),
                 uiText("in the host's memory; the program copies it: x.to('cuda')"),
                 {},
                 {}},
                {placeName(true, true), uiText("in pinned host memory; also copied"), {}, {}}},
               placeName(spec.onHost, spec.pinned));
  const QStringList rest = fields_.show(document_.problems(), Problem::Where::inputs, set_,
                                        QStringLiteral("tensors/%1/").arg(tensor_));
  if (!rest.isEmpty())
    extents_->setProblem((QStringList(extents_->problem()) + rest).join(u'\n').trimmed());
}

InputSetCard::InputSetCard(DocumentModel& document, int index, QWidget* parent)
    : InspectorCard(parent),
      document_(document),
      index_(index),
      fields_(body()),
      list_(new QVBoxLayout) {
  // Shapes first: they are what one comes here for.
  list_->setSpacing(6);
  body()->addLayout(list_);
  more_ = new QToolButton(this);
  more_->setAccessibleName(uiText("Show more tensors"));
  body()->addWidget(more_, 0, Qt::AlignLeft);
  connect(more_, &QToolButton::clicked, this, [this] { reveal(most_ + kTensorsAtOnce - 1); });
  name_ = fields_.add(new LineField(uiText("Name"), QStringLiteral("name"), this));
  count_ = fields_.add(wholeField(uiText("Tensors in turn"), QStringLiteral("count"), this));
  count_->line().setToolTip(uiText(
      "Number of different tensors for each name. Calls cycle through them. A shape may use i, the "
      "tensor's index starting at 0: \"i + 4\" makes each tensor longer than the one before."));
  count_->setNote(uiText("every call takes the next one"));
  menu_ = menuButton(uiText("Input set %1: duplicate, remove").arg(index + 1));
  fillMenu();
  connect(name_, &LineField::edited, this, [this](const QString& text) {
    document_.edit(uiText("Rename input set"), QStringLiteral("inputs/%1/name").arg(index_),
                   [&](Experiment& e) {
                     renameInputSet(e, static_cast<std::size_t>(index_), text.toStdString());
                   });
  });
  connect(count_, &LineField::edited, this, [this](const QString& text) {
    document_.edit(uiText("Change number of entries"),
                   QStringLiteral("inputs/%1/count").arg(index_), [&](Experiment& e) {
                     e.inputSets[static_cast<std::size_t>(index_)].count =
                         static_cast<int>(*readWhole(text));
                   });
  });
}

void InputSetCard::fillMenu() {
  const auto add = [this](const QString& text, const QString& step,
                          const std::function<void(Experiment&, std::size_t)>& change) {
    menu_->menu()->addAction(text, this, [this, step, change] {
      document_.edit(step, {}, [&](Experiment& e) { change(e, static_cast<std::size_t>(index_)); });
    });
  };
  add(uiText("Duplicate"), uiText("Duplicate input set"), duplicateInputSet);
  add(uiText("Remove"), uiText("Remove input set"), removeInputSet);
}

void InputSetCard::show() {
  const InputSet& set = document_.experiment().inputSets[static_cast<std::size_t>(index_)];
  setTitle(QString::fromStdString(set.name));
  name_->show(QString::fromStdString(set.name));
  count_->show(QString::number(set.count));
  const std::size_t count = set.inputs.size();
  more_->setVisible(count > most_);
  more_->setText(uiText("Show %1 more of %2 tensors")
                     .arg(std::min(kTensorsAtOnce, count - std::min(count, most_)))
                     .arg(count));
  fit<TensorFields>(tensors_, std::min(count, most_), list_,
                    [this](int t) { return new TensorFields(document_, index_, t, this); });
  QStringList rest;
  for (const QString& words : fields_.show(document_.problems(), Problem::Where::inputs, index_))
    rest.push_back(words);
  for (TensorFields* tensor : tensors_) tensor->show();
  // Problems that a tensor shows are not repeated here.
  for (const TensorFields* tensor : tensors_)
    for (const InspectorField* field : tensor->findChildren<InspectorField*>())
      for (const QString& words : field->problem().split(u'\n')) rest.removeAll(words);
  showProblems(rest);
}

void InputSetCard::reveal(std::size_t tensor) {
  if (tensor < most_) return;
  most_ = tensor + 1;
  show();
}

InspectorInputs::InspectorInputs(DocumentModel& document, QWidget* parent)
    : InspectorSection(uiText("Inputs"), Problem::Where::inputs, document, parent),
      list_(new QVBoxLayout) {
  list_->setSpacing(8);
  body()->addLayout(list_);
  QToolButton* add = addAction(uiText("+ Add"), uiText("Add an input set"));
  connect(add, &QToolButton::clicked, this,
          [this] { document_.edit(uiText("Add input set"), {}, addInputSet); });
}

void InspectorInputs::showSettings() {
  fit<InputSetCard>(cards_, experiment().inputSets.size(), list_,
                    [this](int i) { return new InputSetCard(document_, i, this); });
  QStringList own;
  for (const Problem& problem : document_.problems())
    if (problem.where == Problem::Where::inputs && problem.index < 0) own.push_back(problem.text);
  showOwnProblems(own);
  for (InputSetCard* card : cards_) card->show();
}

}  // namespace fusebench

#include "moc_inspector_inputs.cpp"
