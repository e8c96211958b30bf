import { addDays, type Day } from '../../../kernel/days.ts'

/** The instant at which the previous day began in New York. */
export const beginningOfYesterday = (today: Day): string =>
  Temporal.PlainDate.from(addDays(today, -1)).toZonedDateTime('America/New_York').toInstant().toString()
