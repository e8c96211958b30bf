import { z } from 'zod'
import { Id, text, Timestamp } from '../../../kernel/fields.ts'
import type { SentBody } from '../../../http/endpoint.ts'
import { DownloadLink } from '../../../http/files/download-link.ts'
import { contentTypeOf } from './attachment-rules.ts'

const most_bytes = 10 * 1024 * 1024

/** Characters of base64. */
const most_characters = Math.ceil(most_bytes / 3) * 4

/** A file as it was sent, and what it is by what it holds. */
type FileContent = { bytes: Uint8Array; content_type: string }

/** Read where bodies are checked, beside other requests, so that no more than the bytes come over. */
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
    file_name: text().meta({ description: 'Shown as it is.' }),
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
    file_name: z.string().meta({ description: 'As it was sent.' }),
    scan: z.enum(['none', 'waiting', 'clean', 'refused']).meta({ description: 'What a scanner said of it.' }),
    file: DownloadLink.nullable().meta({ description: 'null while a scanner is waited for, and when it refused.' }),
    created_at: Timestamp,
  })
  .meta({ id: 'LifeEventAttachment' })

export const LifeEventAttachmentList = z
  .object({ data: z.array(LifeEventAttachment) })
  .meta({ id: 'LifeEventAttachmentList' })
