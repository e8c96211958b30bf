import { vi } from 'vitest'
import { useApi } from '../../harness.ts'
import { ToldEmployer } from '../told-employer.ts'

// Months go by in a test, on machines that have other things to do.
vi.setConfig({ testTimeout: 240_000 })

/**
 * The Copper Kettle, a café of twelve with minimum essential coverage, from the day on which it is taken over in the
 * middle of 2026 to its return in the spring of 2027. It pays every other Friday. Its people:
 *
 * Agnes, who runs it, with a family. Bo, Clara, Hana, Ivo and Kei, who are covered alone at first. Elsa with a son of
 * 25, Femi with a wife. Nora has the larger plan. Dov is covered elsewhere, Jun answers nobody, and Gil works part
 * time.
 */
export const cafe = new ToldEmployer(useApi())
