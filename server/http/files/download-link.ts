import { z } from 'zod'
import { Timestamp } from '../../kernel/fields.ts'

/** How long a link is valid. */
export const link_minutes = 15

/** The `{ download_url, expires_at }` part of a response. */
export const DownloadLink = z
  .object({
    download_url: z
      .url()
      .meta({ description: 'Returns the file with GET, without a key. Anyone with the link can download it.' }),
    expires_at: Timestamp.meta({
      description: 'The link returns 404 from then on, or sooner if its API key ends or changes roles.',
    }),
  })
  .meta({ id: 'DownloadLink', description: `A signed link that is valid for ${link_minutes} minutes.` })
export type DownloadLink = z.output<typeof DownloadLink>
