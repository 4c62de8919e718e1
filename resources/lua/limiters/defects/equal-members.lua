-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- A defect, shown beside sliding-log.lua: the time in milliseconds is the entry's name as well, and a sorted set holds a name
-- once. So all requests of one millisecond count as one.
-- KEYS[1] a sorted set: an entry for each admitted request, by its time
-- ARGV and answer as those of sliding-log.lua; the cost is always 1
local time = redis.call("TIME")
local server = time[1] * 1000000 + time[2]
local limit, window = tonumber(ARGV[3]), tonumber(ARGV[4])
local newest = redis.call("ZRANGE", KEYS[1], -1, -1, "WITHSCORES")
local now = math.max(tonumber(ARGV[1]) or server, tonumber(newest[2]) or 0)

redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", now - window)
local count = redis.call("ZCARD", KEYS[1])
local admitted = count < limit
local retry = 0
if admitted then
    redis.call("ZADD", KEYS[1], now, string.format("%.0f", math.floor(now / 1000))) -- the defect: ZADD key now now
    count = redis.call("ZCARD", KEYS[1])
else
    retry = redis.call("ZRANGE", KEYS[1], 0, 0, "WITHSCORES")[2] + window - now
end
local reset = redis.call("ZRANGE", KEYS[1], -1, -1, "WITHSCORES")[2] + window - now
local ttl = math.max(1, math.ceil(reset / 1000))
if ARGV[1] ~= "" then
    ttl = math.max(ttl, 3600000) -- real expiry must not reach into a caller's clock
end
redis.call("PEXPIRE", KEYS[1], ttl)
return {admitted and 1 or 0, limit, limit - count, retry, reset, 0, count, now, server}
