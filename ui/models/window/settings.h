// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QSettings>
#include <QString>
#include <QStringList>

namespace fusebench {

/// The settings that persist between starts. Every setter saves immediately and signals a change.
class Settings : public QObject {
  Q_OBJECT

 public:
  /// `file`: an ini file, for tests and snapshots; empty: the user's own.
  explicit Settings(const QString& file = {}, QObject* parent = nullptr);

  bool dark() const { return flag("view/dark", true); }
  bool logLatency() const { return flag("view/logLatency", true); }
  bool showPublished() const { return flag("view/published", false); }
  bool showLesson() const { return flag("view/lesson", true); }
  bool quick() const { return flag("run/quick", false); }
  /// Whether edits are measured automatically.
  bool explore() const { return flag("run/explore", true); }
  /// The interpreter in which PyTorch is searched for; empty: the default.
  QString python() const { return store_.value("run/python").toString(); }
  /// Other machines to measure on.
  QStringList targets() const { return store_.value("run/targets").toStringList(); }
  void setTargets(const QStringList& names);
  /// The language to start in, of languages(); empty: the system's.
  QString language() const { return store_.value("view/language").toString(); }
  /// The device to measure on, for --device.
  QString device() const { return store_.value("run/device", "cpu").toString(); }
  QByteArray geometry() const { return store_.value("window/geometry").toByteArray(); }
  QString folder() const { return store_.value("files/folder").toString(); }
  /// Files opened or saved, the most recent first.
  QStringList recentFiles() const { return store_.value("files/recent").toStringList(); }
  /// Ops chosen from the palette, the most recent first.
  QStringList recentOps() const { return store_.value("palette/recent").toStringList(); }
  /// Saved queries to traces, the most recent first.
  QStringList keptQueries() const { return store_.value("timeline/queries").toStringList(); }
  void setKeptQueries(const QStringList& queries) { store_.setValue("timeline/queries", queries); }
  /// The last position of a splitter or tab.
  QVariant place(const QString& name) const { return store_.value("places/" + name); }

  void setDark(bool on) { set("view/dark", on); }
  void setLogLatency(bool on) { set("view/logLatency", on); }
  void setShowPublished(bool on) { set("view/published", on); }
  void setShowLesson(bool on) { set("view/lesson", on); }
  void setQuick(bool on) { set("run/quick", on); }
  void setExplore(bool on) { set("run/explore", on); }
  void setLanguage(const QString& language) { store_.setValue("view/language", language); }
  void setPython(const QString& path);
  void setDevice(const QString& name);
  void addRecentFile(const QString& path);
  void forgetRecentFile(const QString& path);
  void setRecentOps(const QStringList& names) { store_.setValue("palette/recent", names); }
  void setPlace(const QString& name, const QVariant& value) {
    store_.setValue("places/" + name, value);
  }
  void setGeometry(const QByteArray& geometry) { store_.setValue("window/geometry", geometry); }
  void setFolder(const QString& folder) { store_.setValue("files/folder", folder); }

 signals:
  void changed();

 private:
  bool flag(const char* key, bool otherwise) const { return store_.value(key, otherwise).toBool(); }
  void set(const char* key, bool value);

  QSettings store_;
};

}  // namespace fusebench
