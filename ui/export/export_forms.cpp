// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_forms.h"

#include <QBuffer>
#include <QStringList>

#include "engine/base/saying.h"
#include "profiler/export/export_python.h"
#include "profiler/files/files.h"
#include "ui/export/figures/figure_paint.h"
#include "ui/export/figures/figure_svg.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr const char *kReport = uiMark("a report"), *kChart = uiMark("a chart"),
                     *kData = uiMark("data"), *kTable = uiMark("a table"),
                     *kScript = uiMark("a PyTorch script"),
                     *kTrace = uiMark("all launches of traces");

QByteArray htmlReport(const Report& report) {
  return toHtml(report).toUtf8();
}

QByteArray drawnSvg(const Figure& figure, double) {
  return toSvg(figure).toUtf8();
}

QByteArray drawnPdf(const Figure& figure, double) {
  return figurePdf(figure);
}

QByteArray drawnPng(const Figure& figure, double scale) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  if (!figureImage(figure, scale).save(&buffer, "PNG"))
    throw InputError(saying("the picture is too large; choose a smaller size or scale"));
  return buffer.data();
}

constexpr ExportForm kForms[] = {
    {.ending = "html",
     .name = uiMark("HTML report, one page"),
     .kind = kReport,
     .report = htmlReport},
    {.ending = "pdf", .name = uiMark("PDF report, to print"), .kind = kReport, .report = toPdf},
    {.ending = "svg", .name = uiMark("SVG chart"), .kind = kChart, .figure = drawnSvg},
    {.ending = "png",
     .name = uiMark("PNG chart"),
     .kind = kChart,
     .figure = drawnPng,
     .pixels = true},
    {.ending = "chart.pdf", .name = uiMark("PDF chart"), .kind = kChart, .figure = drawnPdf},
    {.ending = "csv",
     .name = uiMark("CSV data"),
     .kind = kData,
     .runs = toCsv,
     .kernels = kernelsCsv},
    {.ending = "json", .name = uiMark("JSON data"), .kind = kData, .runs = toJson},
    {.ending = "md",
     .name = uiMark("Markdown table"),
     .kind = kTable,
     .runs = toMarkdown,
     .kernels = kernelsMarkdown},
    {.ending = "tex",
     .name = uiMark("LaTeX table"),
     .kind = kTable,
     .runs = toLatex,
     .kernels = kernelsLatex},
    {.ending = "benchmark.json",
     .name = uiMark("google/benchmark JSON"),
     .kind = kData,
     .runs = toBenchmarkJson},
    {.ending = "py", .name = uiMark("PyTorch script"), .kind = kScript, .experiment = toPython},
    {.ending = "trace.json.gz",
     .name = uiMark("Chrome trace of all launches, for Perfetto"),
     .kind = kTrace,
     .launches = exportTrace},
};

QString dotted(const ExportForm& form) {
  return QLatin1Char('.') + QLatin1String(form.ending);
}

}  // namespace

std::span<const ExportForm> exportForms() {
  return kForms;
}

const ExportForm* exportForm(const QString& path) {
  const ExportForm* best = nullptr;
  for (const ExportForm& form : kForms)
    if (path.endsWith(dotted(form), Qt::CaseInsensitive) &&
        (!best || qstrlen(form.ending) > qstrlen(best->ending)))
      best = &form;
  return best;
}

QString endingsOf(const std::function<bool(const ExportForm&)>& has, const QString& last) {
  QStringList endings;
  for (const ExportForm& form : kForms)
    if (has(form)) endings << dotted(form);
  if (endings.size() < 2) return endings.join(QString());
  const QString final = endings.takeLast();
  return endings.join(QStringLiteral(", ")) + last + final;
}

QString formsInWords() {
  QStringList kinds, said;
  for (const ExportForm& form : kForms)
    if (const QString kind = QLatin1String(form.kind); !kinds.contains(kind)) kinds << kind;
  for (const QString& kind : kinds) {
    QStringList endings, listing;
    bool figure = false;
    for (const ExportForm& form : kForms) {
      if (kind == QLatin1String(form.kind)) endings << dotted(form);
      if (kind == QLatin1String(kTable) && form.kernels) listing << dotted(form);
      figure = figure || (form.figure && kind == QLatin1String(form.kind));
    }
    QString words = endings.join(u' ') + u' ' + uiText(kind.toUtf8().constData());
    if (figure) words += uiText(" (for traces: the timeline)");
    if (!listing.isEmpty())
      words += uiText(" (for traces, %1: time by kernel)").arg(listing.join(u' '));
    said << words;
  }
  return said.join(QStringLiteral(", "));
}

}  // namespace fusebench
