// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commandline.h"

#include "app/commands.h"
#include "app/console.h"
#include "app/window.h"
#include "engine/base/words.h"
#include "engine/limiters/limiter.h"

#include <CLI/CLI.hpp>

#include <QApplication>
#include <QFileInfo>
#include <QHashSeed>
#include <QRegularExpression>

#include <functional>
#include <string>
#include <vector>

namespace interlock {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("CommandLine", text);
}

std::string words(const char *text)
{
    return tr(text).toStdString();
}

QString fromArgument(const std::string &argument)
{
    return QString::fromLocal8Bit(argument.c_str());
}

/// Everything that the command line says, in the types of CLI11.
struct Arguments
{
    std::vector<std::string> files; ///< of the window
    std::string experiment;
    std::string preset;
    std::vector<std::string> values;
    std::string seed; ///< a text: CLI11 takes -1 for a very large number
    double pace = 0.1; // nobody watches
    std::string target;
    std::string out;
    std::string expect;
    std::string file;
    std::string view;
    std::string size = "160x90mm";
    int dpi = 300;
    std::string theme = "print";
    std::string at;
    bool json = false;
    std::string algorithm;
    std::string trace;
    bool byReference = false;
};

/// A subcommand's function: called after everything has been read.
using Command = std::function<int()>;

const CLI::Validator notEmpty(
    [](std::string &text) { return text.empty() ? words("it is empty") : std::string(); }, "", "not empty");

using NamedValues = QList<std::pair<QString, QString>>;

/// What --set says: each time it is given one value.
Result<NamedValues> namedValues(const QStringList &texts)
{
    NamedValues values;
    for (const QString &text : texts) {
        const qsizetype equals = text.indexOf(u'=');
        if (equals < 1)
            return Error {Error::Kind::Invalid, tr("“%1” sets nothing: write --set NAME=VALUE.").arg(text)};
        values.append({text.left(equals), text.mid(equals + 1)});
    }
    return values;
}

QStringList fromArguments(const std::vector<std::string> &arguments)
{
    QStringList texts;
    for (const std::string &argument : arguments)
        texts.append(fromArgument(argument));
    return texts;
}

Result<RunCommand> runCommand(const Arguments &arguments)
{
    RunCommand command;
    command.request.experiment = fromArgument(arguments.experiment);
    command.request.preset = fromArgument(arguments.preset);
    command.request.pace = arguments.pace;
    command.out = fromArgument(arguments.out);
    command.json = arguments.json;
    if (!arguments.seed.empty()) {
        bool ok = false;
        command.request.seed = fromArgument(arguments.seed).toULongLong(&ok);
        if (!ok)
            return Error {Error::Kind::Invalid, tr("The seed is a whole number from 0 to 18446744073709551615.")};
    }
    const Result<NamedValues> values = namedValues(fromArguments(arguments.values));
    if (!values)
        return values.error();
    command.request.values = *values;
    if (!arguments.target.empty()) {
        const Result<Target> target = targetFrom(fromArgument(arguments.target));
        if (!target)
            return target.error();
        command.request.target = *target;
    }
    if (!arguments.expect.empty())
        command.expect = arguments.expect == "held" ? Judgement::Held : Judgement::Broken;
    return command;
}

void addList(CLI::App &app, Arguments &arguments, Command &chosen)
{
    CLI::App *list = app.add_subcommand("list", words("Experiments, their promises, parameters and presets"));
    list->add_flag("--json", arguments.json, words("One JSON object a line"));
    list->callback([&] { chosen = [&] { return listExperiments(arguments.json); }; });
}

void addRun(CLI::App &app, Arguments &arguments, Command &chosen, int &argc, char **argv)
{
    CLI::App *run = app.add_subcommand("run", words("Run an experiment and judge what happened"));
    run->add_option("ID", arguments.experiment, words("The experiment: see interlock list"))->required();
    run->add_option("--preset", arguments.preset,
           words("Its values by name. Without this and --set: the experiment’s first preset"))
        ->check(notEmpty);
    run->add_option("--set", arguments.values, words("NAME=VALUE: one value, over those of the preset. May be repeated"))
        ->allow_extra_args(false);
    run->add_option("--seed", arguments.seed, words("Repeats the random choices of another run"))->check(notEmpty);
    run->add_option("--pace", arguments.pace, words("Factor on the waits that only serve the eye, up to 10; the window’s is 1"))
        ->capture_default_str();
    run->add_option("--target", arguments.target,
           words("Your own Redis instead of a private one: redis://[user:pass@]host:port[/db], unix:PATH, or the primary that "
                 "sentinels know: sentinel://[user:pass@]host:port,host:port/name[?db=N&sentinel-user=USER&sentinel-password=PASS]"))
        ->check(notEmpty);
    run->add_option("--out", arguments.out, words("Keep the run in this file (.interlock.jsonl), and each run of a set in FILE.children/NAME.interlock.jsonl"))->check(notEmpty);
    run->add_flag("--json", arguments.json, words("Print the record and the verdict, one JSON object a line"));
    run->add_option("--expect", arguments.expect, words("held or broken: status 0 if that is the verdict"))
        ->check(CLI::IsMember({"held", "broken"}));
    run->callback([&, argv] {
        chosen = [&, argv] {
            const Result<RunCommand> command = runCommand(arguments);
            if (!command)
                return refuse(command.error());
            const QCoreApplication application(argc, argv);
            return runExperiment(*command);
        };
    });
}

