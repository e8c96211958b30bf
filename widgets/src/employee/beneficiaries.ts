import { html, nothing, type TemplateResult } from 'lit'
import type { BenefitBeneficiaries, Beneficiary, BeneficiariesInput, Dependent } from 'openbenefits'
import { loadingPlaceholder, field, heading, onSubmit, select } from '../core/parts.ts'
import { total } from './election/total.ts'
import type { EmployeeHost } from './host.ts'

/** A beneficiary while it is edited. */
type Line = Pick<Beneficiary, 'level' | 'type' | 'share_percentage'> & Partial<Beneficiary>

/** The beneficiaries of each benefit that takes them. */
export function beneficiaries(host: EmployeeHost): TemplateResult {
  const { w, beneficiaries: all, dependents } = host
  if (!all || !dependents) return loadingPlaceholder(w.loading)
  return html`${heading(w.more_views.beneficiaries.name)}
    <p class="quiet">${w.beneficiaries_words}</p>
    <p role="status">${host.message}</p>
    ${all.length === 0 ? html`<p class="quiet">${w.no_beneficiaries_needed}</p>` : nothing}
    ${all.map((one) => ofBenefit(host, one))}`
}

/** The beneficiaries of one benefit with their shares, and a form that adds one. Each change is saved immediately. */
export function ofBenefit(host: EmployeeHost, of: BenefitBeneficiaries): TemplateResult {
  const { w } = host
  const lines: Line[] = of.beneficiaries
  const remove = (at: number) => save(host, of, evenShares(lines.filter((_, other) => other !== at)))
  return html`<section class="stack" aria-label=${host.nameOf(of.benefit_name)}>
    <h3>${host.nameOf(of.benefit_name)}</h3>
    ${
      lines.length === 0
        ? html`<p class="quiet">${w.no_beneficiaries}</p>`
        : html`<ul class="rows">
            ${lines.map((one, at) => beneficiaryRow(host, one, () => remove(at)))}
          </ul>`
    }
    ${lines.length > 1 ? shares(host, of, lines) : nothing} ${adding(host, of, lines)}
  </section>`
}

const nameOf = ({ w }: EmployeeHost, { type, name }: Line): string => name ?? w.beneficiary_types[type]

/** The level of a beneficiary, and the relationship to the employee. */
const roleOf = ({ w }: EmployeeHost, { level, relationship }: Line): string =>
  [w.beneficiary_levels[level], relationship ? w.beneficiary_relationships[relationship] : '']
    .filter(Boolean)
    .join(' · ')

/** The beneficiaries of an elected benefit in the review and the confirmation. */
export function designated(host: EmployeeHost, benefit_id: string): TemplateResult | typeof nothing {
  const { w } = host
  const of = host.beneficiaries?.find((one) => one.benefit_id === benefit_id)
  if (!of) return nothing
  const lines = of.beneficiaries.map((one) => [nameOf(host, one), `${one.share_percentage}%`, roleOf(host, one)])
  return html`<span class="quiet">
    ${w.more_views.beneficiaries.name}:
    ${lines.length === 0 ? w.no_beneficiaries : lines.map((line) => html`<br />${line.join(' · ')}`)}
  </span>`
}

function beneficiaryRow(host: EmployeeHost, one: Line, remove: () => unknown): TemplateResult {
  const { w } = host
  const { share_percentage: share } = one
  return html`<li class="stack tight">
    <div class="line">
      <strong>${nameOf(host, one)}</strong>
      <span class="number">${share}%</span>
    </div>
    <div class="line">
      <span class="quiet">${roleOf(host, one)}</span>
      <button class="plain" aria-label="${w.remove}: ${nameOf(host, one)}" @click=${remove}>${w.remove}</button>
    </div>
  </li>`
}

/** The shares of several beneficiaries. They must add up to 100 for each level. */
function shares(host: EmployeeHost, of: BenefitBeneficiaries, lines: Line[]): TemplateResult {
  const { w, faults } = host
  const id = (at: number) => `share-${of.benefit_id}-${at}`
  const submit = onSubmit((_, values) =>
    save(
      host,
      of,
      lines.map((one, at) => ({ ...one, share_percentage: Number(values[id(at)]) })),
    ),
  )
  return html`<details class="stack">
    <summary>${w.change_shares}</summary>
    <form class="stack" novalidate @submit=${submit}>
      ${faults.beneficiaries ? html`<p class="fault" role="alert">${faults.beneficiaries}</p>` : nothing}
      <div class="fields">
        ${lines.map((one, at) =>
          field({
            name: id(at),
            label: w.share_of(nameOf(host, one)),
            value: String(one.share_percentage),
            inputmode: 'decimal',
            fault: faults[`beneficiaries[${at}].share_percentage`],
          }),
        )}
      </div>
      <p><button>${w.save}</button></p>
    </form>
  </details>`
}

/** The dependents who can still be named, so that the employee does not type their names again. */
const unnamedDependents = ({ dependents = [] }: EmployeeHost, lines: Line[]): Dependent[] =>
  dependents.filter((one) => one.ended_on === null && !lines.some(({ name }) => name === fullName(one)))

const fullName = ({ first_name, last_name }: Dependent): string => `${first_name} ${last_name}`

