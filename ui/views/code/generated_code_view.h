// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/models/code/generated_code_model.h"
#include "ui/models/code/line_diff.h"
#include "ui/theme/theme.h"

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSplitter;
class QStackedLayout;
class QToolButton;

namespace fusebench {

class ListingEdit;
class BesideCode;
class SearchBar;

/// The code generated for a variant's kernels: choose variant, point, kernel and language, then
/// read, search and copy. Variant and point follow the canvas and the chart until one is chosen
/// here or the view is pinned. The code of another variant can be shown next to it, with the
/// differing lines marked. Lines and ops are linked: selecting an op on the canvas marks its lines,
/// and vice versa.
class GeneratedCodeView : public QWidget {
  Q_OBJECT

 public:
  explicit GeneratedCodeView(GeneratedCodeModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);

  /// Tints the lines of these ops (of the experiment's program), and goes to the kernel that
  /// computes the first of them. Signals nothing.
  void markOps(std::vector<int> ops);

  ListingEdit& editor() { return *editor_; }
  SearchBar& search() { return *search_; }
  QComboBox& variants() { return *variants_; }
  QComboBox& kernels() { return *kernels_; }
  QComboBox& languages() { return *languages_; }
  QComboBox& architectures() { return *architectures_; }
  QLabel& words() { return *words_; }
  QPushButton& again() { return *again_; }
  QToolButton& pin() { return *pin_; }
  QToolButton& besideButton() { return *besideButton_; }
  QToolButton& filter() { return *filter_; }
  /// Counts of one pass of the innermost loop, of assembly.
  QLabel& loop() { return *loop_; }
  BesideCode& beside() { return *beside_; }
  QComboBox& places(std::size_t axis) { return *places_[axis]; }
  QLabel& place() { return *place_; }
  /// Sentence above the code that names its device if that is not the shown run's device. Empty:
  /// none.
  void setNote(const QString& note);
  /// The run that is shown was recorded on a GPU of this architecture, which is not here: its code
  /// is shown, until another architecture is chosen. Empty: the chosen device's code again.
  void followRecording(const QString& architecture);
  QLabel& note() { return *note_; }

 public slots:
  /// The canvas shows this variant; taken unless it is pinned.
  void followVariant(int variant);
  /// The chart's cursor moved to this point, which is taken unless the view is pinned.
  void followPlace(const std::vector<std::int64_t>& at);
  void copyAll();
  void save();
  void find();
  void findNext(bool backwards);

 signals:
  /// The cursor came to the lines of these ops; none: to lines of no op.
  void opsPicked(std::vector<int> ops);
  void variantPicked(int variant);
  /// The code is to be written to a file; `file`: a name for it.
  void saveWanted(const QString& file, const QString& code);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void layOut();
  QWidget* makeWords();
  void listVariants();
  void refresh();
  void fillPlaces();
  void fillLanguages();
  void showNote();
  void chooseArchitecture(const QString& name);
  void setPinned(bool pinned);
  void showBeside(bool shown);
  void compare();
  void showCode();
  void showWords();

  GeneratedCodeModel& model_;
  const Theme* theme_ = &darkTheme();
  QComboBox *variants_, *kernels_, *languages_, *architectures_;
  std::vector<QComboBox*> places_;  ///< an axis each
  QLabel *place_, *note_, *loop_;
  QToolButton *find_, *copy_, *save_, *pin_, *besideButton_, *filter_;
  ListingEdit* editor_;
  SearchBar* search_;
  QLabel* words_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QPushButton* again_ = nullptr;
  QWidget* page_ = nullptr;
  QStackedLayout* stack_ = nullptr;
  QSplitter* pair_ = nullptr;
  BesideCode* beside_ = nullptr;
  LineDiff diff_;
  QString givenNote_, recorded_;
  bool scrolling_ = false;
  int canvasVariant_ = -1;                   ///< what is followed; -1: nothing yet
  std::vector<std::int64_t> cursorPlace_{};  ///< what is followed
  std::vector<int> marked_;
};

}  // namespace fusebench
