// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chart/chart_readout.h"

#include <QStringList>
#include <algorithm>
#include <cmath>
#include <optional>

#include "profiler/analysis/bandwidth.h"
#include "profiler/analysis/paired_samples.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/results/comparison.h"
#include "ui/models/results/run_words.h"

namespace fusebench {
namespace {

const CurvePoint* pointAt(const Curve& curve, double x) {
  const auto at = std::lower_bound(curve.points.begin(), curve.points.end(), x,
                                   [](const CurvePoint& p, double value) { return p.x < value; });
  return at != curve.points.end() && at->x == x ? &*at : nullptr;
}

QString noteOf(const Cell& cell, const CellSummary& summary) {
  QString note = stopText(cell);
  if (!cell.samples.empty()) note += QStringLiteral(" · %1").arg(cell.samples.size());
  if (summary.drifted) note += QStringLiteral(" · drift");
  if (cell.dropped > 0) note += uiText(" · %1 dropped").arg(cell.dropped);
  if (cell.eagerShare.value_or(0) > 0 && cell.recompiles.value_or(0) > 0)
    note += uiText(" · %1% eager").arg(formatSignificant(100 * *cell.eagerShare));
  if (cell.graphs.value_or(1) > 1) note += uiText(" · %1 graphs").arg(*cell.graphs);
  return note;
}

/// The times of a call that are not the one shown.
QString otherTimes(const CellSummary& summary, ShownTime shown) {
  if (!summary.device) return {};
  QStringList times;
  const auto add = [&](ShownTime time, const char* name, const Estimate& estimate) {
    if (time != shown && !(time == ShownTime::wall && isSeveral(shown)) &&
        estimate.kind != Estimate::Kind::none)
      times << QStringLiteral("%1 %2").arg(uiText(name), formatTime(estimate.value));
  };
  add(ShownTime::wall, uiMark("wall"), summary.latency);
  add(ShownTime::host, uiMark("host"), summary.device->enqueue);
  add(ShownTime::device, uiMark("device"), summary.device->device);
  add(ShownTime::cadence, uiMark("cadence"), summary.device->event);
  add(ShownTime::single, uiMark("synchronized"), summary.device->single);
  return times.join(QStringLiteral(" · "));
}

QString besideLatency(const Run& run, const Cell& cell, const CellSummary& summary) {
  if (!run.experiment.baselineOf(cell.key.variant)) return uiText("baseline");
  if (lacksModel(run, cell)) return uiText("not modeled");
  return summary.speedUp ? formatRatio(summary.speedUp->value) : QString();
}

/// So many times the baseline's; nothing where that one's bytes are of another kind.
QString besideBandwidth(const Run& run, const ChartContent& content, const Cell& cell, double x) {
  const auto baseline = run.experiment.baselineOf(cell.key.variant);
  if (!baseline) return uiText("baseline");
  if (!sameBytesAsBaseline(run, cell)) return {};
  const auto valueOf = [&](int variant) -> std::optional<double> {
    for (const Curve& curve : content.curves)
      if (curve.variant == variant && curve.overlay < 0)
        if (const CurvePoint* const point = pointAt(curve, x)) return point->y.value;
    return std::nullopt;
  };
  const auto own = valueOf(cell.key.variant), its = valueOf(*baseline);
  return own && its && *its > 0 ? formatRatio(*own / *its) : QString();
}

/// "39.8 dB · same class 98%"
QString accuracyText(const Accuracy& accuracy) {
  QStringList parts;
  if (accuracy.relative > 0 && std::isfinite(accuracy.relative))
    parts << QStringLiteral("%1 dB").arg(-20 * std::log10(accuracy.relative), 0, 'f', 1);
  if (accuracy.sameClass)
    parts << uiText("same class %1%").arg(formatSignificant(100 * *accuracy.sameClass));
  if (accuracy.fromFloat32)
    parts << uiText("%1 from float32").arg(formatError(*accuracy.fromFloat32));
  return parts.join(QStringLiteral(" · "));
}

/// The words for a payback that is not a number.
QString wordAt(const ChartContent& content, int variant, double x) {
  for (const WordSpan& span : content.words)
    if (span.variant == variant && span.from <= x && x <= span.to) return span.text;
  return {};
}

void fillFromCurves(const ChartContent& content, int variant, double x, ReadoutRow& row) {
  QStringList cached;
  for (const Curve& curve : content.curves) {
    if (curve.variant != variant || curve.overlay >= 0) continue;
    const CurvePoint* point = pointAt(curve, x);
    if (!point) continue;
    const Quantity quantity = quantityOf(content.metric);
    if (curve.part == CurvePart::main) {
      row.value = formatQuantity(point->y.value, quantity);
      row.interval = point->y.kind == Estimate::Kind::none
                         ? QString()
                         : formatQuantityInterval(point->y, quantity);
    } else if (content.metric == Metric::compile) {
      cached << (curve.part == CurvePart::fromDisk ? uiText("disk %1") : uiText("memory %1"))
                    .arg(formatQuantity(point->y.value, quantity));
    }
  }
  if (content.metric == Metric::compile) row.beside = cached.join(QStringLiteral(" · "));
}

ReadoutRow rowOf(const Run& run, const CellSummaries& summaries, const ChartContent& content,
                 std::size_t at, double x) {
  const Cell& cell = run.cells[at];
  ReadoutRow row;
  row.variant = cell.key.variant;
  row.series = seriesOf(run.experiment, row.variant);
  row.name =
      QString::fromStdString(run.experiment.variants[static_cast<std::size_t>(row.variant)].name);
  fillFromCurves(content, row.variant, x, row);
  switch (content.metric) {
    case Metric::latency:
      // Speedups compare wall times.
      if (content.time == ShownTime::wall || isSeveral(content.time))
        row.beside = besideLatency(run, cell, summaries.at(at));
      row.note = noteOf(cell, summaries.at(at));
      row.more = otherTimes(summaries.at(at), content.time);
      break;
    case Metric::speedUp:
      if (!cell.samples.empty()) row.beside = formatTime(summaries.at(at).latency.value);
      row.note = noteOf(cell, summaries.at(at));
      if (!run.experiment.baselineOf(row.variant)) row.value = uiText("baseline");
      break;
    case Metric::bandwidth:
      if (cell.samples.empty() || row.value.isEmpty()) break;
      row.beside = besideBandwidth(run, content, cell, x);
      row.note = formatTime(summaries.at(at).latency.value);
      break;
    case Metric::launches:
    case Metric::memory:
      break;
    case Metric::error:
      if (cell.accuracy) row.note = accuracyText(*cell.accuracy);
      break;
    case Metric::compile:
      if (const auto n = cell.firstCompiles.size())
        row.note = uiText("%1 compile%2").arg(n).arg(n == 1 ? QString() : QStringLiteral("s"));
      break;
    case Metric::payback:
      if (!run.experiment.baselineOf(row.variant)) row.value = uiText("baseline");
      if (row.value.isEmpty()) row.value = wordAt(content, row.variant, x);
      if (!row.interval.isEmpty()) row.note = uiText("calls");
      break;
  }
  if (row.value.isEmpty())
    row.value = (content.metric == Metric::latency || content.metric == Metric::speedUp) &&
                        cell.stop == Stop::running
                    ? uiText("not yet")
                    : QStringLiteral("–");
  return row;
}

/// In part of a branching program other kernels are launched than in the whole.
QString partOfProgram(const Program& program, const Axis& axis, double x) {
  const auto length = program.statements.size();
  if (axis.name != "statements" || program.isChain() || !(x < static_cast<double>(length)))
    return {};
  return uiText("Of %1; values that they do not read are returned").arg(length);
}

}  // namespace

QString Readout::plainText() const {
  QStringList lines{title};
  for (const ReadoutRow& row : rows) {
    QStringList parts{row.name};
    for (const QString& part : {row.value, row.interval, row.beside, row.note, row.more})
      if (!part.isEmpty()) parts << part;
    lines << parts.join(QStringLiteral(", "));
  }
  if (!note.isEmpty()) lines << note;
  return lines.join(u'\n');
}

Readout readoutAt(const Run& run, const CellSummaries& summaries, const ChartContent& content,
                  const std::vector<QString>& overlayNames, std::size_t slice, double x) {
  Readout readout;
  if (run.experiment.axes.empty()) return readout;
  const Axis& axis = run.experiment.axes[0];
  readout.title = QString::fromStdString(wording::at(axis, x));
  readout.note = partOfProgram(run.experiment.program, axis, x);
  const auto place = std::find_if(axis.values.begin(), axis.values.end(), [&](std::int64_t value) {
    return static_cast<double>(value) == x;
  });
  if (place != axis.values.end())
    for (int v = 0; v < static_cast<int>(run.experiment.variants.size()); ++v) {
      const int at =
          cellIndex(run, v, static_cast<std::size_t>(place - axis.values.begin()), slice);
      if (at >= 0)
        readout.rows.push_back(rowOf(run, summaries, content, static_cast<std::size_t>(at), x));
    }
  for (const Curve& curve : content.curves) {
    if (curve.overlay < 0 || curve.part != CurvePart::main) continue;
    const CurvePoint* point = pointAt(curve, x);
    if (!point) continue;
    const auto which = static_cast<std::size_t>(curve.overlay);
    const QString run2 = which < overlayNames.size() ? overlayNames[which] : QString();
    const Quantity quantity = quantityOf(content.metric);
    readout.rows.push_back({curve.variant,
                            curve.series,
                            true,
                            curve.name,
                            formatQuantity(point->y.value, quantity),
                            point->y.kind == Estimate::Kind::none
                                ? QString()
                                : formatQuantityInterval(point->y, quantity),
                            {},
                            run2});
  }
  return readout;
}

}  // namespace fusebench
