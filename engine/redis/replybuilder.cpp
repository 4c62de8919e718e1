// SPDX-FileCopyrightText: Interlock's authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/redis/replybuilder.h"

#include <hiredis/hiredis.h>

#include <algorithm>
#include <utility>

namespace interlock {

struct ReplyBuilder::Calls
{
    static ReplyBuilder &builder(const redisReadTask *task) { return *static_cast<ReplyBuilder *>(task->privdata); }

    /// Where the value belongs: the reply itself or the next element of the array around it. Null: unasked for.
    static Reply *place(const redisReadTask *task)
    {
        if (task->parent) {
            auto &elements = static_cast<Reply *>(task->parent->obj)->elements;
            return &elements.emplace_back(); // what has moved is complete: nobody points to it any more
        }
        if (builder(task).m_owed == 0)
            return nullptr;
        builder(task).m_reply = Reply();
        return &builder(task).m_reply;
    }

    static void *createString(const redisReadTask *task, char *bytes, size_t length)
    {
        const QByteArray text(bytes, static_cast<qsizetype>(length));
        Reply *reply = place(task);
        if (!reply) {
            if (task->type == REDIS_REPLY_ERROR)
                builder(task).m_unasked = text;
            return nullptr;
        }
        reply->text = text;
        reply->type = task->type == REDIS_REPLY_ERROR ? ReplyType::Error
            : task->type == REDIS_REPLY_STATUS        ? ReplyType::Status
                                                      : ReplyType::String;
        return reply;
    }

    template<typename Count> // int in 0.14, size_t later
    static void *createArray(const redisReadTask *task, Count count)
    {
        Reply *reply = place(task);
        if (!reply)
            return nullptr;
        reply->type = ReplyType::Array;
        reply->elements.reserve(std::min<size_t>(static_cast<size_t>(count), 1024)); // the count may be a lie
        return reply;
    }

    static void *createInteger(const redisReadTask *task, long long number)
    {
        Reply *reply = place(task);
        if (reply) {
            reply->type = ReplyType::Integer;
            reply->integer = number;
        }
        return reply;
    }

    static void *createNil(const redisReadTask *task)
    {
        Reply *reply = place(task);
        if (reply)
            reply->type = ReplyType::Nil;
        return reply;
    }

    static void freeObject(void *) { } // the builder owns the reply
};

void ReplyBuilder::attach(redisReader &reader)
{
    static redisReplyObjectFunctions functions = [] {
        redisReplyObjectFunctions made = {};
        made.createString = Calls::createString;
        made.createArray = Calls::createArray;
        made.createInteger = Calls::createInteger;
        made.createNil = Calls::createNil;
        made.freeObject = Calls::freeObject;
        return made;
    }();
    reader.fn = &functions;
    reader.privdata = this;
}

Reply ReplyBuilder::take()
{
    --m_owed;
    return std::move(m_reply);
}

}
