import type { Day } from 'openbenefits'

/** Days in the time zones of the user and of the service. */

/** The instants at which a day in the user's time zone starts and ends. */
export const startOfDay = (day: string): string => new Date(`${day}T00:00:00`).toISOString()
export const endOfDay = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString()

const eastern = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' })
/** The day of an instant in New York, the service's time zone. */
export const easternDayOf = (instant: string): Day => eastern.format(Date.parse(instant)) as Day
