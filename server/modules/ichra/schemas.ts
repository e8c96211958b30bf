import { z } from 'zod'
import { brief, text, trimmed } from '../../kernel/fields.ts'

/** The age from which nobody is told apart. */
const oldest = 150
const no_age = 'must be an age, such as 21, or ages, such as 0-14 or 64+'

/**
 * An age, or ages, as files of rates have them: `21`, `0-14`, `64+`, `64 and over`. Each a list of the youngest and the
 * oldest, null: and above.
 */
export const Ages = z
  .union([z.number().transform(String), brief(no_age)], { error: no_age })
  .transform((said, check): [number, number | null] => {
    const found = /^(\d{1,3})(?:\s*-\s*(\d{1,3})|\s*(\+|and (?:over|older|above)))?$/i.exec(trimmed(said))
    const [youngest, last] = [Number(found?.[1]), found?.[2] === undefined ? undefined : Number(found[2])]
    if (!found || youngest > oldest || (last !== undefined && (last < youngest || last > oldest)))
      check.issues.push({ code: 'custom', message: no_age, input: said })
    return [youngest, found?.[3] ? null : (last ?? youngest)]
  })
  .meta({ type: ['string', 'integer'], example: '64+' })

/**
 * The name of a county, without the word: rates and addresses say it or don't. An independent city keeps its "city", by
 * which it is told from the county of its name.
 */
export const County = text(100)
  .overwrite((name) => name.replace(/\s+/g, ' ').replace(/(?<=.) (?:county|parish)$/i, ''))
  .meta({ description: 'The county, with or without the word County or Parish.', example: 'Cook' })
