// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/export/export_fields.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/models/base/ui_text.h"
#include "ui/views/chart/curve_marks.h"

namespace fusebench {
namespace {

constexpr int kLeastWide = 280, kLeastHigh = 200, kMostSide = 8000;
constexpr int kPartsShown = 6;  ///< rows of the list; more scroll

QSpinBox* sideBox(QWidget* parent, const QString& name, int least) {
  auto* box = new QSpinBox(parent);
  box->setRange(least, kMostSide);
  box->setAccessibleName(name);
  box->setObjectName(QStringLiteral("figureNumber"));
  box->setButtonSymbols(QAbstractSpinBox::NoButtons);
  return box;
}

/// By its text; -1 and other places of no entry are left alone.
bool chooseIn(QComboBox& box, int index) {
  if (index >= 0) box.setCurrentIndex(index);
  return index >= 0;
}

const Theme& themeAt(int index) {
  const Theme* themes[] = {&lightTheme(), &darkTheme(), &grayTheme()};
  return *themes[std::clamp(index, 0, 2)];
}

/// A square in the color of a part's curve.
QIcon swatchOf(const QColor& color) {
  QPixmap picture(12, 12);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawRoundedRect(QRectF(1, 1, 10, 10), 2, 2);
  return QIcon(picture);
}

QString nameOf(LegendPlace place) {
  switch (place) {
    case LegendPlace::ends:
      return uiText("At the ends of the curves");
    case LegendPlace::top:
      return uiText("Above");
    case LegendPlace::bottom:
      return uiText("Below");
    case LegendPlace::none:
      return uiText("None");
  }
  return {};
}

}  // namespace

ExportFields::ExportFields(const ExportSource& source, QWidget* parent)
    : QWidget(parent),
      source_(source),
      listed_(source.forms()),
      rows_(new QFormLayout(this)),
      parts_(new QListWidget(this)) {
  rows_->setContentsMargins(0, 0, 0, 0);
  rows_->setLabelAlignment(Qt::AlignLeft);
  rows_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  forms_ = addCombo(uiText("As"), false);
  for (const ExportForm& one : listed_)
    forms_->addItem(uiText(one.name), QLatin1String(one.ending));
  codes_ = addCombo(uiText("Generated code"), false);
  codes_->addItem(uiText("None"));
  codes_->addItem(uiText("All variants"), QStringLiteral("all"));
  for (const QString& name : source.codes()) codes_->addItem(name, name);
  views_ = addCombo(uiText("View"));
  for (QString view : source.views()) {
    const QString key = view;
    view[0] = view[0].toUpper();
    views_->addItem(view, key);
  }
  others_ = addCombo(uiText("Against"));
  variants_ = addCombo(uiText("Variant"));
  slices_ = addCombo(uiText("At"));
  rows_->addRow(uiText("Shown"), parts_);
  figureFields_.push_back(parts_);
  parts_->setAccessibleName(uiText("What the figure shows"));
  parts_->setObjectName(QStringLiteral("figureParts"));
  presets_ = addCombo(uiText("Preset"));
  for (const FigurePreset& preset : figurePresets()) presets_->addItem(preset.name, preset.key);
  addSize();
  themes_ = addCombo(uiText("Colors"));
  for (const char* name : {uiMark("Light"), uiMark("Dark"), uiMark("Gray")})
    themes_->addItem(uiText(name));
  legends_ = addCombo(uiText("Legend"));
  addTexts();
  connect(presets_, &QComboBox::currentIndexChanged, this, &ExportFields::applyPreset);
  connect(views_, &QComboBox::currentIndexChanged, this, &ExportFields::applyView);
  connect(themes_, &QComboBox::currentIndexChanged, this, &ExportFields::fillParts);
  connect(parts_, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
    hidden_.removeAll(item->text());
    if (item->checkState() != Qt::Checked) hidden_ << item->text();
    refresh();
  });
  setFocusProxy(forms_);
  settling_ = false;
  applyView();
}

QComboBox* ExportFields::addCombo(const QString& label, bool figure) {
  auto* box = new QComboBox(this);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  rows_->addRow(label, box);
  if (figure) figureFields_.push_back(box);
  connect(box, &QComboBox::currentIndexChanged, this, &ExportFields::refresh);
  return box;
}

