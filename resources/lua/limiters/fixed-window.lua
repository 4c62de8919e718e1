-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Fixed window: at most the limit in each window.
-- KEYS[1] a hash: start of the window, count in it, last time seen
-- ARGV[1] now in µs (empty: the server's TIME), ARGV[2] cost (0 only looks),
-- ARGV[3] limit, ARGV[4] window in µs, ARGV[5] "aligned" to the clock or "first-hit"
-- answers admitted, limit, remaining, retry after (-1: never), reset after, delay, level (the count), now, the server's TIME
local time = redis.call("TIME")
local server = time[1] * 1000000 + time[2]
local cost, limit, window = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local state = redis.call("HMGET", KEYS[1], "start", "count", "last")
local now = math.max(tonumber(ARGV[1]) or server, tonumber(state[3]) or 0)

local start, count = tonumber(state[1]) or 0, tonumber(state[2]) or 0
if count == 0 or now >= start + window then
    start, count = now, 0
    if ARGV[5] == "aligned" then
        start = now - now % window
    end
end
local left = start + window - now

local admitted = cost <= limit - count
if admitted then
    count = count + cost
end
if cost > 0 then
    redis.call("HSET", KEYS[1], "start", start, "count", count, "last", now)
    local ttl = math.ceil(left / 1000)
    if ARGV[1] ~= "" then
        ttl = math.max(ttl, 3600000) -- real expiry must not reach into a caller's clock
    end
    redis.call("PEXPIRE", KEYS[1], ttl)
end

local retry = 0
if not admitted then
    retry = cost > limit and -1 or left
end
return {admitted and 1 or 0, limit, limit - count, retry, count > 0 and left or 0, 0, count, now, server}
