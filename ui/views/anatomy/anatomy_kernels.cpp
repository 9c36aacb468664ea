// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/anatomy/anatomy_kernels.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QVBoxLayout>
#include <vector>

#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/views/timeline/histogram_view.h"

namespace fusebench {
namespace {

QString kernelsTitle(const AnatomyBar& bar) {
  const QString where = bar.device ? uiText("on the device, in all recorded calls")
                                   : uiText("on the host; times of one execution are medians");
  return uiText("Kernels of %1 %2. Count and total are those of one call").arg(bar.name, where);
}

}  // namespace

AnatomyKernels::AnatomyKernels(QWidget* parent)
    : QWidget(parent),
      title_(new QLabel(this)),
      table_(new KernelTable(this)),
      delays_(new HistogramView(uiText("Launch delay"), uiText("None is known."), this)),
      gaps_(new HistogramView(uiText("Gaps"), uiText("There are no gaps."), this)),
      histograms_(new QWidget(this)) {
  title_->setObjectName(QStringLiteral("muted"));
  title_->setTextFormat(Qt::PlainText);
  title_->setWordWrap(true);
  auto* side = new QVBoxLayout(histograms_);
  side->setContentsMargins(0, 0, 0, 0);
  side->setSpacing(0);
  side->addWidget(delays_);
  side->addWidget(gaps_);
  auto* line = new QHBoxLayout;
  line->setContentsMargins(18, 5, 14, 3);
  line->addWidget(title_);
  auto* figures = new QHBoxLayout;
  figures->setContentsMargins(10, 0, 0, 0);
  figures->setSpacing(0);
  figures->addWidget(table_, 1);
  figures->addWidget(histograms_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(line);
  layout->addLayout(figures, 1);
  setBar(nullptr);
}

void AnatomyKernels::setTheme(const Theme& theme) {
  delays_->setTheme(theme);
  gaps_->setTheme(theme);
}

void AnatomyKernels::setBar(const AnatomyBar* bar) {
  table_->begin(KernelTable::usualTitles());
  if (bar)
    for (const KernelFigures& kernel : bar->kernels)
      table_->addKernel(
          kernel.name, {formatTime(kernel.total),
                        QString::number(100 * kernel.share, 'f', 1) + QStringLiteral("%"),
                        formatMean(kernel.count), formatTime(kernel.mean), formatTime(kernel.least),
                        formatTime(kernel.most)});
  title_->setText(
      !bar                    ? QString()
      : !bar->kernels.empty() ? kernelsTitle(*bar)
      : bar->deviceProblem.isEmpty()
          ? uiText("The kernels of %1 are not distinguished").arg(bar->name)
          : uiText("The kernels of %1 were not recorded: %2").arg(bar->name, bar->deviceProblem));
  histograms_->setVisible(bar && bar->device);
  delays_->setDistributions(bar && bar->device ? std::vector{bar->delays}
                                               : std::vector<Distribution>());
  gaps_->setDistributions(bar && bar->device ? std::vector{bar->gaps}
                                             : std::vector<Distribution>());
  table_->resizeColumnsToContents();
  table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
}

}  // namespace fusebench

#include "moc_anatomy_kernels.cpp"
