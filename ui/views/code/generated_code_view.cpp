// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/code/generated_code_view.h"

#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "profiler/analysis/wording.h"
#include "profiler/machine/backend_table.h"
#include "profiler/machine/cuda_rows.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/code/listing_text.h"
#include "ui/views/base/elided_label.h"
#include "ui/views/base/flow_layout.h"
#include "ui/views/code/beside_code.h"
#include "ui/views/code/listing_edit.h"
#include "ui/views/code/search_bar.h"

namespace fusebench {
namespace {

constexpr std::size_t kMostAxes = 2;

QComboBox* choice(QWidget* parent, const QString& name, int least) {
  auto* box = new QComboBox(parent);
  box->setAccessibleName(name);
  box->setToolTip(name);
  box->setMinimumContentsLength(least);
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  return box;
}

}  // namespace

GeneratedCodeView::GeneratedCodeView(GeneratedCodeModel& model, QWidget* parent)
    : QWidget(parent),
      model_(model),
      variants_(choice(this, uiText("Variant"), 8)),
      kernels_(choice(this, uiText("Kernel"), 16)),
      languages_(choice(this, uiText("Language"), 8)),
      architectures_(choice(this, uiText("Device or GPU architecture"), 8)),
      place_(new ElidedLabel(this)),
      note_(new QLabel(this)),
      loop_(new QLabel(this)),
      find_(new QToolButton(this)),
      copy_(new QToolButton(this)),
      save_(new QToolButton(this)),
      pin_(new QToolButton(this)),
      besideButton_(new QToolButton(this)),
      filter_(new QToolButton(this)),
      editor_(new ListingEdit(this)),
      search_(new SearchBar(*editor_, this)),
      beside_(new BesideCode(model, this)) {
  layOut();
  connect(pin_, &QToolButton::clicked, this, &GeneratedCodeView::setPinned);
  connect(besideButton_, &QToolButton::clicked, this, &GeneratedCodeView::showBeside);
  connect(beside_, &BesideCode::changed, this, &GeneratedCodeView::compare);
  connect(filter_, &QToolButton::clicked, this, [this](bool on) {
    beside_->setFiltered(on);
    refresh();
  });
  const auto scrollBoth = [this](ListingEdit* moved, ListingEdit* other, bool second) {
    connect(moved->verticalScrollBar(), &QScrollBar::valueChanged, this, [=, this](int line) {
      if (scrolling_ || beside_->isHidden() || diff_.common.empty()) return;
      scrolling_ = true;
      other->verticalScrollBar()->setValue(second ? diff_.besideSecond(line) : diff_.beside(line));
      scrolling_ = false;
    });
  };
  scrollBoth(editor_, &beside_->editor(), false);
  scrollBoth(&beside_->editor(), editor_, true);
  connect(variants_, &QComboBox::activated, this, [this](int index) {
    setPinned(true);
    model_.setVariant(index);
    emit variantPicked(index);
  });
  connect(kernels_, &QComboBox::activated, this,
          [this](int index) { model_.setKernel(static_cast<std::size_t>(index)); });
  connect(languages_, &QComboBox::activated, this,
          [this](int index) { model_.setLanguage(languages_->itemData(index).toString()); });
  connect(architectures_, &QComboBox::activated, this,
          [this](int index) { chooseArchitecture(architectures_->itemData(index).toString()); });
  connect(find_, &QToolButton::clicked, this, &GeneratedCodeView::find);
  connect(copy_, &QToolButton::clicked, this, &GeneratedCodeView::copyAll);
  connect(save_, &QToolButton::clicked, this, &GeneratedCodeView::save);
  connect(editor_, &ListingEdit::saveWanted, this, &GeneratedCodeView::save);
  connect(&beside_->editor(), &ListingEdit::saveWanted, this,
          [this] { emit saveWanted(beside_->file(), beside_->editor().toPlainText()); });
  connect(again_, &QPushButton::clicked, &model_, &GeneratedCodeModel::retry);
  const auto reach = [this](ListingEdit* from, ListingEdit* other) {
    connect(from, &ListingEdit::opReached, this, [this, from, other](int op) {
      marked_.clear();
      if (op >= 0) marked_.push_back(op);
      from->markOps(marked_, false);
      // The ops of a kept code are those of the program before the edit.
      if (!beside_->keeps()) other->markOps(marked_, true);
      emit opsPicked(marked_);
    });
  };
  reach(editor_, &beside_->editor());
  reach(&beside_->editor(), editor_);
  connect(search_, &SearchBar::found, editor_, &ListingEdit::setFound);
  connect(&model_, &GeneratedCodeModel::experimentChanged, this, &GeneratedCodeView::listVariants);
  connect(&model_, &GeneratedCodeModel::changed, this, &GeneratedCodeView::refresh);
  const auto bind = [this](const QKeySequence& keys, auto act) {
    auto* shortcut = new QShortcut(keys, this);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, act);
  };
  bind(QKeySequence::Find, [this] { find(); });
  bind(Qt::Key_F3, [this] { findNext(false); });
  bind(Qt::SHIFT | Qt::Key_F3, [this] { findNext(true); });
  setFocusProxy(editor_);
  listVariants();
  refresh();
}

