-- wrk makes links, each with a slashtag of its own. Arguments: the API key, and a word that no run before had.
dofile(os.getenv("BENCH") .. "/report.lua")

local head, run, made

function init(arguments)
    head = "POST /v1/links HTTP/1.1\r\nHost: go.example.com\r\nContent-Type: application/json\r\napikey: " .. arguments[1]
    run, made = arguments[2], 0
end

function request()
    made = made + 1
    local body = string.format('{"destination":"https://www.example.com/some/page/of/usual/length?run=%s&number=%d",' ..
                               '"slashtag":"%s-%d","title":"Made as number %d"}', run, made, run, made, made)
    return head .. "\r\nContent-Length: " .. #body .. "\r\n\r\n" .. body
end
