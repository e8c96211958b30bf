import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The client by which we ask others: large, and loaded when the first is asked. Many installations ask nobody. */
export const undici = (): typeof import('undici') => require('undici')
