// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/run_export.h"

#include <algorithm>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/analysis/wording.h"
#include "profiler/files/files.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/setup/documents.h"

namespace fusebench {
namespace {

/// What a report holds, for the preview: made of its sections without making them.
QString reportContents(const Run& run, bool comparison, bool code) {
  const bool anatomy = std::any_of(run.cells.begin(), run.cells.end(),
                                   [](const Cell& cell) { return cell.anatomy.has_value(); });
  const std::pair<bool, const char*> kParts[] = {
      {comparison, uiMark("Comparison: the curves over each other, the ratio of every data point; "
                          "then of each run")},
      {true, uiMark("Question and answer")},
      {true, uiMark("Curves: latency, speedup, launches, compile, payback")},
      {anatomy, uiMark("Where a call's time goes")},
      {true, uiMark("Break-even and payback, in words with their intervals")},
      {run.experiment.axes.size() > 1, uiMark("Break-even map")},
      {true, uiMark("Tables")},
      {true, uiMark("Program: PyTorch text and graph")},
      {code, uiMark("Generated code")},
      {true, uiMark("Machine and method, with the experiment")}};
  QStringList lines = {text(said(run.experiment.title)), {}};
  for (const auto& [there, what] : kParts)
    if (there) lines << QStringLiteral("·  ") + uiText(what);
  return lines.join(u'\n');
}

}  // namespace

RunExport::RunExport(std::shared_ptr<const Run> run, std::vector<Crossing> crossings) {
  const QString name = fileNameFor(run->experiment);
  runs_.push_back({{name, std::move(run)}, std::move(crossings)});
}

RunExport::RunExport(std::vector<NamedRun> runs) {
  for (NamedRun& named : runs) {
    std::vector<Crossing> crossings = findCrossings(*named.run);
    runs_.push_back({std::move(named), std::move(crossings)});
  }
}

void RunExport::layOver(std::vector<NamedRun> over) {
  over_ = std::move(over);
}

void RunExport::setShown(const QString& view, const ChartShown& shown) {
  shownView_ = view;
  shown_ = shown;
}

QString RunExport::heading() const {
  return runs_.size() > 1 ? uiText("Export comparison") : uiText("Export");
}

QString RunExport::title() const {
  return text(said(first().experiment.title));
}

QString RunExport::fileName() const {
  const QString name = fileNameFor(first().experiment);
  return runs_.size() > 1 ? name + QStringLiteral("-comparison") : name;
}

std::vector<ExportForm> RunExport::forms() const {
  std::vector<ExportForm> forms;
  std::ranges::copy_if(exportForms(), std::back_inserter(forms), &ExportForm::ofRuns);
  return forms;
}

QStringList RunExport::views() const {
  return exportViews(exported());
}

ViewChoices RunExport::choicesOf(const QString& view) const {
  const Experiment& experiment = first().experiment;
  ViewChoices choices;
  const bool map = view == QLatin1String(kMapView), program = view == QLatin1String(kProgramView);
  const bool anatomy = view == QLatin1String(kAnatomyView);
  const bool ratio = view == QLatin1String(kRatioView);
  for (int v = 0; v < static_cast<int>(experiment.variants.size()); ++v)
    if ((map && experiment.baselineOf(v)) || program)
      choices.variants.emplace_back(
          QString::fromStdString(experiment.variants[static_cast<std::size_t>(v)].name), v);
  if (!map && !program && experiment.axes.size() > 1)
    for (const std::int64_t value : experiment.axes[1].values)
      choices.slices << QString::fromStdString(
          wording::at(experiment.axes[1], static_cast<double>(value)));
  if (ratio && runs_.size() > 2)
    for (std::size_t i = 1; i < runs_.size(); ++i) choices.others << runs_[i].named.name;
  choices.height = !anatomy;
  if (map || program || anatomy) {
    choices.legends.clear();
    return choices;
  }
  choices.parts = figureParts(exported(), view);
  if (!ratio)
    for (const NamedRun& over : over_) choices.parts.push_back({over.name});
  return choices;
}

QStringList RunExport::codes() const {
  QStringList names;
  if (!worker_.empty())
    for (const Variant& variant : first().experiment.variants)
      names << QString::fromStdString(variant.name);
  return names;
}

std::vector<ExportedRun> RunExport::exported() const {
  std::vector<ExportedRun> runs;
  for (const Held& held : runs_)
    runs.push_back({held.named.name.toStdString(), held.named.run.get(), held.crossings});
  return runs;
}

std::optional<QSizeF> RunExport::sizeOf(const ExportChoices& choices) const {
  if (choices.view != QLatin1String(kProgramView)) return std::nullopt;
  ExportChoices free = choices;
  free.sized = false;
  return figureOf(exported(), free).size;
}

Figure RunExport::figure(const ExportChoices& choices) const {
  ExportChoices own = choices;
  if (own.view == shownView_) own.shown = shown_;
  std::vector<ExportedRun> runs = exported();
  if (own.view != QLatin1String(kRatioView))
    for (const NamedRun& over : over_)
      runs.push_back({over.name.toStdString(), over.run.get(), {}});
  return figureOf(runs, own);
}

QString RunExport::preview(const ExportForm& form, const ExportChoices& choices,
                           bool& isText) const {
  isText = !form.report;
  return isText ? QString::fromUtf8(exportedContent(exported(), form, choices))
                : reportContents(first(), runs_.size() > 1, !choices.code.empty());
}

ExportSource::Writer RunExport::writer(const ExportForm& form, const ExportChoices& choices) const {
  // Sections are made here, for the canvas can only be drawn here; pages and file over there.
  auto report = std::make_shared<Report>();
  if (form.report) *report = makeReport(exported());
  ExportChoices own = choices;
  own.workerCommand = worker_;
  return [held = runs_, report, form, own](const QString& path, const std::stop_token& stop) {
    std::vector<ExportedRun> runs;
    for (const Held& one : held)
      runs.push_back({one.named.name.toStdString(), one.named.run.get(), one.crossings});
    QByteArray content;
    if (form.report) {
      addGeneratedCode(*report, chosenCode(*runs.front().run, own, stop));
      content = form.report(*report);
    } else {
      content = exportedContent(runs, form, own);
    }
    writeFile(path.toStdString(), {content.data(), static_cast<std::size_t>(content.size())});
  };
}

}  // namespace fusebench
