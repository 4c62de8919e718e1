// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scenes.h"

#include "engine/experiments/catalogue.h"
#include "engine/run/groupstate.h"
#include "widgets/scenes/frame.h"
#include "widgets/scenes/ladderscene.h"
#include "widgets/scenes/limiterscene.h"
#include "widgets/scenes/matrixscene.h"
#include "widgets/scenes/measurescene.h"
#include "widgets/scenes/tablescene.h"
#include "widgets/scenes/timelinescene.h"
#include "widgets/scenes/topologyscene.h"
#include "widgets/scenes/waitsscene.h"
#include "widgets/verdictbar.h"

#include <qcustomplot.h>

#include <QBuffer>
#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>
#include <QFontInfo>
#include <QPageSize>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>

namespace interlock {

namespace {

constexpr double pixelsPerInch = 96; ///< of the layout; the resolution of a file is another matter
constexpr double millimetresPerInch = 25.4;
constexpr double shortest = 20, longest = 2000; ///< mm
constexpr int coarsest = 30, finest = 1200; ///< dpi

QString tr(const char *text)
{
    return QCoreApplication::translate("Scenes", text);
}

QSizeF layoutSize(const ExportOptions &options)
{
    return options.millimetres * (pixelsPerInch / millimetresPerInch);
}

QString titleOfFile(const Run &run)
{
    return tr("Interlock: %1").arg(titleOf(run));
}

QString describe(const Run &run, const Verdict &verdict)
{
    const VerdictTexts said = verdictTexts(run, verdict);
    return QStringLiteral("%1 %2. %3 %4").arg(run.header.promise, said.word, said.sentence, said.cause).simplified();
}

qint64 momentOf(const Run &run, const Verdict &verdict, const ExportOptions &options)
{
    return options.at.value_or(tellingMoment(run, verdict));
}

void drawScene(QCPPainter &painter, const Run &run, const Verdict &verdict, const QString &view, const ExportOptions &options)
{
    Theme theme = Theme::named(options.theme);
    theme.font.setHintingPreference(QFont::PreferNoHinting); // the same layout at every resolution
    theme.font.setFamily(QFontInfo(theme.font).family()); // an alias such as “Sans Serif” means nothing to readers of SVG
    painter.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    int mostNotes = 4;
    if (view == QLatin1String("limiters") && areLimitersCrowded(run, layoutSize(options))) {
        theme.font = theme.sized(0); // as small as type may be
        mostNotes = 1;
    }
    const QRectF place = drawFrame(painter, layoutSize(options), run, verdict, theme, mostNotes);
    if (view == QLatin1String("table"))
        drawTableScene(painter, place, run, theme);
    else if (view == QLatin1String("waits"))
        drawWaitsScene(painter, place, run, theme);
    else if (view == QLatin1String("limiters"))
        drawLimiterScene(painter, place, run, theme);
    else if (view == QLatin1String("limiter-table"))
        drawLimiterTableScene(painter, place, run, theme);
    else if (view == QLatin1String("measures"))
        drawMeasureScene(painter, place, run, theme);
    else if (view == QLatin1String("matrix"))
        drawMatrixScene(painter, place, run, theme);
    else if (view == QLatin1String("topology"))
        drawTopologyScene(painter, place, run, theme, momentOf(run, verdict, options));
    else if (view == QLatin1String("ladder"))
        drawLadderScene(painter, place, run, theme, momentOf(run, verdict, options));
    else if (view == QLatin1String("failover"))
        drawFailoverScene(painter, place, run, verdict, theme, momentOf(run, verdict, options));
    else
        drawTimelineScene(painter, place, run, verdict, theme);
}

/// The generator says of each shape what holds anyway.
QByteArray withoutDefaults(QByteArray svg)
{
    for (const char *said : {" transform=\"matrix(1,0,0,1,0,0)\"", " fill-opacity=\"1\"", " stroke-opacity=\"1\"", " vector-effect=\"none\""})
        svg.replace(said, "");
    return svg;
}

QByteArray svg(const Run &run, const Verdict &verdict, const QString &view, const ExportOptions &options)
{
    constexpr int resolution = 2540; // a hundredth of a millimetre, since the generator takes whole numbers only
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(resolution);
    generator.setSize((options.millimetres * 100).toSize());
    generator.setViewBox(QRectF(QPointF(), layoutSize(options)));
    generator.setTitle(titleOfFile(run));
    generator.setDescription(describe(run, verdict));
    QCPPainter painter(&generator);
    drawScene(painter, run, verdict, view, options);
    painter.end();
    return withoutDefaults(buffer.data());
}

/// The writer dates a document by the clock. The run's own time makes it the same each time; its length must stay, since places are counted.
QByteArray withDateOf(const Run &run, QByteArray pdf)
{
    const QDateTime started = QDateTime::fromString(run.header.started, Qt::ISODateWithMs);
    const qsizetype begin = pdf.indexOf("/CreationDate (");
    const qsizetype length = pdf.indexOf(')', begin) + 1 - begin;
    const QByteArray date = "/CreationDate (D:" + started.toUTC().toString(QStringLiteral("yyyyMMddHHmmss")).toLatin1() + "Z)";
    return begin < 0 || !started.isValid() || length < date.size() ? pdf : pdf.replace(begin, length, date.leftJustified(length));
}

QByteArray pdf(const Run &run, const Verdict &verdict, const QString &view, const ExportOptions &options)
{
    constexpr int resolution = 1200;
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(resolution);
    writer.setPageSize(QPageSize(options.millimetres, QPageSize::Millimeter, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(titleOfFile(run));
    writer.setCreator(run.header.program);
    QCPPainter painter(&writer);
    painter.scale(resolution / pixelsPerInch, resolution / pixelsPerInch);
    drawScene(painter, run, verdict, view, options);
    painter.end();
    return withDateOf(run, buffer.data());
}

Result<QByteArray> png(const Run &run, const Verdict &verdict, const QString &view, const ExportOptions &options)
{
    const double factor = options.dpi / pixelsPerInch;
    const QSizeF pixels = layoutSize(options) * factor;
    constexpr double most = 2e8;
    QImage image;
    if (pixels.width() * pixels.height() <= most)
        image = QImage(pixels.toSize(), QImage::Format_RGB32);
    if (image.isNull()) {
        return Error {Error::Kind::Invalid,
            tr("A picture of %1 × %2 pixels is too large. Take fewer dots per inch or a smaller size.").arg(qRound(pixels.width())).arg(qRound(pixels.height()))};
    }
    image.fill(Theme::named(options.theme).background); // the scene may end within the last column of pixels
    constexpr double inchesPerMetre = 1000 / millimetresPerInch;
    image.setDotsPerMeterX(qRound(options.dpi * inchesPerMetre));
    image.setDotsPerMeterY(qRound(options.dpi * inchesPerMetre));
    QCPPainter painter;
    painter.begin(&image);
    painter.scale(factor, factor);
    drawScene(painter, run, verdict, view, options);
    painter.end();
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return buffer.data();
}

Result<QByteArray> data(const Run &run, const Verdict &verdict, const QString &view, const QString &format, const ExportOptions &options)
{
    if (format == QLatin1String("svg"))
        return svg(run, verdict, view, options);
    if (format == QLatin1String("pdf"))
        return pdf(run, verdict, view, options);
    if (format == QLatin1String("png"))
        return png(run, verdict, view, options);
    const bool isCsv = format == QLatin1String("csv");
    if (view == QLatin1String("waits"))
        return isCsv ? waitsCsv(run) : waitsJson(run);
    if (view == QLatin1String("measures"))
        return isCsv ? measuresCsv(run) : measuresJson(run);
    if (view == QLatin1String("matrix"))
        return isCsv ? matrixCsv(run) : matrixJson(run);
    if (view == QLatin1String("limiters"))
        return isCsv ? decisionsCsv(run) : decisionsJson(run);
    if (view == QLatin1String("limiter-table"))
        return isCsv ? limiterFiguresCsv(run) : limiterFiguresJson(run);
    if (view == QLatin1String("topology"))
        return isCsv ? nodesCsv(run, momentOf(run, verdict, options)) : nodesJson(run, momentOf(run, verdict, options));
    if (view == QLatin1String("ladder"))
        return isCsv ? ladderCsv(run) : ladderJson(run);
    return isCsv ? tableCsv(run) : tableJson(run);
}

Result<void> checkOptions(const ExportOptions &options)
{
    for (const double length : {options.millimetres.width(), options.millimetres.height()}) {
        if (length < shortest || length > longest) {
            return Error {Error::Kind::Invalid,
                tr("%1 mm is no usable size of a picture: %2 to %3 mm are.").arg(length).arg(shortest).arg(longest)};
        }
    }
    if (options.dpi < coarsest || options.dpi > finest)
        return Error {Error::Kind::Invalid, tr("%1 dpi is no usable resolution: %2 to %3 dpi are.").arg(options.dpi).arg(coarsest).arg(finest)};
    const QStringList themes {QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("print")};
    if (!themes.contains(options.theme))
        return Error {Error::Kind::Invalid, tr("There is no theme %1. There are %2.").arg(options.theme, themes.join(QStringLiteral(", ")))};
    return {};
}

}

Result<QSizeF> parseSize(const QString &text)
{
    static const QRegularExpression pattern(QStringLiteral("^\\s*([0-9]+(?:\\.[0-9]+)?)\\s*[x×]\\s*([0-9]+(?:\\.[0-9]+)?)\\s*(?:mm)?\\s*$"));
    const QRegularExpressionMatch match = pattern.match(text);
    if (!match.hasMatch())
        return Error {Error::Kind::Invalid, tr("“%1” is no size. Write width and height in millimetres, for instance 160x90mm.").arg(text)};
    ExportOptions options;
    options.millimetres = QSizeF(match.captured(1).toDouble(), match.captured(2).toDouble());
    if (const Result<void> usable = checkOptions(options); !usable)
        return usable.error();
    return options.millimetres;
}

QStringList viewsOf(const Run &run)
{
    const QStringList drawn {QStringLiteral("timeline"), QStringLiteral("waits"), QStringLiteral("limiters"), QStringLiteral("limiter-table"),
        QStringLiteral("measures"), QStringLiteral("matrix"), QStringLiteral("topology"), QStringLiteral("ladder"), QStringLiteral("failover"), QStringLiteral("table")};
    QStringList views;
    if (hasGroup(run.header)) // whatever experiment it was
        views << QStringLiteral("topology") << QStringLiteral("ladder") << QStringLiteral("failover");
    views << QStringLiteral("timeline");
    if (!run.header.limiters.isEmpty())
        views << QStringLiteral("limiters") << QStringLiteral("limiter-table");
    if (const Experiment *experiment = experiments::find(run.header.experiment)) {
        for (const QString &view : experiment->views) {
            if (drawn.contains(view) && !views.contains(view))
                views.append(view);
        }
    }
    // What was measured can be drawn whoever measured it.
    for (const auto &[view, isCell] : {std::pair(QStringLiteral("measures"), false), std::pair(QStringLiteral("matrix"), true)}) {
        const bool isMeasured = std::any_of(run.events.begin(), run.events.end(), [isCell = isCell](const Event &event) {
            return event.kind == Event::Kind::Measure && (static_cast<MeasureKind>(event.what) == MeasureKind::Cell) == isCell;
        });
        if (isMeasured && !views.contains(view))
            views.append(view);
    }
    if (!views.contains(QStringLiteral("table")))
        views.append(QStringLiteral("table"));
    return views;
}

QString titleOfView(const QString &view)
{
    if (view == QLatin1String("timeline"))
        return tr("Timeline");
    if (view == QLatin1String("waits"))
        return tr("Waits");
    if (view == QLatin1String("limiters"))
        return tr("Limiters");
    if (view == QLatin1String("limiter-table"))
        return tr("Figures of the limiters");
    if (view == QLatin1String("measures"))
        return tr("Measures");
    if (view == QLatin1String("matrix"))
        return tr("Table of outcomes");
    if (view == QLatin1String("topology"))
        return tr("Topology");
    if (view == QLatin1String("ladder"))
        return tr("Steps of the failover");
    if (view == QLatin1String("failover"))
        return tr("Topology, steps and timeline");
    return view == QLatin1String("table") ? tr("Table of events") : view;
}

QStringList formatsOf(const QString &view)
{
    QStringList formats {QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("png")};
    if (view != QLatin1String("timeline") && view != QLatin1String("failover"))
        formats << QStringLiteral("csv") << QStringLiteral("json");
    return formats;
}

Result<void> exportView(const Run &run, const Verdict &verdict, const QString &view, const QString &path, const ExportOptions &options)
{
    const QStringList views = viewsOf(run);
    if (!views.contains(view))
        return Error {Error::Kind::Invalid, tr("This run has no view “%1”. It has %2.").arg(view, views.join(QStringLiteral(", ")))};
    const QString format = QFileInfo(path).suffix().toLower();
    if (!formatsOf(view).contains(format)) {
        return Error {Error::Kind::Invalid,
            tr("The view %1 cannot be written to %2: the file’s name has to end with one of %3.").arg(view, path, formatsOf(view).join(QStringLiteral(", ")))};
    }
    if (const Result<void> usable = checkOptions(options); !usable)
        return usable;
    const Result<QByteArray> bytes = data(run, verdict, view, format, options);
    if (!bytes)
        return bytes.error();
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(*bytes) != bytes->size() || !file.commit())
        return Error {Error::Kind::Failed, tr("%1 cannot be written: %2.").arg(path, file.errorString())};
    return {};
}

}
