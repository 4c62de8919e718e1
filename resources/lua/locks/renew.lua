-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Gives a lock a new TTL if it is still the caller's. Never creates it.
-- KEYS[1] the lock, ARGV[1] the caller's token, ARGV[2] the TTL from now on, in ms
-- answers the TTL in ms: renewed, 0: somebody else holds it, -1: nobody holds it, -2: not a TTL, nothing was touched
local ttl = tonumber(ARGV[2])
if not ttl or ttl <= 0 then
    return -2
end
local owner = redis.call("GET", KEYS[1])
if not owner then
    return -1
end
if owner ~= ARGV[1] then
    return 0
end
redis.call("PEXPIRE", KEYS[1], ARGV[2])
return ttl
