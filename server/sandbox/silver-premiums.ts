import { saveSilverPremiums } from '../modules/directory/ichra/queries.ts'
import { SilverRow } from '../modules/directory/ichra/schemas.ts'
import type { Ctx } from '../runtime/ctx.ts'
import type { Day } from '../kernel/days.ts'

/** The federal default age curve, in thousandths of the premium at age 21: 0-14, each age to 63, and 64 and over. */
const age_curve = [
  765, 833, 859, 885, 913, 941, 970, 1000, 1000, 1000, 1000, 1004, 1024, 1048, 1087, 1119, 1135, 1159, 1183, 1198, 1214,
  1222, 1230, 1238, 1246, 1262, 1278, 1302, 1325, 1357, 1397, 1444, 1500, 1563, 1635, 1706, 1786, 1865, 1952, 2040,
  2135, 2230, 2333, 2437, 2548, 2603, 2714, 2810, 2873, 2952, 3000,
]

/** The sample premium at age 21, in cents a month. Plausible, but from no real plan. */
const at_21_in_cents = 39_000

const ageAt = (at: number): string => (at === 0 ? '0-14' : at === age_curve.length - 1 ? '64+' : String(14 + at))

/** Sample lowest-cost silver premiums of one year in Texas, the state of the sandbox's ICHRA employer. */
const sampleOf = (year: number): SilverRow[] =>
  age_curve.map((thousandths, at) =>
    SilverRow.parse({
      state: 'TX',
      effective_on: `${year}-01-01`,
      age: ageAt(at),
      premium_in_cents: Math.round((at_21_in_cents * thousandths) / 1000),
    }),
  )

/** Seeds sample lowest-cost silver premiums for all organizations, from a day until the end of the next year. */
export async function seedSilverPremiums(ctx: Ctx, since: Day): Promise<void> {
  const [first, last] = [Number(since.slice(0, 4)), Number(ctx.today.slice(0, 4)) + 1]
  const years = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  await saveSilverPremiums(ctx, years.flatMap(sampleOf))
}
