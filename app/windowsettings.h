// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QSettings>
#include <QString>

#include <utility>

namespace interlock {

/// What the window remembers from one sitting to the next, in an INI file in the user's configuration folder, or in the file that the
/// environment variable INTERLOCK_SETTINGS names.
class WindowSettings
{
public:
    WindowSettings();

    QByteArray geometry() const { return m_file.value(QStringLiteral("window/geometry")).toByteArray(); }
    void setGeometry(const QByteArray &geometry) { m_file.setValue(QStringLiteral("window/geometry"), geometry); }
    /// A splitter's state, by its object name.
    QByteArray splitter(const QString &name) const { return m_file.value(QStringLiteral("window/") + name).toByteArray(); }
    void setSplitter(const QString &name, const QByteArray &state) { m_file.setValue(QStringLiteral("window/") + name, state); }

    /// Whether a panel is shown, by its name; true if nothing is known.
    bool isShown(const QString &panel) const { return m_file.value(QStringLiteral("panels/") + panel, true).toBool(); }
    void setShown(const QString &panel, bool isShown) { m_file.setValue(QStringLiteral("panels/") + panel, isShown); }

    /// The limiters that are left out of comparisons, by name.
    QStringList hiddenLimiters() const { return m_file.value(QStringLiteral("hiddenLimiters")).toStringList(); }
    void setHiddenLimiters(const QStringList &limiters) { m_file.setValue(QStringLiteral("hiddenLimiters"), limiters); }

    QString theme() const; ///< "light", "dark" or "system"
    void setTheme(const QString &theme) { m_file.setValue(QStringLiteral("theme"), theme); }
    double scale() const; ///< 1 to 3
    void setScale(double scale) { m_file.setValue(QStringLiteral("scale"), scale); }

    QString experiment() const { return m_file.value(QStringLiteral("experiment")).toString(); }
    void setExperiment(const QString &id) { m_file.setValue(QStringLiteral("experiment"), id); }

    /// The preset and the values that were last chosen for an experiment.
    QString preset(const QString &experiment) const;
    QList<std::pair<QString, QString>> values(const QString &experiment) const;
    void setValues(const QString &experiment, const QString &preset, const QList<std::pair<QString, QString>> &values);

    /// The server that experiments were last run on, as an address without users and passwords, and the users.
    QString target() const { return m_file.value(QStringLiteral("target")).toString(); }
    QString targetUser() const { return m_file.value(QStringLiteral("targetUser")).toString(); }
    QString sentinelUser() const { return m_file.value(QStringLiteral("sentinelUser")).toString(); }
    void setTarget(const QString &address, const QString &user, const QString &sentinelUser)
    {
        m_file.setValue(QStringLiteral("target"), address);
        m_file.setValue(QStringLiteral("targetUser"), user);
        m_file.setValue(QStringLiteral("sentinelUser"), sentinelUser);
    }

private:
    QSettings m_file;
};

}
