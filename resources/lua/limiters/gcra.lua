-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- GCRA (generic cell rate algorithm, ITU-T I.371): each unit moves the theoretical arrival time one emission interval
-- ahead; a request is admitted if that time is then at most a burst of intervals ahead of now.
-- KEYS[1] a hash: theoretical arrival time, last time seen
-- ARGV[1] now in µs (empty: the server's TIME), ARGV[2] cost (0 only looks), ARGV[3] burst, ARGV[4] emission interval in µs
-- answers admitted, limit, remaining, retry after (-1: never), reset after, delay, level (how far ahead, in µs), now, the server's TIME
local time = redis.call("TIME")
local server = time[1] * 1000000 + time[2]
local cost, limit, interval = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local state = redis.call("HMGET", KEYS[1], "arrival", "last")
local now = math.max(tonumber(ARGV[1]) or server, tonumber(state[2]) or 0)

local ahead = math.max(0, (tonumber(state[1]) or 0) - now)
local room = limit * interval - ahead
local admitted = cost <= limit and cost * interval <= room
local retry = 0
if cost > limit then
    retry = -1
elseif not admitted then
    retry = cost * interval - room
end

if admitted then
    ahead = ahead + cost * interval
end
if cost > 0 then
    redis.call("HSET", KEYS[1], "arrival", now + ahead, "last", now)
    local ttl = math.max(1, math.ceil(ahead / 1000))
    if ARGV[1] ~= "" then
        ttl = math.max(ttl, 3600000) -- real expiry must not reach into a caller's clock
    end
    redis.call("PEXPIRE", KEYS[1], ttl)
end
return {admitted and 1 or 0, limit, math.floor((limit * interval - ahead) / interval), retry, ahead, 0, ahead, now, server}
