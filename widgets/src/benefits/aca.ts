import { html, nothing, type TemplateResult } from 'lit'
import type { AcaOverview, OfferTest } from 'openbenefits'
import { loadingPlaceholder, facts, heading, status, table } from '../core/parts.ts'
import type { BenefitsHost } from './host.ts'

const en = {
  not_measured: 'Hours are not measured. Your benefits administrator can set this up.',
  of: (all: number) => `full-time employees, of ${all} in all`,
  statuses: {
    full_time: 'Full-time',
    not_full_time: 'Not full-time',
    initial_measurement: 'Initial measurement',
    administrative_period: 'Administrative period',
    not_measured: 'Not measured',
  },
  trending: 'Near full-time',
  through: 'Hours reported through',
  none: 'No hours yet',
  test: (year: number) => `Offers of coverage in ${year}`,
  month: 'Month',
  full_time: 'Full-time',
  offered: 'With an offer',
  result: 'Result',
  passes: 'Passes',
  fails: 'Fails',
  exposure: 'Possible payment',
  not_derived: 'Your benefits administrator has not calculated this year’s offers yet.',
}

/** The view loads separately, so its words are not among those of the first file. */
const words: Record<string, typeof en> = {
  en,
  es: {
    not_measured: 'No se miden las horas. Su administrador de beneficios puede configurarlo.',
    of: (all) => `empleados de tiempo completo, de ${all} en total`,
    statuses: {
      full_time: 'Tiempo completo',
      not_full_time: 'No es tiempo completo',
      initial_measurement: 'Medición inicial',
      administrative_period: 'Período administrativo',
      not_measured: 'Sin medir',
    },
    trending: 'Cerca del tiempo completo',
    through: 'Horas reportadas hasta',
    none: 'Todavía sin horas',
    test: (year) => `Ofertas de cobertura en ${year}`,
    month: 'Mes',
    full_time: 'Tiempo completo',
    offered: 'Con oferta',
    result: 'Resultado',
    passes: 'Cumple',
    fails: 'No cumple',
    exposure: 'Pago posible',
    not_derived: 'Su administrador de beneficios todavía no ha calculado las ofertas de este año.',
  },
}

/** The people of an employer by full-time status, and the offer test of the year. */
export function aca(host: BenefitsHost): TemplateResult {
  const { w, f, aca_overview: overview, offer_test: tested } = host
  const text = words[host.language] ?? en
  if (!overview || !tested) return loadingPlaceholder(w.loading)
  const title = heading(w.views.aca)
  if (!overview.has_measurement_policies && overview.hours_reported_through === null)
    return html`${title}
      <p class="quiet">${text.not_measured}</p>`
  return html`${title}
    <p class="stack tight" part="figure">
      <span class="figure">${overview.counts.full_time}</span>
      <span class="quiet">${text.of(overview.employee_count)}</span>
    </p>
    ${facts([
      ...Object.entries(text.statuses).map(([name, label]): [string, number] => [
        label,
        overview.counts[name as keyof AcaOverview['counts']],
      ]),
      [text.trending, overview.trending_count],
      [text.through, overview.hours_reported_through ? f.day(overview.hours_reported_through) : text.none],
    ])}
    ${tested.form_type === '1095-B' ? nothing : offers(host, text, tested)}`
}

function offers({ f }: BenefitsHost, text: typeof en, { year, months }: OfferTest): TemplateResult {
  type Month = (typeof months)[number]
  return html`<section class="stack" aria-labelledby="offers">
    <h3 id="offers">${text.test(year)}</h3>
    ${
      months.length === 0
        ? html`<p class="quiet">${text.not_derived}</p>`
        : table<Month>(
            text.test(year),
            [
              { name: text.month, of: ({ month }) => f.month(`${year}-${String(month).padStart(2, '0')}`) },
              {
                name: text.result,
                of: ({ passes }) => status(passes ? text.passes : text.fails, passes ? 'good' : 'bad'),
              },
              { name: text.full_time, of: ({ full_time_count }) => full_time_count, is_number: true },
              { name: text.offered, of: ({ offered_count }) => offered_count, is_number: true },
              {
                name: text.exposure,
                of: ({ exposure_in_cents: cents }) => (cents === null ? nothing : f.money(cents)),
                is_number: true,
              },
            ],
            months,
          )
    }
  </section>`
}
