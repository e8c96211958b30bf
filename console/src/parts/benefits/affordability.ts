import type { MissingFigure } from 'openbenefits'

const figure_names: Record<MissingFigure['figure'], string> = {
  lowest_cost_silver_premium: 'lowest-cost silver premium',
  required_contribution_percentage: 'percentage of income',
  poverty_guidelines: 'federal poverty line',
}

const verdicts = { Affordable: 'Affordable', 'Not Affordable': 'Not affordable' } as const

/** The label of an affordability verdict. */
export const affordabilityIn = (verdict: keyof typeof verdicts | null): string =>
  verdict ? verdicts[verdict] : 'Affordability unknown'

/**
 * The figures missing for an affordability verdict, such as `no percentage of income for 2028`. Undefined if none is
 * missing.
 */
export function missingIn(rows: { missing_figures: MissingFigure[] | null }[]): string | undefined {
  const missing = rows.flatMap(({ missing_figures }) => missing_figures ?? [])
  const names = new Set(missing.map(({ figure, year }) => `no ${figure_names[figure]} for ${year}`))
  return names.size > 0 ? [...names].join(', ') : undefined
}
