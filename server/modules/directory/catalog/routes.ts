import { Paging } from '../../../kernel/pages.ts'
import { changed, data, dataOf, endpoint, partner, for_operators } from '../../../http/endpoint.ts'
import { everyone } from '../../../runtime/permissions.ts'
import { locateOrganization } from '../../access/organizations/queries.ts'
import { importCatalog } from './actions.ts'
import { findCatalog, listPlans, locateOrganizationOfBenefit, saveRequirements } from './queries.ts'
import { refusals } from './rules.ts'
import {
  Catalog,
  CatalogBenefitChanges,
  CatalogImportOptions,
  CatalogImportOutcome,
  PlanPage,
  sent_catalog,
} from './schemas.ts'

const catalog = { tag: 'Catalog', locate: locateOrganization } as const

export const endpoints = [
  endpoint({
    ...catalog,
    operation: 'operator_import_catalog',
    ...for_operators.administer,
    method: 'POST',
    path: '/operator/v1/organizations/{organization_id}/catalog/import',
    summary: "Import into an organization's catalog",
    description:
      'Creates and changes the items in the rows, all or none, and leaves other items unchanged. Carriers and ' +
      'benefits match by name, plans by name within a benefit, and rates by plan, coverage tier and effective ' +
      'day. Matching ignores case. The allowances in the rows replace all allowances of their plan, in the order ' +
      'of the rows. Importing the same rows again changes nothing. Plan years keep the prices they were opened ' +
      'with until they are saved again. With `dry_run=true`, nothing changes and the response lists the planned ' +
      'changes.',
    query: CatalogImportOptions,
    ...sent_catalog,
    returns: { 200: dataOf(CatalogImportOutcome) },
    refuses: [refusals.benefit_has_another_product_code, refusals.benefit_has_another_category],
    example: {
      rows: [
        {
          carrier: 'Evergreen Health',
          product_code: 'MEC',
          benefit: 'Essential Care',
          plan: 'Essential Care Base',
          networks: ['First Health'],
          spd_file_url: 'https://plans.example.com/essential-care-base.pdf',
          coverage_tier: 'EE',
          premium_in_cents: 8900,
          effective_on: '2026-01-01',
        },
        {
          carrier: 'Evergreen Health',
          product_code: 'ICHRA',
          benefit: 'Own Choice',
          plan: 'Own Choice Allowance',
          employee_class: 'Full Time',
          max_age: 39,
          allowance_in_cents: 35000,
        },
      ],
    },
    handle: async (ctx, { located, query, body }) => {
      const { counts, planned } = await importCatalog(ctx, located.organization_id, body.rows)
      return data({ ...counts, planned: query.dry_run ? planned() : null })
    },
  }),
  endpoint({
    ...catalog,
    operation: 'operator_get_catalog',
    ...for_operators.read,
    path: '/operator/v1/organizations/{organization_id}/catalog',
    summary: "Get an organization's catalog",
    description: 'Returns the complete catalog, sorted by name. Plan years refer to its ids.',
    returns: { 200: dataOf(Catalog) },
    handle: async (ctx, { params }) => data(await findCatalog(ctx, params)),
  }),
  endpoint({
    ...catalog,
    operation: 'operator_update_benefit',
    ...for_operators.administer,
    method: 'PATCH',
    path: '/operator/v1/organizations/{organization_id}/benefits/{benefit_id}',
    summary: 'Update a benefit of the catalog',
    description:
      'Sets whether employees designate beneficiaries for the benefit, and the data that it requires of dependents. ' +
      'If it no longer takes beneficiaries, designations stay in the history. New requirements apply to new ' +
      'elections. Returns the catalog.',
    locate: locateOrganizationOfBenefit,
    body: CatalogBenefitChanges,
    returns: { 200: dataOf(Catalog) },
    example: { takes_beneficiaries: true, required_dependent_fields: ['gender'] },
    handle: (ctx, { located: { organization_id }, params: { benefit_id }, body }) =>
      changed(saveRequirements(ctx, { organization_id, benefit_id }, body), () =>
        findCatalog(ctx, { organization_id }),
      ),
  }),
  endpoint({
    operation: 'plans_list',
    method: 'GET',
    path: '/v1/plans',
    tag: 'Catalog',
    summary: 'List plans',
    description:
      "Returns the plans in your organization's catalog, sorted by name. The operator maintains the catalog.",
    allows: partner,
    roles: everyone,
    scopes: ['read'],
    organization: 'needed',
    query: Paging,
    returns: { 200: PlanPage },
    handle: (ctx, { query }) => listPlans(ctx, query),
  }),
]
