import { z } from 'zod'
import { Id, text, Timestamp } from '../../../kernel/fields.ts'
import type { SentBody } from '../../../http/endpoint.ts'
import { DownloadLink } from '../../../http/files/download-link.ts'
import { contentTypeOf } from './rules.ts'

const most_bytes = 10 * 1024 * 1024

/** The maximum length in base64 characters. */
const most_characters = Math.ceil(most_bytes / 3) * 4

/** The bytes of a file, and the type detected from them. */
type FileContent = { bytes: Uint8Array; content_type: string }

/** Decodes the file in the validation worker. Only the bytes are sent back to the main thread. */
function contentIn(base64: string, check: z.core.$RefinementCtx): FileContent {
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
  const content_type = contentTypeOf(bytes)
  return content_type ? { bytes, content_type } : wrong('must be a PDF, or a PNG, JPEG, WebP or HEIC image')
}

const NewLifeEventAttachment = z
  .object({
    file_name: text().meta({ description: 'The name to show for the file.' }),
    content: z
      .string()
      .max(most_characters, 'must be at most 10 MiB')
      .transform(contentIn)
      .meta({ description: 'The file in base64, at most 10 MiB.' }),
  })
  .meta({ id: 'NewLifeEventAttachment' })
export type NewLifeEventAttachment = z.output<typeof NewLifeEventAttachment>

export const sent_attachment = {
  body: NewLifeEventAttachment,
  large: true,
  body_limit: 15 * 1024 * 1024,
} as const satisfies SentBody

export const LifeEventAttachment = z
  .object({
    id: Id('att'),
    file_name: z.string().meta({ description: 'The name that was sent.' }),
    scan: z
      .enum(['none', 'waiting', 'clean', 'refused'])
      .meta({ description: 'The result of the scan. `none` if no scanner is configured.' }),
    file: DownloadLink.nullable().meta({
      description: 'Null until the scan has finished, and if the scanner refused the file.',
    }),
    created_at: Timestamp,
  })
  .meta({ id: 'LifeEventAttachment' })

export const LifeEventAttachmentList = z
  .object({ data: z.array(LifeEventAttachment) })
  .meta({ id: 'LifeEventAttachmentList' })
