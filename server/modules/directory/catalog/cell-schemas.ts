import { z } from 'zod'
import { shortText, text } from '../../../kernel/fields.ts'

/** Accepts one of these words in upper or lower case, because spreadsheets vary. */
export const word = <const Words extends readonly string[]>(words: Words) =>
  shortText(`must be one of ${words.join(', ')}`)
    .transform((value, check): Words[number] => {
      const plain = value.trim().toLowerCase()
      const found = words.find((each) => each.toLowerCase() === plain)
      if (found === undefined)
        check.issues.push({ code: 'custom', message: `must be one of ${words.join(', ')}`, input: value })
      return found ?? words[0]!
    })
    .meta({ enum: [...words] })

export const wholeNumber = (most: number) =>
  z
    .unknown()
    .transform((value, check): number => {
      // JSON allows -0, which a comparison of records would treat as different from 0.
      if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value + 0
      check.issues.push({ code: 'custom', message: `must be a whole number from 0 to ${most}`, input: value })
      return 0
    })
    .meta({ type: 'integer', minimum: 0, maximum: most })

/** A billion dollars. Higher amounts are mistakes. */
export const Cents = wholeNumber(100_000_000_000)
export const Percentage = wholeNumber(100)

const isHttps = (address: string) => /^https:\/\/[^\s/]/i.test(address) && URL.canParse(address)

/**
 * A list of texts, as JSON or as one text separated by `;`. `noun` names the items in messages; `most` limits their
 * number.
 */
export const listOf = (noun: string, most: number) => {
  // Read more items than allowed, so that the message can state the limit, but do not parse an unlimited text.
  const somewhat_many = 10 * most
  const textsIn = (value: string) => value.split(';', somewhat_many).filter((one) => one.trim() !== '')
  return z
    .union([z.array(z.string()).max(somewhat_many).meta({ maxItems: most }), z.string().transform(textsIn)], {
      error: `must be a list of ${noun}, or one text separated by ;`,
    })
    .pipe(z.array(text()).max(most, `must contain at most ${most} ${noun}`))
    .transform((texts) => [...new Set(texts)])
}

export const Link = text(2000).refine(isHttps, 'must be an https URL')
export const YesNo = z.union([z.boolean(), z.stringbool()], { error: 'must be true or false' })
