import type { Config } from './config.ts'
import { csvDrop } from './hris-csv.ts'
import { finch } from './hris-finch.ts'
import type { HrisProviders } from './hris-provider.ts'
import { sandboxPayroll } from './hris-sandbox.ts'

/** The payroll systems that connections are fetched from, as the settings have them. */
export const hrisProvidersOf = (settings: Pick<Config, 'FINCH_URL' | 'HRIS_DROP_DIR'>): HrisProviders => ({
  finch: finch({ url: settings.FINCH_URL }),
  csv: csvDrop(settings.HRIS_DROP_DIR),
  sandbox: sandboxPayroll,
})
