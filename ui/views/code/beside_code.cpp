// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/code/beside_code.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <vector>

#include "ui/models/base/ui_text.h"
#include "ui/models/code/listing_text.h"
#include "ui/views/code/listing_edit.h"

namespace fusebench {

QString shownText(const GeneratedCode& code, const QString& language) {
  QString text = QString::fromStdString(code.text);
  if (text.endsWith(u'\n')) text.chop(1);
  const bool columns = language == QLatin1String("assembly") || language == QLatin1String("ptx");
  return columns ? inColumns(text) : text;
}

QStringList statementLabels(const GeneratedCodeModel& model) {
  QStringList labels;
  int before = -2;
  for (const int op : model.code().lineOps) {
    const int statement = op < 0 ? -1 : model.statementOf(op);
    QString label;
    if (statement != before && statement >= 0)
      label = statement == 0 ? uiText("ret") : QString::number(statement);
    before = statement;
    labels << label;
  }
  return labels;
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
      note_(new QLabel(this)),
      editor_(new ListingEdit(this)) {
  for (auto [box, name] : {std::pair{variants_, uiText("Variant beside")},
                           std::pair{kernels_, uiText("Kernel of the variant beside")}}) {
    box->setAccessibleName(name);
    box->setToolTip(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(7);
  }
  editor_->setAccessibleName(uiText("Generated code of the variant beside"));
  note_->setObjectName(QStringLiteral("muted"));
  note_->setContentsMargins(12, 0, 12, 4);
  note_->setTextFormat(Qt::PlainText);
  note_->setWordWrap(true);
  auto* choices = new QHBoxLayout;
  choices->setContentsMargins(8, 4, 8, 4);
  choices->setSpacing(6);
  choices->addWidget(variants_, 1);
  choices->addWidget(kernels_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(choices);
  layout->addWidget(note_);
  layout->addWidget(editor_, 1);
  connect(variants_, &QComboBox::activated, this, [this](int index) {
    chosen_ = true;
    second_.setVariant(index);
  });
  connect(kernels_, &QComboBox::activated, this,
          [this](int index) { second_.setKernel(static_cast<std::size_t>(index)); });
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
  second_.setExperiment(*experiment);
  follow();
}

/// Place and language are the first one's; until a variant is chosen here it is another than there.
void BesideCode::follow() {
  const Experiment* experiment = first_.experiment();
  if (!experiment) return;
  const auto count = static_cast<int>(experiment->variants.size());
  if (!chosen_ && count > 1 && second_.variant() == first_.variant())
    second_.setVariant((first_.variant() + 1) % count);
  second_.setPlace(first_.place());
  second_.setLanguage(first_.language());
  variants_->setCurrentIndex(second_.variant());
}

void BesideCode::refresh() {
  using State = GeneratedCodeModel::State;
  variants_->setCurrentIndex(second_.experiment() ? second_.variant() : -1);
  listKernels(*kernels_, second_);
  const bool ready = second_.state() == State::ready;
  const QString text = ready ? shownText(second_.code(), second_.language()) : QString();
  if (ready || second_.state() != State::loading)
    if (editor_->toPlainText() != text)
      editor_->setListing(text, second_.language(),
                          ready ? second_.code().lineOps : std::vector<int>(),
                          ready ? statementLabels(second_) : QStringList());
  note_->setText(second_.state() == State::loading ? uiText("Making the code…")
                                                   : second_.message());
  emit changed();
}

}  // namespace fusebench

#include "moc_beside_code.cpp"
