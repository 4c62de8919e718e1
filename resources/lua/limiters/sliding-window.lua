-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Sliding window in buckets: the sum over the current bucket and the n - 1 before it is at most the limit.
-- KEYS[1] a hash: cost in each bucket by the bucket's number on the clock, last time seen
-- ARGV[1] now in µs (empty: the server's TIME), ARGV[2] cost (0 only looks),
-- ARGV[3] limit, ARGV[4] width of a bucket in µs, ARGV[5] how many buckets make the window
-- answers admitted, limit, remaining, retry after (-1: never), reset after, delay, level (the sum), now, the server's TIME
local time = redis.call("TIME")
local server = time[1] * 1000000 + time[2]
local cost, limit, width, buckets = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local counts, last = {}, 0
local state = redis.call("HGETALL", KEYS[1])
for i = 1, #state, 2 do
    if state[i] == "last" then
        last = tonumber(state[i + 1])
    else
        counts[tonumber(state[i])] = tonumber(state[i + 1])
    end
end
local now = math.max(tonumber(ARGV[1]) or server, last)
local current = math.floor(now / width)
local oldest = current - buckets + 1

local used, newest, gone = 0, 0, {}
for bucket, count in pairs(counts) do
    if bucket < oldest then
        table.insert(gone, bucket)
    else
        used = used + count
        newest = math.max(newest, bucket)
    end
end

local admitted = cost <= limit - used
local retry = 0
if cost > limit then
    retry = -1
elseif not admitted then
    -- When enough of the oldest buckets have left the window.
    local over, bucket = used + cost - limit, oldest - 1
    repeat
        bucket = bucket + 1
        over = over - (counts[bucket] or 0)
    until over <= 0 or bucket >= current
    retry = (bucket + buckets) * width - now
end

if admitted and cost > 0 then
    used, newest = used + cost, current
    counts[current] = (counts[current] or 0) + cost
    redis.call("HSET", KEYS[1], current, counts[current])
end
local reset = used > 0 and (newest + buckets) * width - now or 0
if cost > 0 then
    for _, bucket in ipairs(gone) do
        redis.call("HDEL", KEYS[1], bucket)
    end
    redis.call("HSET", KEYS[1], "last", now)
    local ttl = math.max(1, math.ceil(reset / 1000))
    if ARGV[1] ~= "" then
        ttl = math.max(ttl, 3600000) -- real expiry must not reach into a caller's clock
    end
    redis.call("PEXPIRE", KEYS[1], ttl)
end
return {admitted and 1 or 0, limit, limit - used, retry, reset, 0, used, now, server}
