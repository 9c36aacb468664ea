// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <memory>

#include "ui/models/storages/storage_picture.h"

namespace fusebench {

/// Makes the picture of a call's memory on a separate thread: for long programs it takes longer
/// than a window may be blocked.
class StorageMaker : public QObject {
  Q_OBJECT

 public:
  explicit StorageMaker(QObject* parent = nullptr);
  ~StorageMaker() override;

  /// Requests a picture; only the last request counts. The previous picture is kept until the new
  /// one is ready, but the picture of a listing without kernels is available immediately.
  void make(std::shared_ptr<const CodeListing> listing);
  const StoragePicture& picture() const { return *picture_; }
  std::shared_ptr<const StoragePicture> shared() const { return picture_; }
  bool busy() const { return working_ || wanted_; }

 signals:
  void made();

 private:
  void start();
  void take(std::shared_ptr<const StoragePicture> picture);

  std::shared_ptr<const CodeListing> asked_;   ///< last
  std::shared_ptr<const CodeListing> wanted_;  ///< not begun yet; null: nothing
  std::shared_ptr<const StoragePicture> picture_ = std::make_shared<StoragePicture>();
  bool working_ = false;
  QThreadPool pool_;
};

}  // namespace fusebench
