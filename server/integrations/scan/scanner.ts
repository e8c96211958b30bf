import { z } from 'zod'
import { integration } from '../../kernel/integration.ts'
import { boundedFetch } from '../outbound/bounded.ts'

/** What looks at files before people open them. Rejects when it can't say. */
export type Scanner = {
  scan: (file: AsyncIterable<Buffer>, about: { content_type: string; bytes: number }) => Promise<'clean' | 'refused'>
}

/** An answer says all by its status. */
const bounds = { most_bytes: 64 * 1024, time_limit: 60_000 }

/** A scanner at an address, which is sent each file: 2xx is clean, 422 is refused, all else is asked again. */
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
    throw new Error(`The scanner of attachments answered ${status}.`)
  },
})

/** The scanner that the operator has set; undefined where there is none. */
export const scanner = integration({
  settings: {
    ATTACHMENT_SCAN_URL: z
      .url({ protocol: /^https?$/, error: 'must be an address such as http://localhost:3310/scan' })
      .optional(),
  },
  open: ({ ATTACHMENT_SCAN_URL: url }): Scanner | undefined => (url === undefined ? undefined : scannerAt(url)),
})
