-- Prints the counts of wrk on one line: responses, microseconds, p50 and p99 in microseconds, failed requests.
done = function(summary, latency, requests)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("counted %d %d %d %d %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), failed))
end
