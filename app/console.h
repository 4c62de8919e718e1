// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/run/verdict.h"

#include <QByteArray>
#include <QString>

namespace interlock {

/// How the program ends, for scripts.
namespace status {
inline constexpr int done = 0; ///< held, as expected, done
inline constexpr int broken = 1; ///< broken, not as expected or declared, something needed is missing
inline constexpr int unknown = 2; ///< unknown, or it could not be done
inline constexpr int usage = 64; ///< the command line is wrong
}

/// One line on standard output: results, and nothing else.
void print(QByteArrayView line);
/// One line on standard error: words for people.
void say(const QString &text);
/// Says an error; the exit status that its kind calls for.
int refuse(const Error &error);

/// A line on standard error that the next one overwrites; nothing if that is no terminal. An empty text wipes it.
void showProgress(const QString &text);

/// Status `unknown`, and a sentence, if not everything that was printed could be written; otherwise @p otherwise.
int flushed(int otherwise);

/// Of a verdict without expectation.
int statusOf(const Run &run, const Verdict &verdict);
/// "broken: A worked from …"; without a verdict what was measured comes first.
QString verdictSentence(const Run &run, const Verdict &verdict);
/// Says why, of an incomplete run.
void sayIncomplete(const Run &run);
/// verdictLine(); of a run that measures also "measures" and "table", as exports have them, and of a set "runs": their names, their files if
/// they lie beside @p file, and why one told nothing. @param file of the set; empty: it is not kept
QByteArray resultLine(const Run &run, const Verdict &verdict, const QString &file);
/// The same on standard output, or as sentences: the verdict's, then a line for each share and cell.
void printResult(const Run &run, const Verdict &verdict, const QString &file, bool isJson);
/// The sentences of the checks behind the first, for standard error.
void sayNotes(const Verdict &verdict);

/// Whether a file of that name can be written: nothing is left behind.
Result<void> checkWritable(const QString &path);

/// True if a window could be shown; also if the user chose another platform than the display's.
bool hasDisplay();
/// Qt looks for a display in the user's runtime directory and warns where there is none, as for root: no word for our users.
void dropRuntimeDirectoryWarning();
/// Pictures are drawn without a display when there is none. Call before the QApplication is made.
void drawWithoutDisplay();

}
