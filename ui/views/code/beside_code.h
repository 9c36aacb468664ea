// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <map>
#include <optional>
#include <vector>

#include "ui/models/code/generated_code_model.h"
#include "ui/models/code/listing_text.h"
#include "ui/theme/theme.h"

class QComboBox;
class QLabel;

namespace fusebench {

class ListingEdit;

/// Code of another variant, next to the code of a GeneratedCodeModel. It has the same experiment,
/// point, language and device; the variant and the kernel are chosen here. Or the first code as it
/// was when it was kept, to compare an edit with it.
class BesideCode : public QWidget {
  Q_OBJECT

 public:
  explicit BesideCode(GeneratedCodeModel& first, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  /// While it is not seen, nothing is made.
  void setActive(bool active);

  GeneratedCodeModel& model() { return second_; }
  ListingEdit& editor() { return *editor_; }
  QComboBox& variants() { return *variants_; }
  QComboBox& kernels() { return *kernels_; }
  /// The first entry is the language of the first code.
  QComboBox& languages() { return *languages_; }
  QLabel& note() { return *note_; }
  /// Whether there is code, of this language.
  bool ready() const;
  QString language() const;
  /// A name for a file with it.
  QString file() const;
  /// Shows the first code as it is now, whatever it becomes.
  void keep();
  bool keeps() const { return kept_.has_value(); }
  /// Leaves out directives and the like.
  void setFiltered(bool filtered);

 signals:
  /// Another text is shown, or none.
  void changed();

 private:
  void takeExperiment();
  void follow();
  void refresh();
  void fillLanguages();
  void show(const ListingLines& shown, const QString& language, const QStringList& labels);

  /// A code that does not change.
  struct Kept {
    ListingLines whole;
    QString language, file;
    std::map<int, int> statements;  ///< by op, as the program then had them
  };

  GeneratedCodeModel& first_;
  GeneratedCodeModel second_;
  QComboBox *variants_, *kernels_, *languages_;
  QLabel* note_;
  ListingEdit* editor_;
  bool chosen_ = false;  ///< the variant was
  bool filtered_ = true;
  std::optional<Kept> kept_;
};

/// A kernel's text as it is shown: columns of assembly and PTX aligned.
/// "Loop nest", "Assembly".
QString languageTitle(const QString& language);
QString shownText(const GeneratedCode& code, const QString& language);
/// The lines shown of a model's code, with the op of each; filtered: without directives and similar
/// lines.
ListingLines shownLines(const GeneratedCodeModel& model, bool filtered);
/// Per line with an op of `ops` the statement that it is the first line of, else empty.
QStringList statementLabels(const GeneratedCodeModel& model, const std::vector<int>& ops);
/// A name for a file with the model's code.
QString fileOf(const GeneratedCodeModel& model);
/// Lists a model's kernels, "2 of 4 · sin_mul".
void listKernels(QComboBox& box, const GeneratedCodeModel& model);

}  // namespace fusebench
