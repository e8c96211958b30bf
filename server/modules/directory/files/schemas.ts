import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { SentBody } from '../../../http/endpoint.ts'
import { DownloadLink } from '../../../http/files/download-link.ts'
import { Id, text, Timestamp } from '../../../kernel/fields.ts'
import { contentTypeOf } from './rules.ts'

/** The bytes of a file, with the type detected from them and their SHA-256 in hexadecimal. */
export type FileContent = { bytes: Uint8Array; content_type: string; sha256: string }

/** A file in base64, of at most `max_mib` MiB. The validation worker decodes it and returns only the bytes. */
export function fileContent(max_mib: number) {
  const max_bytes = max_mib * 1024 * 1024
  const too_large = `must be at most ${max_mib} MiB`
  const decode = (base64: string, check: z.core.$RefinementCtx): FileContent => {
    const wrong = (message: string) => {
      check.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    let bytes: Uint8Array
    try {
      bytes = Uint8Array.fromBase64(base64)
    } catch {
      return wrong('must be base64')
    }
    if (bytes.length > max_bytes) return wrong(too_large)
    const content_type = contentTypeOf(bytes)
    if (!content_type) return wrong('must be a PDF, or a PNG, JPEG, WebP or HEIC image')
    return { bytes, content_type, sha256: createHash('sha256').update(bytes).digest('hex') }
  }
  return z
    .string()
    .max(Math.ceil(max_bytes / 3) * 4, too_large)
    .transform(decode)
    .meta({ description: `The file in base64, at most ${max_mib} MiB.` })
}

export const FileScan = z.enum(['none', 'waiting', 'clean', 'refused']).meta({
  id: 'FileScan',
  description: 'The result of the scan. `none` if no scanner is configured.',
})

const NewAttachment = z
  .object({
    file_name: text().meta({ description: 'The name to show for the file.' }),
    content: fileContent(10),
  })
  .meta({ id: 'NewAttachment' })
export type NewAttachment = z.output<typeof NewAttachment>

export const sent_attachment = {
  body: NewAttachment,
  large: true,
  body_limit: 15 * 1024 * 1024,
} as const satisfies SentBody

/** A document that proves a fact. */
export const Attachment = z
  .object({
    id: Id('att'),
    file_name: z.string().meta({ description: 'The name of the file, as sent.' }),
    scan: FileScan,
    file: DownloadLink.nullable().meta({
      description: 'The download link. Null until the scan has finished, and if the scanner refused the file.',
    }),
    created_at: Timestamp,
  })
  .meta({ id: 'Attachment' })

export const AttachmentList = z.object({ data: z.array(Attachment) }).meta({ id: 'AttachmentList' })
