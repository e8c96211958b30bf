/** Imported before the service: tells the longest hold of its event loop, in milliseconds, since it was last asked. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', () => {
  process.send!(delay.max / 1e6)
  delay.reset()
})
process.channel?.unref()