void addCheck(CLI::App &app, Arguments &arguments, Command &chosen, int &argc, char **argv)
{
    CLI::App *check = app.add_subcommand("check", words("Judge a recorded run again, from its events alone"));
    check->add_option("FILE", arguments.file, words("A run file"))->required();
    check->add_flag("--json", arguments.json, words("Print the verdict as JSON"));
    check->callback([&, argv] {
        chosen = [&, argv] {
            const QCoreApplication application(argc, argv);
            return checkFile(fromArgument(arguments.file), arguments.json);
        };
    });
}

void addExport(CLI::App &app, Arguments &arguments, Command &chosen, int &argc, char **argv)
{
    CLI::App *exporting = app.add_subcommand("export", words("Draw one view of a recorded run into a file"));
    exporting->add_option("FILE", arguments.file, words("A run file"))->required();
    exporting->add_option("--view", arguments.view, words("What to draw: timeline, table…"))->required()->check(notEmpty);
    exporting->add_option("--out", arguments.out, words("The picture or data: its name ends in svg, pdf, png, csv or json"))
        ->required()
        ->check(notEmpty);
    exporting->add_option("--size", arguments.size, words("Width and height; sets the layout"))->capture_default_str();
    exporting->add_option("--dpi", arguments.dpi, words("Of a PNG: pixels only, never the layout"))
        ->check(CLI::Range(30, 1200))
        ->capture_default_str();
    exporting->add_option("--theme", arguments.theme, words("Colours: light, dark or print"))
        ->check(CLI::IsMember({"light", "dark", "print"}))
        ->capture_default_str();
    exporting->add_option("--at", arguments.at, words("The moment of the run that a topology shows: 2.2s. Without it: where the promise broke, or a promotion"))
        ->check(notEmpty);
    exporting->callback([&, argv] {
        chosen = [&, argv] {
            drawWithoutDisplay();
            QHashSeed::setDeterministicGlobalSeed(); // fonts stand in a PDF in the order of their hashes
            const QApplication application(argc, argv);
            return exportFile({fromArgument(arguments.file), fromArgument(arguments.view), fromArgument(arguments.out),
                fromArgument(arguments.size), arguments.dpi, fromArgument(arguments.theme), fromArgument(arguments.at)});
        };
    });
}

/// Every algorithm and its values, for the end of the help.
std::string algorithmsAndValues()
{
    QString text = tr("Algorithms and their values:");
    for (const Algorithm &algorithm : Limiter::algorithms()) {
        text += QStringLiteral("\n\n  %1: %2").arg(algorithm.id, algorithm.promise);
        for (const Setting &setting : algorithm.settings)
            text += QStringLiteral("\n    %1 %2 (%3%4)")
                        .arg(setting.name.leftJustified(9), setting.help, setting.range(),
                            setting.standard.isEmpty() ? QString() : u' ' + tr("[%1]").arg(setting.standard));
    }
    return text.toStdString();
}

void addLimit(CLI::App &app, Arguments &arguments, Command &chosen, int &argc, char **argv)
{
    CLI::App *limit = app.add_subcommand("limit", words("Decide a trace of requests by a rate limiter, on the trace's clock"));
    limit->add_option("ALGORITHM", arguments.algorithm, words("See below"))->required();
    limit->add_option("--set", arguments.values, words("NAME=VALUE: one of its values, or several with spaces. May be repeated"));
    limit->add_option("--trace", arguments.trace, words("The requests: lines of at_us,cost or at_us,cost,key"))->required()->check(notEmpty);
    limit->add_flag("--json", arguments.json, words("One JSON object a line, else the same fields with commas"));
    limit->add_flag("--reference", arguments.byReference, words("Decide by the exact model in this program instead of the script on a Redis"));
    limit->footer([] { return algorithmsAndValues(); });
    limit->callback([&, argv] {
        chosen = [&, argv] {
            // Several at once, too, as a line of them stands in a file: "limit=5 interval=1s".
            const QString texts = fromArguments(arguments.values).join(u' ');
            const Result<NamedValues> values = namedValues(texts.split(u' ', Qt::SkipEmptyParts));
            if (!values)
                return refuse(values.error());
            const QCoreApplication application(argc, argv);
            return decideTrace({fromArgument(arguments.algorithm), *values, fromArgument(arguments.trace), arguments.json, arguments.byReference});
        };
    });
}

