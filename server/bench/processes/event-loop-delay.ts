/** Imported before the service: reports the longest block of its event loop since the last report, in milliseconds. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

// The worker process of the service inherits this import.
if (process.env.BENCH_PID === String(process.ppid)) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  process.on('message', () => {
    process.send!(delay.max / 1e6)
    delay.reset()
  })
  process.channel?.unref()
}
