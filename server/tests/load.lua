-- Requests the positions of a file (POSITIONS, one per line), each thread from a different line, and counts the
-- statuses of the answers. QUERY is appended to every address.
local threads = {}

function setup(thread)
   thread:set("number", #threads)
   table.insert(threads, thread)
end

function init()
   positions = {}
   for line in io.lines(os.getenv("POSITIONS")) do
      positions[#positions + 1] = "/api/nine/probe?position=" .. line .. (os.getenv("QUERY") or "")
   end
   at = math.floor(#positions / 2) * number
   ok, refused, busy, failed = 0, 0, 0, 0
end

function request()
   at = at % #positions + 1
   return wrk.format("GET", positions[at])
end

function response(status)
   if status == 200 then ok = ok + 1
   elseif status == 429 then refused = refused + 1
   elseif status == 503 then busy = busy + 1
   else failed = failed + 1 end
end

function done(summary, latency)
   local sum = { ok = 0, refused = 0, busy = 0, failed = 0 }
   for _, thread in ipairs(threads) do
      for name in pairs(sum) do sum[name] = sum[name] + thread:get(name) end
   end
   local seconds = summary.duration / 1e6
   local broken = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
   io.write(string.format(
      "SUMMARY requests=%d ok_per_s=%.0f p50_ms=%.1f p99_ms=%.1f ok=%d s429=%d s503=%d other=%d broken=%d seconds=%.1f\n",
      summary.requests, sum.ok / seconds, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
      sum.ok, sum.refused, sum.busy, sum.failed, broken, seconds))
end
