import { html, nothing, type TemplateResult } from 'lit'
import type { Dependent, Enrollment, WaiverReason } from 'openbenefits'
import { heading, status } from '../../core/parts.ts'
import {
  coverableDependents,
  isOwn,
  canElectPlan,
  canToggleDependent,
  mayWaive,
  planYearName,
  type Choice,
  type OwnPlan,
} from '../choices.ts'
import type { EmployeeHost } from '../host.ts'
import { comparison } from './compare.ts'
import { total } from './total.ts'
import { priceOf, stepName, type Offer, type Plan } from './offers.ts'
import { planDetails } from './plan-details.ts'
import type { BenefitStep, StepChoice } from './steps.ts'

/** One benefit: its plans with their cost per paycheck, and the way to waive it. */
export function benefit(host: EmployeeHost, step: BenefitStep): TemplateResult {
  const { w, election, today } = host
  const name = stepName(host, step)
  const details = step.enrollments.map(({ id }) => host.enrollment(id))
  const offers = step.enrollments.flatMap((enrollment, at) =>
    (details[at]?.plans ?? []).map((plan): Offer => ({ enrollment, detail: details[at]!, plan })),
  )
  const chosen = election.choiceOf(step)
  const refused = step.enrollments.flatMap(({ id }) => election.refused.get(id) ?? [])
  const family = coverableDependents(host.dependents!, today!)
  return html`${heading(name)} ${family.length > 0 ? people(host, step, family) : nothing}
    ${refused.map((why) => html`<p class="fault" role="alert">${why}</p>`)}
    ${details.includes(undefined) ? html`<span class="bone"></span><span class="bone"></span>` : nothing}
    ${
      offers.length > 1
        ? html`<p>
            <button
              aria-expanded=${String(election.is_comparing)}
              @click=${() => {
                election.is_comparing = !election.is_comparing
                host.requestUpdate()
              }}
            >
              ${election.is_comparing ? w.compare_close : w.compare}
            </button>
          </p>`
        : nothing
    }
    ${election.is_comparing ? comparison(host, step, offers, name) : nothing}
    <ul class="plans">
      ${offers.map((offer) => html`<li>${card(host, step, offer)}</li>`)}
    </ul>
    ${waiving(host, step, name)}
    <p class="quiet">${planYearName(host, step.enrollments)}</p>
    ${total(host, chosen && html`<button class="main" @click=${() => election.move(1)}>${w.continue}</button>`)}`
}

/** The covered people, and a way to cover others by this benefit only. */
function people(host: EmployeeHost, step: BenefitStep, family: Dependent[]): TemplateResult {
  const { w, f, election } = host
  const [first] = step.enrollments as [Enrollment]
  const covered = election.dependentsOf(step, first)
  const names = family.filter(({ id }) => covered.includes(id)).map(({ first_name }) => first_name)
  const change = (id: string, is_covered: boolean) => {
    election.differ(step, is_covered ? [...covered, id] : covered.filter((one) => one !== id))
  }
  return html`<details class="stack">
    <summary>${w.covers(f.list([w.you_alone, ...names]))}</summary>
    <div role="group" aria-label=${w.differs}>
      <p class="quiet">${w.differs}</p>
      ${family.map(
        (one) =>
          html`<label class="tick">
            <input
              type="checkbox"
              .checked=${covered.includes(one.id)}
              ?disabled=${!step.enrollments.some((enrollment) => canToggleDependent(enrollment, one))}
              @change=${(event: Event) => change(one.id, (event.target as HTMLInputElement).checked)}
            />
            ${one.first_name}
          </label>`,
      )}
    </div>
  </details>`
}

const isPlan = (found: StepChoice | undefined, { enrollment, plan }: Offer): boolean =>
  found?.enrollment.id === enrollment.id && !found.choice.waive && found.choice.plan_id === plan.id

function card(host: EmployeeHost, step: BenefitStep, offer: Offer): TemplateResult {
  const { w, election } = host
  const { enrollment, detail, plan } = offer
  const { covered, tier, price } = priceOf(host, step, offer)
  const chosen = election.choiceOf(step)
  const is_current = isPlan(election.currentOf(step), offer)
  const is_chosen = isPlan(chosen, offer)
  const own = is_chosen && isOwn(detail) && !chosen!.choice.waive ? chosen!.choice : undefined
  const choose = () => {
    election.choose(step, enrollment.id, { waive: false, plan_id: plan.id, dependent_ids: covered })
    if (!isOwn(detail)) election.move(1)
  }
  const may = price !== undefined && canElectPlan(enrollment, plan.id)
  const word = is_chosen ? w.chosen : is_current ? w.keep_plan : w.choose_plan
  return html`<article class="plan ${is_chosen ? 'chosen' : ''}" part="plan">
    <div class="line">
      <h3>${plan.name}</h3>
      ${is_current ? status(w.current_plan, 'good') : nothing}
    </div>
    <p class="quiet">${plan.carrier}</p>
    ${price ? cost(host, offer, covered, price) : html`<p>${w.not_for(w.tiers[tier])}</p>`}
    ${planDetails(host, plan, price)} ${own ? ownPlanFields(host, step, enrollment.id, own) : nothing}
    <button
      class="main"
      aria-label="${word}: ${plan.name}"
      aria-pressed=${String(is_chosen)}
      aria-disabled=${String(!may)}
      @click=${() => may && choose()}
    >
      ${word}
    </button>
  </article>`
}

