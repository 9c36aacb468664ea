// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QWidget>
#include <functional>
#include <vector>

#include "ui/models/setup/document_model.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QVBoxLayout;

namespace fusebench {

/// One setting: its name, a control, and its problems below.
class InspectorField : public QWidget {
  Q_OBJECT

 public:
  /// `key`: the name of the setting in the experiment file, for its problems and for tests.
  InspectorField(const QString& label, const QString& key, QWidget* control, QWidget* parent);
  const QString& key() const { return key_; }
  QWidget* control() const { return control_; }
  void setLabel(const QString& label);
  /// Problem reported by the document; a problem of the control itself takes precedence.
  void setProblem(const QString& text);
  QString problem() const;
  /// Gray text under the control.
  void setNote(const QString& text);
  QString note() const;

 protected:
  void setOwnProblem(const QString& text);

 private:
  void refreshProblem();
  QString key_;
  QWidget* control_;
  QLabel* name_;
  QLabel* problem_;
  QLabel* note_;
  QString fromDocument_, own_;
};

/// A line of text or, with a check, a value written as text. A text that the check rejects changes
/// nothing and is explained.
class LineField : public InspectorField {
  Q_OBJECT

 public:
  LineField(const QString& label, const QString& key, QWidget* parent);
  QLineEdit& line() const { return *line_; }
  void show(const QString& text);
  /// `refuse` returns the problem with a text, or nothing.
  void setCheck(std::function<QString(const QString&)> refuse) { refuse_ = std::move(refuse); }
  /// Up and Down change a whole number by this much.
  void setStep(int step) { step_ = step; }

 signals:
  void edited(const QString& text);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void take(const QString& text);
  QLineEdit* line_;
  QString shown_;
  std::function<QString(const QString&)> refuse_;
  int step_ = 0;
};

/// A field for a whole number, which Up and Down change by 1.
LineField* wholeField(const QString& label, const QString& key, QWidget* parent);
/// A field whose line must be a number.
LineField* numberField(const QString& label, const QString& key, QWidget* parent);

/// Several lines of text.
class AreaField : public InspectorField {
  Q_OBJECT

 public:
  AreaField(const QString& label, const QString& key, QWidget* parent);
  QPlainTextEdit& area() const { return *area_; }
  void show(const QString& text);

 signals:
  void edited(const QString& text);

 private:
  QPlainTextEdit* area_;
};

/// One of several choices; if editable, also another value.
class ChoiceField : public InspectorField {
  Q_OBJECT

 public:
  struct Choice {
    QString value;
    QString doc;  ///< describes the choice; shown under the control while it is chosen
    QIcon icon;
    QString shown;      ///< shown instead of the value
    QString refusal{};  ///< why it cannot be chosen: tooltip of the disabled choice
    bool operator==(const Choice& other) const {
      return value == other.value && doc == other.doc && shown == other.shown &&
             refusal == other.refusal && icon.cacheKey() == other.icon.cacheKey();
    }
  };
  ChoiceField(const QString& label, const QString& key, QWidget* parent, bool editable = false);
  QComboBox& combo() const { return *combo_; }
  /// A value that is not among the choices is shown anyway.
  void show(const std::vector<Choice>& choices, const QString& value);

 signals:
  void chosen(const QString& value);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  QComboBox* combo_;
  std::vector<Choice> choices_;
  bool editable_;
};

class CheckField : public InspectorField {
  Q_OBJECT

 public:
  CheckField(const QString& label, const QString& key, const QString& text, QWidget* parent);
  QCheckBox& box() const { return *box_; }
  void show(bool on);

 signals:
  void toggled(bool on);

 private:
  QCheckBox* box_;
};

/// Fields of one item: adds them to a layout and passes each its problems.
class FieldGroup {
 public:
  explicit FieldGroup(QVBoxLayout* layout) : layout_(layout) {}
  template <typename Field>
  Field* add(Field* field);
  /// Problems of `where` number `index`: those of a field, or of something inside it, go to it; the
  /// others are returned.
  QStringList show(const std::vector<Problem>& problems, Problem::Where where, int index,
                   const QString& under = {}) const;

 private:
  void place(InspectorField* field);
  QVBoxLayout* layout_;
  std::vector<InspectorField*> fields_;
};

template <typename Field>
Field* FieldGroup::add(Field* field) {
  place(field);
  return field;
}

}  // namespace fusebench
