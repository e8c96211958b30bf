import { vi } from 'vitest'
import { useApi } from '../../harness.ts'
import { ToldEmployer } from '../told-employer.ts'

// Months go by in a test, on machines that have other things to do.
vi.setConfig({ testTimeout: 240_000 })

/**
 * Harvest Staffing, three hundred hourly people, from May 2026 to the renewal of May 2027. Minimum essential coverage
 * costs 89.00 a month, and who has it bears half, 44.50. Of minimum value the firm bears 70 %: who has Bronze at
 * 315.00 bears 94.50, who has Silver at 420.00 bears 126.00. Pay comes each Friday, and a fifth Friday of a month
 * takes nothing.
 *
 * The people are numbered. Whose number ends in 1 to 4 elects minimum essential coverage, in 5 Bronze, in 6 Silver;
 * in 7 they waive, and all others answer nobody.
 */
export const firm = new ToldEmployer(useApi())
