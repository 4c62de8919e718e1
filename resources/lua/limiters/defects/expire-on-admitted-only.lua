-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- A defect, shown beside fixed-window.lua: INCR, and EXPIRE on each admitted hit. The window moves on with every one of them,
-- so hits from far apart are counted together until the limit is reached.
-- KEYS[1] a hash: count, when the key expires, last time seen. It is the tutorials' counter; its expiry stands in it so that
-- a caller's clock can take the place of the real one.
-- ARGV and answer as those of fixed-window.lua; the cost is always 1
local time = redis.call("TIME")
local server = time[1] * 1000000 + time[2]
local limit, window = tonumber(ARGV[3]), tonumber(ARGV[4])
local state = redis.call("HMGET", KEYS[1], "count", "expiry", "last")
local now = math.max(tonumber(ARGV[1]) or server, tonumber(state[3]) or 0)

local count, expiry = tonumber(state[1]) or 0, tonumber(state[2]) or 0
if now >= expiry then
    count = 0
end
count = count + 1
local admitted = count <= limit
if admitted then
    expiry = now + window -- the defect: not with the first hit alone
end
redis.call("HSET", KEYS[1], "count", count, "expiry", expiry, "last", now)
local ttl = math.ceil((expiry - now) / 1000)
if ARGV[1] ~= "" then
    ttl = math.max(ttl, 3600000) -- real expiry must not reach into a caller's clock
end
redis.call("PEXPIRE", KEYS[1], ttl)

local retry = admitted and 0 or expiry - now
return {admitted and 1 or 0, limit, math.max(0, limit - count), retry, expiry - now, 0, count, now, server}
