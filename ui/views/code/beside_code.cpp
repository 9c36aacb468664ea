// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/code/beside_code.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

#include "ui/models/base/ui_text.h"
#include "ui/views/code/listing_edit.h"

namespace fusebench {

QString languageTitle(const QString& language) {
  if (language == QLatin1String("readable")) return uiText("Loop nest");
  if (language == QLatin1String("llvm")) return uiText("LLVM IR");
  if (language == QLatin1String("assembly")) return uiText("Assembly");
  if (language == QLatin1String("cuda")) return uiText("CUDA C++");
  if (language == QLatin1String("ptx")) return uiText("PTX");
  if (language == QLatin1String("sass")) return uiText("SASS");
  if (language == QLatin1String("resources")) return uiText("Resources");
  return language;
}

QString shownText(const GeneratedCode& code, const QString& language) {
  QString text = QString::fromStdString(code.text);
  if (text.endsWith(u'\n')) text.chop(1);
  const bool columns = language == QLatin1String("assembly") || language == QLatin1String("ptx");
  return columns ? inColumns(text) : text;
}

ListingLines shownLines(const GeneratedCodeModel& model, bool filtered) {
  ListingLines whole{shownText(model.code(), model.language()), model.code().lineOps};
  return filtered ? withoutDirectives(whole, model.language()) : whole;
}

namespace {

template <typename StatementOf>
QStringList labelsOf(const std::vector<int>& ops, const StatementOf& statementOf) {
  QStringList labels;
  int before = -2;
  for (const int op : ops) {
    const int statement = op < 0 ? -1 : statementOf(op);
    QString label;
    if (statement != before && statement >= 0)
      label = statement == 0 ? uiText("ret") : QString::number(statement);
    before = statement;
    labels << label;
  }
  return labels;
}

}  // namespace

QStringList statementLabels(const GeneratedCodeModel& model, const std::vector<int>& ops) {
  return labelsOf(ops, [&model](int op) { return model.statementOf(op); });
}

QString fileOf(const GeneratedCodeModel& model) {
  const Experiment* experiment = model.experiment();
  const QString variant =
      experiment ? QString::fromStdString(
                       experiment->variants.at(static_cast<std::size_t>(model.variant())).name)
                 : QString();
  return listingFile(variant, model.kernel(), model.language());
}

void listKernels(QComboBox& box, const GeneratedCodeModel& model) {
  const auto& kernels = model.listing().kernels;
  QStringList names, shown;
  for (std::size_t k = 0; k < kernels.size(); ++k)
    names << uiText("%1 of %2 · %3")
                 .arg(k + 1)
                 .arg(kernels.size())
                 .arg(QString::fromStdString(kernels[k].name));
  for (int i = 0; i < box.count(); ++i) shown << box.itemText(i);
  if (names != shown) {
    box.clear();
    box.addItems(names);
  }
  box.setEnabled(kernels.size() > 1);
  box.setCurrentIndex(kernels.empty() ? -1 : static_cast<int>(model.kernel()));
}

BesideCode::BesideCode(GeneratedCodeModel& first, QWidget* parent)
    : QWidget(parent),
      first_(first),
      variants_(new QComboBox(this)),
      kernels_(new QComboBox(this)),
      languages_(new QComboBox(this)),
      note_(new QLabel(this)),
      editor_(new ListingEdit(this)) {
  for (auto [box, name] : {std::pair{variants_, uiText("Other variant")},
                           std::pair{kernels_, uiText("Kernel of the other variant")},
                           std::pair{languages_, uiText("Language of the code next to it")}}) {
    box->setAccessibleName(name);
    box->setToolTip(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(7);
  }
  editor_->setAccessibleName(uiText("Generated code of the other variant"));
  note_->setObjectName(QStringLiteral("muted"));
  note_->setContentsMargins(12, 0, 12, 4);
  note_->setTextFormat(Qt::PlainText);
  note_->setWordWrap(true);
  auto* choices = new QHBoxLayout;
  choices->setContentsMargins(8, 4, 8, 4);
  choices->setSpacing(6);
  choices->addWidget(variants_, 1);
  choices->addWidget(kernels_, 1);
  choices->addWidget(languages_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(choices);
  layout->addWidget(note_);
  layout->addWidget(editor_, 1);
  connect(variants_, &QComboBox::activated, this, [this](int index) {
    if (index == variants_->count() - 1) return keep();
    kept_.reset();
    chosen_ = true;
    second_.setVariant(index);
  });
  connect(kernels_, &QComboBox::activated, this,
          [this](int index) { second_.setKernel(static_cast<std::size_t>(index)); });
  connect(languages_, &QComboBox::activated, this, &BesideCode::follow);
  connect(&first_, &GeneratedCodeModel::optionsChanged, this,
          [this] { second_.setOptions(first_.options()); });
  connect(&first_, &GeneratedCodeModel::experimentChanged, this, &BesideCode::takeExperiment);
  connect(&first_, &GeneratedCodeModel::changed, this, &BesideCode::follow);
  connect(&second_, &GeneratedCodeModel::changed, this, &BesideCode::refresh);
  second_.setOptions(first_.options());
  takeExperiment();
  follow();
}

void BesideCode::setTheme(const Theme& theme) {
  editor_->setTheme(theme);
}

void BesideCode::setActive(bool active) {
  second_.setActive(active);
}

void BesideCode::takeExperiment() {
  const Experiment* experiment = first_.experiment();
  variants_->clear();
  if (!experiment) return second_.clear(QString());
  for (const Variant& variant : experiment->variants)
    variants_->addItem(QString::fromStdString(variant.name));
  variants_->addItem(uiText("This code, kept while you edit"));
  second_.setExperiment(*experiment);
  follow();
}

/// The choices: the same language as the first code, or another one of the same kernel.
void BesideCode::fillLanguages() {
  QStringList names = {QString()}, shown;
  for (const std::string& language : first_.listing().languages)
    names << QString::fromStdString(language);
  for (int i = 0; i < languages_->count(); ++i) shown << languages_->itemData(i).toString();
  if (names == shown) return;
  const QString before = languages_->currentData().toString();
  languages_->clear();
  for (const QString& name : names)
    languages_->addItem(name.isEmpty() ? uiText("Same language") : languageTitle(name), name);
  languages_->setCurrentIndex(std::max(0, languages_->findData(before)));
}

/// Place and language are the first one's; until a variant is chosen here it is another than there,
/// or in another language the same.
void BesideCode::follow() {
  const Experiment* experiment = first_.experiment();
  if (!experiment) return;
  fillLanguages();
  const auto count = static_cast<int>(experiment->variants.size());
  const QString language = languages_->currentData().toString();
  const bool other = !language.isEmpty() && language != first_.language();
  if (!chosen_ && other)
    second_.setVariant(first_.variant());
  else if (!chosen_ && count > 1 && second_.variant() == first_.variant())
    second_.setVariant((first_.variant() + 1) % count);
  second_.setPlace(first_.place());
  second_.setLanguage(other ? language : first_.language());
  if (other && second_.variant() == first_.variant()) second_.setKernel(first_.kernel());
  variants_->setCurrentIndex(kept_ ? variants_->count() - 1 : second_.variant());
}

bool BesideCode::ready() const {
  return kept_ || second_.state() == GeneratedCodeModel::State::ready;
}

QString BesideCode::language() const {
  return kept_ ? kept_->language : second_.language();
}

QString BesideCode::file() const {
  return kept_ ? kept_->file : fileOf(second_);
}

void BesideCode::keep() {
  if (first_.state() == GeneratedCodeModel::State::ready) {
    Kept kept{shownLines(first_, false), first_.language(), fileOf(first_), {}};
    for (const int op : kept.whole.ops) kept.statements[op] = first_.statementOf(op);
    kept_ = std::move(kept);
  }
  refresh();
}

void BesideCode::setFiltered(bool filtered) {
  filtered_ = filtered;
  refresh();
}

void BesideCode::show(const ListingLines& shown, const QString& language,
                      const QStringList& labels) {
  if (editor_->toPlainText() != shown.text)
    editor_->setListing(shown.text, language, shown.ops, labels);
}

void BesideCode::refresh() {
  using State = GeneratedCodeModel::State;
  kernels_->setEnabled(!kept_);
  languages_->setEnabled(!kept_);
  if (kept_) {
    variants_->setCurrentIndex(variants_->count() - 1);
    const ListingLines shown =
        filtered_ ? withoutDirectives(kept_->whole, kept_->language) : kept_->whole;
    show(shown, kept_->language,
         labelsOf(shown.ops, [this](int op) { return kept_->statements[op]; }));
    note_->clear();
    emit changed();
    return;
  }
  variants_->setCurrentIndex(second_.experiment() ? second_.variant() : -1);
  listKernels(*kernels_, second_);
  const bool ready = second_.state() == State::ready;
  const ListingLines shown = ready ? shownLines(second_, filtered_) : ListingLines();
  if (ready || second_.state() != State::loading)
    show(shown, second_.language(), ready ? statementLabels(second_, shown.ops) : QStringList());
  note_->setText(second_.state() == State::loading ? uiText("Generating the code…")
                                                   : second_.message());
  emit changed();
}

}  // namespace fusebench

#include "moc_beside_code.cpp"
