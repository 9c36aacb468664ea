// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <memory>

#include "ui/models/storages/storage_picture.h"

namespace fusebench {

/// Puts a picture of a call's memory together on a thread of its own: of long programs it takes
/// longer than a window may stand still.
class StorageMaker : public QObject {
  Q_OBJECT

 public:
  explicit StorageMaker(QObject* parent = nullptr);
  ~StorageMaker() override;

  /// What is asked for last counts. Until it is made the picture is of before, except that of
  /// nothing, which is there at once.
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
