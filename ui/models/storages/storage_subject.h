// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "profiler/experiment/experiment.h"
#include "ui/models/storages/storage_picture.h"

namespace fusebench {

/// The memory of one call of several variants, one above the other on one scale.
struct StoragesSubject {
  struct Row {
    QString variant;
    std::shared_ptr<const StoragePicture> picture;  ///< never null
  };
  QString title;  ///< title of the experiment
  QString place;  ///< which call it is
  std::vector<Row> rows;
};

/// Variants whose memory is known: Fusebench does not plan PyTorch's memory.
std::vector<int> memoryVariants(const Experiment& experiment);
/// The variants compared by default: the baseline, and the first that compiles.
std::vector<int> memoryAtFirst(const Experiment& experiment);
/// Which call a listing is for, in words; empty: none.
QString storagesPlace(const CodeListing& listing);

}  // namespace fusebench
