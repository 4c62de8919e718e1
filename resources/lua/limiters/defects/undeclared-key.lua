-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- A defect, shown beside token-bucket.lua: the bucket is right, but its time is in a second key that the script makes up itself.
-- On one server that works. A cluster sends the script to the node of the first key, and where the second belongs to another
-- node the script fails.
-- KEYS[1] a string: parts in the bucket; undeclared, ARGV[7] with ":time", a string: when that was
-- ARGV[1] to ARGV[6] and answer as those of token-bucket.lua, the cost is always 1; ARGV[7] what is limited
local time = redis.call("TIME")
local server = time[1] * 1000000 + time[2]
local capacity, gain, token = tonumber(ARGV[3]), tonumber(ARGV[5]), tonumber(ARGV[6])
local timeKey = ARGV[7] .. ":time" -- the defect: not among KEYS, and nothing ties it to the slot of KEYS[1]
local state = {redis.call("GET", KEYS[1]), redis.call("GET", timeKey)}
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

local admitted = token <= parts
local retry = 0
if admitted then
    parts = parts - token
else
    retry = math.ceil((token - parts) / gain)
end
local reset = math.ceil((full - parts) / gain)
local ttl = math.max(1, math.ceil(reset / 1000))
if ARGV[1] ~= "" then
    ttl = math.max(ttl, 3600000) -- real expiry must not reach into a caller's clock
end
redis.call("SET", KEYS[1], parts, "PX", ttl)
redis.call("SET", timeKey, now, "PX", ttl)
return {admitted and 1 or 0, capacity, math.floor(parts / token), retry, reset, 0, parts, now, server}
