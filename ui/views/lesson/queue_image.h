// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>
#include <vector>

#include "profiler/course/queue_picture.h"
#include "ui/theme/theme.h"

class QTextDocument;

namespace fusebench {

/// A picture that a lesson's document asks for, by its address.
struct QueueAddress {
  QString text;
  course::QueueModel model;
};

/// Those of a document, each once.
std::vector<QueueAddress> queuesOf(const QTextDocument& document);

inline constexpr int kQueueImageWidth = 480;

/// Pictures no wider than a column of so many units, and no wider than they are. Narrow ones are
/// drawn for their width: their letters keep their size.
void fitPictures(QTextDocument& document, int width, const Theme& theme);

/// Two lanes over one axis of time: the host's launches and the device's kernels, with what waits.
/// Drawn at three pixels a unit, so that paper and fine screens show it sharp.
QImage queueImage(const course::QueueModel& model, const Theme& theme,
                  int width = kQueueImageWidth);

}  // namespace fusebench
