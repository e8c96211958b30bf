import { formatDay, toSentence } from './format.ts'

/** Texts of the service, for people. */

/** A message of the service with its dates formatted. */
export const formatDaysIn = (text: string): string => text.replace(/\b\d{4}-\d\d-\d\d\b/g, formatDay)

/** Removes the code from `start_date_invalid: must be a day`. Without a sentence, returns the code as words. */
export const formatReason = (reason: string): string => {
  const words = reason.replace(/^[a-z_0-9]+: /, '')
  return /^[a-z_0-9]+$/.test(words) ? toSentence(words) : words
}