void ExportFields::addSize() {
  size_ = new QWidget(this);
  auto* row = new QHBoxLayout(size_);
  row->setContentsMargins(0, 0, 0, 0);
  width_ = sideBox(size_, uiText("Width"), kLeastWide);
  height_ = sideBox(size_, uiText("Height"), kLeastHigh);
  row->addWidget(width_, 1);
  row->addWidget(new QLabel(QStringLiteral("×"), size_));
  row->addWidget(height_, 1);
  rows_->addRow(uiText("Size"), size_);
  figureFields_.push_back(size_);
  for (QSpinBox* box : {width_, height_})
    connect(box, &QSpinBox::valueChanged, this, &ExportFields::refresh);
}

void ExportFields::addTexts() {
  title_ = new QLineEdit(source_.title(), this);
  caption_ = new QLineEdit(source_.caption(), this);
  caption_->setCursorPosition(0);
  rows_->addRow(uiText("Title"), title_);
  rows_->addRow(uiText("Caption"), caption_);
  for (QLineEdit* edit : {title_, caption_}) {
    figureFields_.push_back(edit);
    connect(edit, &QLineEdit::textChanged, this, &ExportFields::refresh);
  }
  scale_ = new QDoubleSpinBox(this);
  scale_->setObjectName(QStringLiteral("figureNumber"));
  scale_->setButtonSymbols(QAbstractSpinBox::NoButtons);
  scale_->setDecimals(1);
  scale_->setRange(0.5, 10);
  scale_->setSingleStep(0.5);
  scale_->setValue(2);
  scale_->setSuffix(QStringLiteral("×"));
  rows_->addRow(uiText("Scale of PNG"), scale_);
  connect(scale_, &QDoubleSpinBox::valueChanged, this, &ExportFields::refresh);
}

const ExportForm& ExportFields::form() const {
  return listed_[static_cast<std::size_t>(std::max(0, forms_->currentIndex()))];
}

ExportChoices ExportFields::choices() const {
  ExportChoices choices;
  choices.view = views_->currentData().toString();
  choices.slice = static_cast<std::size_t>(std::max(0, slices_->currentIndex()));
  if (variants_->count() > 0) choices.variant = variants_->currentData().toInt();
  choices.other = 1 + static_cast<std::size_t>(std::max(0, others_->currentIndex()));
  choices.scale = scale_->value();
  choices.style.size = QSizeF(width_->value(), height_->value());
  choices.sized = true;
  choices.style.em = figurePresets()[static_cast<std::size_t>(presets_->currentIndex())].em;
  choices.style.theme = themeAt(themes_->currentIndex());
  if (legends_->count() > 0)
    choices.style.legend = static_cast<LegendPlace>(legends_->currentData().toInt());
  choices.style.title = title_->text();
  choices.style.caption = caption_->text();
  choices.hidden = hidden_;
  choices.published = !hidden_.contains(publishedName());
  if (form().report && codes_->currentIndex() > 0)
    choices.code = {codes_->currentData().toString().toStdString()};
  return choices;
}

void ExportFields::showHeight(double height) {
  if (asked_.height) return;
  const QSignalBlocker quiet(height_);
  height_->setValue(static_cast<int>(std::lround(height)));
}

void ExportFields::applyPreset() {
  if (settling_) return;
  const FigurePreset& preset = figurePresets()[static_cast<std::size_t>(presets_->currentIndex())];
  settling_ = true;
  themes_->setCurrentIndex(preset.gray ? 2 : 0);
  // A journal sets the title itself.
  if (preset.gray) title_->clear();
  setSize(preset.size);
  settling_ = false;
  if (const auto size = source_.sizeOf(choices())) setSize(*size);
  refresh();
}