void addTour(CLI::App &app, Arguments &arguments, Command &chosen, int &argc, char **argv)
{
    CLI::App *touring = app.add_subcommand("tour", words("Every preset of every experiment once, a line each"));
    touring->add_option("--out", arguments.out, words("A directory for a picture of each"))->check(notEmpty);
    touring->callback([&, argv] {
        chosen = [&, argv] {
            drawWithoutDisplay();
            const QApplication application(argc, argv);
            return tour(fromArgument(arguments.out));
        };
    });
}

void addDoctor(CLI::App &app, Arguments &arguments, Command &chosen, int &argc, char **argv)
{
    CLI::App *doctor = app.add_subcommand("doctor", words("Is everything here that experiments need"));
    doctor->add_flag("--json", arguments.json, words("One JSON object a line"));
    doctor->callback([&, argv] {
        chosen = [&, argv] {
            const QCoreApplication application(argc, argv);
            return examine(arguments.json);
        };
    });
}

/// A password in a URI must not be shown, whatever CLI11 says about the argument that holds it.
QString withoutPasswords(const QString &text)
{
    static const QRegularExpression secret(QStringLiteral("://[^\\s]*@"));
    static const QRegularExpression ofSentinels(QStringLiteral("(sentinel-user|sentinel-password)=[^\\s&]*"));
    return QString(text).replace(secret, QStringLiteral("://…@")).replace(ofSentinels, QStringLiteral("\\1=…"));
}

int refuseUsage(CLI::App &app, const CLI::ParseError &error)
{
    // Help and version come as errors, too.
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
        return flushed(app.exit(error));
    say(withoutPasswords(fromArgument(error.what())));
    const auto chosen = app.get_subcommands();
    const QString name = chosen.empty() ? QString() : fromArgument(chosen.front()->get_name()) + u' ';
    say(tr("interlock %1--help says what is possible.").arg(name));
    return status::usage;
}

/// The window, unless what was given for a file was meant for a command.
int openWindow(const CLI::App &app, const Arguments &arguments, int &argc, char **argv)
{
    QStringList files;
    for (const std::string &file : arguments.files)
        files.append(fromArgument(file));
    if (!files.isEmpty() && !files.first().contains(u'/') && !QFileInfo::exists(files.first())) {
        QStringList known;
        for (const CLI::App *command : app.get_subcommands({}))
            known.append(fromArgument(command->get_name()));
        say(tr("“%1” is neither a command nor a file.%2 The commands are %3.")
                .arg(withoutPasswords(files.first()), didYouMean(files.first(), known), listedAnd(known)));
        return status::usage;
    }
    if (!hasDisplay()) {
        say(tr("There is no display for the window. “interlock tour --out DIR” needs none; “interlock --help” says what else."));
        return status::unknown;
    }
    const QApplication application(argc, argv);
    return runWindow(files);
}

}

int runCommandLine(int argc, char **argv)
{
    dropRuntimeDirectoryWarning();
    QCoreApplication::setApplicationName(QStringLiteral("interlock"));
    QCoreApplication::setApplicationVersion(QStringLiteral(INTERLOCK_VERSION));

    CLI::App app(words("A laboratory for locks on real Redis servers. Without a command it opens the window."), "interlock");
    app.set_version_flag("--version", "interlock " INTERLOCK_VERSION);
    app.require_subcommand(0, 1);
    Arguments arguments;
    app.add_option("FILE", arguments.files, words("Recorded runs to open in the window"));
    Command chosen = [&] { return openWindow(app, arguments, argc, argv); };
    addList(app, arguments, chosen);
    addRun(app, arguments, chosen, argc, argv);
    addCheck(app, arguments, chosen, argc, argv);
    addExport(app, arguments, chosen, argc, argv);
    addLimit(app, arguments, chosen, argc, argv);
    addTour(app, arguments, chosen, argc, argv);
    addDoctor(app, arguments, chosen, argc, argv);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return refuseUsage(app, error);
    }
    return chosen();
}

}
