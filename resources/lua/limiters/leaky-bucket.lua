-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Leaky bucket: what is admitted fills the bucket, which drains at the rate; a request that would make it overflow is
-- rejected. As a meter ("police") the others pass at once; as a "queue" each waits until what was before it has drained.
-- The level is counted in parts, so that no fraction is lost: 3 units in 10 µs drain 3 parts each µs, 10 parts a unit.
-- KEYS[1] a hash: parts in the bucket, when that was
-- ARGV[1] now in µs (empty: the server's TIME), ARGV[2] cost (0 only looks),
-- ARGV[3] capacity, ARGV[4] parts drained each µs, ARGV[5] parts of a unit, ARGV[6] "police" or "queue"
-- answers admitted, limit, remaining, retry after (-1: never), reset after, delay, level (the parts), now, the server's TIME
local time = redis.call("TIME")
local server = time[1] * 1000000 + time[2]
local cost, capacity, drain, unit = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local state = redis.call("HMGET", KEYS[1], "parts", "last")
local now = math.max(tonumber(ARGV[1]) or server, tonumber(state[2]) or 0)

local parts = tonumber(state[1]) or 0
-- Compared before it is multiplied: 30 days at a million a second would not fit.
local passed = now - (tonumber(state[2]) or now)
if passed >= parts / drain then
    parts = 0
else
    parts = parts - passed * drain
end

local room = capacity * unit - parts
local admitted = cost <= capacity and cost * unit <= room
local retry, delay = 0, 0
if cost > capacity then
    retry = -1
elseif not admitted then
    retry = math.ceil((cost * unit - room) / drain)
elseif ARGV[6] == "queue" then
    delay = math.ceil(parts / drain)
end

if admitted then
    parts = parts + cost * unit
end
local reset = math.ceil(parts / drain)
if cost > 0 then
    redis.call("HSET", KEYS[1], "parts", parts, "last", now)
    local ttl = math.max(1, math.ceil(reset / 1000))
    if ARGV[1] ~= "" then
        ttl = math.max(ttl, 3600000) -- real expiry must not reach into a caller's clock
    end
    redis.call("PEXPIRE", KEYS[1], ttl)
end
return {admitted and 1 or 0, capacity, math.floor((capacity * unit - parts) / unit), retry, reset, delay, parts, now, server}
