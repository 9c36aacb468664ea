// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/settings.h"

namespace fusebench {

Settings::Settings(const QString& file, QObject* parent)
    : QObject(parent),
      store_(file.isEmpty() ? QSettings().fileName() : file, QSettings::IniFormat) {}

void Settings::set(const char* key, bool value) {
  if (store_.contains(key) && store_.value(key).toBool() == value) return;
  store_.setValue(key, value);
  emit changed();
}

}  // namespace fusebench
