"""Steps of `recorded` that are done whole or not at all, as scripts of the graph's server.

KEYS are the channel's prefix, the set of channels with marks, and the hash of histories. Numbers are microseconds,
which doubles hold exactly.
"""

COMMON = """
local p, channel = KEYS[1], ARGV[1]
local function day(ts) return p .. math.floor(tonumber(string.match(ts, '^%d+')) / 86400) end
local function mark(root, ts)
    redis.call('HINCRBY', p .. 'marks', root .. ' ' .. ts, 1)
    redis.call('SADD', KEYS[2], channel)
end
local function gone(ts) return redis.call('HEXISTS', p .. 'gone', ts) == 1 end
local function root_of(ts, told)
    local known = redis.call('HGET', p .. 'roots', ts)
    if known then return known end
    if told ~= '' then return told end
    return ts
end
local function put(ts, pair, at, on, order)
    local key = p .. 'reactions/' .. ts
    local old = redis.call('HGET', key, pair)
    local was = '0'
    if old then
        local stamp, flag, place = string.match(old, '^(%d+) (%d) (%d+)$')
        if tonumber(stamp) >= tonumber(at) then return false end
        was = flag
        if flag == '1' and on == '1' then order = place end
    end
    redis.call('HSET', key, pair, at .. ' ' .. on .. ' ' .. order)
    return was ~= on
end
"""

KEEP = (
    COMMON
    + """
local state, wanted, read = ARGV[2], cjson.decode(ARGV[3]), cjson.decode(ARGV[4])
local changed = 0

local function reacted(ts, seen, pairs)
    local news, here = false, {}
    for number, pair in ipairs(pairs) do
        local name = pair[1] .. ' ' .. pair[2]
        here[name] = true
        local order = string.format('%.0f', tonumber(seen) + number)
        if put(ts, name, seen, '1', order) then news = true end
    end
    for _, name in ipairs(redis.call('HKEYS', p .. 'reactions/' .. ts)) do
        if not here[name] and put(ts, name, seen, '0', '0') then news = true end
    end
    return news
end

for i = 5, #ARGV, 7 do
    local ts, told, edited, seen, at, body, pairs =
        ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], ARGV[i + 4], ARGV[i + 5], ARGV[i + 6]
    if not gone(ts) then
        local root = root_of(ts, told)
        local old = redis.call('HGET', day(root), ts)
        local newer, same = true, false
        if old then
            local before, since, words = string.match(old, '^(%d+) (%d+) (.*)$')
            local later = tonumber(edited) == tonumber(before) and tonumber(seen) > tonumber(since)
            newer, same = tonumber(edited) > tonumber(before) or later, words == body
        elseif root ~= ts then
            redis.call('HSET', p .. 'roots', ts, root)
            redis.call('HINCRBY', p .. 'threads', root, 1)
        else
            redis.call('ZADD', p .. 'line', at, ts)
        end
        if newer then redis.call('HSET', day(root), ts, edited .. ' ' .. seen .. ' ' .. body) end
        local news = newer and not same
        if pairs ~= '' and reacted(ts, seen, cjson.decode(pairs)) then news = true end
        if news then
            mark(root, ts)
            changed = changed + 1
        end
    end
end

for _, root in ipairs(wanted) do redis.call('HSETNX', p .. 'wanted', root, '') end
for _, one in ipairs(read) do
    if one[2] == '' then
        redis.call('HDEL', p .. 'wanted', one[1])
    else
        redis.call('HSET', p .. 'wanted', one[1], one[2])
    end
end
if state ~= '' then redis.call('HSET', KEYS[3], channel, state) end
return changed
"""
)
"""Messages of seven values each, behind the channel, its history's state, and threads to be read and read."""

ERASE = (
    COMMON
    + """
local ts, root, at = ARGV[2], root_of(ARGV[2], ARGV[3]), ARGV[4]
redis.call('HSETNX', p .. 'gone', ts, at)
redis.call('DEL', p .. 'reactions/' .. ts)
mark(root, ts)
if redis.call('HDEL', day(root), ts) == 0 then return 0 end
if root == ts then
    redis.call('ZREM', p .. 'line', ts)
else
    redis.call('HDEL', p .. 'roots', ts)
    if redis.call('HINCRBY', p .. 'threads', root, -1) <= 0 then redis.call('HDEL', p .. 'threads', root) end
end
return 1
"""
)

REACT = (
    COMMON
    + """
local ts, pair, at, on = ARGV[2], ARGV[3] .. ' ' .. ARGV[4], ARGV[5], ARGV[6]
if gone(ts) or not put(ts, pair, at, on, at) then return 0 end
local root = root_of(ts, '')
if redis.call('HEXISTS', day(root), ts) == 1 then mark(root, ts) end
return 1
"""
)

LINE = """
local p, silence = KEYS[1], tonumber(ARGV[1])
local line, threads = p .. 'line', p .. 'threads'
local function micros(ts)
    local seconds, rest = string.match(ts, '^(%d+)%.?(%d*)$')
    return tonumber(seconds) * 1000000 + tonumber(string.sub(rest .. '000000', 1, 6))
end
local points, names, found = {}, {}, {}
for i = 2, #ARGV do points[i - 1] = micros(ARGV[i]) end
local function member(name)
    if redis.call('HEXISTS', threads, name) == 0 and not found[name] then
        found[name] = true
        names[#names + 1] = name
    end
end
local function following(at, way)
    while true do
        local edge, limit = string.format('(%.0f', at), way > 0 and '+inf' or '-inf'
        local command = way > 0 and 'ZRANGEBYSCORE' or 'ZREVRANGEBYSCORE'
        local name = redis.call(command, line, edge, limit, 'LIMIT', 0, 1)[1]
        if not name then return nil, nil end
        at = micros(name)
        if redis.call('HEXISTS', threads, name) == 0 then return at, name end
    end
end
local function walk(from, number, way)
    local at, next_at, next_name = from, following(from, way)
    while true do
        while points[number] and (points[number] - at) * way <= 0 do number = number + way end
        local nearest, name = next_at, next_name
        if points[number] and (not nearest or (nearest - points[number]) * way > 0) then
            nearest, name = points[number], nil
        end
        if not nearest or math.abs(nearest - at) > silence then return at end
        at = nearest
        if name then member(name) end
        if next_at and (next_at - at) * way <= 0 then next_at, next_name = following(at, way) end
    end
end
local reached = -1
for i, at in ipairs(points) do
    local name = ARGV[i + 1]
    if redis.call('ZSCORE', line, name) then member(name) end
    if at > reached then
        walk(at, i, -1)
        reached = walk(at, i, 1)
    end
end
return names
"""
"""The main line around points, oldest first, behind the silence that ends it."""

REACTIONS = """
local found = {}
for number, ts in ipairs(ARGV) do found[number] = redis.call('HGETALL', KEYS[1] .. 'reactions/' .. ts) end
return found
"""

MARK_ALL = (
    COMMON
    + """
for _, ts in ipairs(redis.call('ZRANGE', p .. 'line', 0, -1)) do mark(ts, ts) end
for _, root in ipairs(redis.call('HKEYS', p .. 'threads')) do mark(root, root) end
"""
)

CLEAN = """
local marks = KEYS[1] .. 'marks'
for i = 2, #ARGV, 2 do
    if redis.call('HGET', marks, ARGV[i]) == ARGV[i + 1] then redis.call('HDEL', marks, ARGV[i]) end
end
if redis.call('HLEN', marks) == 0 then redis.call('SREM', KEYS[2], ARGV[1]) end
"""

NEXT = """
local now = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
if now ~= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], now + 1)
return 1
"""
