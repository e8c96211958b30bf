import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { listFigures, saveFigures } from './queries.ts'
import { allFigures } from './figure-rules.ts'
import type { NewAffordabilityFigures } from './schemas.ts'

/**
 * Saves the legal figures of a year. They take precedence over those in the release. Absent figures keep their value.
 */
export async function saveAffordabilityFigures(ctx: Ctx, input: NewAffordabilityFigures): Promise<void> {
  const { year, required_contribution_percentage: part, poverty_guidelines: lines, assessable_payments } = input
  const required_contribution = part === undefined ? null : Math.round(part * 100)
  await saveFigures(ctx, {
    year,
    required_contribution,
    poverty_guidelines: lines ? [lines.contiguous, lines.alaska, lines.hawaii] : null,
    assessable_payments: assessable_payments
      ? [assessable_payments.no_offer, assessable_payments.unaffordable_offer]
      : null,
  })
}

/** The figures in effect, for every year with any known figure. */
export async function readFigures(ctx: ReadCtx): Promise<string> {
  const data = allFigures(await listFigures(ctx)).map(({ year, required_contribution: part, ...figures }) => {
    const [contiguous, alaska, hawaii] = figures.poverty_guidelines ?? []
    const [no_offer, unaffordable_offer] = figures.assessable_payments ?? []
    return {
      year,
      required_contribution_percentage: part === null ? null : part / 100,
      poverty_guidelines: figures.poverty_guidelines && { contiguous, alaska, hawaii },
      assessable_payments: figures.assessable_payments && { no_offer, unaffordable_offer },
    }
  })
  return JSON.stringify({ data })
}
