-- wrk asks for slashtags b0 ... b<count-1> of one host. Arguments: host, count, "zipf" or "uniform".
-- zipf: rank = count^u with u uniform in 0..1, so that each power of ten of ranks gets the same share.
local host, count, spread

function init(arguments)
    host, count, spread = arguments[1], tonumber(arguments[2]), arguments[3]
    math.randomseed(os.time())
end

function request()
    local rank
    if spread == "zipf" then
        rank = math.floor(count ^ math.random()) - 1
    else
        rank = math.random(0, count - 1)
    end
    return "GET /b" .. rank .. " HTTP/1.1\r\nHost: " .. host .. "\r\n\r\n"
end
