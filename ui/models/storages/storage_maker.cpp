// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/storages/storage_maker.h"

#include <utility>

namespace fusebench {

StorageMaker::StorageMaker(QObject* parent) : QObject(parent) {
  pool_.setMaxThreadCount(1);
}

StorageMaker::~StorageMaker() {
  pool_.waitForDone();
}

void StorageMaker::make(std::shared_ptr<const CodeListing> listing) {
  if (listing == asked_) return;
  asked_ = listing;
  if (listing->kernels.empty()) {
    wanted_.reset();
    picture_ = std::make_shared<StoragePicture>(storagePicture(*listing));
    return;
  }
  wanted_ = std::move(listing);
  if (!working_) start();
}

void StorageMaker::start() {
  working_ = true;
  // The destructor waits for it; Qt drops a call that comes too late.
  pool_.start([this, listing = std::exchange(wanted_, nullptr)] {
    auto picture = std::make_shared<const StoragePicture>(storagePicture(*listing));
    QMetaObject::invokeMethod(
        this, [this, listing, picture] { take(listing == asked_ ? picture : nullptr); },
        Qt::QueuedConnection);
  });
}

void StorageMaker::take(std::shared_ptr<const StoragePicture> picture) {
  working_ = false;
  if (wanted_) start();
  if (!picture) return;
  picture_ = std::move(picture);
  emit made();
}

}  // namespace fusebench

#include "moc_storage_maker.cpp"
