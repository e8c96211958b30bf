import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The HTTP client. It is large, so it is loaded with the first request; many installations never send one. */
export const undici = (): typeof import('undici') => require('undici')
