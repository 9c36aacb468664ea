// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setup/inspector_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QStyle>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/models/base/ui_text.h"
#include "ui/models/setup/axis_form.h"
#include "ui/theme/theme.h"

namespace fusebench {
namespace {

constexpr int kLabelWidth = 92;
constexpr int kAreaLines = 3;

QLabel* smallLabel(const char* name, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setObjectName(QLatin1String(name));
  label->setFont(textFont(0.92));
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->hide();
  return label;
}

}  // namespace

InspectorField::InspectorField(const QString& label, const QString& key, QWidget* control,
                               QWidget* parent)
    : QWidget(parent),
      key_(key),
      control_(control),
      name_(new QLabel(label, this)),
      problem_(smallLabel("fieldProblem", this)),
      note_(smallLabel("muted", this)) {
  setObjectName(key);
  name_->setObjectName(QStringLiteral("muted"));
  name_->setFixedWidth(kLabelWidth);
  name_->setWordWrap(true);
  name_->setBuddy(control);
  control->setParent(this);
  control->setAccessibleName(label);
  auto* right = new QVBoxLayout;
  right->setSpacing(3);
  right->addWidget(control);
  right->addWidget(note_);
  right->addWidget(problem_);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  row->addWidget(name_, 0, Qt::AlignTop);
  row->addLayout(right, 1);
  name_->setContentsMargins(0, 4, 0, 0);
  name_->setVisible(!label.isEmpty());
}

void InspectorField::setLabel(const QString& label) {
  name_->setText(label);
  control_->setAccessibleName(label);
  if (auto* combo = qobject_cast<QComboBox*>(control_); combo && combo->lineEdit())
    combo->lineEdit()->setAccessibleName(label);
}
void InspectorField::setProblem(const QString& text) {
  fromDocument_ = text;
  refreshProblem();
}
void InspectorField::setOwnProblem(const QString& text) {
  own_ = text;
  refreshProblem();
}
void InspectorField::refreshProblem() {
  const QString text = own_.isEmpty() ? fromDocument_ : own_;
  problem_->setText(text);
  problem_->setVisible(!text.isEmpty());
  control_->setProperty("wrong", !text.isEmpty());
  control_->setAccessibleDescription(text);
  control_->style()->unpolish(control_);
  control_->style()->polish(control_);
}
QString InspectorField::problem() const {
  return problem_->text();
}
void InspectorField::setNote(const QString& text) {
  note_->setText(text);
  note_->setVisible(!text.isEmpty());
}
QString InspectorField::note() const {
  return note_->text();
}

// --- lines
// -----------------------------------------------------------------------------------------

LineField::LineField(const QString& label, const QString& key, QWidget* parent)
    : InspectorField(label, key, new QLineEdit, parent), line_(static_cast<QLineEdit*>(control())) {
  line_->installEventFilter(this);
  connect(line_, &QLineEdit::textEdited, this, &LineField::take);
  connect(line_, &QLineEdit::editingFinished, this, [this] {
    // Text that could not be read is replaced with the value in the document.
    setOwnProblem({});
    if (line_->text() != shown_ && refuse_) line_->setText(shown_);
  });
}

void LineField::take(const QString& text) {
  const QString wrong = refuse_ ? refuse_(text) : QString();
  setOwnProblem(wrong);
  if (wrong.isEmpty()) {
    shown_ = text;
    emit edited(text);
  }
}

void LineField::show(const QString& text) {
  const bool typing = line_->hasFocus() && line_->isModified();
  if (typing && refuse_ && !refuse_(line_->text()).isEmpty()) return;
  if (shown_ == text && line_->text() == text) return;
  shown_ = text;
  if (line_->text() == text) return;
  const int caret = line_->cursorPosition();
  line_->setText(text);
  line_->setCursorPosition(line_->hasFocus() ? caret : 0);
  setOwnProblem({});
}

bool LineField::eventFilter(QObject* object, QEvent* event) {
  if (object == line_ && event->type() == QEvent::KeyPress && step_ != 0) {
    auto* key = static_cast<QKeyEvent*>(event);
    const int way = key->key() == Qt::Key_Up ? 1 : key->key() == Qt::Key_Down ? -1 : 0;
    bool number = false;
    const qlonglong now = line_->text().toLongLong(&number);
    if (way != 0 && number) {
      line_->setText(QString::number(now + way * step_));
      take(line_->text());
      return true;
    }
  }
  return InspectorField::eventFilter(object, event);
}

LineField* wholeField(const QString& label, const QString& key, QWidget* parent) {
  auto* field = new LineField(label, key, parent);
  field->setStep(1);
  field->setCheck([](const QString& text) {
    const auto value = readWhole(text);
    if (!value) return uiText("must be a whole number");
    return std::abs(*value) > std::int64_t{2'000'000'000} ? uiText("this is too large") : QString();
  });
  return field;
}

LineField* numberField(const QString& label, const QString& key, QWidget* parent) {
  auto* field = new LineField(label, key, parent);
  field->setCheck([](const QString& text) {
    bool number = false;
    const double value = text.trimmed().toDouble(&number);
    return number && qIsFinite(value) ? QString() : uiText("must be a number");
  });
  return field;
}

// --- areas, choices, boxes
// -------------------------------------------------------------------------

AreaField::AreaField(const QString& label, const QString& key, QWidget* parent)
    : InspectorField(label, key, new QPlainTextEdit, parent),
      area_(static_cast<QPlainTextEdit*>(control())) {
  area_->setTabChangesFocus(true);
  area_->setUndoRedoEnabled(false);
  area_->setFixedHeight(kAreaLines * QFontMetrics(textFont()).lineSpacing() + 14);
  connect(area_, &QPlainTextEdit::textChanged, this, [this] { emit edited(area_->toPlainText()); });
}

void AreaField::show(const QString& text) {
  if (area_->toPlainText() == text) return;
  const QSignalBlocker quiet(area_);
  area_->setPlainText(text);
}

ChoiceField::ChoiceField(const QString& label, const QString& key, QWidget* parent, bool editable)
    : InspectorField(label, key, new QComboBox, parent),
      combo_(static_cast<QComboBox*>(control())),
      editable_(editable) {
  combo_->setEditable(editable);
  combo_->setInsertPolicy(QComboBox::NoInsert);
  combo_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  combo_->setMinimumContentsLength(6);
  combo_->setFocusPolicy(Qt::StrongFocus);
  combo_->installEventFilter(this);
  connect(combo_, &QComboBox::activated, this,
          [this](int row) { emit chosen(combo_->itemData(row).toString()); });
  if (editable) {
    combo_->lineEdit()->setAccessibleName(combo_->accessibleName());
    combo_->lineEdit()->installEventFilter(this);
    connect(combo_->lineEdit(), &QLineEdit::editingFinished, this,
            [this] { emit chosen(combo_->currentText().trimmed()); });
  }
}

void ChoiceField::show(const std::vector<Choice>& choices, const QString& value) {
  const QSignalBlocker quiet(combo_);
  const auto at = std::find_if(choices.begin(), choices.end(),
                               [&](const Choice& choice) { return choice.value == value; });
  std::vector<Choice> all = choices;
  if (at == choices.end() && !editable_) all.push_back({value, {}, {}, {}});
  if (all != choices_) {
    combo_->clear();
    for (const Choice& choice : all) {
      combo_->addItem(choice.icon, choice.shown.isEmpty() ? choice.value : choice.shown,
                      choice.value);
      const int row = combo_->count() - 1;
      combo_->setItemData(row, choice.refusal.isEmpty() ? choice.doc : choice.refusal,
                          Qt::ToolTipRole);
      if (auto* items = qobject_cast<QStandardItemModel*>(combo_->model()))
        items->item(row)->setEnabled(choice.refusal.isEmpty());
    }
    choices_ = std::move(all);
  }
  combo_->setCurrentIndex(combo_->findData(value));
  if (editable_) combo_->setEditText(value);
  setNote(at != choices.end() ? at->doc : QString());
}

bool ChoiceField::eventFilter(QObject* object, QEvent* event) {
  // Scrolling the form must not change what the pointer happens to be over.
  if (object == combo_ && event->type() == QEvent::Wheel && !combo_->hasFocus()) {
    event->ignore();
    return true;
  }
  // A click shows what there is to choose; Escape, or Tab instead of the click, leaves the line to
  // type something else.
  if (object == combo_->lineEdit() && event->type() == QEvent::MouseButtonPress &&
      static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton) {
    combo_->setFocus(Qt::MouseFocusReason);
    combo_->showPopup();
    return true;
  }
  return InspectorField::eventFilter(object, event);
}

CheckField::CheckField(const QString& label, const QString& key, const QString& text,
                       QWidget* parent)
    : InspectorField(label, key, new QCheckBox(text), parent),
      box_(static_cast<QCheckBox*>(control())) {
  connect(box_, &QCheckBox::toggled, this, &CheckField::toggled);
}

void CheckField::show(bool on) {
  const QSignalBlocker quiet(box_);
  box_->setChecked(on);
}

// --- groups
// ----------------------------------------------------------------------------------------

void FieldGroup::place(InspectorField* field) {
  layout_->addWidget(field);
  fields_.push_back(field);
}

QStringList FieldGroup::show(const std::vector<Problem>& problems, Problem::Where where, int index,
                             const QString& under) const {
  std::vector<QStringList> words(fields_.size());
  QStringList rest;
  for (const Problem& problem : problems) {
    if (problem.where != where || problem.index != index) continue;
    if (!problem.field.startsWith(under)) continue;
    const QString field = problem.field.mid(under.size());
    bool taken = false;
    for (std::size_t f = 0; f < fields_.size() && !taken; ++f) {
      const QString& key = fields_[f]->key();
      taken = field == key || field.startsWith(key + QLatin1Char('/'));
      if (taken) words[f].push_back(problem.text);
    }
    if (!taken) rest.push_back(problem.text);
  }
  for (std::size_t f = 0; f < fields_.size(); ++f) fields_[f]->setProblem(words[f].join(u'\n'));
  return rest;
}

}  // namespace fusebench

#include "moc_inspector_field.cpp"
