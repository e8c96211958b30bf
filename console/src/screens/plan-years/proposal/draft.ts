import type { BenefitPlanYear } from 'openbenefits'
import { type Terms, copyTerms } from '../renewal-terms.tsx'
import type { DraftScenario } from './scenario.tsx'

/** A proposal while it is edited. It is in the URL, so that reloading and sharing work. */
export type Draft = { terms: Terms; scenarios: DraftScenario[] }

const first_scenarios: DraftScenario[] = [
  { name: 'Catalog rates', change: '', employer: '', rates: [] },
  { name: 'Catalog rates + 5%', change: '5', employer: '', rates: [] },
]
export const max_scenarios = 4

/** A longer draft, such as one with the rates of a large file, is not saved. Servers accept about 16 kB of headers. */
const max_url_length = 6000

export const serializeDraft = (draft: Draft): string | undefined => {
  const text = JSON.stringify(draft)
  return text.length > max_url_length ? undefined : text
}

/** The draft in the URL, or else the terms of a copy of the plan year and two scenarios. */
export function parseDraft(text: string | undefined, year: BenefitPlanYear): Draft {
  const usual = { terms: copyTerms(year), scenarios: first_scenarios }
  try {
    const { terms, scenarios } = JSON.parse(text ?? '{}') as Partial<Draft>
    if (!terms || !Array.isArray(scenarios) || scenarios.length === 0) return usual
    return {
      terms: { ...usual.terms, ...terms },
      scenarios: scenarios.slice(0, max_scenarios).map(({ name, change, employer, rates }) => ({
        name: String(name ?? ''),
        change: String(change ?? ''),
        employer: String(employer ?? ''),
        rates: Array.isArray(rates) ? rates : [],
      })),
    }
  } catch {
    return usual
  }
}
