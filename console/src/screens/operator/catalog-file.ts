import Papa from 'papaparse'
import type { Catalog } from 'openbenefits/operator'

/** A catalog as a file: its text as it is sent, and its rows as far as differences are of them. */
export type CatalogFile = { name: string; text: string; rows: Record<string, string>[] }

/** Reads what spreadsheets save. Throws a sentence about what it can't. */
export async function readCatalog(file: File): Promise<CatalogFile> {
  const text = (await file.text()).replace(/^\uFEFF/, '')
  const { data, meta, errors } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: 'greedy' })
  const [wrong] = errors.filter(({ code }) => code !== 'UndetectableDelimiter')
  if (wrong) throw new Error(`Line ${(wrong.row ?? 0) + 2} can’t be read: ${wrong.message}.`)
  for (const needed of ['carrier', 'product_code', 'plan'])
    if (!meta.fields?.includes(needed)) throw new Error(`The file has no column ${needed}.`)
  if (data.length === 0) throw new Error('The file has no lines below its column names.')
  return { name: file.name, text, rows: data }
}

export type RateChange = {
  plan: string
  tier: string
  effective_on: string
  before_in_cents: number | null
  after_in_cents: number
}

export type CatalogDifference = {
  carriers: string[]
  benefits: string[]
  plans: string[]
  new_rates: RateChange[]
  changed_rates: RateChange[]
  unchanged_rates: number
  /** rows of premiums by area, and of allowances */
  others: number
}

const same = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase()
const distinct = (names: string[]) => [
  ...new Map(names.map((name) => [name.trim().toLowerCase(), name.trim()])).values(),
]

type Plan = Catalog['benefits'][number]['plans'][number]

function planOf({ benefits }: Catalog, row: Record<string, string>): Plan | undefined {
  const fitting = benefits.filter(({ name, product_code }) =>
    row.benefit ? same(name, row.benefit) : product_code === row.product_code,
  )
  return fitting.flatMap(({ plans }) => plans).find(({ name }) => same(name, row.plan ?? ''))
}

const isTierRate = (row: Record<string, string>) => Boolean(row.premium_in_cents && row.coverage_tier && !row.state)

/** What a file would bring to a catalog, by the names that things go by. The service says what is wrong with it. */
export function compareCatalog(catalog: Catalog, { rows }: CatalogFile): CatalogDifference {
  const missing = (names: string[], known: string[]) =>
    distinct(names).filter((name) => !known.some((one) => same(one, name)))
  const rates = rows.filter(isTierRate).map((row) => {
    const known = planOf(catalog, row)?.tier_rates.find(
      (rate) => rate.coverage_tier === row.coverage_tier && rate.effective_on === row.effective_on,
    )
    return {
      plan: row.plan ?? '',
      tier: row.coverage_tier ?? '',
      effective_on: row.effective_on ?? '',
      before_in_cents: known?.premium_in_cents ?? null,
      after_in_cents: Number(row.premium_in_cents),
    }
  })
  const known = rates.filter(({ before_in_cents }) => before_in_cents !== null)
  const changed = known.filter((rate) => rate.before_in_cents !== rate.after_in_cents)
  return {
    carriers: missing(
      rows.map(({ carrier = '' }) => carrier),
      catalog.carriers.map(({ name }) => name),
    ),
    benefits: missing(
      rows.flatMap(({ benefit }) => benefit || []),
      catalog.benefits.map(({ name }) => name),
    ),
    plans: distinct(rows.filter((row) => planOf(catalog, row) === undefined).map(({ plan = '' }) => plan)),
    new_rates: rates.filter(({ before_in_cents }) => before_in_cents === null),
    changed_rates: changed,
    unchanged_rates: known.length - changed.length,
    others: rows.filter((row) => !isTierRate(row) && (row.premium_in_cents || row.allowance_in_cents)).length,
  }
}
