// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/models/code/generated_code_model.h"
#include "ui/theme/theme.h"

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QStackedLayout;
class QToolButton;

namespace fusebench {

class ListingEdit;
class SearchBar;

/// What a variant's kernels become: pick variant, kernel and language, read, search, copy. The
/// lines of an op go with the op on the canvas, both ways.
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
  QLabel& words() { return *words_; }
  QPushButton& again() { return *again_; }

 public slots:
  void copyAll();
  void find();
  void findNext(bool backwards);

 signals:
  /// The cursor came to the lines of these ops; none: to lines of no op.
  void opsPicked(std::vector<int> ops);
  void variantPicked(int variant);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void layOut();
  QWidget* makeWords();
  void listVariants();
  void refresh();
  void fillKernels();
  void fillLanguages();
  void showCode();
  void showWords();
  QStringList statementLabels() const;

  GeneratedCodeModel& model_;
  const Theme* theme_ = &darkTheme();
  QComboBox *variants_, *kernels_, *languages_;
  QLabel* place_;
  QToolButton *find_, *copy_;
  ListingEdit* editor_;
  SearchBar* search_;
  QLabel* words_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QPushButton* again_ = nullptr;
  QWidget* page_ = nullptr;
  QStackedLayout* stack_ = nullptr;
  std::vector<int> marked_;
};

}  // namespace fusebench
