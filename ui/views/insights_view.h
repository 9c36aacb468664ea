// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

#include "ui/models/insights_model.h"
#include "ui/theme.h"

class QVBoxLayout;

namespace fusebench {

/// The findings as short paragraphs, each with its figure on top and its variant's colour beside
/// it.
class InsightsView : public QScrollArea {
  Q_OBJECT

 public:
  explicit InsightsView(const InsightsModel& model, QWidget* parent = nullptr);
  void setTheme(const Theme& theme);

 private:
  void rebuild();
  QWidget* makeEntry(const Insight& insight);

  const InsightsModel& model_;
  const Theme* theme_ = &darkTheme();
  QVBoxLayout* entries_ = nullptr;
};

}  // namespace fusebench
