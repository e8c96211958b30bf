import { vi } from 'vitest'
import { useApi } from '../../harness.ts'
import { EmployerClient } from '../employer-client.ts'

// Months pass in a test, and the machine may be busy.
vi.setConfig({ testTimeout: 240_000 })

/**
 * Lantern Studio gives its people in four states an allowance for individual plans, from July 2026 to the renewal in
 * July 2027. It pays twice a month. Premiums are easy to calculate: each year of age costs 10.00 a month in Texas,
 * 11.00 in its county of Travis, 12.00 in Los Angeles and 9.00 in Florida, and ages below 15 count as 14. New York has
 * one premium for all ages. The allowance is 450.00, or 300.00 below forty, 150.00 for part-time employees, and 900.00
 * for a family.
 *
 * Omar lives in Travis County. Priya, with a large family, and Viktor, who waives, live elsewhere in Texas. Quinn lives
 * in New York, Rosa and Sven in Los Angeles, and Tomas and Una in Florida. Una works part time.
 */
export const studio = new EmployerClient(useApi())
