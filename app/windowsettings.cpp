// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/windowsettings.h"

#include <QStandardPaths>

#include <algorithm>

namespace interlock {

namespace {

QString path()
{
    const QString named = qEnvironmentVariable("INTERLOCK_SETTINGS");
    if (!named.isEmpty())
        return named;
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + QStringLiteral("/interlock/interlock.ini");
}

}

WindowSettings::WindowSettings()
    : m_file(path(), QSettings::IniFormat)
{
}

QString WindowSettings::theme() const
{
    const QString theme = m_file.value(QStringLiteral("theme")).toString();
    return theme == QLatin1String("light") || theme == QLatin1String("dark") ? theme : QStringLiteral("system");
}

double WindowSettings::scale() const
{
    return std::clamp(m_file.value(QStringLiteral("scale"), 1.0).toDouble(), 1.0, 3.0);
}

QString WindowSettings::preset(const QString &experiment) const
{
    return m_file.value(QStringLiteral("presets/") + experiment).toString();
}

QList<std::pair<QString, QString>> WindowSettings::values(const QString &experiment) const
{
    QList<std::pair<QString, QString>> values;
    for (const QString &entry : m_file.value(QStringLiteral("values/") + experiment).toStringList()) {
        if (const qsizetype equals = entry.indexOf(QLatin1Char('=')); equals > 0)
            values.append({entry.left(equals), entry.mid(equals + 1)});
    }
    return values;
}

void WindowSettings::setValues(const QString &experiment, const QString &preset, const QList<std::pair<QString, QString>> &values)
{
    QStringList entries;
    for (const auto &[name, value] : values)
        entries.append(name + QLatin1Char('=') + value);
    m_file.setValue(QStringLiteral("presets/") + experiment, preset);
    m_file.setValue(QStringLiteral("values/") + experiment, entries);
}

}