/** The deduction per paycheck with the coverage level and employer contribution behind it, and the main facts. */
function cost(host: EmployeeHost, { enrollment, plan }: Offer, covered: string[], price: Plan['tiers'][number]) {
  const { w, f } = host
  const { deductible_in_cents: deductible, out_of_pocket_limit_in_cents: limit } = plan.facts
  const known = [
    deductible === null ? [] : `${w.deductible} ${f.money(deductible)}`,
    limit === null ? [] : `${w.out_of_pocket_limit} ${f.money(limit)}`,
  ].flat()
  const taken = host.perPaycheck(enrollment.id, plan.id, covered)
  const employer = price.employer_contribution_in_cents
  const parts = [
    w.tiers[price.coverage_tier],
    ...(employer === null ? [] : [`${w.employer_pays} ${w.per_month(f.money(employer))}`]),
  ]
  return html`<p>
      ${
        price.employee_deduction_in_cents === null || taken === null
          ? html`<span class="quiet">${w.price_unknown}</span>`
          : taken === undefined
            ? html`<span class="bone"></span>`
            : html`<strong class="price">${f.money(taken)}</strong> ${w.paycheck_unit}`
      }
    </p>
    <p class="quiet">${parts.join(' · ')}</p>
    ${known.length > 0 ? html`<p class="quiet">${known.join(' · ')}</p>` : nothing}`
}

/** A link to waive the benefit, which opens the form for the reason. */
function waiving(host: EmployeeHost, step: BenefitStep, name: string): TemplateResult | typeof nothing {
  const { w, election, today } = host
  if (!step.enrollments.every((enrollment) => mayWaive(enrollment, today!))) return nothing
  const open = () => {
    election.is_waiving = true
    host.requestUpdate()
  }
  if (!election.is_waiving) return html`<p><button class="plain" @click=${open}>${w.waive_link(name)}</button></p>`
  const submit = (event: Event) => {
    event.preventDefault()
    const reason = String(new FormData(event.currentTarget as HTMLFormElement).get('reason') ?? '')
    election.waive(step, { waive: true, ...(reason && { reason: reason as WaiverReason }) })
    election.move(1)
  }
  return html`<form class="stack" @submit=${submit}>
    <div class="field">
      <label for="reason">${w.waive_reason}</label>
      <select id="reason" name="reason">
        <option value="">${w.waive_no_reason}</option>
        ${Object.entries(w.waive_reasons).map(([code, text]) => html`<option value=${code}>${text}</option>`)}
      </select>
    </div>
    <p><button>${w.waive}</button></p>
  </form>`
}

/** Name and premium of an individual plan that the employee bought with an allowance. */
function ownPlanFields(
  host: EmployeeHost,
  step: BenefitStep,
  id: string,
  choice: Choice & { waive: false },
): TemplateResult {
  const { w, election } = host
  const own: OwnPlan = choice.own ?? { name: '', premium: '', on_exchange: false }
  const change = (edit: Partial<OwnPlan>) => election.choose(step, id, { ...choice, own: { ...own, ...edit } })
  const valueOf = (event: Event) => (event.target as HTMLInputElement).value
  return html`<div class="fields">
    <div class="field">
      <label for="${id}-name">${w.own_plan}</label>
      <input id="${id}-name" .value=${own.name} @change=${(event: Event) => change({ name: valueOf(event) })} />
    </div>
    <div class="field">
      <label for="${id}-premium">${w.own_premium}</label>
      <input
        id="${id}-premium"
        inputmode="decimal"
        .value=${own.premium}
        @change=${(event: Event) => change({ premium: valueOf(event) })}
      />
    </div>
    <label class="tick">
      <input
        type="checkbox"
        .checked=${own.on_exchange}
        @change=${(event: Event) => change({ on_exchange: (event.target as HTMLInputElement).checked })}
      />
      ${w.own_exchange}
    </label>
  </div>`
}
