import { html, nothing, type TemplateResult } from 'lit'
import type { Dependent, Enrollment, EnrollmentDetail, PlanFacts, WaiverReason } from 'openbenefits'
import { bones, heading } from '../core/parts.ts'
import {
  byPlanYear,
  coverable,
  inOrder,
  isOpen,
  isOwn,
  mayElect,
  mayTick,
  mayWaive,
  planYearName,
  tierOf,
  type Choice,
  type OwnPlan,
} from './choices.ts'
import type { EmployeeHost } from './host.ts'

/** The plans of each benefit side by side, the dependents to cover, and the total cost. */
export function choose(host: EmployeeHost): TemplateResult {
  const { w, enrollments, dependents, employee, today } = host
  if (!enrollments || !dependents || !employee || !today) return bones(w.loading)
  const open = inOrder(enrollments.filter(isOpen))
  if (open.length === 0)
    return html`${heading(w.choose)}
      <p>${w.window_closed}</p>
      <p><button @click=${() => host.go('life-events')}>${w.report_event}</button></p>`
  const family = coverable(dependents, today)
  return html`${heading(w.choose)}
    <details class="stack">
      <summary>${w.terms_title}</summary>
      <ul class="stack tight">
        ${Object.entries(w.terms).map(([term, meaning]) => html`<li><strong>${term}</strong>: ${meaning}</li>`)}
      </ul>
    </details>
    <div class="stack wide">
      ${byPlanYear(open).map(
        (those, _, { length }) =>
          html`${length > 1 ? html`<h3>${planYearName(host, those)}</h3>` : nothing}
          ${those.map((one) => benefit(host, one, family))}`,
      )}
    </div>
    <p><button class="plain" @click=${() => host.go('family')}>${w.add_family}</button></p>
    ${total(host)}`
}

function benefit(host: EmployeeHost, of: Enrollment, family: Dependent[]): TemplateResult {
  const { w, today } = host
  const {
    id,
    benefit: { name },
  } = of
  const detail = host.enrollment(id)
  const choice = host.choiceOf(id)
  const refused = host.refused.get(id)
  return html`<fieldset class="stack" part="benefit" aria-describedby=${refused ? `${id}-fault` : nothing}>
    <legend><h3>${name}</h3></legend>
    ${
      detail
        ? html`${family.length > 0 ? who(host, of, family) : nothing}
            <div class="plans">
              ${detail.plans.map((plan) => planOf(host, detail, plan, family))}
              <label class="plan none">
                <input
                  type="radio"
                  name=${id}
                  .checked=${choice?.waive === true}
                  ?disabled=${!mayWaive(of, today!)}
                  @change=${() => host.choose(id, { waive: true })}
                />
                <strong>${w.waive}</strong>
              </label>
            </div>
            ${choice?.waive && host.choices.has(id) ? whyNot(host, id, choice.reason) : nothing}
            ${choice && !choice.waive && isOwn(detail) ? ownPlan(host, id, choice) : nothing}`
        : html`<span class="bone"></span><span class="bone"></span>`
    }
    ${refused ? html`<p class="fault" role="alert" id="${id}-fault">${refused}</p>` : nothing}
  </fieldset>`
}

/** The dependents to cover. They determine the coverage level and the prices, but never select a plan. */
function who(host: EmployeeHost, of: Enrollment, family: Dependent[]): TemplateResult {
  const { w, f, employee } = host
  const { id } = of
  const choice = host.choiceOf(id)
  const chosen = host.dependentsOf(id)
  const has_plan = choice !== undefined && !choice.waive
  const plans = host.enrollment(id)?.plans ?? []
  const change = (dependent_id: string, covered: boolean) => {
    const others = chosen.filter((one) => one !== dependent_id)
    host.cover(id, covered ? [...others, dependent_id] : others)
  }
  const names = family.filter((one) => chosen.includes(one.id)).map(({ first_name }) => first_name)
  return html`<div class="line start" role="group" aria-label=${w.who}>
    <span class="quiet">${w.who}</span>
    <span>${w.you(employee!.first_name)}</span>
    ${family.map(
      (one) =>
        html`<label class="tick">
          <input
            type="checkbox"
            .checked=${chosen.includes(one.id)}
            ?disabled=${plans.length === 0 || !mayTick(of, one)}
            @change=${(event: Event) => change(one.id, (event.target as HTMLInputElement).checked)}
          />
          ${one.first_name}
        </label>`,
    )}
    <span class="quiet" role="status"
      >${names.length > 0 && !has_plan ? w.choose_plan_for(f.list(names)) : nothing}</span
    >
  </div>`
}

type Plan = EnrollmentDetail['plans'][number]