void GeneratedCodeView::layOut() {
  place_->setObjectName(QStringLiteral("muted"));
  place_->setContentsMargins(4, 0, 4, 0);
  for (auto [button, text, tip] :
       {std::tuple{find_, uiText("Find"), uiText("Find in this code (Ctrl+F)")},
        std::tuple{copy_, uiText("Copy"), uiText("Copy the whole text")},
        std::tuple{save_, uiText("Save as…"), uiText("Write this code to a file")},
        std::tuple{pin_, uiText("Pin"),
                   uiText("Keep this variant and point, whatever the canvas and the chart show")},
        std::tuple{
            besideButton_, uiText("Split"),
            uiText("Another variant's code next to this one, with the differences marked, or "
                   "another language")},
        std::tuple{filter_, uiText("Filter"),
                   uiText("Hide directives, comments and labels that nothing jumps to")}}) {
    button->setObjectName(QStringLiteral("small"));
    button->setText(text);
    button->setAccessibleName(tip);
    button->setToolTip(tip);
  }
  for (QToolButton* button : {pin_, besideButton_, filter_}) button->setCheckable(true);
  filter_->setChecked(true);
  for (std::size_t axis = 0; axis < kMostAxes; ++axis) {
    places_.push_back(choice(this, uiText("Point on the axis"), 4));
    connect(places_.back(), &QComboBox::activated, this, [this, axis](int index) {
      std::vector<std::int64_t> at = model_.place();
      if (axis >= at.size()) return;
      at[axis] = places_[axis]->itemData(index).toLongLong();
      setPinned(true);
      model_.setPlace(std::move(at));
    });
  }
  auto* choices = new QHBoxLayout;
  choices->setContentsMargins(8, 6, 8, 2);
  choices->setSpacing(6);
  // Lists that do not fit into one row wrap, because cut entries would be ambiguous.
  auto* lists = new FlowLayout(nullptr, 6);
  architectures_->addItem(uiText("Chosen device"), QString());
  for (const std::string& name : architectureNames())
    architectures_->addItem(QString::fromStdString(name), QString::fromStdString(name));
  for (QComboBox* list : {variants_, kernels_, languages_}) lists->addWidget(list);
  for (QToolButton* button : {filter_, find_, copy_, save_}) lists->addWidget(button);
  choices->addLayout(lists, 1);
  page_ = makeWords();
  stack_ = new QStackedLayout;
  pair_ = new QSplitter(Qt::Horizontal, this);
  pair_->setHandleWidth(1);
  pair_->setChildrenCollapsible(false);
  pair_->addWidget(editor_);
  pair_->addWidget(beside_);
  beside_->hide();
  stack_->addWidget(page_);
  stack_->addWidget(pair_);
  auto* where = new QHBoxLayout;
  where->setContentsMargins(8, 2, 8, 4);
  where->setSpacing(6);
  for (QComboBox* place : places_) where->addWidget(place);
  where->addWidget(architectures_);
  where->addWidget(place_, 1);
  where->addWidget(pin_);
  where->addWidget(besideButton_);
  auto* line = new QFrame(this);
  line->setObjectName(QStringLiteral("separator"));
  line->setFixedHeight(1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(choices);
  layout->addLayout(where);
  note_->setObjectName(QStringLiteral("codeNotice"));
  note_->setTextFormat(Qt::PlainText);
  note_->setWordWrap(true);
  note_->setContentsMargins(12, 0, 12, 5);
  note_->hide();
  layout->addWidget(note_);
  layout->addWidget(line);
  layout->addWidget(search_);
  layout->addLayout(stack_, 1);
  loop_->setObjectName(QStringLiteral("muted"));
  loop_->setTextFormat(Qt::PlainText);
  loop_->setWordWrap(true);
  loop_->setContentsMargins(12, 4, 12, 5);
  loop_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  loop_->setToolTip(
      uiText("Counted, not measured. Assumed core: up to four instructions per cycle, of which two "
             "loads, one store and two arithmetic instructions; four cycles per addition or "
             "multiplication, five per division."));
  loop_->hide();
  layout->addWidget(loop_);
}

/// Where there is no code: an invitation, progress, or what went wrong and a button.
QWidget* GeneratedCodeView::makeWords() {
  auto* page = new QWidget(this);
  page->setBackgroundRole(QPalette::Base);
  page->setAutoFillBackground(true);
  words_ = new QLabel(page);
  words_->setObjectName(QStringLiteral("muted"));
  words_->setWordWrap(true);
  words_->setTextFormat(Qt::PlainText);
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  progress_ = new QProgressBar(page);
  progress_->setRange(0, 0);
  progress_->setTextVisible(false);
  progress_->setFixedSize(160, 4);
  progress_->setAccessibleName(uiText("Generating the code"));
  again_ = new QPushButton(uiText("Try again"), page);
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(14, 14, 14, 14);
  layout->setSpacing(10);
  layout->addWidget(words_);
  layout->addWidget(progress_);
  layout->addWidget(again_, 0, Qt::AlignLeft);
  layout->addStretch(1);
  return page;
}

void GeneratedCodeView::setTheme(const Theme& theme) {
  theme_ = &theme;
  editor_->setTheme(theme);
  beside_->setTheme(theme);
  search_->setTheme(theme);
}

void GeneratedCodeView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  model_.setActive(true);
  beside_->setActive(!beside_->isHidden());
}

