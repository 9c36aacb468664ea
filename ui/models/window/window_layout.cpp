// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/window/window_layout.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace fusebench {
namespace {

QJsonObject blobs(const std::map<QString, QByteArray>& states) {
  QJsonObject made;
  for (const auto& [name, state] : states) made[name] = QString::fromLatin1(state.toBase64());
  return made;
}

std::map<QString, QByteArray> blobsOf(const QJsonObject& states) {
  std::map<QString, QByteArray> made;
  for (auto each = states.begin(); each != states.end(); ++each)
    if (each->isString()) made[each.key()] = QByteArray::fromBase64(each->toString().toLatin1());
  return made;
}

}  // namespace

const char* nameOf(FileKind kind) {
  static constexpr const char* kNames[] = {"experiment",     "run",       "trace", "lesson",
                                           "executionTrace", "compileLog"};
  return kNames[static_cast<std::size_t>(kind)];
}

QByteArray toJson(const WindowLayout& layout) {
  QJsonObject made;
  made[QStringLiteral("leftHidden")] = layout.leftHidden;
  made[QStringLiteral("rightHidden")] = layout.rightHidden;
  made[QStringLiteral("tableHidden")] = layout.tableHidden;
  made[QStringLiteral("beside")] = QJsonArray::fromStringList(layout.beside);
  made[QStringLiteral("shown")] = layout.shown;
  made[QStringLiteral("below")] = layout.below;
  made[QStringLiteral("windows")] = blobs(layout.windows);
  made[QStringLiteral("splitters")] = blobs(layout.splitters);
  return QJsonDocument(made).toJson(QJsonDocument::Compact);
}

WindowLayout windowLayout(const QByteArray& json) {
  const QJsonObject object = QJsonDocument::fromJson(json).object();
  WindowLayout layout;
  layout.leftHidden = object[QStringLiteral("leftHidden")].toBool();
  layout.rightHidden = object[QStringLiteral("rightHidden")].toBool();
  layout.tableHidden = object[QStringLiteral("tableHidden")].toBool();
  const QJsonArray beside = object[QStringLiteral("beside")].toArray();
  for (const auto& key : beside)
    if (key.isString()) layout.beside << key.toString();
  layout.shown = object[QStringLiteral("shown")].toString();
  layout.below = object[QStringLiteral("below")].toBool();
  layout.windows = blobsOf(object[QStringLiteral("windows")].toObject());
  layout.splitters = blobsOf(object[QStringLiteral("splitters")].toObject());
  return layout;
}

}  // namespace fusebench
