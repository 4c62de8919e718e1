-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- A defect, shown beside token-bucket.lua: the key lives as long as one token takes to come, however many are missing. After
-- that pause the bucket is forgotten, and a forgotten bucket is a full one.
-- KEYS[1] a hash: parts in the bucket, when that was, when the key expires (so that a caller's clock can take the place of the
-- real one)
-- ARGV and answer as those of token-bucket.lua; the cost is always 1
local time = redis.call("TIME")
local server = time[1] * 1000000 + time[2]
local capacity, gain, token = tonumber(ARGV[3]), tonumber(ARGV[5]), tonumber(ARGV[6])
local state = redis.call("HMGET", KEYS[1], "parts", "last", "expiry")
local last = tonumber(state[2])
local now = math.max(tonumber(ARGV[1]) or server, last or 0)
if now >= (tonumber(state[3]) or 0) then
    state[1], last = nil, nil
end

local full = capacity * token
local parts = tonumber(state[1]) or ARGV[4] * token
-- Compared before it is multiplied: 30 days at a million a second would not fit.
local passed = now - (last or now)
if passed >= (full - parts) / gain then
    parts = full
else
    parts = parts + passed * gain
end

local admitted = token <= parts
local retry = 0
if admitted then
    parts = parts - token
else
    retry = math.ceil((token - parts) / gain)
end
local reset = math.ceil((full - parts) / gain)
local life = math.ceil(token / gain) -- the defect: not until the bucket is full
redis.call("HSET", KEYS[1], "parts", parts, "last", now, "expiry", now + life)
local ttl = math.ceil(life / 1000)
if ARGV[1] ~= "" then
    ttl = math.max(ttl, 3600000) -- real expiry must not reach into a caller's clock
end
redis.call("PEXPIRE", KEYS[1], ttl)
return {admitted and 1 or 0, capacity, math.floor(parts / token), retry, reset, 0, parts, now, server}
