import type { Ctx } from '../../../runtime/ctx.ts'
import { refuse } from '../../../kernel/refusal.ts'
import {
  findNameKeys,
  listKnownAllowances,
  listKnownAreaRates,
  listKnownBenefits,
  listKnownCarriers,
  listKnownPlans,
  listKnownRates,
  listOfferedBenefits,
  replaceAllowances,
  insertAreaRates,
  saveBenefits,
  saveCarriers,
  savePlans,
  saveRates,
} from './queries.ts'
import { plannedChanges } from './planned-rules.ts'
import { benefitName } from './product-rules.ts'
import { changesOf, collectItems, whyNotImport } from './rules.ts'
import type { CatalogImportOutcome, CatalogPlannedChange, CatalogRow } from './schemas.ts'

/**
 * Imports rows into the catalog of an organization, all or none. Creates or changes the items in the rows and leaves
 * other items alone. Importing the same rows again changes nothing. Open plan years have their own prices, which do not
 * change. Refuses rows that contradict each other (400), then a different product code for an existing benefit or a
 * different category for one that was offered (422).
 */
export async function importCatalog(ctx: Ctx, organization_id: string, rows: CatalogRow[]): Promise<ImportedCatalog> {
  const names = new Set(rows.flatMap((row) => [row.carrier, benefitName(row), row.plan, row.county ?? '']))
  const keys = await findNameKeys(ctx, [...names])
  const items = collectItems(rows, (name) => keys.get(name)!)
  const benefits = await listKnownBenefits(ctx, { organization_id, keys: [...items.benefits.keys()] })
  refuse(whyNotImport(items, benefits, await listOfferedBenefits(ctx, organization_id, benefits)))

  const plans = await listKnownPlans(ctx, organization_id, benefits)
  const plan_ids = plans.filter(({ key }) => items.plans.has(key)).map(({ id }) => id)
  const carriers = await listKnownCarriers(ctx, { organization_id, keys: [...items.carriers.keys()] })
  const changes = changesOf(items, {
    carriers,
    benefits,
    plans,
    rates: await listKnownRates(ctx, { organization_id, plan_ids }),
    area_rates: items.area_rates.size > 0 ? await listKnownAreaRates(ctx, { organization_id, plan_ids }) : [],
    allowances: await listKnownAllowances(ctx, { organization_id, plan_ids }),
  })
  await saveCarriers(ctx, organization_id, changes.carriers.changed)
  await saveBenefits(ctx, organization_id, changes.benefits.changed)
  await savePlans(ctx, organization_id, changes.plans.changed)
  await saveRates(ctx, organization_id, changes.rates.changed)
  await insertAreaRates(ctx, organization_id, changes.area_rates.changed)
  await replaceAllowances(ctx, organization_id, changes.allowances.plan_ids, changes.allowances.changed)
  const counts = {
    carriers: changes.carriers.counts,
    benefits: changes.benefits.counts,
    plans: changes.plans.counts,
    rates: sumOf(changes.rates.counts, changes.area_rates.counts),
    allowances: changes.allowances.counts,
  }
  return { counts, planned: () => plannedChanges(changes, { carriers, plans }) }
}

/** The result of an import: counts by kind of item, and the individual changes. */
type ImportedCatalog = { counts: Omit<CatalogImportOutcome, 'planned'>; planned: () => CatalogPlannedChange[] }

const sumOf = (a: CatalogImportOutcome['rates'], b: CatalogImportOutcome['rates']) => ({
  created: a.created + b.created,
  updated: a.updated + b.updated,
  unchanged: a.unchanged + b.unchanged,
})
