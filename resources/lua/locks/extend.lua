-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Adds to what is left of a lock's TTL if it is still the caller's. Never creates it.
-- KEYS[1] the lock, ARGV[1] the caller's token, ARGV[2] what is added, in ms
-- answers the new TTL in ms: extended, 0: somebody else holds it, -1: nobody holds it, -2: not a duration, nothing was touched
local more = tonumber(ARGV[2])
if not more or more <= 0 then
    return -2
end
local owner = redis.call("GET", KEYS[1])
if not owner then
    return -1
end
if owner ~= ARGV[1] then
    return 0
end
local left = redis.call("PTTL", KEYS[1])
if left < 0 then
    left = 0 -- a lock without TTL gets one: the addition
end
redis.call("PEXPIRE", KEYS[1], left + more)
return left + more
