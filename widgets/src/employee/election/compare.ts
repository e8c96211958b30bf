import { html, nothing, type TemplateResult } from 'lit'
import { expected_care, yearlyCost, type ExpectedUse } from 'openbenefits'
import { filterSelect, table } from '../../core/parts.ts'
import type { EmployeeHost } from '../host.ts'
import { documentLink, documentsOf } from '../documents.ts'
import { priceOf, type Offer } from './offers.ts'
import { term } from './glossary.ts'
import { copaysOf, link, personAndFamily } from './plan-details.ts'
import type { BenefitStep } from './steps.ts'

type Row = { name: unknown; of: (offer: Offer) => unknown }

/** The plans of a benefit side by side, with the expected cost of a year. */
export function comparison(host: EmployeeHost, step: BenefitStep, offers: Offer[], name: string): TemplateResult {
  const { w, election } = host
  const rows = [...costRows(host, step), ...shareRows(host), ...linkRows(host)].filter(({ of }) =>
    offers.some((offer) => ![null, nothing, ''].includes(of(offer) as null)),
  )
  const can_estimate = offers.some((offer) => estimateOf(host, step, offer) !== undefined)
  const change = (use: ExpectedUse) => {
    election.expected_use = use
    host.requestUpdate()
  }
  return html`<section class="stack" aria-label=${w.compare_title(name)}>
    ${
      can_estimate
        ? html`${filterSelect('use', w.expected_use, w.uses, election.expected_use, change)}
            <p class="quiet">${definitionOf(host)}</p>`
        : nothing
    }
    ${table<Row>(
      w.compare_title(name),
      [
        { name: w.plan, of: ({ name: heading }) => heading },
        ...offers.map((offer) => ({
          name: offer.plan.name,
          of: ({ of }: Row) => of(offer) || w.unknown,
        })),
      ],
      rows,
    )}
  </section>`
}

/** The care behind the chosen level: `4 primary care visits at $150.00, …`. */
function definitionOf({ w, f, election }: EmployeeHost): string {
  const care = expected_care[election.expected_use].map(({ name, count, price_in_cents }) =>
    w.care(count, w.cares[name] ?? name, f.money(price_in_cents)),
  )
  return w.use_means(f.list(care))
}

/** The expected cost of a year with a plan. Undefined if its price or its cost sharing is unknown. */
function estimateOf(host: EmployeeHost, step: BenefitStep, offer: Offer) {
  const { covered, price } = priceOf(host, step, offer)
  const monthly_in_cents = price?.employee_deduction_in_cents ?? undefined
  if (monthly_in_cents === undefined) return undefined
  const { expected_use: use } = host.election
  return yearlyCost(offer.plan.facts, { monthly_in_cents, people: 1 + covered.length, use })
}

function costRows(host: EmployeeHost, step: BenefitStep): Row[] {
  const { w, f } = host
  const cents = (amount: number | null | undefined) => (typeof amount === 'number' ? f.money(amount) : null)
  const taken = ({ enrollment, plan }: Offer) =>
    host.perPaycheck(enrollment.id, plan.id, host.election.dependentsOf(step, enrollment))
  return [
    { name: w.paycheck, of: (offer) => cents(taken(offer)) },
    { name: w.estimate_premiums, of: (offer) => cents(estimateOf(host, step, offer)?.premiums_in_cents) },
    { name: w.estimate_care, of: (offer) => cents(estimateOf(host, step, offer)?.care_in_cents) },
    {
      name: html`<strong>${w.estimate_total}</strong>`,
      of: (offer) => {
        const estimate = estimateOf(host, step, offer)
        return estimate ? html`<strong>${f.money(estimate.total_in_cents)}</strong>` : null
      },
    },
  ]
}

/** The cost of care, in the network and outside of it. */
function shareRows(host: EmployeeHost): Row[] {
  const { w } = host
  const both = (person: number | null, family: number | null) => personAndFamily(host, person, family)
  const percent = (share: number | null) => (share === null ? null : share === 100 ? w.not_covered : `${share}%`)
  return [
    {
      name: term(host, 'deductible'),
      of: ({ plan: { facts } }) => both(facts.deductible_in_cents, facts.family_deductible_in_cents),
    },
    {
      name: term(host, 'out_of_pocket_limit'),
      of: ({ plan: { facts } }) => both(facts.out_of_pocket_limit_in_cents, facts.family_out_of_pocket_limit_in_cents),
    },
    { name: term(host, 'copays'), of: ({ plan }) => copaysOf(host, plan) },
    { name: term(host, 'coinsurance'), of: ({ plan: { facts } }) => percent(facts.coinsurance_percentage) },
    {
      name: w.out_deductible,
      of: ({ plan: { facts } }) =>
        both(facts.out_of_network_deductible_in_cents, facts.out_of_network_family_deductible_in_cents),
    },
    {
      name: w.out_limit,
      of: ({ plan: { facts } }) =>
        both(
          facts.out_of_network_out_of_pocket_limit_in_cents,
          facts.out_of_network_family_out_of_pocket_limit_in_cents,
        ),
    },
    { name: w.out_coinsurance, of: ({ plan: { facts } }) => percent(facts.out_of_network_coinsurance_percentage) },
  ]
}

function linkRows(host: EmployeeHost): Row[] {
  const { w, f } = host
  return [
    {
      name: term(host, 'hsa_eligible'),
      of: ({ plan: { facts } }) => (facts.hsa_eligible === null ? null : facts.hsa_eligible ? w.yes : w.no),
    },
    {
      name: w.metal_level,
      of: ({ plan: { facts } }) => facts.metal_level && (w.metal_levels[facts.metal_level] ?? facts.metal_level),
    },
    {
      name: term(host, 'network'),
      of: ({ plan: { network_names, facts } }) =>
        network_names.length > 0
          ? html`${f.list(network_names)} ${link(facts.provider_directory_url, w.find_a_doctor)}`
          : null,
    },
    {
      name: w.summary,
      of: ({ plan }) => {
        const found = documentsOf(host, plan.id, 'sbc')
        return found.length > 0 ? found.map((one) => documentLink(host, one)) : null
      },
    },
  ]
}
