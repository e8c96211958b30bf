import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { listFigures, saveFigures } from './queries.ts'
import { allFigures } from './rules.ts'
import type { NewAffordabilityFigures } from './schemas.ts'

/** Keeps what the law says of a year, before a release brings it or instead of that; what is not sent stays. */
export async function tellFigures(ctx: Ctx, said: NewAffordabilityFigures): Promise<void> {
  const { year, required_contribution_percentage: part, poverty_guidelines: lines } = said
  const required_contribution = part === undefined ? null : Math.round(part * 100)
  await saveFigures(ctx, {
    year,
    required_contribution,
    poverty_guidelines: lines ? [lines.contiguous, lines.alaska, lines.hawaii] : null,
  })
}

/** The figures that count, of every year of which any is known, as the whole answer. */
export async function readFigures(ctx: ReadCtx): Promise<string> {
  const data = allFigures(await listFigures(ctx)).map(({ year, required_contribution: part, poverty_guidelines }) => {
    const [contiguous, alaska, hawaii] = poverty_guidelines ?? []
    return {
      year,
      required_contribution_percentage: part === null ? null : part / 100,
      poverty_guidelines: poverty_guidelines && { contiguous, alaska, hawaii },
    }
  })
  return JSON.stringify({ data })
}
