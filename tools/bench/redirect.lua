-- wrk asks for short links. Arguments: count, spread, rule, and how long each connection waits between requests, in
-- milliseconds on average (0: not at all).
-- spread  zipf: rank = count^u with u uniform in 0..1, so that each power of ten of ranks gets the same share
--         uniform; misses: slashtags of the same forms that no link has (rule mixed)
-- rule    the host of the slashtags b0 ... b<count-1>; or mixed: those of links.py, whose functions of the same
--         names say the same
dofile(os.getenv("BENCH") .. "/report.lua")

local count, spread, rule, pause
local digits = "0123456789abcdefghijklmnopqrstuvwxyz"
local words = {}
for word in ("sale news spring summer autumn winter promo event offer guide press jobs blog video shop card " ..
             "mail print flyer poster fair talk demo help docs beta launch gift club team week tour"):gmatch("%a+") do
    words[#words + 1] = word
end
local shares = {5000, 6800, 7700, 8300, 8700, 9000, 9250, 9450, 9600, 9700, 9780, 9840, 9890, 9930, 9960, 9980, 9990,
                9996, 9999, 10000}

function init(arguments)
    count, spread, rule, pause = tonumber(arguments[1]), arguments[2], arguments[3], tonumber(arguments[4] or "0")
    math.randomseed(os.time())
    if pause > 0 then
        delay = function() return math.random(0, 2 * pause) end
    end
end

local function base36(value)
    local text = ""
    repeat
        local digit = value % 36 + 1
        text = digits:sub(digit, digit) .. text
        value = math.floor(value / 36)
    until value == 0
    return text
end

local function host(mixed)
    local place = math.floor(mixed / 7) % 10000
    local at = 1
    while place >= shares[at] do
        at = at + 1
    end
    return at == 1 and "go.example.com" or string.format("d%02d.example.com", at - 1)
end

local function address(number)
    local mixed = (number * 39916801 + 1234567) % 2147483647
    local slashtag = base36(mixed)
    if mixed % 10 < 3 then
        slashtag = words[math.floor(mixed / 10) % #words + 1] .. "-" .. slashtag
    end
    return slashtag, host(mixed)
end

function request()
    local number
    if spread == "zipf" then
        number = math.floor(count ^ math.random()) - 1
    elseif spread == "uniform" then
        number = math.random(0, count - 1)
    else
        number = math.random(10000000, 19999999)
    end
    local slashtag, at = "b" .. number, rule
    if rule == "mixed" then
        if number % 33 == 17 and spread ~= "misses" then
            number = number - 1 -- that link is deleted
        end
        slashtag, at = address(number)
    end
    return "GET /" .. slashtag .. " HTTP/1.1\r\nHost: " .. at .. "\r\nUser-Agent: curl/8.0\r\n\r\n"
end
