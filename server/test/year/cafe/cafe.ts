import { vi } from 'vitest'
import { useApi } from '../../harness.ts'
import { EmployerClient } from '../employer-client.ts'

// Months pass in a test, and the machine may be busy.
vi.setConfig({ testTimeout: 240_000 })

/**
 * The Copper Kettle, a café of twelve with minimum essential coverage, from its start here in the middle of 2026 to its
 * return in the spring of 2027. It pays every other Friday. Its people:
 *
 * Agnes, the owner, has a family. Bo, Clara, Hana, Ivo and Kei are covered alone at first. Elsa has a son of 25, Femi a
 * wife. Nora has the larger plan. Dov is covered elsewhere, Jun never submits anything, and Gil works part time.
 */
export const cafe = new EmployerClient(useApi())
