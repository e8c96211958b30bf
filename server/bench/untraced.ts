/** Imported before the service: what is read leaves no trace, so that it can be told what the trace costs. */
import { registerHooks } from 'node:module'

const source = `
  export const stranger = 'stranger'
  export const openTrail = () => ({ note() {}, isFull: () => false, close: async () => undefined })`

registerHooks({
  load: (url, context, load) =>
    url.endsWith('/platform/trail.ts') ? { format: 'module', source, shortCircuit: true } : load(url, context),
})
