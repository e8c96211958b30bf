/** Imported before the service: a message turns its audit trail of reads off or on, with all that is done for it. */
import { registerHooks } from 'node:module'

declare global {
  var is_untraced: boolean
}

globalThis.is_untraced = false
const begin = 'if (!endpoint || request.traced'

registerHooks({
  load: (url, context, load) => {
    const loaded = load(url, context)
    if (!url.endsWith('/http/observe/trace.ts')) return loaded
    const source = String(loaded.source)
    if (!source.includes(begin)) throw new Error(`${url} does not begin to trace where it did.`)
    return { ...loaded, source: source.replace(begin, 'if (globalThis.is_untraced || !endpoint || request.traced') }
  },
})

process.on('message', (is_untraced: boolean) => {
  globalThis.is_untraced = is_untraced
  process.send!('turned')
})
process.channel?.unref()
