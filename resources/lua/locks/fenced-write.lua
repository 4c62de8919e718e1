-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- The side of the protected resource: takes a write unless it has already taken one with a higher fencing token.
-- KEYS[1] the resource (a hash of value and token), ARGV[1] the writer's fencing token, ARGV[2] the value
-- answers 1: written, 0: refused
local highest = tonumber(redis.call("HGET", KEYS[1], "token") or 0)
if tonumber(ARGV[1]) < highest then
    return 0
end
redis.call("HSET", KEYS[1], "value", ARGV[2], "token", ARGV[1])
return 1
