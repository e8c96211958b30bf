import { aca } from './benefits/aca.ts'
import { enrollment } from './benefits/enrollment.ts'
import { remind } from './benefits/reminders.ts'

/** The views that load when they are opened. */
export const screens = { aca, enrollment, remind }
