// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/compile_log_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QStandardItem>
#include <algorithm>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

constexpr int kMostFindings = 3;
constexpr int kLogSigns = 12;
constexpr int kTipLines = 40;

QString secondsCell(double seconds) {
  return formatTime(seconds * 1e9);
}

QString countCell(std::int64_t count) {
  return count < 0 ? QStringLiteral("–") : formatCount(count);
}

/// The first lines of a code, for a tip.
std::string beginOf(const std::string& code) {
  std::size_t end = 0;
  for (int line = 0; line < kTipLines && end != std::string::npos; ++line)
    end = code.find('\n', end + (line > 0));
  return end == std::string::npos ? code : code.substr(0, end) + "\n…";
}

}  // namespace

CompileLogPanel::CompileLogPanel(CompileLogModel& model, QWidget* parent)
    : FilePanel(model,
                {uiText("Compile log"), uiText("Reading the compile log…"),
                 uiText("Open a torch.compile log (Ctrl+O): the directory that TORCH_TRACE names, "
                        "or the text that TORCH_LOGS=\"graph_breaks,recompiles\" prints.")},
                parent),
      model_(model),
      part_(new QComboBox(controls())),
      log_(new QComboBox(controls())) {
  part_->addItems({uiText("Recompilations"), uiText("Graph breaks"),
                   uiText("Compile time by frame"), uiText("Compile time by phase"),
                   uiText("Dynamic shapes"), uiText("Generated code")});
  part_->setAccessibleName(uiText("Part of the compile log that is shown"));
  part_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  log_->setAccessibleName(uiText("Compile log that is shown"));
  log_->setMinimumContentsLength(kLogSigns);
  log_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  controlLine().addWidget(part_);
  controlLine().addWidget(log_);
  connect(part_, &QComboBox::currentIndexChanged, this, &CompileLogPanel::refresh);
  connect(log_, &QComboBox::currentIndexChanged, this, &CompileLogPanel::refresh);
  refresh();
}

void CompileLogPanel::refresh() {
  const QSignalBlocker quiet(log_);
  const int chosen = std::max(0, log_->currentIndex());
  log_->clear();
  for (const CompileLog& log : model_.logs()) log_->addItem(text(log.title));
  log_->setCurrentIndex(std::min(chosen, log_->count() - 1));
  log_->setVisible(log_->count() > 1);
  FilePanel::refresh();
}

QStringList CompileLogPanel::fill() {
  const CompileLog& log = model_.logs().at(std::size_t(std::max(0, log_->currentIndex())));
  QStringList said{uiText("%1: %2 compilations, %3 graph breaks, %4 recompilations")
                       .arg(text(log.title), formatCount(std::int64_t(log.frames.size())),
                            formatCount(std::int64_t(log.breaks.size())),
                            formatCount(std::int64_t(log.recompiles.size())))};
  if (log.malformed > 0)
    said << uiText("invalid lines: %1").arg(formatCount(std::int64_t(log.malformed)));
  if (!log.partial.empty()) said << text(log.partial);
  int findings = 0;
  for (const std::string& finding : findingsOf(log))
    if (findings++ < kMostFindings) said << text(finding);
  for (const std::string& cache : cacheSentences(log)) said << text(cache);
  fillPart(log);
  return said;
}

void CompileLogPanel::fillPart(const CompileLog& log) {
  const auto add = [&](const QString& name, const QStringList& cells, const std::string& tip) {
    table().addKernel(name, cells)->setToolTip(tip.empty() ? name : text(tip));
  };
  switch (static_cast<Part>(std::max(0, part_->currentIndex()))) {
    case Part::recompiles:
      table().begin({uiText("Guard that failed"), uiText("Function"), uiText("Frame")}, {1, 2});
      for (const Recompile& one : log.recompiles)
        for (const std::string& guard : one.guards)
          add(text(guard), {text(placeOf(one.function)), text(one.id)}, guard);
      break;
    case Part::breaks:
      table().begin({uiText("Reason"), uiText("Line"), uiText("Frame")}, {1, 2});
      for (const GraphBreak& one : log.breaks) {
        std::string tip = one.explanation;
        if (!one.hint.empty()) tip += (tip.empty() ? "" : "\n") + one.hint;
        add(text(one.reason), {text(one.file) + u':' + QString::number(one.line), text(one.id)},
            tip);
      }
      break;
    case Part::frames:
      table().begin({uiText("Function"), uiText("Compile"), uiText("Backend"), uiText("Guards"),
                     uiText("Operations"), uiText("Frame")},
                    {5});
      for (const FrameCompile& one : log.frames)
        add(text(placeOf(one.function)),
            {secondsCell(one.total), secondsCell(one.backend), countCell(one.guards),
             countCell(one.operations), text(one.id)},
            one.failure);
      break;
    case Part::phases:
      table().begin({uiText("Phase"), uiText("Self"), uiText("Total"), uiText("Count")});
      for (const CompilePhase& one : log.phases)
        add(text(one.name),
            {secondsCell(one.self), secondsCell(one.total), formatCount(std::int64_t(one.count))},
            {});
      break;
    case Part::shapes:
      table().begin({uiText("Dynamic size"), uiText("Symbol"), uiText("First value"),
                     uiText("Value range"), uiText("Frame"), uiText("Made constant because")},
                    {1, 3, 4, 5});
      for (const DynamicShape& one : log.shapes)
        add(text(one.source),
            {text(one.symbol), text(one.value), text(one.range), text(one.id),
             one.specialization.empty() ? QStringLiteral("–") : text(one.specialization)},
            one.specialization);
      break;
    case Part::code:
      table().begin({uiText("Generated code"), uiText("Lines"), uiText("Frame")}, {2});
      for (const LoggedCode& one : log.code)
        add(text(one.file), {formatCount(std::int64_t(one.lines)), text(one.id)},
            beginOf(one.text));
      break;
  }
}

}  // namespace fusebench

#include "moc_compile_log_panel.cpp"
