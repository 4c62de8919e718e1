-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Removes a lock if it is still the caller's.
-- KEYS[1] the lock, ARGV[1] the caller's token
-- answers 1: removed, 0: somebody else holds it, -1: nobody holds it
local owner = redis.call("GET", KEYS[1])
if not owner then
    return -1
end
if owner ~= ARGV[1] then
    return 0
end
return redis.call("DEL", KEYS[1])
