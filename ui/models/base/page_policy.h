// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCryptographicHash>
#include <QString>

namespace fusebench {

/// What a page that is handed out allows a browser to load, as an element of its head: styles and
/// pictures that are inside it, `script` if it is not empty, and nothing else. Only exactly this
/// script runs; one that was injected through a name or a lesson does not.
inline QString pagePolicy(const QString& script) {
  const QString allowed =
      script.isEmpty()
          ? QString()
          : QStringLiteral("script-src 'sha256-%1'; ")
                .arg(QString::fromLatin1(
                    QCryptographicHash::hash(script.toUtf8(), QCryptographicHash::Sha256)
                        .toBase64()));
  return QStringLiteral(
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; %1"
             "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n")
      .arg(allowed);
}

}  // namespace fusebench
