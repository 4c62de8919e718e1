-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- A defect, shown beside fixed-window.lua: INCR, and EXPIRE on every hit, so a caller that goes on asking is never forgotten.
-- KEYS[1] a hash: count, when the key expires, last time seen. It is the tutorials' counter; its expiry stands in it so that
-- a caller's clock can take the place of the real one.
-- ARGV and answer as those of fixed-window.lua; the cost is always 1
local time = redis.call("TIME")
local server = time[1] * 1000000 + time[2]
local limit, window = tonumber(ARGV[3]), tonumber(ARGV[4])
local state = redis.call("HMGET", KEYS[1], "count", "expiry", "last")
local now = math.max(tonumber(ARGV[1]) or server, tonumber(state[3]) or 0)

local count = tonumber(state[1]) or 0
if now >= (tonumber(state[2]) or 0) then
    count = 0
end
count = count + 1
local expiry = now + window -- the defect: anew with every hit, also with a rejected one
redis.call("HSET", KEYS[1], "count", count, "expiry", expiry, "last", now)
local ttl = math.ceil(window / 1000)
if ARGV[1] ~= "" then
    ttl = math.max(ttl, 3600000) -- real expiry must not reach into a caller's clock
end
redis.call("PEXPIRE", KEYS[1], ttl)

local admitted = count <= limit
local retry = admitted and 0 or expiry - now
return {admitted and 1 or 0, limit, math.max(0, limit - count), retry, expiry - now, 0, count, now, server}
