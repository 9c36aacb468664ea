// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/access/access_rows.h"

#include <qcustomplot.h>

#include <QAccessibleWidget>
#include <QScrollArea>
#include <algorithm>

#include "ui/models/base/ui_text.h"
#include "ui/models/timeline/timeline_model.h"
#include "ui/views/access/access_parts.h"
#include "ui/views/access/picture_access.h"
#include "ui/views/anatomy/anatomy_bars.h"
#include "ui/views/anatomy/part_legend.h"
#include "ui/views/base/focus_ring.h"
#include "ui/views/canvas/canvas_overview.h"
#include "ui/views/canvas/canvas_surface.h"
#include "ui/views/chart/chart_legend.h"
#include "ui/views/chart/chart_view.h"
#include "ui/views/chart/map_canvas.h"
#include "ui/views/chart/readout_card.h"
#include "ui/views/code/code_gutter.h"
#include "ui/views/code/listing_edit.h"
#include "ui/views/export/figure_preview.h"
#include "ui/views/runs/findings_view.h"
#include "ui/views/scatter/scatter_view.h"
#include "ui/views/storages/storage_canvas.h"
#include "ui/views/timeline/flame_graph.h"
#include "ui/views/timeline/histogram_view.h"
#include "ui/views/timeline/overview_strip.h"
#include "ui/views/timeline/roofline_chart.h"
#include "ui/views/timeline/timeline_canvas.h"

namespace fusebench {
namespace {

template <typename Widget>
bool isA(const QObject& object) {
  return dynamic_cast<const Widget*>(&object) != nullptr;
}

bool isFocusRing(const QObject& object) {
  return object.objectName() == QLatin1String(kFocusRingName);
}

bool isClickableFinding(const QObject& object) {
  const auto* finding = dynamic_cast<const FindingEntry*>(&object);
  return finding && finding->finding().shows;
}

// A class before those that it is derived from.
constexpr AccessKind kAccessKinds[] = {
    {isA<ChartView>, QAccessible::Chart, chartParts},
    {isA<QCustomPlot>, QAccessible::Graphic},
    {isA<MapCanvas>, QAccessible::Chart, mapParts},
    {isA<ScatterView>, QAccessible::Chart, scatterParts},
    {isA<CanvasSurface>, QAccessible::Canvas, canvasParts},
    {isA<CanvasOverview>, QAccessible::Graphic},
    {isA<TimelineCanvas>, QAccessible::Chart, timelineParts},
    {isA<HistogramView>, QAccessible::Chart, histogramParts},
    {isA<FlameGraph>, QAccessible::Tree, flameParts},
    {isA<RooflineChart>, QAccessible::Chart, rooflineParts},
    {isA<StorageCanvas>, QAccessible::Chart, storageParts},
    {isA<AnatomyBars>, QAccessible::List, anatomyParts},
    {isA<PartLegend>, QAccessible::List, legendParts},
    {isA<ReadoutCard>, QAccessible::StaticText},
    {isA<FigurePreview>, QAccessible::Graphic},
    {isA<CodeGutter>, QAccessible::StaticText},
    {isA<ListingGutter>, QAccessible::StaticText},
    {isFocusRing, QAccessible::Border},
    {isA<LegendEntry>, QAccessible::Button, nullptr,
     [](QWidget& widget) { static_cast<LegendEntry&>(widget).click(); }},
    {isClickableFinding, QAccessible::Button, nullptr,
     [](QWidget& widget) { emit static_cast<FindingEntry&>(widget).activated(); }},
    {isA<FindingEntry>, QAccessible::ListItem},
    {isA<QScrollArea>, QAccessible::Pane},
};

/// The part of the traces that is seen, as the knob of a slider over all of them.
class StripAccess : public QAccessibleWidget, public QAccessibleValueInterface {
 public:
  explicit StripAccess(OverviewStrip& strip)
      : QAccessibleWidget(&strip, QAccessible::Slider), strip_(strip) {}

  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this)
                                               : QAccessibleWidget::interface_cast(type);
  }
  QString text(QAccessible::Text text) const override {
    const TimelineModel& model = strip_.model();
    if (text != QAccessible::Value || model.empty()) return QAccessibleWidget::text(text);
    return uiText("%1 to %2 of %3")
        .arg(exactTime(Nanoseconds(model.from())), exactTime(Nanoseconds(model.to())),
             exactTime(model.length()));
  }
  // In percent, of the middle of the part.
  QVariant currentValue() const override {
    const TimelineModel& model = strip_.model();
    const double middle = (model.from() + model.to()) / 2;
    return 100 * middle / double(std::max<Nanoseconds>(1, model.length()));
  }
  void setCurrentValue(const QVariant& value) override {
    TimelineModel& model = strip_.model();
    const double middle = (model.from() + model.to()) / 2;
    model.pan(value.toDouble() / 100 * double(model.length()) - middle);
  }
  QVariant maximumValue() const override { return 100.0; }
  QVariant minimumValue() const override { return 0.0; }
  QVariant minimumStepSize() const override { return 1.0; }

 private:
  OverviewStrip& strip_;
};

QAccessibleInterface* makeAccess(const QString& /*key*/, QObject* object) {
  if (!object || !object->isWidgetType()) return nullptr;
  if (auto* strip = dynamic_cast<OverviewStrip*>(object)) return new StripAccess(*strip);
  for (const AccessKind& kind : kAccessKinds)
    if (kind.is(*object)) return new PictureAccess(*static_cast<QWidget*>(object), kind);
  return nullptr;
}

}  // namespace

void installAccessibility() {
  // Twice it would be asked twice.
  QAccessible::removeFactory(makeAccess);
  QAccessible::installFactory(makeAccess);
}

}  // namespace fusebench
