import { vi } from 'vitest'
import { useApi } from '../../harness.ts'
import { EmployerClient } from '../employer-client.ts'

// Months pass in a test, and the machine may be busy.
vi.setConfig({ testTimeout: 240_000 })

/**
 * Harvest Staffing with three hundred hourly employees, from May 2026 to the renewal in May 2027. Minimum essential
 * coverage costs 89.00 a month, of which employees pay half, 44.50. For minimum value plans, the firm pays 70 %:
 * employees pay 94.50 of 315.00 for Bronze and 126.00 of 420.00 for Silver. Payday is every Friday, without deductions
 * on a fifth Friday of a month.
 *
 * People have numbers. Those whose number ends in 1 to 4 elect minimum essential coverage, in 5 Bronze, and in 6
 * Silver. Those in 7 waive, and all others submit nothing.
 */
export const firm = new EmployerClient(useApi())
