import { vi } from 'vitest'
import { useApi } from '../../harness.ts'
import { ToldEmployer } from '../told-employer.ts'

// Months go by in a test, on machines that have other things to do.
vi.setConfig({ testTimeout: 240_000 })

/**
 * Lantern Studio gives its people in four states an allowance for plans of their own, from July 2026 to the renewal
 * of July 2027. It pays twice a month. The carrier's premiums can be told by heart: each year of age costs 10.00 a
 * month in Texas, 11.00 in its county of Travis, 12.00 in Los Angeles and 9.00 in Florida, and whoever is below 15
 * counts as 14. New York has one premium for all ages. The studio allows 450.00, those below forty 300.00, who works
 * part time 150.00, and a family 900.00.
 *
 * Omar lives in Travis; Priya with a large family elsewhere in Texas, as does Viktor, who needs none of it. Quinn
 * lives in New York, Rosa and Sven in Los Angeles, Tomas in Florida, and so does Una, who works part time.
 */
export const studio = new ToldEmployer(useApi())
