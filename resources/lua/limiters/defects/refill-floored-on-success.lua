-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- A defect, shown beside token-bucket.lua: only whole tokens are added, and time goes on with each admitted request. What is
-- dropped is then less than with refill-floored.lua, since time that brought nothing is counted again; but each admitted
-- request still drops the fraction before it.
-- KEYS[1] a hash: whole tokens in the bucket, when the last request was admitted
-- ARGV and answer as those of token-bucket.lua; the cost is always 1
local time = redis.call("TIME")
local server = time[1] * 1000000 + time[2]
local capacity, gain, token = tonumber(ARGV[3]), tonumber(ARGV[5]), tonumber(ARGV[6])
local state = redis.call("HMGET", KEYS[1], "tokens", "last")
local last = tonumber(state[2])
local now = math.max(tonumber(ARGV[1]) or server, last or 0)

local tokens = tonumber(state[1]) or tonumber(ARGV[4])
-- Compared before it is multiplied: 30 days at a million a second would not fit.
local passed = now - (last or now)
if passed >= capacity * token / gain then
    tokens = capacity
else
    tokens = math.min(capacity, tokens + math.floor(passed * gain / token)) -- the defect, together with "last" below
end

local admitted = tokens >= 1
if admitted then
    tokens = tokens - 1
end
local reset = math.ceil((capacity - tokens) * token / gain)
if admitted then
    redis.call("HSET", KEYS[1], "tokens", tokens, "last", now)
    local ttl = math.max(1, math.ceil(reset / 1000))
    if ARGV[1] ~= "" then
        ttl = math.max(ttl, 3600000) -- real expiry must not reach into a caller's clock
    end
    redis.call("PEXPIRE", KEYS[1], ttl)
end

local retry = admitted and 0 or math.max(1, math.ceil(token / gain) - passed)
return {admitted and 1 or 0, capacity, tokens, retry, reset, 0, tokens * token, now, server}