void ExportFields::applyView() {
  if (settling_) return;
  settling_ = true;
  asked_ = source_.choicesOf(views_->currentData().toString());
  const auto fill = [](QComboBox& box, const auto& entries, auto&& add) {
    const QString before = box.currentText();
    box.clear();
    for (const auto& entry : entries) add(entry);
    box.setCurrentIndex(std::max(0, box.findText(before)));
  };
  fill(*variants_, asked_.variants,
       [&](const auto& entry) { variants_->addItem(entry.first, entry.second); });
  fill(*slices_, asked_.slices, [&](const QString& name) { slices_->addItem(name); });
  fill(*others_, asked_.others, [&](const QString& name) { others_->addItem(name); });
  // A view without one does not forget the choice for the next.
  if (!asked_.legends.empty())
    fill(*legends_, asked_.legends,
         [&](LegendPlace place) { legends_->addItem(nameOf(place), static_cast<int>(place)); });
  height_->setEnabled(asked_.height);
  height_->setToolTip(asked_.height ? QString() : uiText("Fit to its contents"));
  fillParts();
  settling_ = false;
  applyPreset();
}

/// Icons of the parts use the colors of the chosen theme.
void ExportFields::fillParts() {
  const QSignalBlocker quiet(parts_);
  const Theme& theme = themeAt(themes_->currentIndex());
  parts_->clear();
  for (const FigurePart& part : asked_.parts) {
    auto* item = new QListWidgetItem(part.name, parts_);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(hidden_.contains(part.name) ? Qt::Unchecked : Qt::Checked);
    if (part.series >= 0) item->setIcon(swatchOf(theme.series(part.series).color));
  }
  const int rows = std::clamp(static_cast<int>(asked_.parts.size()), 1, kPartsShown);
  parts_->setFixedHeight(rows * std::max(18, parts_->sizeHintForRow(0)) + 6);
}

void ExportFields::refresh() {
  if (settling_) return;
  settling_ = true;
  const bool figure = form().figure != nullptr;
  for (QWidget* field : figureFields_) rows_->setRowVisible(field, figure);
  rows_->setRowVisible(views_, figure && views_->count() > 0);
  rows_->setRowVisible(variants_, figure && variants_->count() > 0);
  rows_->setRowVisible(slices_, figure && slices_->count() > 0);
  rows_->setRowVisible(others_, figure && others_->count() > 0);
  rows_->setRowVisible(legends_, figure && !asked_.legends.empty());
  rows_->setRowVisible(parts_, figure && !asked_.parts.empty());
  rows_->setRowVisible(scale_, form().pixels);
  rows_->setRowVisible(codes_, form().report != nullptr && codes_->count() > 2);
  settling_ = false;
  emit changed();
}

// ---- choosing ----

bool ExportFields::chooseForm(const QString& ending) {
  return chooseIn(*forms_, forms_->findData(ending));
}

void ExportFields::chooseFigure() {
  const auto drawn =
      std::ranges::find_if(listed_, [](const ExportForm& one) { return one.figure; });
  if (drawn != listed_.end()) forms_->setCurrentIndex(static_cast<int>(drawn - listed_.begin()));
}

bool ExportFields::chooseView(const QString& view) {
  return chooseIn(*views_, views_->findData(view));
}

bool ExportFields::choosePreset(const QString& key) {
  return chooseIn(*presets_, presets_->findData(key));
}

bool ExportFields::chooseCode(const QString& variant) {
  return chooseIn(*codes_, codes_->findData(variant));
}

bool ExportFields::chooseOther(const QString& name) {
  return chooseIn(*others_, others_->findText(name));
}

void ExportFields::chooseSlice(std::size_t slice) {
  if (static_cast<int>(slice) < slices_->count()) slices_->setCurrentIndex(static_cast<int>(slice));
}

void ExportFields::setSize(const QSizeF& size) {
  const QSignalBlocker quietWidth(width_), quietHeight(height_);
  width_->setValue(static_cast<int>(std::lround(size.width())));
  height_->setValue(static_cast<int>(std::lround(size.height())));
  refresh();
}

void ExportFields::setCaption(const QString& caption) {
  caption_->setText(caption);
}

void ExportFields::setHidden(const QStringList& names) {
  hidden_ = names;
  fillParts();
  refresh();
}

void ExportFields::setShown(const QString& part, bool shown) {
  const auto found = parts_->findItems(part, Qt::MatchExactly);
  if (!found.isEmpty()) found.front()->setCheckState(shown ? Qt::Checked : Qt::Unchecked);
}

QStringList ExportFields::parts() const {
  QStringList names;
  for (const FigurePart& part : asked_.parts) names << part.name;
  return names;
}

}  // namespace fusebench

#include "moc_export_fields.cpp"