/** A plan: its cost for the selected dependents, its network and its documents. */
function planOf(host: EmployeeHost, of: EnrollmentDetail, plan: Plan, family: Dependent[]): TemplateResult {
  const { w, f } = host
  const { id } = of
  const choice = host.choiceOf(id)
  const dependent_ids = host.dependentsOf(id)
  const tier = tierOf(family.filter((one) => dependent_ids.includes(one.id)))
  const price = plan.tiers.find(({ coverage_tier }) => coverage_tier === tier)
  const checked = choice?.waive === false && choice.plan_id === plan.id
  const quoted = checked ? host.quote?.answers.find(({ enrollment_id }) => enrollment_id === id) : undefined
  const is_known = typeof price?.employee_deduction_in_cents === 'number'
  const taken = quoted?.first_paycheck
    ? quoted.per_paycheck_in_cents
    : is_known
      ? host.perPaycheck(id, plan.id, dependent_ids)
      : null
  return html`<label class="plan" part="plan">
    <input
      type="radio"
      name=${id}
      .checked=${checked}
      ?disabled=${!price || !mayElect(of, plan.id)}
      @change=${() => host.choose(id, { waive: false, plan_id: plan.id, dependent_ids })}
    />
    <strong>${plan.name}</strong>
    <span class="quiet">${plan.carrier}</span>
    ${price ? costs(host, price) : html`<span>${w.not_for(w.tiers[tier])}</span>`}
    ${
      taken === null
        ? nothing
        : html`<span>
            ${
              taken === undefined
                ? html`<span class="bone"></span>`
                : html`<strong>${w.a_paycheck(f.money(taken))}</strong>`
            }
          </span>`
    }
    ${
      plan.network_names.length > 0
        ? html`<span class="quiet">${w.network}: ${f.list(plan.network_names)}</span>`
        : nothing
    }
    ${factsOf(host, plan.facts)}
    ${
      plan.spd_file_url
        ? html`<a href=${plan.spd_file_url} target="_blank" rel="noopener noreferrer">${w.documents}</a>`
        : nothing
    }
  </label>`
}

function costs({ w, f }: EmployeeHost, price: Plan['tiers'][number]): TemplateResult {
  const { premium_in_cents, employer_contribution_in_cents, employee_deduction_in_cents: mine } = price
  if (mine === null || premium_in_cents === null || employer_contribution_in_cents === null)
    return html`<span class="quiet">${w.price_unknown}</span>`
  return html`<dl class="facts">
    <dt class="quiet">${w.premium}</dt>
    <dd class="quiet">${f.money(premium_in_cents)}</dd>
    <dt class="quiet">${w.employer_pays}</dt>
    <dd class="quiet">${f.money(employer_contribution_in_cents)}</dd>
    <dt>${w.you_pay}</dt>
    <dd>
      <strong>${w.per_month(f.money(mine))}</strong>
      <div class="quiet">${w.per_year(f.money(mine * 12))}</div>
    </dd>
  </dl>`
}

/** Deductible, out-of-pocket maximum, copays and other facts of a plan. */
function factsOf({ w, f }: EmployeeHost, facts: PlanFacts): TemplateResult {
  const { deductible_in_cents, out_of_pocket_limit_in_cents, copays, metal_level, hsa_eligible, sbc_file_url } = facts
  const amount = (name: string, cents: number | null) =>
    cents === null
      ? nothing
      : html`<dt class="quiet">${name}</dt>
          <dd>${f.money(cents)}</dd>`
  const quiet = (text: string | false) => (text ? html`<span class="quiet">${text}</span>` : nothing)
  const amounts = html`<dl class="facts">
    ${amount(w.deductible, deductible_in_cents)} ${amount(w.out_of_pocket_limit, out_of_pocket_limit_in_cents)}
  </dl>`
  return html`${deductible_in_cents === null && out_of_pocket_limit_in_cents === null ? nothing : amounts}
  ${quiet(copays.length > 0 && `${w.copays}: ${f.list(copays)}`)}
  ${quiet(metal_level !== null && `${w.metal_level}: ${w.metal_levels[metal_level] ?? metal_level}`)}
  ${quiet(hsa_eligible === true && w.hsa)}
  ${sbc_file_url ? html`<a href=${sbc_file_url} target="_blank" rel="noopener noreferrer">${w.sbc}</a>` : nothing}`
}

function whyNot(host: EmployeeHost, id: string, reason: WaiverReason | undefined): TemplateResult {
  const { w } = host
  const edit = ({ target }: Event) => {
    const { value } = target as HTMLSelectElement
    host.choose(id, { waive: true, ...(value && { reason: value as WaiverReason }) })
  }
  return html`<div class="field">
    <label for="${id}-reason">${w.waive_reason}</label>
    <select id="${id}-reason" @change=${edit}>
      <option value="" ?selected=${!reason}>${w.waive_no_reason}</option>
      ${Object.entries(w.waive_reasons).map(
        ([code, text]) => html`<option value=${code} ?selected=${code === reason}>${text}</option>`,
      )}
    </select>
  </div>`
}

/** Name and premium of an individual plan that the employee bought with an allowance. */
function ownPlan(host: EmployeeHost, id: string, choice: Choice & { waive: false }): TemplateResult {
  const { w } = host
  const own: OwnPlan = choice.own ?? { name: '', premium: '', on_exchange: false }
  const change = (edit: Partial<OwnPlan>) => host.choose(id, { ...choice, own: { ...own, ...edit } })
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

/** The total of all choices, and the button to review them. */
function total(host: EmployeeHost): TemplateResult {
  const { w, f, quote, is_pricing, choices } = host
  const may_go_on = choices.size > 0 && !is_pricing && host.refused.size === 0
  return html`<div class="total line" part="total">
    <div role="status">
      ${
        is_pricing
          ? html`<span class="quiet">${w.pricing}</span>`
          : quote
            ? html`<strong>${w.a_paycheck(f.money(quote.per_paycheck_in_cents))}</strong>
                <span class="quiet">
                  · ${w.per_month(f.money(quote.employee_deduction_in_cents))} · ${w.employer_pays}
                  ${w.per_month(f.money(quote.employer_contribution_in_cents))}</span
                >`
            : html`<span class="quiet">${w.untouched}</span>`
      }
      ${host.refused.has('') ? html`<p class="fault">${host.refused.get('')}</p>` : nothing}
    </div>
    <button class="main" aria-disabled=${may_go_on ? 'false' : 'true'} @click=${() => may_go_on && host.go('review')}>
      ${w.review}
    </button>
  </div>`
}
