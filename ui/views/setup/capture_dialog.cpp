// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/setup/capture_dialog.h"

#include <QCheckBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include "profiler/study/torch_worker.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/window/settings.h"
#include "ui/views/base/tab_order.h"

namespace fusebench {
namespace {

/// The words of a field.
std::vector<std::string> wordsOf(const QLineEdit& field) {
  static const QRegularExpression kSpaces(QStringLiteral("\\s+"));
  std::vector<std::string> words;
  for (const QString& word : field.text().split(kSpaces, Qt::SkipEmptyParts))
    words.push_back(word.toStdString());
  return words;
}

}  // namespace

CaptureDialog::CaptureDialog(Settings& settings, Dialogs dialogs, Capturer capturer,
                             const QString& file, QWidget* parent)
    : QDialog(parent),
      settings_(settings),
      dialogs_(std::move(dialogs)),
      capturer_(std::move(capturer)) {
  setWindowTitle(uiText("Capture a model"));
  auto* what = new QLabel(
      uiText("Makes an experiment of your own PyTorch model. The file needs a function make() that "
             "returns (model, args), or a module whose inputs you describe here."),
      this);
  what->setWordWrap(true);
  auto* form = new QFormLayout;
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  fill(*form);
  file_->setText(QDir::toNativeSeparators(file));

  warning_ = new QLabel(this);
  warning_->setTextFormat(Qt::PlainText);
  status_ = new QLabel(this);
  status_->setTextFormat(Qt::PlainText);
  status_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  status_->setAccessibleName(uiText("Progress of the capture"));
  for (QLabel* label : {warning_, status_}) label->setWordWrap(true);
  progress_ = new QProgressBar(this);
  progress_->setRange(0, 0);
  progress_->setTextVisible(false);
  QSizePolicy kept = progress_->sizePolicy();
  kept.setRetainSizeWhenHidden(true);
  progress_->setSizePolicy(kept);
  capture_ = new QPushButton(uiText("Run file and capture"), this);
  capture_->setObjectName(QStringLiteral("primary"));
  capture_->setDefault(true);
  stop_ = new QPushButton(this);
  stop_->setAutoDefault(false);

  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(stop_);
  buttons->addWidget(capture_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(16, 16, 16, 16);
  layout->setSpacing(10);
  layout->addWidget(what);
  layout->addLayout(form);
  layout->addWidget(warning_);
  layout->addWidget(progress_);
  layout->addWidget(status_, 1, Qt::AlignTop);
  layout->addLayout(buttons);
  resize(620, sizeHint().height());

  for (QLineEdit* each : {file_, name_, python_})
    connect(each, &QLineEdit::textChanged, this, &CaptureDialog::refresh);
  connect(capture_, &QPushButton::clicked, this, &CaptureDialog::start);
  connect(stop_, &QPushButton::clicked, this, &CaptureDialog::reject);
  refresh();
}

CaptureDialog::~CaptureDialog() {
  asked_.request_stop();
}

QLineEdit* CaptureDialog::addLine(QFormLayout& form, const QString& label, const QString& tip,
                                  QPushButton* button) {
  auto* line = new QLineEdit(this);
  line->setToolTip(tip);
  line->setAccessibleName(label);
  if (!button) {
    form.addRow(label, line);
    return line;
  }
  button->setAutoDefault(false);
  auto* row = new QHBoxLayout;
  row->addWidget(line, 1);
  row->addWidget(button);
  form.addRow(label, row);
  return line;
}

void CaptureDialog::fill(QFormLayout& form) {
  auto* chooseFile = new QPushButton(uiText("Choose…"), this);
  file_ = addLine(form, uiText("File"),
                  uiText("A Python file, or a .pt2 file of torch.export.save"), chooseFile);
  connect(chooseFile, &QPushButton::clicked, this, [this] {
    const QString from = QFileInfo(file_->text()).absolutePath();
    const QString path =
        dialogs_.openFile(this, file_->text().isEmpty() ? settings_.folder() : from);
    if (!path.isEmpty()) file_->setText(QDir::toNativeSeparators(path));
  });
  name_ = addLine(form, uiText("Function or module"),
                  uiText("The function that returns (model, args), or the module"));
  name_->setPlaceholderText(uiText("make, or the only module"));
  inputs_ = addLine(
      form, uiText("Inputs"),
      uiText("Only for a module without example arguments: its tensors, separated by spaces, "
             "as in x=1,3,224,224:float32 ids=1,16:int64:0..999"));
  inputs_->setPlaceholderText(uiText("from make(); otherwise for example x=1,3,224,224:float32"));
  dynamic_ = addLine(form, uiText("Sizes that vary"),
                     uiText("A size that becomes an axis, as in batch=0 (dimension 0 of every "
                            "input) or length=ids.1"));
  dynamic_->setPlaceholderText(uiText("none; for example batch=0"));
  python_ = addLine(form, uiText("Python"),
                    uiText("The Python that executes the file; it needs "
                           "PyTorch 2"));
  python_->setText(settings_.python());
  python_->setPlaceholderText(QString::fromStdString(chosenPython({})));
  auto* chooseOut = new QPushButton(uiText("Choose…"), this);
  out_ = addLine(form, uiText("Experiment"), uiText("The experiment to write"), chooseOut);
  connect(chooseOut, &QPushButton::clicked, this, [this] {
    const QString path =
        dialogs_.saveFile(this, out_->text().isEmpty() ? out_->placeholderText() : out_->text(),
                          QStringLiteral("%1 (*.json)").arg(uiText("Experiments")));
    if (!path.isEmpty()) out_->setText(QDir::toNativeSeparators(path));
  });
  weights_ = new QCheckBox(uiText("Keep the weights' values"), this);
  weights_->setToolTip(
      uiText("In a .safetensors file next to the experiment. Without it, weights are random "
             "numbers with the same mean and standard deviation."));
  train_ = new QCheckBox(uiText("Training mode, with gradients"), this);
  train_->setToolTip(uiText("The model returns a loss; gradients of all parameters are computed"));
  form.addRow(QString(), weights_);
  form.addRow(QString(), train_);
}

bool CaptureDialog::focusNextPrevChild(bool next) {
  return followTabOrder(*this, next);
}

CaptureOptions CaptureDialog::options() const {
  CaptureOptions options;
  options.file = file_->text().trimmed().toStdString();
  options.name = name_->text().trimmed().toStdString();
  options.python = chosenPython(python_->text().trimmed().toStdString());
  options.folder = QFileInfo(file_->text().trimmed()).absolutePath().toStdString();
  options.out = out_->text().trimmed().toStdString();
  options.weights = weights_->isChecked();
  options.train = train_->isChecked();
  options.inputs = wordsOf(*inputs_);
  options.dynamic = wordsOf(*dynamic_);
  return options;
}

void CaptureDialog::refresh() {
  const bool running = busy();
  const CaptureOptions given = options();
  for (QWidget* each : std::initializer_list<QWidget*>{file_, name_, inputs_, dynamic_, python_,
                                                       out_, weights_, train_})
    each->setEnabled(!running);
  warning_->setText(given.file.empty()
                        ? uiText("Nothing is executed until you confirm.")
                        : uiText("%1 will execute %2 with your permissions.")
                              .arg(text(given.python), QFileInfo(text(given.file)).fileName()));
  out_->setPlaceholderText(given.file.empty() ? QString() : text(defaultCapture(given)));
  progress_->setVisible(running);
  capture_->setEnabled(!running && !given.file.empty());
  stop_->setText(running ? uiText("Stop capture") : uiText("Close"));
}

void CaptureDialog::start() {
  if (busy() || file_->text().trimmed().isEmpty()) return;
  asked_ = std::stop_source();
  const auto progress = [this](const std::string& phase) {
    QMetaObject::invokeMethod(this, [this, phase] {
      if (busy()) say(Tone::info, text(phase) + u'…');
    });
  };
  task_.start(
      [options = options(), capturer = capturer_, progress,
       asked = asked_](const std::stop_token& abandoned) {
        // The dialog may be gone before the capture is: then it stops, too.
        const std::stop_callback stop(abandoned, [asked]() mutable { asked.request_stop(); });
        End end;
        try {
          end.result = capturer(options, progress, asked.get_token());
        } catch (const std::exception& error) {
          end.stopped = asked.stop_requested();
          end.error = QString::fromUtf8(error.what());
        }
        return end;
      },
      [this](const End& end) { take(end); });
  say(Tone::info, uiText("Starting Python…"));
  refresh();
  stop_->setFocus();
}

void CaptureDialog::take(const End& end) {
  refresh();
  capture_->setFocus();
  if (!end.error.isEmpty()) return say(end.stopped ? Tone::info : Tone::error, end.error);
  const CaptureResult& result = end.result;
  if (const QString python = python_->text().trimmed(); python != settings_.python())
    settings_.setPython(python);  // its PyTorch runs the experiment's variants
  QStringList remarks = {
      uiText("Captured %1 operations of %2 modules.").arg(result.nodes).arg(result.modules)};
  for (const std::string& note : result.notes) remarks << text(note);
  if (!result.problem.empty()) remarks << uiText("It cannot run yet: %1").arg(text(result.problem));
  emit captured(text(result.out), result.problem.empty() ? Tone::info : Tone::warning,
                remarks.join(u' '));
  accept();
}

void CaptureDialog::reject() {
  if (!busy()) return QDialog::reject();
  asked_.request_stop();
  say(Tone::info, uiText("Stopping…"));
}

void CaptureDialog::say(Tone tone, const QString& words) {
  status_->setProperty("tone", nameOf(tone));
  status_->setText(words);
}

}  // namespace fusebench

#include "moc_capture_dialog.cpp"
