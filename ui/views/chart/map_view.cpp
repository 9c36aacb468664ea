// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/chart/map_view.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

#include "profiler/analysis/wording.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/chart/ratio_scale.h"
#include "ui/models/setup/axis_choice.h"
#include "ui/views/chart/map_canvas.h"

namespace fusebench {
namespace {
constexpr std::size_t kSegments = 4;  ///< more variants than that go into a list
}

MapView::MapView(const RunModel& run, QWidget* parent)
    : QWidget(parent), run_(run), model_(run), canvas_(new MapCanvas(model_.map(), this)) {
  setObjectName(QStringLiteral("map"));
  setProperty("ring", true);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  buildHeader();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(header_);
  layout->addWidget(canvas_, 1);
  layout->addWidget(legend_);
  buildCard();
  connect(&model_, &BreakEvenMapModel::changed, this, &MapView::refresh);
  connect(&model_, &BreakEvenMapModel::variantsChanged, this, &MapView::rebuildVariants);
  connect(canvas_, &MapCanvas::picked, this, &MapView::cellPicked);
  rebuildVariants();
}

void MapView::buildHeader() {
  header_ = new QWidget(this);
  title_ = new QLabel(header_);
  title_->setObjectName(QStringLiteral("headline"));
  summary_ = new QLabel(header_);
  summary_->setObjectName(QStringLiteral("muted"));
  summary_->setWordWrap(true);
  summary_->setAccessibleName(uiText("What the map shows"));
  auto* text = new QVBoxLayout;
  text->setSpacing(2);
  text->addWidget(title_);
  text->addWidget(summary_);
  auto* layout = new QHBoxLayout(header_);
  layout->setContentsMargins(18, 10, 14, 2);
  layout->setSpacing(12);
  layout->addLayout(text, 1);
  legend_ = new QLabel(this);
  legend_->setObjectName(QStringLiteral("muted"));
  legend_->setWordWrap(true);
  legend_->setContentsMargins(18, 0, 14, 10);
}

void MapView::buildCard() {
  card_ = new EmptyCard(this);
  connect(&card_->button(), &QPushButton::clicked, this, [this] {
    if (none_)
      emit stepRequested(none_->step);
    else
      emit secondAxisRequested();
  });
}

void MapView::setTheme(const Theme& theme) {
  theme_ = &theme;
  canvas_->setTheme(theme);
}

void MapView::setExperiment(const Experiment* experiment) {
  twoAxesPlanned_ = experiment && experiment->axes.size() == 2;
  plannedAxis_ = experiment && !experiment->axes.empty()
                     ? text(wording::axisWord(experiment->axes[0].name))
                     : QString();
  lackingAxis_ = text(wording::axisWord(experiment ? secondAxisFor(*experiment) : "elements"));
  refreshCard();
}

void MapView::setVariant(int variant) {
  const auto& known = model_.variants();
  if (std::find(known.begin(), known.end(), variant) == known.end()) return;
  if (variant != model_.map().variant) model_.setVariant(variant);
  const auto position = std::find(known.begin(), known.end(), variant) - known.begin();
  if (auto* list = qobject_cast<QComboBox*>(variants_))
    list->setCurrentIndex(static_cast<int>(position));
  else if (variants_)
    variants_->findChildren<QToolButton*>().at(position)->setChecked(true);
}

void MapView::rebuildVariants() {
  delete variants_;
  variants_ = nullptr;
  const std::vector<int>& variants = model_.variants();
  const Run* run = run_.run();
  if (run && variants.size() > 1) {
    const auto nameOf = [&](int v) {
      return QString::fromStdString(run->experiment.variants[static_cast<std::size_t>(v)].name);
    };
    if (variants.size() > kSegments) {
      auto* list = new QComboBox(header_);
      for (const int v : variants) list->addItem(nameOf(v), v);
      connect(list, &QComboBox::activated, this,
              [this, list] { model_.setVariant(list->currentData().toInt()); });
      variants_ = list;
    } else {
      variants_ = new QWidget(header_);
      auto* row = new QHBoxLayout(variants_);
      row->setContentsMargins(0, 0, 0, 0);
      row->setSpacing(0);
      auto* group = new QButtonGroup(variants_);
      for (const int v : variants) {
        auto* button = new QToolButton(variants_);
        button->setText(nameOf(v));
        button->setAccessibleName(uiText("Show the speedup of %1").arg(nameOf(v)));
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setObjectName(v == variants.front() ? QStringLiteral("segmentLeft")
                                                    : QStringLiteral("segmentRight"));
        if (v != variants.front() && v != variants.back())
          button->setStyleSheet(QStringLiteral("border-radius: 0px;"));
        connect(button, &QToolButton::clicked, this, [this, v] { model_.setVariant(v); });
        group->addButton(button);
        row->addWidget(button);
      }
    }
    variants_->setAccessibleName(uiText("Variant"));
    header_->layout()->addWidget(variants_);
    header_->layout()->setAlignment(variants_, Qt::AlignTop);
    variants_->show();
  }
  setVariant(model_.map().variant);
  refresh();
}

void MapView::refresh() {
  const Run* run = run_.run();
  none_ = run && !model_.map().empty() ? withoutSamples(*run) : std::nullopt;
  const bool shown = run && !model_.map().empty() && !none_;
  canvas_->setVisible(!none_);
  header_->setVisible(shown);
  legend_->setVisible(shown);
  if (shown) {
    const auto& names = run->experiment.variants;
    title_->setText(
        uiText("Speedup of %1 over %2")
            .arg(QString::fromStdString(names[static_cast<std::size_t>(model_.map().variant)].name),
                 model_.map().baselineName));
    const QString text = summaryOf(model_.map(), run->experiment);
    summary_->setText(text.isEmpty() ? uiText("Nothing is measured yet.") : text);
    const auto any = [this](PlaceState state) {
      return std::ranges::any_of(model_.map().places,
                                 [state](const MapPlace& place) { return place.state == state; });
    };
    QStringList legend;
    const auto& found = model_.map().contours;
    if (!found.line.empty())
      legend << uiText("Line: break-even. Hatched: the 95% interval includes it.");
    else if (!found.band.empty())
      legend << uiText("Hatched: the 95% interval includes the break-even.");
    else if (any(PlaceState::measured))
      legend << (any(PlaceState::empty)
                     ? uiText("There is no break-even between the points measured.")
                     : uiText("There is no break-even within these points."));
    if (any(PlaceState::pending) && any(PlaceState::measured))
      legend << uiText(
          "Pale: still to be measured; the color is that of the nearest measured point.");
    if (any(PlaceState::empty)) legend << uiText("Dashed outline: not measured.");
    if (any(PlaceState::hole))
      legend << uiText("Crossed out: cannot be measured; point at it for the reason.");
    legend << uiText("Click a point for the curves through it.");
    legend_->setText(fusebench::text(wording::closedUp(legend.join(u' ').toStdString())));
  }
  canvas_->refresh();
  refreshCard();
}

void MapView::refreshCard() {
  const Run* run = run_.run();
  card_->setVisible(model_.map().empty() || none_);
  if (none_) {
    card_->setWords(none_->title, none_->text);
    card_->button().setText(stepText(none_->step));
    card_->button().show();
    return placeCard();
  }
  if (!model_.map().empty()) return;
  const bool planned = twoAxesPlanned_ && !(run && run->experiment.axes.size() == 2);
  const QString axis = run && !run->experiment.axes.empty()
                           ? text(wording::axisWord(run->experiment.axes[0].name))
                           : plannedAxis_;
  const bool nothingToCompare = run && run->experiment.axes.size() == 2;
  QString text =
      uiText(
          "The map shows the speedup at each pair of values of two axes, and the line where a "
          "variant breaks even with the baseline. %1, so there is one curve and no map.")
          .arg(axis.isEmpty() ? uiText("One axis is swept")
                              : uiText("The only axis is %1").arg(axis));
  if (planned)
    text = uiText(
        "This experiment sweeps two axes. When it runs, its map is filled here from coarse to "
        "fine: the color is the speedup, a line marks the break-even.");
  else if (nothingToCompare)
    text =
        uiText("This run has the baseline only. Add a variant to compare with it, and run again.");
  card_->setWords(uiText("Where does it break even, and for which sizes?"), text);
  card_->button().setVisible(!planned && !nothingToCompare);
  card_->button().setText(uiText("Sweep a second axis: %1").arg(lackingAxis_));
  placeCard();
}

void MapView::placeCard() {
  card_->placeIn(size());
  card_->raise();
}

void MapView::resizeEvent(QResizeEvent*) {
  placeCard();
}

}  // namespace fusebench

#include "moc_map_view.cpp"
