// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/report/report.h"

#include "engine/base/saying.h"
#include "profiler/machine/environment.h"
#include "ui/export/report/report_sections.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/setup/documents.h"

namespace fusebench {
namespace {

/// In reading order. A new section is one function in report_sections.h and one line here.
using SectionMaker = ReportSection (*)(const sections::Context&);
constexpr SectionMaker kSections[] = {
    sections::answer, sections::charts, sections::anatomy, sections::breakEvens,
    sections::map,    sections::tables, sections::program, sections::method,
};

void addRun(const sections::Context& context, bool named, Report& report) {
  for (const SectionMaker make : kSections) {
    ReportSection section = make(context);
    if (section.blocks.empty()) continue;
    if (named)
      section.title = QStringLiteral("%1: %2").arg(QString::fromStdString(context.exported.name),
                                                   section.title.toLower());
    report.sections.push_back(std::move(section));
  }
  const QString file = context.prefix + fileNameFor(context.run.experiment);
  report.experiments.emplace_back(file + QStringLiteral(".json"),
                                  QString::fromStdString(toJson(context.run.experiment)));
  report.runs.emplace_back(file + QStringLiteral(".jsonl"),
                           QString::fromStdString(runText(context.run)));
}

}  // namespace

Report makeReport(std::span<const ExportedRun> runs) {
  Report report;
  std::vector<sections::Context> contexts;
  for (std::size_t i = 0; i < runs.size(); ++i)
    contexts.push_back(sections::contextOf(
        runs[i], runs.size() > 1 ? QStringLiteral("run%1-").arg(i + 1) : QString()));
  if (contexts.empty()) return report;
  const Run& first = contexts.front().run;
  report.title = text(said(first.experiment.title));
  report.subtitle = QString::fromStdString(environmentLine(first.environment));
  if (!first.startedAt.empty())
    report.subtitle = QStringLiteral("%1 · %2").arg(
        QString::fromStdString(first.startedAt).left(16).replace(u'T', u' ') + uiText(" UTC"),
        report.subtitle);
  if (contexts.size() > 1) {
    report.title = uiText("%1: %2 runs compared").arg(report.title).arg(contexts.size());
    report.sections.push_back(sections::comparison(contexts));
  }
  for (const sections::Context& context : contexts) addRun(context, contexts.size() > 1, report);
  return report;
}

}  // namespace fusebench
