import { z } from 'zod'
import { task } from '../../../jobs/worker.ts'
import { scanAttachment } from './actions.ts'

export const tasks = {
  scan_attachment: task(z.object({ organization_id: z.string(), attachment_id: z.string() }), scanAttachment),
}
