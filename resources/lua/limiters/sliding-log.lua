-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Sliding log: at most the limit in any trailing window. An entry exactly one window old is gone.
-- KEYS[1] a sorted set: an entry "number:cost" for each admitted request, by its time
-- KEYS[2] a hash (same slot): cost of all entries, time of the newest, their numbers so far, last time seen
-- ARGV[1] now in µs (empty: the server's TIME), ARGV[2] cost (0 only looks), ARGV[3] limit, ARGV[4] window in µs
-- answers admitted, limit, remaining, retry after (-1: never), reset after, delay, level (the cost in the window), now, the server's TIME
local time = redis.call("TIME")
local server = time[1] * 1000000 + time[2]
local cost, limit, window = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local state = redis.call("HMGET", KEYS[2], "used", "newest", "number", "last")
local now = math.max(tonumber(ARGV[1]) or server, tonumber(state[4]) or 0)
local used, newest, number = tonumber(state[1]) or 0, tonumber(state[2]) or 0, tonumber(state[3]) or 0

local function costOf(entry)
    return tonumber(string.match(entry, ":(%d+)$"))
end

-- How many of the oldest entries are gone. In portions, or a long log would be copied whole into Lua.
local gone = 0
if newest <= now - window then
    used, gone = 0, -1 -- all
else
    repeat
        local old = redis.call("ZRANGEBYSCORE", KEYS[1], "-inf", now - window, "LIMIT", gone, 500)
        for _, entry in ipairs(old) do
            used = used - costOf(entry)
        end
        gone = gone + #old
    until #old < 500
end

local admitted = cost <= limit - used
local retry = 0
if cost > limit then
    retry = -1
elseif not admitted then
    -- When enough of the oldest entries have gone.
    retry = newest + window - now
    local over, from, portion = used + cost - limit, gone, 2 -- mostly one or two are enough
    repeat
        local oldest = redis.call("ZRANGE", KEYS[1], from, from + portion - 1, "WITHSCORES")
        for i = 1, #oldest, 2 do
            over = over - costOf(oldest[i])
            if over <= 0 then
                retry = oldest[i + 1] + window - now
                break
            end
        end
        from, portion = from + portion, math.min(portion * 4, 500)
    until over <= 0 or #oldest == 0
end

if cost > 0 then
    if gone ~= 0 then
        redis.call("ZREMRANGEBYRANK", KEYS[1], 0, gone < 0 and -1 or gone - 1)
    end
    if admitted then
        used, newest, number = used + cost, now, number + 1
        redis.call("ZADD", KEYS[1], now, string.format("%.0f:%.0f", number, cost))
    end
    redis.call("HSET", KEYS[2], "used", used, "newest", newest, "number", number, "last", now)
    local ttl = math.max(1, math.ceil((newest + window - now) / 1000))
    if ARGV[1] ~= "" then
        ttl = math.max(ttl, 3600000) -- real expiry must not reach into a caller's clock
    end
    redis.call("PEXPIRE", KEYS[1], ttl)
    redis.call("PEXPIRE", KEYS[2], ttl)
end
return {admitted and 1 or 0, limit, limit - used, retry, used > 0 and newest + window - now or 0, 0, used, now, server}
