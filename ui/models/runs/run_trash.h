// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <optional>

namespace fusebench {

/// Deleted files are moved to `folder`/trash/NAME, with a new NAME for each deletion. The functions
/// return one line if something went wrong.

/// A name with the time in UTC, by which old ones are recognized: "20250301T140500Z-1".
QString trashFolderName(int number);

/// Moves those of the files that exist.
std::optional<QString> moveToTrash(const QStringList& files, const QString& folder,
                                   const QString& name);

/// Moves everything back into `folder`. A file that has since taken a name keeps it, and the
/// restored file gets another one.
std::optional<QString> restoreFromTrash(const QString& folder, const QString& name);

/// Deletes for good what was deleted more than 30 days ago.
void purgeOldTrash(const QString& folder);

}  // namespace fusebench
