-- What a run of wrk came to, as one line of JSON for load.py.
function done(summary, latency)
    local errors = summary.errors
    local line = string.format('{"requests": %d, "seconds": %.6f, "failed": %d, "broken": %d',
        summary.requests, summary.duration / 1e6, errors.status,
        errors.connect + errors.read + errors.write + errors.timeout)
    for _, percent in ipairs({50, 90, 99}) do
        line = line .. string.format(', "p%d": %.3f', percent, latency:percentile(percent) / 1000)
    end
    io.write("REPORT ", line, string.format(', "max": %.3f}', latency.max / 1000), "\n")
end
