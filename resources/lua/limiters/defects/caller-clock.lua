-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- A defect, shown beside token-bucket.lua: it goes by the time that the caller stamps, and believes it also when it goes back. A
-- caller whose clock is behind sets the bucket's time back, and the next one is given the tokens of that time once more.
-- KEYS[1] a hash: parts in the bucket, when that was
-- ARGV and answer as those of token-bucket.lua; ARGV[1] is never empty, the cost is always 1
local time = redis.call("TIME")
local server = time[1] * 1000000 + time[2]
local capacity, gain, token = tonumber(ARGV[3]), tonumber(ARGV[5]), tonumber(ARGV[6])
local state = redis.call("HMGET", KEYS[1], "parts", "last")
local now = tonumber(ARGV[1]) -- the defect: whose clock is that? And no max(last, now)
local last = math.min(tonumber(state[2]) or now, now)

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
redis.call("HSET", KEYS[1], "parts", parts, "last", now)
redis.call("PEXPIRE", KEYS[1], math.max(3600000, math.ceil(reset / 1000))) -- real expiry must not reach into a caller's clock
return {admitted and 1 or 0, capacity, math.floor(parts / token), retry, reset, 0, parts, now, server}
