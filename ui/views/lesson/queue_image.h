// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>
#include <vector>

#include "profiler/course/queue_picture.h"
#include "ui/theme/theme.h"

class QTextDocument;

namespace fusebench {

/// A picture that a lesson's document requests, by its address.
struct QueueAddress {
  QString text;
  course::QueueModel model;
};

/// Those of a document, each once.
std::vector<QueueAddress> queuesOf(const QTextDocument& document);

inline constexpr int kQueueImageWidth = 480;

/// Pictures that are no wider than a column of this many units, and never enlarged. Narrow ones are
/// drawn for their width, so that their letters keep their size.
void fitPictures(QTextDocument& document, int width, const Theme& theme);

/// Two lanes over one time axis: the host's launches and the device's kernels, with waiting times.
/// Drawn with three pixels per unit, so that it is sharp on paper and high-resolution screens.
QImage queueImage(const course::QueueModel& model, const Theme& theme,
                  int width = kQueueImageWidth);

}  // namespace fusebench
