import { resolve } from 'node:path'
import { z } from 'zod'
import { integration } from '../../kernel/integration.ts'
import { csvFolderProvider } from './csv-files.ts'
import { finch } from './finch.ts'
import type { HrisProviders } from './provider.ts'
import { sandboxPayroll } from './sandbox.ts'

/** The payroll systems that the settings configure. */
export const payroll = integration({
  settings: {
    FINCH_URL: z.url('must be a URL such as https://api.tryfinch.com').default('https://api.tryfinch.com'),
    HRIS_DROP_DIR: z
      .string()
      .transform((path) => resolve(path))
      .optional(),
  },
  open: (settings): HrisProviders => ({
    finch: finch({ url: settings.FINCH_URL }),
    csv: csvFolderProvider(settings.HRIS_DROP_DIR),
    sandbox: sandboxPayroll,
  }),
})
