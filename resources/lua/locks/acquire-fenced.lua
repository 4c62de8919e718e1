-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Takes a free lock and draws its fencing token in the same step, so that tokens rise in the order of grants.
-- KEYS[1] the lock, KEYS[2] the counter (same slot), ARGV[1] the caller's token, ARGV[2] the TTL in ms
-- answers the fencing token, or nil if somebody holds the lock
if redis.call("EXISTS", KEYS[1]) == 1 then
    return false
end
-- First the step that can fail (a counter that is no number), so that a failure leaves no lock behind.
local number = redis.call("INCR", KEYS[2])
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
return number
