import { z } from 'zod'
import { integration } from '../../kernel/integration.ts'
import { boundedFetch } from '../outbound/response-limits.ts'

/** Scans uploaded files before people open them. Rejects if the scan fails. */
export type Scanner = {
  scan: (file: AsyncIterable<Buffer>, about: { content_type: string; bytes: number }) => Promise<'clean' | 'refused'>
}

/** The limits of a response. They are low, because only its status counts. */
const bounds = { max_bytes: 64 * 1024, time_limit: 60_000 }

/** A scanner at a URL that receives each file. 2xx means clean, 422 refused; any other status is retried. */
export const scannerAt = (url: string): Scanner => ({
  async scan(file, { content_type, bytes }) {
    const { ok, status, body } = await boundedFetch(bounds)(url, {
      method: 'POST',
      headers: { 'content-type': content_type, 'content-length': String(bytes) },
      body: ReadableStream.from(file),
      duplex: 'half',
    })
    await body?.cancel()
    if (ok) return 'clean'
    if (status === 422) return 'refused'
    throw new Error(`The attachment scanner responded with ${status}.`)
  },
})

/** The scanner of the settings. Undefined if none is set. */
export const scanner = integration({
  settings: {
    ATTACHMENT_SCAN_URL: z
      .url({ protocol: /^https?$/, error: 'must be a URL such as http://localhost:3310/scan' })
      .optional(),
  },
  open: ({ ATTACHMENT_SCAN_URL: url }): Scanner | undefined => (url === undefined ? undefined : scannerAt(url)),
})
