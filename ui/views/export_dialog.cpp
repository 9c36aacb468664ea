// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/export_dialog.h"

#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPicture>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QStackedWidget>
#include <algorithm>
#include <cmath>

#include "profiler/files.h"
#include "profiler/wording.h"
#include "ui/export/figure_paint.h"
#include "ui/export/figure_svg.h"
#include "ui/export/report.h"
#include "ui/models/documents.h"
#include "ui/views/figure_preview.h"

namespace fusebench {
namespace {

constexpr int kBeside = 48;  ///< of the screen stays free around the dialog
constexpr qsizetype kPreviewText = 20'000;
constexpr int kLeastWide = 280, kLeastHigh = 200, kMostSide = 8000;

QSpinBox* sideBox(QWidget* parent, const QString& name, int least) {
  auto* box = new QSpinBox(parent);
  box->setRange(least, kMostSide);
  box->setAccessibleName(name);
  box->setObjectName(QStringLiteral("figureNumber"));
  box->setButtonSymbols(QAbstractSpinBox::NoButtons);
  return box;
}

/// What a report holds, for the preview: made of its sections without making them.
QString reportContents(const Run& run, bool comparison, bool code) {
  const bool anatomy = std::any_of(run.cells.begin(), run.cells.end(),
                                   [](const Cell& cell) { return cell.anatomy.has_value(); });
  const std::pair<bool, const char*> kParts[] = {
      {comparison,
       "Comparison: the curves over each other, the ratio of every cell; then of each run"},
      {true, "Question and answer"},
      {true, "Curves: latency, speed-up, launches, compile, payback"},
      {anatomy, "Where a call's time goes"},
      {true, "Break-even and payback, in words with their intervals"},
      {run.experiment.axes.size() > 1, "Break-even map"},
      {true, "Tables"},
      {true, "Program: PyTorch text and graph"},
      {code, "Generated code"},
      {true, "Machine and method, with the experiment"}};
  QStringList lines = {QString::fromStdString(run.experiment.title), {}};
  for (const auto& [there, what] : kParts)
    if (there) lines << QStringLiteral("·  ") + QLatin1String(what);
  return lines.join(u'\n');
}

}  // namespace

ExportDialog::ExportDialog(std::shared_ptr<const Run> run, std::vector<Crossing> crossings,
                           const Dialogs& dialogs, const QString& folder, QWidget* parent)
    : QDialog(parent),
      run_(std::move(run)),
      crossings_(std::move(crossings)),
      dialogs_(dialogs),
      folder_(folder),
      name_(fileNameFor(run_->experiment)) {
  setWindowTitle(QStringLiteral("Export"));
  pool_.setMaxThreadCount(1);
  auto* columns = new QHBoxLayout(this);
  columns->setContentsMargins(16, 16, 16, 16);
  columns->setSpacing(16);
  stack_ = new QStackedWidget(this);
  preview_ = new FigurePreview(stack_);
  preview_->setGround(palette().color(QPalette::AlternateBase));
  text_ = new QPlainTextEdit(stack_);
  text_->setReadOnly(true);
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setAccessibleName(QStringLiteral("Preview"));
  stack_->addWidget(preview_);
  stack_->addWidget(text_);
  columns->addWidget(stack_, 1);
  columns->addWidget(makeForm());
  settling_ = false;
  applyPreset();
  resize(QSize(1080, 600).boundedTo(screen()->availableSize() - QSize(kBeside, kBeside)));
  forms_->setFocus();
}

ExportDialog::~ExportDialog() {
  stop_.request_stop();  // a report may be waiting for a worker
  pool_.waitForDone();
}

QWidget* ExportDialog::makeForm() {
  auto* side = new QWidget(this);
  side->setFixedWidth(320);
  auto* rows = new QVBoxLayout(side);
  rows->setContentsMargins(0, 0, 0, 0);
  fields_ = new QFormLayout;
  fields_->setLabelAlignment(Qt::AlignLeft);
  fields_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  const auto combo = [&](const QString& label, bool figure = true) {
    auto* box = new QComboBox(side);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    fields_->addRow(label, box);
    if (figure) figureFields_.push_back(box);
    connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    return box;
  };
  forms_ = combo(QStringLiteral("As"), false);
  for (const ExportForm& one : exportForms())
    forms_->addItem(QLatin1String(one.name), QLatin1String(one.ending));
  codes_ = combo(QStringLiteral("Generated code"), false);
  codes_->addItem(QStringLiteral("None"));
  codes_->addItem(QStringLiteral("All variants"), QStringLiteral("all"));
  for (const Variant& variant : run_->experiment.variants)
    codes_->addItem(QString::fromStdString(variant.name), QString::fromStdString(variant.name));
  views_ = combo(QStringLiteral("View"));
  for (QString view : exportViews(*run_)) {
    const QString key = view;
    view[0] = view[0].toUpper();
    views_->addItem(view, key);
  }
  const Experiment& experiment = run_->experiment;
  variants_ = combo(QStringLiteral("Variant"));
  for (int v = 0; v < static_cast<int>(experiment.variants.size()); ++v)
    if (v != experiment.baselineIndex())
      variants_->addItem(
          QString::fromStdString(experiment.variants[static_cast<std::size_t>(v)].name), v);
  slices_ = combo(QStringLiteral("At"));
  if (experiment.axes.size() > 1)
    for (const std::int64_t value : experiment.axes[1].values)
      slices_->addItem(
          QString::fromStdString(wording::at(experiment.axes[1], static_cast<double>(value))));
  presets_ = combo(QStringLiteral("Preset"));
  for (const FigurePreset& preset : figurePresets()) presets_->addItem(preset.name, preset.key);
  auto* size = new QWidget(side);
  auto* sizeRow = new QHBoxLayout(size);
  sizeRow->setContentsMargins(0, 0, 0, 0);
  width_ = sideBox(size, QStringLiteral("Width"), kLeastWide);
  height_ = sideBox(size, QStringLiteral("Height"), kLeastHigh);
  sizeRow->addWidget(width_, 1);
  sizeRow->addWidget(new QLabel(QStringLiteral("×"), size));
  sizeRow->addWidget(height_, 1);
  fields_->addRow(QStringLiteral("Size"), size);
  figureFields_.push_back(size);
  themes_ = combo(QStringLiteral("Colours"));
  for (const char* name : {"Light", "Dark", "Grey"}) themes_->addItem(QLatin1String(name));
  legends_ = combo(QStringLiteral("Legend"));
  for (const char* name : {"At the curves' ends", "Above", "Below", "None"})
    legends_->addItem(QLatin1String(name));
  title_ = new QLineEdit(QString::fromStdString(experiment.title), side);
  caption_ = new QLineEdit(side);
  fields_->addRow(QStringLiteral("Title"), title_);
  fields_->addRow(QStringLiteral("Caption"), caption_);
  scale_ = new QDoubleSpinBox(side);
  scale_->setObjectName(QStringLiteral("figureNumber"));
  scale_->setButtonSymbols(QAbstractSpinBox::NoButtons);
  scale_->setDecimals(1);
  scale_->setRange(0.5, 10);
  scale_->setSingleStep(0.5);
  scale_->setValue(2);
  scale_->setSuffix(QStringLiteral("×"));
  fields_->addRow(QStringLiteral("Scale of PNG"), scale_);
  for (QWidget* field : std::initializer_list<QWidget*>{title_, caption_})
    figureFields_.push_back(field);
  rows->addLayout(fields_);
  rows->addStretch(1);
  status_ = new QLabel(side);
  status_->setWordWrap(true);
  status_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  rows->addWidget(status_);
  auto* buttons = new QHBoxLayout;
  copy_ = new QPushButton(QStringLiteral("Copy"), side);
  copy_->setToolTip(QStringLiteral("Put it on the clipboard"));
  auto* close = new QPushButton(QStringLiteral("Close"), side);
  write_ = new QPushButton(QStringLiteral("Export…"), side);
  write_->setDefault(true);
  write_->setObjectName(QStringLiteral("primary"));
  for (QPushButton* button : {copy_, close, write_}) buttons->addWidget(button);
  rows->addLayout(buttons);
  connect(presets_, &QComboBox::currentIndexChanged, this, &ExportDialog::applyPreset);
  for (QSpinBox* box : {width_, height_})
    connect(box, &QSpinBox::valueChanged, this, &ExportDialog::refresh);
  connect(scale_, &QDoubleSpinBox::valueChanged, this, &ExportDialog::refresh);
  for (QLineEdit* edit : {title_, caption_})
    connect(edit, &QLineEdit::textChanged, this, &ExportDialog::refresh);
  connect(copy_, &QPushButton::clicked, this, &ExportDialog::copy);
  connect(close, &QPushButton::clicked, this, &QDialog::reject);
  connect(write_, &QPushButton::clicked, this, &ExportDialog::chooseFile);
  return side;
}

bool ExportDialog::chooseForm(const QString& ending) {
  const int index = forms_->findData(ending);
  if (index >= 0) forms_->setCurrentIndex(index);
  return index >= 0;
}

bool ExportDialog::chooseView(const QString& view) {
  const int index = views_->findData(view);
  if (index >= 0) views_->setCurrentIndex(index);
  return index >= 0;
}

bool ExportDialog::choosePreset(const QString& key) {
  const int index = presets_->findData(key);
  if (index >= 0) presets_->setCurrentIndex(index);
  return index >= 0;
}

bool ExportDialog::chooseCode(const QString& variant) {
  const int index = codes_->findData(variant);
  if (index >= 0) codes_->setCurrentIndex(index);
  return index >= 0;
}

void ExportDialog::compareWith(const QString& ownName, std::shared_ptr<const Run> other,
                               const QString& name) {
  setWindowTitle(QStringLiteral("Export comparison"));
  ownName_ = ownName;
  otherCrossings_ = findCrossings(*other);
  other_ = std::move(other);
  otherName_ = name;
  name_ += QStringLiteral("-comparison");
  refresh();
}

bool ExportDialog::openOn(const QString& view, const ChartShown& shown, bool models,
                          std::vector<LaidOver> over) {
  shownView_ = view;
  shown_ = shown;
  models_ = models;
  over_ = std::move(over);
  const bool there = chooseView(view);
  refresh();
  return there;
}

void ExportDialog::setWorker(std::vector<std::string> command) {
  worker_ = std::move(command);
  refresh();
}

std::vector<ExportedRun> ExportDialog::exportedRuns() const {
  std::vector<ExportedRun> runs;
  runs.push_back({(other_ ? ownName_ : name_).toStdString(), run_.get(), crossings_});
  if (other_) runs.push_back({otherName_.toStdString(), other_.get(), otherCrossings_});
  if (form().figure)
    for (const LaidOver& over : over_)
      runs.push_back({over.name.toStdString(), over.run.get(), {}});
  return runs;
}

const ExportForm& ExportDialog::form() const {
  return exportForms()[static_cast<std::size_t>(std::max(0, forms_->currentIndex()))];
}

ExportChoices ExportDialog::choices() const {
  ExportChoices choices;
  choices.view = views_->currentData().toString();
  if (slices_->count() > 0) choices.slice = static_cast<std::size_t>(slices_->currentIndex());
  if (variants_->count() > 0) choices.variant = variants_->currentData().toInt();
  choices.scale = scale_->value();
  choices.style.size = QSizeF(width_->value(), height_->value());
  choices.style.em = figurePresets()[static_cast<std::size_t>(presets_->currentIndex())].em;
  const Theme* themes[] = {&lightTheme(), &darkTheme(), &greyTheme()};
  choices.style.theme = *themes[std::max(0, themes_->currentIndex())];
  choices.style.legend = static_cast<LegendPlace>(std::max(0, legends_->currentIndex()));
  choices.style.title = title_->text();
  choices.style.caption = caption_->text();
  choices.style.models = models_;
  if (choices.view == shownView_) choices.shown = shown_;
  choices.workerCommand = worker_;
  if (isReport() && codes_->currentIndex() > 0 && !worker_.empty())
    choices.code = {codes_->currentData().toString().toStdString()};
  return choices;
}

void ExportDialog::applyPreset() {
  const FigurePreset& preset = figurePresets()[static_cast<std::size_t>(presets_->currentIndex())];
  settling_ = true;
  width_->setValue(static_cast<int>(std::lround(preset.size.width())));
  height_->setValue(static_cast<int>(std::lround(preset.size.height())));
  themes_->setCurrentIndex(preset.grey ? 2 : 0);
  // A journal sets title and caption itself.
  if (preset.grey) title_->clear();
  settling_ = false;
  refresh();
}

void ExportDialog::refresh() {
  if (settling_) return;
  const bool figure = form().figure;
  const bool map = views_->currentData() == QLatin1String("map");
  const bool twoAxes = run_->experiment.axes.size() > 1;
  for (QWidget* field : figureFields_) fields_->setRowVisible(field, figure);
  fields_->setRowVisible(variants_,
                         figure && (map || views_->currentData() == QLatin1String("program")));
  fields_->setRowVisible(slices_, figure && !map && twoAxes);
  fields_->setRowVisible(scale_, QLatin1String(form().ending) == QLatin1String("png"));
  fields_->setRowVisible(codes_, isReport() && !worker_.empty());
  copy_->setEnabled(!isReport());
  const std::vector<ExportedRun> runs = exportedRuns();
  try {
    if (figure) {
      preview_->setFigure(figureOf(runs, choices()));
      stack_->setCurrentWidget(preview_);
    } else {
      const QString text = dataText();
      text_->setFont(text.isEmpty() ? textFont(1.1) : monoFont(0.92));
      text_->setPlainText(text.isEmpty()
                              ? reportContents(*run_, other_ != nullptr, !choices().code.empty())
                              : text.left(kPreviewText));
      stack_->setCurrentWidget(text_);
    }
    if (!busy_)
      say(QLatin1String(form().ending) == QLatin1String("png")
              ? QStringLiteral("%1 × %2 pixels")
                    .arg(std::lround(width_->value() * scale_->value()))
                    .arg(std::lround(height_->value() * scale_->value()))
              : QString(),
          false);
    write_->setEnabled(!busy_);
  } catch (const std::exception& error) {
    // What the preview shows is another figure.
    write_->setEnabled(false);
    say(QString::fromUtf8(error.what()), true);
  }
}

bool ExportDialog::isReport() const {
  const std::string_view ending = form().ending;
  return ending == "html" || ending == "pdf";
}

/// All of what a form of text will hold; empty for the others.
QString ExportDialog::dataText() const {
  if (form().figure || isReport()) return {};
  return QString::fromUtf8(exportedContent(exportedRuns(), form(), choices()));
}

QString ExportDialog::previewText() const {
  return stack_->currentWidget() == text_ ? text_->toPlainText() : QString();
}

void ExportDialog::copy() {
  auto* copied = new QMimeData;
  if (form().figure) {
    const Figure& figure = preview_->figure();
    copied->setImageData(figureImage(figure, scale_->value()));
    copied->setData(QStringLiteral("image/svg+xml"), toSvg(figure).toUtf8());
    copied->setText(figure.description);
  } else {
    const QString text = dataText();
    copied->setText(text.isEmpty() ? text_->toPlainText() : text);
  }
  QGuiApplication::clipboard()->setMimeData(copied);
  say(QStringLiteral("Copied."), false);
}

void ExportDialog::chooseFile() {
  const QString ending = QLatin1Char('.') + QLatin1String(form().ending);
  QString path =
      dialogs_.saveFile(this, folder_ + u'/' + name_ + ending,
                        QStringLiteral("%1 (*%2)").arg(QLatin1String(form().name), ending));
  if (path.isEmpty()) return;
  if (!path.endsWith(ending, Qt::CaseInsensitive) && QFileInfo(path).suffix().isEmpty())
    path += ending;
  writeTo(path);
}

void ExportDialog::writeTo(const QString& path) {
  if (busy_) return;
  busy_ = true;
  write_->setEnabled(false);
  say(QStringLiteral("Writing…"), false);
  // Sections are made here, for the canvas can only be drawn here; pages and file over there.
  const std::vector<ExportedRun> runs = exportedRuns();
  const bool isReport = this->isReport();
  auto report = std::make_shared<Report>();
  if (isReport) *report = makeReport(runs);
  const ExportForm chosen = form();
  Figure figure = chosen.figure ? preview_->figure() : Figure();
  if (figure.picture) {  // playing one reads its buffer: each thread has its own
    auto own = std::make_shared<QPicture>();
    own->setData(figure.picture->data(), figure.picture->size());
    figure.picture = std::move(own);
  }
  pool_.start([this, path, chosen, report, isReport, run = run_, other = other_, runs, figure,
               picked = choices(), stop = stop_.get_token()] {
    QString wrong;
    try {
      if (isReport) addGeneratedCode(*report, chosenCode(*run, picked, stop));
      const QByteArray content = chosen.figure ? figureContent(figure, chosen, picked.scale)
                                 : !isReport   ? exportedContent(runs, chosen, picked)
                                 : std::string_view(chosen.ending) == "html"
                                     ? toHtml(*report).toUtf8()
                                     : toPdf(*report);
      writeFile(path.toStdString(), {content.data(), static_cast<std::size_t>(content.size())});
    } catch (const std::exception& error) {
      wrong = QString::fromUtf8(error.what());
    }
    QMetaObject::invokeMethod(this, [this, path, wrong] {
      busy_ = false;
      write_->setEnabled(true);
      say(wrong.isEmpty() ? QStringLiteral("Written: %1").arg(path) : wrong, !wrong.isEmpty());
      if (!wrong.isEmpty()) return emit failed(wrong);
      folder_ = QFileInfo(path).absolutePath();
      emit exported(path);
    });
  });
}

void ExportDialog::say(const QString& text, bool wrong) {
  status_->setProperty("tone", wrong ? QStringLiteral("error") : QString());
  status_->setText(text);
}

}  // namespace fusebench
