import { useId, useState } from 'react'
import type { BenefitPlanYear, RenewalScenario } from 'openbenefits'
import { formatCount } from '../../../format.ts'
import { downloadRates, readRates } from './rates-file.ts'

/** A scenario while it is edited. Empty fields keep the rates and contributions of the plan year. */
export type DraftScenario = {
  name: string
  change: string
  /** Percentage of the premium that the employer pays. */
  employer: string
  rates: NonNullable<RenewalScenario['rates']>
}

/** A scenario in the format of the API. */
export function scenarioRequest(
  { name, change, employer, rates }: DraftScenario,
  year: BenefitPlanYear,
): RenewalScenario {
  const { ichra_contribution_classes } = year.contribution_strategy
  const with_tiers = year.benefits.filter(
    ({ id }) => !ichra_contribution_classes.some(({ benefit_id }) => benefit_id === id),
  )
  const contribution_tiers = [{ coverage_tier: null, method: 'percentage' as const, percentage: Number(employer) }]
  return {
    name,
    ...(change !== '' && { premium_change_percent: Number(change) }),
    ...(rates.length > 0 && { rates }),
    ...(employer !== '' && { benefits: with_tiers.map(({ id }) => ({ benefit_id: id, contribution_tiers })) }),
  }
}

type ScenarioProps = {
  of: DraftScenario
  number: number
  year: BenefitPlanYear
  change: (scenario: DraftScenario) => void
  remove?: (() => void) | undefined
}

/** The fields of a scenario. */
export function ScenarioFields({ of, number, year, change, remove }: ScenarioProps) {
  const id = useId()
  const [error, setError] = useState<string>()
  const read = async (file: File | undefined) => {
    setError(undefined)
    try {
      change({ ...of, rates: file ? await readRates(file, year) : [] })
    } catch (thrown) {
      setError((thrown as Error).message)
    }
  }
  const field = (name: 'name' | 'change' | 'employer', label: string, hint?: string) => (
    <div className="field">
      <label htmlFor={`${id}${name}`}>{label}</label>
      <input
        id={`${id}${name}`}
        {...(name === 'name'
          ? { maxLength: 60 }
          : { type: 'number', step: 0.01, max: name === 'change' ? 1000 : 100, min: name === 'change' ? -100 : 0 })}
        value={of[name]}
        onChange={({ target }) => change({ ...of, [name]: target.value })}
        {...(hint && { 'aria-describedby': `${id}${name}-hint` })}
      />
      {hint && (
        <span className="hint" id={`${id}${name}-hint`}>
          {hint}
        </span>
      )}
    </div>
  )
  return (
    <fieldset className="scenario">
      <legend className="unseen">Scenario {number}</legend>
      {field('name', 'Name')}
      {field('change', 'Premium change in percent', 'Applies to the catalog rates. Leave empty to use them unchanged.')}
      {field('employer', 'Employer pays, in percent', 'Leave empty to keep this plan year’s contributions.')}
      <div className="field" data-wrong={error !== undefined}>
        <label htmlFor={`${id}rates`}>Quoted rates, as CSV or Excel</label>
        <input
          id={`${id}rates`}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,.xlsx"
          aria-describedby={`${id}rates-hint`}
          onChange={({ target }) => void read(target.files?.[0])}
        />
        <span className={error ? 'wrong' : 'hint'} id={`${id}rates-hint`} role={error ? 'alert' : undefined}>
          {error ??
            (of.rates.length > 0
              ? `${formatCount(of.rates.length, 'rate')} from the file.`
              : 'Plan, coverage level and premium.')}
        </span>
        <button type="button" className="plain" onClick={() => downloadRates(year)}>
          Download this year’s rates
        </button>
      </div>
      {remove && (
        <button type="button" className="plain" aria-label={`Remove scenario ${number}`} onClick={remove}>
          Remove
        </button>
      )}
    </fieldset>
  )
}
