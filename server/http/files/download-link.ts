import { z } from 'zod'
import { Timestamp } from '../../kernel/fields.ts'

/** `{ download_url, expires_at }` of an answer. */
export const DownloadLink = z
  .object({
    download_url: z.url().meta({ description: 'Opens with GET, without a key. Whoever has it has the file.' }),
    expires_at: Timestamp.meta({
      description:
        'From then on the link is a 404; sooner, if the key that asked for it ends before, or its role changes.',
    }),
  })
  .meta({ id: 'DownloadLink', description: 'A signed link of 15 minutes.' })
export type DownloadLink = z.output<typeof DownloadLink>