void GeneratedCodeView::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  model_.setActive(false);
  beside_->setActive(false);
}

void GeneratedCodeView::listVariants() {
  variants_->clear();
  if (const Experiment* experiment = model_.experiment())
    for (const Variant& variant : experiment->variants)
      variants_->addItem(QString::fromStdString(variant.name));
  variants_->setEnabled(variants_->count() > 0);
  variants_->setCurrentIndex(model_.experiment() ? model_.variant() : -1);
}

/// An axis each: where the code is made for.
void GeneratedCodeView::fillPlaces() {
  const Experiment* experiment = model_.experiment();
  const std::vector<std::int64_t> at = model_.place();
  for (std::size_t axis = 0; axis < places_.size(); ++axis) {
    QComboBox& box = *places_[axis];
    box.setVisible(axis < at.size());
    if (!experiment || axis >= at.size()) continue;
    const Axis& of = experiment->axes[axis];
    QStringList names, shown;
    for (const std::int64_t value : of.values)
      names << QStringLiteral("%1 %2")
                   .arg(QString::fromStdString(wording::axisWord(of.name)))
                   .arg(value);
    for (int i = 0; i < box.count(); ++i) shown << box.itemText(i);
    if (names != shown) {
      box.clear();
      for (int i = 0; i < names.size(); ++i)
        box.addItem(names[i], static_cast<qlonglong>(of.values[static_cast<std::size_t>(i)]));
    }
    box.setCurrentIndex(box.findData(static_cast<qlonglong>(at[axis])));
  }
}

/// Pinned, variant and point stay. Otherwise they follow the canvas and the chart again.
void GeneratedCodeView::setPinned(bool pinned) {
  pin_->setChecked(pinned);
  if (pinned) return;
  if (canvasVariant_ >= 0) model_.setVariant(canvasVariant_);
  model_.setPlace(cursorPlace_);
}

void GeneratedCodeView::followVariant(int variant) {
  canvasVariant_ = variant;
  if (!pin_->isChecked()) model_.setVariant(variant);
}

void GeneratedCodeView::followPlace(const std::vector<std::int64_t>& at) {
  cursorPlace_ = at;
  if (!pin_->isChecked()) model_.setPlace(at);
}

void GeneratedCodeView::setNote(const QString& note) {
  givenNote_ = note;
  showNote();
}

void GeneratedCodeView::chooseArchitecture(const QString& name) {
  model_.setArchitecture(name);
  architectures_->setCurrentIndex(std::max(0, architectures_->findData(name)));
  showNote();
}

void GeneratedCodeView::followRecording(const QString& architecture) {
  // The person's choice stays.
  if (std::exchange(recorded_, architecture) == model_.architecture())
    chooseArchitecture(architecture);
}

void GeneratedCodeView::showNote() {
  const QString& architecture = model_.architecture();
  const QString note =
      architecture.isEmpty() ? givenNote_
      : architecture == recorded_
          ? uiText("Written here for %1, the architecture of the GPU that the run was recorded on.")
                .arg(architecture)
          : uiText("Written for %1 without a GPU: it is not measured.").arg(architecture);
  note_->setText(note);
  note_->setVisible(!note.isEmpty());
}

void GeneratedCodeView::showBeside(bool shown) {
  besideButton_->setChecked(shown);
  beside_->setVisible(shown);
  beside_->setActive(shown && isVisible());
  if (shown) pair_->setSizes({pair_->width() / 2, pair_->width() / 2});
  compare();
}

