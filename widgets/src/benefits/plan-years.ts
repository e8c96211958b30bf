import { html, nothing, type TemplateResult } from 'lit'
import type { BenefitPlanYear, BenefitPlanYearRow } from 'openbenefits'
import { dollars, saveCsv } from '../core/csv.ts'
import { loadingPlaceholder, facts, heading, downloadHeading, status, table } from '../core/parts.ts'
import type { BenefitsHost } from './host.ts'
import { yearName } from './parts.ts'

const tones = { active: 'good', open_enrollment: 'wait', upcoming: '', inactive: '' } as const

/** All plan years, newest first. */
export function planYears(host: BenefitsHost): TemplateResult {
  const { w, plan_years } = host
  if (!plan_years) return loadingPlaceholder(w.loading)
  return html`${heading(w.plan_years)}
  ${
    plan_years.length === 0
      ? html`<p class="quiet">${w.no_years}</p>`
      : html`<p><button class="plain" @click=${() => saveYears(host, plan_years)}>${w.csv}</button></p>
          <ul class="rows">
            ${plan_years.map((one) => row(host, one))}
          </ul>`
  }`
}

function saveYears({ w, employer }: BenefitsHost, years: BenefitPlanYearRow[]): void {
  const of_enrollment = [w.opens, w.closes]
  saveCsv(`${w.plan_years}, ${employer?.name ?? ''}`, [
    [w.plan_year, w.status, w.from, w.until_day, ...of_enrollment, w.counts.eligible, w.counts.enrolled],
    ...years.map((one) => [
      one.product_name,
      w.year_status[one.status],
      one.coverage_start,
      one.coverage_end,
      one.open_enrollment_start,
      one.open_enrollment_end,
      one.enrollment_rate.eligible,
      one.enrollment_rate.enrolled,
    ]),
  ])
}

function row(host: BenefitsHost, one: BenefitPlanYearRow): TemplateResult {
  const { w, f } = host
  const { enrollment_rate: rate, open_enrollment_start: opens, open_enrollment_end: closes } = one
  return html`<li class="stack tight">
    <div class="line">
      <button class="plain" @click=${() => host.showYear(one.id)}>${yearName(host, one)}</button>
      ${status(w.year_status[one.status], tones[one.status])}
    </div>
    <span class="quiet">${f.list(one.benefits.map(({ name }) => name))}</span>
    <span class="quiet">
      ${w.enrolled_of(rate.enrolled, rate.eligible)}
      ${closes ? html`· ${w.open_enrollment}: ${f.span(opens, closes)}` : nothing}
    </span>
  </li>`
}

/** One plan year: its dates, and the cost of each tier for employer and employee. */
export function planYear(host: BenefitsHost): TemplateResult {
  const { w, f, year, year_in_full: one } = host
  if (!year || !one) return loadingPlaceholder(w.loading)
  const { contribution_tiers: prices, ichra_contribution_classes: allowances } = one.contribution_strategy
  return html`<p>
      <button class="plain" @click=${() => host.go('plan-years')}>← ${w.back_to_years}</button>
    </p>
    ${heading(yearName(host, year))}
    <p>${status(w.year_status[one.status], tones[one.status])}</p>
    ${facts([
      [w.coverage, f.span(one.coverage_start, one.coverage_end)],
      [w.open_enrollment, one.open_enrollment_end && f.span(one.open_enrollment_start, one.open_enrollment_end)],
      [w.counts.enrolled, w.enrolled_of(one.enrollment_rate.enrolled, one.enrollment_rate.eligible)],
      [w.renewal, w.renewals[one.renewal]],
      [w.notice, one.notice_due_on && f.day(one.notice_due_on)],
    ])}
    ${
      one.spd_file_url
        ? html`<p><a href=${one.spd_file_url} target="_blank" rel="noopener noreferrer">${w.summary}</a></p>`
        : nothing
    }
    ${prices.length > 0 ? priced(host, one, yearName(host, year)) : nothing}
    ${allowances.length > 0 ? allowed(host, allowances, yearName(host, year)) : nothing}`
}

function priced({ w, f }: BenefitsHost, one: BenefitPlanYear, name: string): TemplateResult {
  const { contribution_tiers: prices } = one.contribution_strategy
  const benefits = new Map(one.benefits.map(({ id, name }) => [id, name]))
  const saveAs = () =>
    saveCsv(name, [
      [w.benefit, w.plan, w.tier, w.full_price, w.you, w.they],
      ...prices.map((price) => [
        benefits.get(price.benefit_id),
        price.benefit_plan_name,
        w.tiers[price.coverage_tier],
        dollars(price.premium_in_cents),
        dollars(price.employer_contribution_in_cents),
        dollars(price.cost),
      ]),
    ])
  return html`<section class="stack" aria-labelledby="prices">
    ${downloadHeading('prices', w.prices, w.csv, saveAs)}
    ${table(
      w.prices,
      [
        {
          name: w.plan,
          of: (price) =>
            html`${price.benefit_plan_name}
              <div class="quiet">${benefits.get(price.benefit_id)}</div>`,
        },
        { name: w.tier, of: ({ coverage_tier }) => w.tiers[coverage_tier] },
        { name: w.full_price, of: ({ premium_in_cents }) => f.money(premium_in_cents), is_number: true },
        { name: w.you, of: (price) => f.money(price.employer_contribution_in_cents), is_number: true },
        { name: w.they, of: ({ cost }) => f.money(cost), is_number: true },
      ],
      prices,
    )}
  </section>`
}

function allowed(
  { w, f }: BenefitsHost,
  allowances: BenefitPlanYear['contribution_strategy']['ichra_contribution_classes'],
  name: string,
): TemplateResult {
  const saveAs = () =>
    saveCsv(`${name}, ${w.allowances}`, [
      [w.class_name, w.allowance],
      ...allowances.map((one) => [one.name, dollars(one.allowance_in_cents)]),
    ])
  return html`<section class="stack" aria-labelledby="allowances">
    ${downloadHeading('allowances', w.allowances, w.csv, saveAs)}
    <ul class="rows">
      ${allowances.map(
        (one) =>
          html`<li class="line">
            <span>${one.name}</span>
            <strong class="number">${f.money(one.allowance_in_cents)}</strong>
          </li>`,
      )}
    </ul>
  </section>`
}
