// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/memory_panel.h"

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

constexpr std::size_t kMostPlacesShown = 500;  ///< the ones that held the most

}  // namespace

MemoryPanel::MemoryPanel(TimelineModel& timeline, QWidget* parent)
    : FilePanel(timeline.memory(),
                {uiText("Allocated at the peak"), uiText("Reading the memory snapshot…"),
                 uiText("Open a PyTorch memory snapshot (Ctrl+O): "
                        "torch.cuda.memory._record_memory_history() before the code, and "
                        "json.dump(torch.cuda.memory._snapshot(), file) after it.")},
                parent),
      model_(timeline.memory()),
      timeline_(timeline),
      device_(new QComboBox(controls())) {
  device_->setAccessibleName(uiText("Device whose memory is shown"));
  device_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  controlLine().addWidget(device_);
  table().setToolTip(uiText("Point at a row to read the calls that allocated its largest block"));
  connect(device_, &QComboBox::currentIndexChanged, this, &MemoryPanel::refresh);
  connect(&timeline_, &TimelineModel::selectionChanged, this, [this] { setWanted(wanted_); });
  refresh();
}

void MemoryPanel::setWanted(bool wanted) {
  wanted_ = wanted;
  if (wanted) model_.select(timeline_.selection());
}

void MemoryPanel::refresh() {
  const QSignalBlocker quiet(device_);
  const int chosen = std::max(0, device_->currentIndex());
  device_->clear();
  for (const MemoryUse& use : model_.uses()) device_->addItem(uiText("GPU %1").arg(use.device));
  device_->setCurrentIndex(std::min(chosen, device_->count() - 1));
  device_->setVisible(device_->count() > 1);
  FilePanel::refresh();
}

QStringList MemoryPanel::fill() {
  const MemorySnapshot& snapshot = *model_.snapshot();
  const MemoryUse& use = model_.uses().at(std::size_t(std::max(0, device_->currentIndex())));
  table().begin({uiText("Allocated by"), uiText("Allocated at the peak"), uiText("Share"),
                 uiText("Blocks"), uiText("Largest block")});
  for (std::size_t i = 0; i < use.held.size() && i < kMostPlacesShown; ++i) {
    const HeldMemory& one = use.held[i];
    const QString site = text(siteText(one));
    QStringList calls;
    for (const std::uint32_t frame : snapshot.stacks.at(one.stack))
      calls << text(snapshot.frames[frame].text);
    const double share =
        100 * double(one.bytes) / double(std::max<std::int64_t>(1, use.peakAllocated));
    table()
        .addKernel(site, {formatBytes(one.bytes), QString::number(share, 'f', 1) + u'%',
                          formatCount(std::int64_t(one.blocks)), formatBytes(one.largest)})
        ->setToolTip(calls.isEmpty() ? site : calls.join(u'\n'));
  }
  QStringList said{text(peakSentence(use)), text(fragmentationSentence(use))};
  if (timeline_.selection()) said.front() = uiText("In the selected range: %1").arg(said.front());
  if (const std::string missing = historySentence(use); !missing.empty()) said << text(missing);
  if (use.failures > 0)
    said << uiText("failed allocations: %1").arg(formatCount(std::int64_t(use.failures)));
  if (snapshot.malformed > 0)
    said << uiText("invalid events: %1").arg(formatCount(std::int64_t(snapshot.malformed)));
  return said;
}

}  // namespace fusebench

#include "moc_memory_panel.cpp"
