-- SPDX-FileCopyrightText: Interlock's authors
-- SPDX-License-Identifier: GPL-3.0-or-later
-- Sliding counter: previous * (1 - elapsed share of the window) + current is at most the limit at each admission.
-- KEYS[1] a hash: start of the current window, counts in it and in the previous one, last time seen
-- ARGV[1] now in µs (empty: the server's TIME), ARGV[2] cost (0 only looks), ARGV[3] limit, ARGV[4] window in µs
-- answers admitted, limit, remaining, retry after (-1: never), reset after, delay, level (the weighted count, rounded up), now, the server's TIME
local time = redis.call("TIME")
local server = time[1] * 1000000 + time[2]
local cost, limit, window = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local state = redis.call("HMGET", KEYS[1], "start", "current", "previous", "last")
local now = math.max(tonumber(ARGV[1]) or server, tonumber(state[4]) or 0)

-- a * b / c rounded down, and what is left. Digit by digit if the product is too large for a number of Lua: exact as
-- long as b and c are at most 2^42 and the quotient is below 2^53.
local function scaled(a, b, c)
    if a * b < 9007199254740992 then
        return math.floor(a * b / c), a * b % c
    end
    local quotient, rest = 0, 0
    for power = 5, 0, -1 do
        rest = rest * 1024 + math.floor(a / 1024 ^ power) % 1024 * b
        quotient = quotient * 1024 + math.floor(rest / c)
        rest = rest % c
    end
    return quotient, rest
end

local start = now - now % window
local current, previous = 0, 0
if tonumber(state[1]) == start then
    current, previous = tonumber(state[2]), tonumber(state[3])
elseif tonumber(state[1]) == start - window then
    previous = tonumber(state[2])
end
local left = start + window - now

local share, rest = scaled(previous, left, window)
if rest > 0 then
    share = share + 1
end
local admitted = cost <= limit - current - share

local retry = 0
if cost > limit then
    retry = -1
elseif not admitted and current + cost <= limit then
    -- In this window: what is left of it when the previous count weighs no more than the room.
    retry = left - scaled(limit - current - cost, window, previous)
elseif not admitted then
    -- In the next one, where the current count is the previous.
    retry = left + window - scaled(limit - cost, window, current)
end

if admitted then
    current = current + cost
end
local reset = 0
if current > 0 then
    reset = left + window
elseif previous > 0 then
    reset = left
end
if cost > 0 then
    redis.call("HSET", KEYS[1], "start", start, "current", current, "previous", previous, "last", now)
    local ttl = math.max(1, math.ceil(reset / 1000))
    if ARGV[1] ~= "" then
        ttl = math.max(ttl, 3600000) -- real expiry must not reach into a caller's clock
    end
    redis.call("PEXPIRE", KEYS[1], ttl)
end
return {admitted and 1 or 0, limit, limit - current - share, retry, reset, 0, current + share, now, server}