/** A dependent as a beneficiary. */
const beneficiaryOf = (one: Dependent) => ({
  type: 'person',
  name: fullName(one),
  relationship: one.relationship,
  ...(one.date_of_birth && { date_of_birth: one.date_of_birth }),
})

/** Adds a beneficiary. The shares of the level become equal, and can be changed afterwards. */
function adding(host: EmployeeHost, of: BenefitBeneficiaries, lines: Line[]): TemplateResult {
  const { w, faults, beneficiary_choices: choices } = host
  const family = unnamedDependents(host, lines)
  // With dependents to choose from, the employee chooses first, so that no dependent is named by accident.
  const chosen = choices.get(of.benefit_id) ?? (family.length > 0 ? '' : 'person')
  const dependent = family.find(({ id }) => id === chosen)
  const is_other = chosen === 'person' || chosen === 'trust'
  const at = lines.length
  const fault = (name: string) => faults[`beneficiaries[${at}].${name}`]
  const id = (name: string) => `${of.benefit_id}-${name}`
  const submit = onSubmit((form, values) => {
    if (!chosen) return undefined
    const added = {
      level: values[id('level')],
      ...(dependent
        ? beneficiaryOf(dependent)
        : {
            type: chosen,
            ...(is_other && { name: values[id('name')] }),
            ...(chosen === 'person' && { relationship: values[id('relationship')] }),
          }),
      share_percentage: 100,
    } as Line
    return save(host, of, evenShares([...lines, added]), form)
  })
  const change = ({ target }: Event) => {
    const { name, value } = target as HTMLSelectElement
    if (name !== id('type')) return
    choices.set(of.benefit_id, value as Line['type'])
    host.requestUpdate()
  }
  const people = family.map((one): [string, string] => [
    one.id,
    `${fullName(one)}, ${w.relationships[one.relationship]}`,
  ])
  const options: [string, string][] = [
    ...(family.length > 0 ? [['', w.choose_beneficiary] as [string, string], ...people] : []),
    ...Object.entries(w.beneficiary_types),
  ]
  return html`<details class="stack" ?open=${lines.length === 0}>
    <summary>${w.add_beneficiary}</summary>
    <form class="stack" novalidate @submit=${submit} @change=${change}>
      ${faults[''] ? html`<p class="fault" role="alert">${faults['']}</p>` : nothing}
      <div class="fields">
        ${select(id('type'), w.beneficiary_type, options, undefined, chosen)}
        ${chosen ? select(id('level'), w.beneficiary_level, Object.entries(w.beneficiary_levels)) : nothing}
        ${is_other ? field({ name: id('name'), label: w.full_name_of, fault: fault('name'), required: true }) : nothing}
        ${
          chosen === 'person'
            ? select(id('relationship'), w.beneficiary_relationship, Object.entries(w.beneficiary_relationships))
            : nothing
        }
      </div>
      <p><button aria-disabled=${String(!chosen)}>${w.add}</button></p>
    </form>
  </details>`
}

/** Equal shares for the beneficiaries of each level. The first ones get the hundredths that are left. */
function evenShares(lines: Line[]): Line[] {
  const seen = { primary: 0, contingent: 0 }
  return lines.map((one) => {
    const count = lines.filter(({ level }) => level === one.level).length
    const [base, rest] = [Math.floor(10_000 / count), 10_000 % count]
    const hundredths = base + (seen[one.level]++ < rest ? 1 : 0)
    return { ...one, share_percentage: hundredths / 100 }
  })
}

async function save(host: EmployeeHost, of: BenefitBeneficiaries, lines: Line[], form?: HTMLFormElement) {
  const { employee_id: id, w } = host
  if (!id) return
  const body = { beneficiaries: lines } as unknown as BeneficiariesInput
  const action = () => host.act((ob) => ob.beneficiaries.designate(id, of.benefit_id, body))
  if (await host.send(form ?? document.createElement('form'), w.saved, action, ['beneficiaries']))
    host.beneficiary_choices.delete(of.benefit_id)
  host.requestUpdate()
}

/** The benefits of the election that take beneficiaries, before the review. */
export function beneficiariesStep(host: EmployeeHost): TemplateResult {
  const { w, election } = host
  const proceed = ({ currentTarget }: Event) => {
    const typed = unsavedForm((currentTarget as HTMLElement).getRootNode() as ShadowRoot)
    if (typed) typed.requestSubmit()
    else election.move(1)
  }
  return html`${heading(w.more_views.beneficiaries.name)}
    <p class="quiet">${w.beneficiaries_words}</p>
    <p role="status">${host.message}</p>
    ${election.takers.map((one) => ofBenefit(host, one))}
    ${total(host, html`<button class="main" @click=${proceed}>${w.continue}</button>`)}`
}

/** The form of a beneficiary who was chosen or whose name was typed, and not added yet. */
const unsavedForm = (root: ShadowRoot): HTMLFormElement | null | undefined =>
  [...root.querySelectorAll<HTMLFormElement>('form:has(select[name$="-type"])')].find((form) => {
    const name = form.querySelector<HTMLInputElement>('input[name$="-name"]')
    const chosen = form.querySelector<HTMLSelectElement>('select[name$="-type"]')!.value
    return name ? name.value.trim() !== '' : chosen !== ''
  })
