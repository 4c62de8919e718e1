// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/session.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace interlock {

/// The subcommands. Each returns the program's exit status; results go to standard output, words for people to standard error.

int listExperiments(bool json);

struct RunCommand
{
    RunRequest request;
    QString out; ///< empty: the run is not kept
    bool json = false;
    std::optional<Judgement> expect;
};
/// Needs a QCoreApplication. Ctrl-C ends the run: what was recorded is written, and the status is `unknown`.
int runExperiment(const RunCommand &command);

int checkFile(const QString &path, bool json);

struct ExportCommand
{
    QString file;
    QString view;
    QString out;
    QString size; ///< "160x90mm"
    int dpi = 300;
    QString theme;
    QString at; ///< "2.2s": the moment that a topology shows; empty: the most telling one
};
/// Needs a QApplication.
int exportFile(const ExportCommand &command);

struct LimitCommand
{
    QString algorithm;
    QList<std::pair<QString, QString>> values;
    QString trace; ///< a file
    bool json = false;
    bool byReference = false; ///< by the reference model, without a server
};
/// A limiter's decisions on a trace, a line each. Needs a QCoreApplication.
int decideTrace(const LimitCommand &command);

/// Every preset once, a line each, and a picture each in @p directory unless that is empty. Needs a QApplication.
int tour(const QString &directory);

/// What experiments need, and whether it is here. Needs a QCoreApplication.
int examine(bool json);

/// Reads a run for check and export, says what is wrong with it; nothing if there is nothing to be read.
std::optional<Run> openRun(const QString &path, bool &isDamaged);

}
