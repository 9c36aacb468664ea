// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include "profiler/course/answers.h"

namespace fusebench {

/// The endings that a hand-out can have: html, pdf, md.
bool isHandOutForm(const QString& path);
/// A lesson to be read on paper, with the answers where there are some: HTML, PDF or Markdown by
/// the ending of `path`. Throws InputError for any other ending.
QByteArray handOutContent(const course::Lesson& lesson, const course::Answers* answers,
                          const QString& path);
/// Writes a lesson's hand-out to `out`; an exit code, and why on stderr: see exportFiles().
int exportHandOut(const QString& out, const QString& lesson);

}  // namespace fusebench
