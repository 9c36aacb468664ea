// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/window/settings.h"

#include <QFileInfo>

namespace fusebench {
namespace {
constexpr int kRecentFiles = 12;
}

Settings::Settings(const QString& file, QObject* parent)
    : QObject(parent),
      store_(file.isEmpty() ? QSettings().fileName() : file, QSettings::IniFormat) {}

void Settings::set(const char* key, bool value) {
  if (store_.contains(key) && store_.value(key).toBool() == value) return;
  store_.setValue(key, value);
  emit changed();
}

void Settings::setPython(const QString& path) {
  if (path == python()) return;
  store_.setValue("run/python", path);
  emit changed();
}

void Settings::setDevice(const QString& name) {
  if (name == device()) return;
  store_.setValue("run/device", name);
  emit changed();
}

void Settings::setTargets(const QStringList& names) {
  if (names == targets()) return;
  store_.setValue("run/targets", names);
  emit changed();
}

void Settings::addRecentFile(const QString& path) {
  const QString whole = QFileInfo(path).absoluteFilePath();
  QStringList files = recentFiles();
  files.removeAll(whole);
  files.prepend(whole);
  store_.setValue("files/recent", files.mid(0, kRecentFiles));
  emit changed();
}

void Settings::forgetRecentFile(const QString& path) {
  QStringList files = recentFiles();
  if (files.removeAll(path) == 0) return;
  store_.setValue("files/recent", files);
  emit changed();
}

}  // namespace fusebench

#include "moc_settings.cpp"
