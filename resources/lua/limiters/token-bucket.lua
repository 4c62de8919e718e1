-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Token bucket: tokens come at the rate until the bucket is full, a request takes its cost.
-- Tokens are counted in parts, so that no fraction is lost: 3 tokens in 10 µs are a gain of 3 parts each µs, 10 parts a token.
-- KEYS[1] a hash: parts in the bucket, when that was
-- ARGV[1] now in µs (empty: the server's TIME), ARGV[2] cost (0 only looks),
-- ARGV[3] capacity, ARGV[4] tokens at the beginning, ARGV[5] parts gained each µs, ARGV[6] parts of a token
-- answers admitted, limit, remaining, retry after (-1: never), reset after, delay, level (the parts), now, the server's TIME
local time = redis.call("TIME")
local server = time[1] * 1000000 + time[2]
local cost, capacity = tonumber(ARGV[2]), tonumber(ARGV[3])
local gain, token = tonumber(ARGV[5]), tonumber(ARGV[6])
local state = redis.call("HMGET", KEYS[1], "parts", "last")
local last = tonumber(state[2])
local now = math.max(tonumber(ARGV[1]) or server, last or 0)

local full = capacity * token
local parts = tonumber(state[1]) or ARGV[4] * token
-- Compared before it is multiplied: 30 days at a million a second would not fit.
local passed = now - (last or now)
if passed >= (full - parts) / gain then
    parts = full
else
    parts = parts + passed * gain
end

local admitted = cost <= capacity and cost * token <= parts
local retry = 0
if cost > capacity then
    retry = -1
elseif not admitted then
    retry = math.ceil((cost * token - parts) / gain)
end

if admitted then
    parts = parts - cost * token
end
local reset = math.ceil((full - parts) / gain)
if cost > 0 then
    redis.call("HSET", KEYS[1], "parts", parts, "last", now)
    -- A full bucket is what a new one is (unless it begins with less: then the one forgotten begins anew).
    local ttl = math.max(1, math.ceil(reset / 1000))
    if ARGV[1] ~= "" then
        ttl = math.max(ttl, 3600000) -- real expiry must not reach into a caller's clock
    end
    redis.call("PEXPIRE", KEYS[1], ttl)
end
return {admitted and 1 or 0, capacity, math.floor(parts / token), retry, reset, 0, parts, now, server}