/// Marks the lines that only one of the two texts has.
void GeneratedCodeView::compare() {
  using State = GeneratedCodeModel::State;
  const bool both = !beside_->isHidden() && model_.state() == State::ready && beside_->ready();
  const QString language = model_.language();
  const bool same = language == beside_->language();
  diff_ = both && same ? lineDiff(comparableLines(editor_->toPlainText(), language),
                                  comparableLines(beside_->editor().toPlainText(), language))
                       : LineDiff();
  editor_->setDiffering(diff_.first);
  beside_->editor().setDiffering(diff_.second);
  if (!both) return;
  if (!same)
    return beside_->note().setText(
        uiText("Select a line in either to mark the lines of its op in both."));
  const std::size_t differing = diff_.differing();
  beside_->note().setText(differing == 0 ? uiText("The same text.")
                                         : uiText("%1 of %2 lines are in this one only (≠).")
                                               .arg(differing)
                                               .arg(diff_.first.size() + diff_.second.size()));
}

void GeneratedCodeView::fillLanguages() {
  QStringList names, shown;
  for (const std::string& language : model_.listing().languages)
    names << QString::fromStdString(language);
  for (int i = 0; i < languages_->count(); ++i) shown << languages_->itemData(i).toString();
  // Another device has as many, but others.
  if (!names.isEmpty() && names != shown) {
    languages_->clear();
    for (const QString& name : names) languages_->addItem(languageTitle(name), name);
  }
  // A list of nothing would be a riddle.
  for (QComboBox* list : {kernels_, languages_}) list->setVisible(list->count() > 0);
  languages_->setCurrentIndex(languages_->findData(model_.language()));
}

void GeneratedCodeView::refresh() {
  variants_->setCurrentIndex(model_.experiment() ? model_.variant() : -1);
  listKernels(*kernels_, model_);
  fillPlaces();
  fillLanguages();
  const bool ready = model_.state() == GeneratedCodeModel::State::ready;
  // While the next text is made, the one before may stay if it is of the same cell.
  const bool stays =
      model_.state() == GeneratedCodeModel::State::loading && !model_.code().text.empty();
  if (ready) showCode();
  if (!ready && !stays) showWords();
  stack_->setCurrentWidget(ready || stays ? static_cast<QWidget*>(pair_) : page_);
  if (!ready && !stays) loop_->clear();
  loop_->setVisible(!loop_->text().isEmpty());
  find_->setEnabled(ready);
  copy_->setEnabled(ready);
  save_->setEnabled(ready);
  compare();
}

void GeneratedCodeView::showCode() {
  const auto& listing = model_.listing();
  const auto launches = static_cast<int>(listing.kernels.size());
  QString text = launches == 1 ? uiText("1 launch") : uiText("%1 launches").arg(launches);
  place_->setText(text + QStringLiteral(" · ") + QString::fromStdString(listing.inputs));
  const bool assembly = model_.language() == QLatin1String("assembly");
  const ListingLines shown = shownLines(model_, filter_->isChecked());
  if (editor_->toPlainText() != shown.text || editor_->lineOps() != shown.ops) {
    editor_->setListing(shown.text, model_.language(), shown.ops,
                        statementLabels(model_, shown.ops));
    if (assembly) editor_->startAt(innermostLoop(shown.text, shown.ops));
    search_->refresh();
  }
  const auto counts = assembly ? loopCounts(shown.text, shown.ops) : std::nullopt;
  loop_->setText(counts ? loopWords(*counts) : QString());
  editor_->markOps(marked_, true);
}

void GeneratedCodeView::showWords() {
  using State = GeneratedCodeModel::State;
  const bool failed = model_.state() == State::failed;
  const bool loading = model_.state() == State::loading;
  words_->setText(loading  ? uiText("Generating the code…")
                  : failed ? uiText("Could not generate the code: %1").arg(model_.message())
                           : model_.message());
  words_->setAccessibleName(words_->text());
  progress_->setVisible(loading);
  again_->setVisible(failed);
  if (!loading) place_->clear();
}

void GeneratedCodeView::markOps(std::vector<int> ops) {
  marked_ = std::move(ops);
  if (!marked_.empty() && model_.state() == GeneratedCodeModel::State::ready)
    if (const auto kernel = model_.kernelOf(marked_.front())) model_.setKernel(*kernel);
  editor_->markOps(marked_, true);
}

void GeneratedCodeView::copyAll() {
  editor_->copyAll();
}

void GeneratedCodeView::save() {
  emit saveWanted(fileOf(model_), editor_->toPlainText());
}

void GeneratedCodeView::findNext(bool backwards) {
  if (stack_->currentWidget() == pair_) search_->next(backwards);
}

void GeneratedCodeView::find() {
  if (stack_->currentWidget() == pair_) search_->open();
}

}  // namespace fusebench

#include "moc_generated_code_view.cpp"
