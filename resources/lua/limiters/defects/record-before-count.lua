-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- A defect, shown beside sliding-log.lua: the request is recorded first and counted then, so rejected ones count as well.
-- KEYS[1] a sorted set: an entry for each request, admitted or not, by its time
-- ARGV and answer as those of sliding-log.lua; the cost is always 1
local time = redis.call("TIME")
local server = time[1] * 1000000 + time[2]
local limit, window = tonumber(ARGV[3]), tonumber(ARGV[4])
local newest = redis.call("ZRANGE", KEYS[1], -1, -1, "WITHSCORES")
local now = math.max(tonumber(ARGV[1]) or server, tonumber(newest[2]) or 0)

redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", now - window)
-- Unlike any other: entries of one time are numbered.
local member = string.format("%.0f:%d", now, redis.call("ZCOUNT", KEYS[1], now, now))
redis.call("ZADD", KEYS[1], now, member) -- the defect: before the count
local count = redis.call("ZCARD", KEYS[1])
local ttl = math.ceil(window / 1000)
if ARGV[1] ~= "" then
    ttl = math.max(ttl, 3600000) -- real expiry must not reach into a caller's clock
end
redis.call("PEXPIRE", KEYS[1], ttl)

local admitted = count <= limit
local retry = 0
if not admitted then
    retry = redis.call("ZRANGE", KEYS[1], 0, 0, "WITHSCORES")[2] + window - now
end
return {admitted and 1 or 0, limit, math.max(0, limit - count), retry, window, 0, count, now, server}
