import type { Config } from '../../kernel/config.ts'
import { csvDrop } from './csv-files.ts'
import { finch } from './finch.ts'
import type { HrisProviders } from './provider.ts'
import { sandboxPayroll } from './sandbox.ts'

/** The payroll systems that connections are fetched from, as the settings have them. */
export const hrisProvidersOf = (settings: Pick<Config, 'FINCH_URL' | 'HRIS_DROP_DIR'>): HrisProviders => ({
  finch: finch({ url: settings.FINCH_URL }),
  csv: csvDrop(settings.HRIS_DROP_DIR),
  sandbox: sandboxPayroll,
})
