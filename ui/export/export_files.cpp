// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_files.h"

#include <fmt/format.h>

#include <QFileInfo>
#include <cstdio>
#include <stop_token>
#include <string>
#include <variant>

#include "engine/base/saying.h"
#include "engine/base/standard_streams.h"
#include "profiler/files/files.h"
#include "profiler/trace/trace_ranks.h"
#include "ui/export/timeline_export.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/runs/run_comparison.h"
#include "ui/models/setup/documents.h"

namespace fusebench {
namespace {

QByteArray bytes(const std::string& text) {
  return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

Report reportOf(std::span<const ExportedRun> runs, const ExportChoices& choices) {
  const std::vector<VariantCode> code = chosenCode(*runs.front().run, choices);
  Report report = makeReport(runs);
  if (!choices.style.title.isEmpty()) report.title = choices.style.title;
  addGeneratedCode(report, code);
  return report;
}

}  // namespace

std::vector<VariantCode> chosenCode(const Run& run, const ExportChoices& choices,
                                    std::stop_token stop) {
  const auto& variants = run.experiment.variants;
  std::vector<VariantCode> code;
  for (const std::string& name : choices.code) {
    bool found = false;
    for (std::size_t v = 0; v < variants.size(); ++v) {
      if (name != "all" && name != variants[v].name) continue;
      code.push_back(variantCode(run, static_cast<int>(v), choices.workerCommand, stop));
      found = true;
    }
    if (found) continue;
    std::string names;
    for (const Variant& variant : variants) names += variant.name + ", ";
    throw InputError(saying("there is no variant \"{}\"; this run has {}or all", name, names));
  }
  return code;
}

QByteArray exportedContent(std::span<const ExportedRun> runs, const ExportForm& form,
                           const ExportChoices& choices) {
  if (form.report) return form.report(reportOf(runs, choices));
  if (form.figure) return form.figure(figureOf(runs, choices), choices.scale);
  if (form.runs) return bytes(form.runs(runs));
  if (form.experiment) return bytes(form.experiment(runs.front().run->experiment));
  throw InputError(saying(".{} is for traces; for a run choose {}", form.ending,
                          endingsOf(&ExportForm::ofRuns, uiText(" and ")).toStdString()));
}

LoadedRuns loadForExport(const QStringList& files) {
  LoadedRuns loaded;
  std::vector<QString> names;
  for (const QString& file : files) {
    std::vector<Run> runs = openRuns(file);
    if (runs.empty())
      throw InputError(
          saying("{}: this is an experiment, which contains no results; run it first: "
                 "fusebench-cli run {} --out run.jsonl",
                 file.toStdString(), file.toStdString()));
    for (Run& run : runs) {
      loaded.runs.push_back(std::make_unique<Run>(std::move(run)));
      names.push_back(QFileInfo(file).completeBaseName());
    }
  }
  names = numberedNames(names);
  for (std::size_t i = 0; i < names.size(); ++i)
    loaded.exported.push_back(
        {names[i].toStdString(), loaded.runs[i].get(), findCrossings(*loaded.runs[i])});
  return loaded;
}

int exportFiles(const QString& out, const QStringList& files, const ExportChoices& choices) {
  try {
    const ExportForm* form = exportForm(out);
    if (!form)
      throw InputError(saying("{}: the extension selects the format; use one of {}",
                              out.toStdString(),
                              endingsOf(&ExportForm::ofRuns, QStringLiteral(", ")).toStdString()));
    if (files.isEmpty()) throw InputError(saying("--export needs the file of a run; see --help"));
    if (opensAsTrace(files.front().toStdString())) {
      exportTraces(out, files, *form, choices);
      return 0;
    }
    if (form->experiment) {  // it need not have been run
      if (files.size() > 1)
        throw InputError(
            saying("{}: a script is for one experiment, but there are {} files; name one",
                   out.toStdString(), files.size()));
      const Document document = openDocument(files.front());
      const auto* run = std::get_if<Run>(&document);
      const Experiment& experiment = run ? run->experiment : std::get<Experiment>(document);
      if (const auto problems = problemsOf(experiment); !problems.empty())
        throw InputError(saying("{}: {}", files.front().toStdString(), problems[0].message));
      writeFile(out.toStdString(), form->experiment(experiment));
      return 0;
    }
    const LoadedRuns loaded = loadForExport(files);
    const QByteArray content = exportedContent(loaded.exported, *form, choices);
    writeFile(out.toStdString(), {content.data(), static_cast<std::size_t>(content.size())});
    return 0;
  } catch (const std::exception& error) {
    putError(fmt::format("fusebench: {}\n", error.what()));
    return 2;
  }
}

}  // namespace fusebench
