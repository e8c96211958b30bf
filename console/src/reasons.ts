import { dayOf, sentence } from './format.ts'

/** Texts of the service, for people. */

/** A message of the service with its dates formatted. */
export const withDays = (text: string): string => text.replace(/\b\d{4}-\d\d-\d\d\b/g, dayOf)

/** Removes the code from `start_date_invalid: must be a day`. Without a sentence, returns the code as words. */
export const reasonOf = (reason: string): string => {
  const words = reason.replace(/^[a-z_]+: /, '')
  return /^[a-z_0-9]+$/.test(words) ? sentence(words) : words
}
