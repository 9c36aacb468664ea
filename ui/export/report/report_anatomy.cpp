// SPDX-License-Identifier: GPL-3.0-or-later
// The section that says where a call's time goes.
#include <fmt/format.h>

#include "profiler/analysis/wording.h"
#include "ui/export/figures/anatomy_figure.h"
#include "ui/export/report/report_sections.h"
#include "ui/models/anatomy/anatomy_model.h"
#include "ui/models/base/ui_text.h"

namespace fusebench::sections {
namespace {

/// A row for each part, a column for each variant; a device's rows below the host's.
ExportTable anatomyTable(const AnatomyModel& anatomy) {
  ExportTable table;
  table.header = {uiText("part").toStdString()};
  table.numeric = {false};
  for (const AnatomyBar& bar : anatomy.bars()) {
    table.header.push_back(bar.name.toStdString());
    table.numeric.push_back(true);
  }
  const auto row = [&](const QString& name, auto&& cell) {
    std::vector<std::string> made{name.toStdString()};
    for (const AnatomyBar& bar : anatomy.bars()) made.push_back(cell(bar));
    table.rows.push_back(std::move(made));
  };
  const auto withShare = [](double time, double share) {
    return fmt::format("{} ({:.0f}%)", wording::time(time), 100 * share);
  };
  for (const CallPart part : anatomy.parts())
    row(partName(part), [&](const AnatomyBar& bar) {
      return withShare(bar.parts[static_cast<std::size_t>(part)], bar.share(part));
    });
  row(uiText("together"), [](const AnatomyBar& bar) { return wording::time(bar.total); });
  row(uiText("without marks"), [](const AnatomyBar& bar) { return wording::time(bar.untraced); });
  for (const DevicePart part : anatomy.deviceParts())
    row(uiText("device: ") + partName(part), [&](const AnatomyBar& bar) {
      return bar.device ? withShare(bar.device->parts[static_cast<std::size_t>(part)],
                                    bar.device->share(part))
                        : std::string("–");
    });
  if (!anatomy.deviceParts().empty())
    row(uiText("device: together"), [](const AnatomyBar& bar) {
      return bar.device ? wording::time(bar.device->total) : std::string("–");
    });
  return table;
}

}  // namespace

ReportSection anatomy(const Context& context) {
  ReportSection section{
      context.prefix + QStringLiteral("anatomy"), uiText("Where a call's time goes"), {}};
  RunModel model;
  model.show(context.run, true);
  AnatomyModel anatomy(model);
  if (context.run.experiment.axes.size() > 1)
    anatomy.setSlice(context.run.experiment.axes[1].values.size() - 1);
  if (anatomy.bars().empty()) return section;
  Figure figure = anatomyFigure(anatomy, figureStyle());
  figure.id = context.prefix + figure.id;
  section.blocks.emplace_back(ReportText{
      uiText("One call at %1.").arg(anatomy.places()[static_cast<std::size_t>(anatomy.place())]),
      ReportText::Tone::muted});
  section.blocks.emplace_back(ReportFigure{std::move(figure), anatomy.footnote()});
  section.blocks.emplace_back(ReportTable{
      anatomyTable(anatomy), uiText("The same as numbers: time per call and its share")});
  ReportFacts facts;
  for (const CallPart part : anatomy.parts())
    facts.rows.emplace_back(partName(part), partDescription(part) + uiText("."));
  for (const DevicePart part : anatomy.deviceParts())
    facts.rows.emplace_back(uiText("device: ") + partName(part),
                            partDescription(part) + uiText("."));
  section.blocks.emplace_back(std::move(facts));
  return section;
}

}  // namespace fusebench::sections
