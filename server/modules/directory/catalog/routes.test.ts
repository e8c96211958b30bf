import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployer, createOrganization, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { useApi, type CallOptions } from '../../../test/harness.ts'
import { type ApiResponse } from '../../../test/response.ts'
import { only, two } from '../../../test/pick.ts'
import { databaseContents } from '../../../test/postgres/database-contents.ts'

const api = useApi()
const unknown = 'org_01kdq7b4w8e9rs2mh3n5t6v7xz'

const reported = ({ status, error }: ApiResponse) => [
  status,
  error.code,
  ...error.details.map(({ field, message }) => `${field} ${message}`),
]

const path = (organization_id: string) => `/operator/v1/organizations/${organization_id}/catalog` as const
const put = (organization_id: string, rows: unknown[], more: CallOptions = {}) =>
  api.post(`${path(organization_id)}/import`, { rows }, { key: api.operator_key, ...more })
const putCsv = (organization_id: string, raw: string | Uint8Array) =>
  api.post(`${path(organization_id)}/import`, undefined, {
    key: api.operator_key,
    raw,
    headers: { 'content-type': 'text/csv; charset=utf-8' },
  })
const catalogOf = async (organization_id: string) =>
  (await api.get(path(organization_id), { key: api.operator_key })).body.data

type OpenOperations = Record<string, { requestBody?: { content: object } }>

const base = { carrier: 'Evergreen Health', product_code: 'MEC', benefit: 'Essential Care', plan: 'Base' }
const rate = { ...base, coverage_tier: 'EE', premium_in_cents: 8900, effective_on: '2026-01-01' }
const own = { carrier: 'Evergreen Health', product_code: 'ICHRA', benefit: 'Own Choice', plan: 'Own' }

/** The facts of a plan without any known facts. */
const no_facts = {
  deductible_in_cents: null,
  family_deductible_in_cents: null,
  out_of_pocket_limit_in_cents: null,
  family_out_of_pocket_limit_in_cents: null,
  coinsurance_percentage: null,
  out_of_network_deductible_in_cents: null,
  out_of_network_family_deductible_in_cents: null,
  out_of_network_out_of_pocket_limit_in_cents: null,
  out_of_network_family_out_of_pocket_limit_in_cents: null,
  out_of_network_coinsurance_percentage: null,
  copays: [],
  metal_level: null,
  hsa_eligible: null,
  provider_directory_url: null,
  id_card_url: null,
  member_services_phone: null,
  member_services_url: null,
}

const counts = (created: number, updated: number, unchanged: number) => ({ created, updated, unchanged })

describe('operator_import_catalog', () => {
  it('creates the items in the rows, and the catalog shows them', async () => {
    const { id } = await createOrganization(api)
    const answer = await put(id, [
      { ...rate, networks: ['First Health', 'PHCS'], spd_file_url: 'https://plans.example.com/base.pdf' },
      { ...rate, coverage_tier: 'EF', premium_in_cents: 24900 },
      { ...rate, effective_on: '2025-01-01', premium_in_cents: 8000 },
      { carrier: 'Brightside Dental', product_code: 'VD', plan: 'PPO', partial_month_rule: 'DAILY' },
      { ...own, employee_class: 'Full Time', max_age: 39, allowance_in_cents: 30000 },
      { ...own, state: 'NY', coverage_tier: 'EF', allowance_in_cents: 45000 },
    ])
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        data: {
          carriers: counts(2, 0, 0),
          benefits: counts(3, 0, 0),
          plans: counts(3, 0, 0),
          rates: counts(3, 0, 0),
          allowances: { ...counts(2, 0, 0), removed: 0 },
          planned: null,
        },
      },
    ])
    const anyId = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_`))
    const evergreen = { id: anyId('carr'), name: 'Evergreen Health' }
    const brightside = { id: anyId('carr'), name: 'Brightside Dental' }
    const tier = (coverage_tier: string, premium_in_cents: number, effective_on: string) => ({
      id: anyId('tier'),
      coverage_tier,
      premium_in_cents,
      effective_on,
    })
    const allowance = { employee_class: null, min_age: null, max_age: null, state: null, coverage_tier: null }
    const usual = {
      network_names: [],
      spd_file_url: null,
      partial_month_rule: 'full_month_on_first',
      facts: no_facts,
      minimum_essential: true,
      minimum_value: false,
      self_insured: true,
    }
    const excepted = { minimum_essential: false, self_insured: false }
    const bare = { ...usual, tier_rates: [], area_rates: [], ichra_allowances: [] }
    expect(await catalogOf(id)).toEqual({
      carriers: [brightside, evergreen],
      benefits: [
        {
          id: anyId('bprd'),
          name: 'Dental',
          product_code: 'VD',
          category: 'Dental',
          family: 'dental',
          takes_beneficiaries: false,
          required_dependent_fields: [],
          plans: [
            { ...bare, ...excepted, id: anyId('pln'), name: 'PPO', carrier: brightside, partial_month_rule: 'daily' },
          ],
        },
        {
          id: anyId('bprd'),
          name: 'Essential Care',
          product_code: 'MEC',
          category: 'Medical',
          family: 'mec',
          takes_beneficiaries: false,
          required_dependent_fields: [],
          plans: [
            {
              ...bare,
              id: anyId('pln'),
              name: 'Base',
              carrier: evergreen,
              network_names: ['First Health', 'PHCS'],
              spd_file_url: 'https://plans.example.com/base.pdf',
              area_rates: [],
              tier_rates: [
                tier('EE', 8000, '2025-01-01'),
                tier('EE', 8900, '2026-01-01'),
                tier('EF', 24900, '2026-01-01'),
              ],
            },
          ],
        },
        {
          id: anyId('bprd'),
          name: 'Own Choice',
          product_code: 'ICHRA',
          category: 'Medical',
          family: 'ichra',
          takes_beneficiaries: false,
          required_dependent_fields: [],
          plans: [
            {
              ...bare,
              id: anyId('pln'),
              name: 'Own',
              carrier: evergreen,
              ichra_allowances: [
                { ...allowance, employee_class: 'Full Time', max_age: 39, allowance_in_cents: 30000 },
                { ...allowance, state: 'NY', coverage_tier: 'EF', allowance_in_cents: 45000 },
              ],
            },
          ],
        },
      ],
    })
  })

  it('changes nothing if the same rows are imported again', async () => {
    const { id } = await createOrganization(api)
    const first = await importCatalog(api, [], id)
    const before = await catalogOf(id)
    expect(await importCatalog(api, [], id)).toEqual(first)
    expect(await catalogOf(id)).toEqual(before)
  })

  it('updates existing items under their ids, and leaves others unchanged', async () => {
    const { id } = await createOrganization(api)
    await put(id, [
      { ...rate, networks: 'First Health' },
      { ...rate, coverage_tier: 'EF', premium_in_cents: 24900 },
      { ...own, employee_class: 'Intern', allowance_in_cents: 1 },
      { ...own, min_age: 40, allowance_in_cents: 2 },
      { ...own, plan: 'Else', allowance_in_cents: 3 },
    ])
    const before = await catalogOf(id)
    const rows = [
      { ...rate, benefit: 'ESSENTIAL CARE', plan: ' base ', carrier: 'evergreen health', premium_in_cents: 9100 },
      { ...rate, category: 'Hospital', effective_on: '2027-01-01', networks: [] },
      { ...own, min_age: 40, allowance_in_cents: 5 },
    ]
    const before_all = await databaseContents(api)
    const reported = await api.post(`${path(id)}/import?dry_run=true`, { rows }, { key: api.operator_key })
    expect([reported.status, await databaseContents(api)], reported.text).toEqual([200, before_all])
    const { planned, ...dry_run } = reported.body.data
    expect(planned?.map(({ index, kind, outcome, name }) => [index, kind, outcome, name])).toEqual([
      [0, 'benefit', 'updated', 'Essential Care'],
      [0, 'plan', 'updated', 'Base'],
      [0, 'premium', 'updated', 'Base, EE, from 2026-01-01'],
      [1, 'premium', 'created', 'Base, EE, from 2027-01-01'],
      [2, 'allowance', 'updated', 'Own, everyone, 40 to any age'],
      [null, 'allowance', 'removed', 'Own, Intern'],
    ])
    expect(planned?.flatMap(({ differences }) => differences)).toEqual(
      expect.arrayContaining([
        { field: 'category', before: 'Medical', after: 'Hospital' },
        { field: 'premium_in_cents', before: 8900, after: 9100 },
        { field: 'premium_in_cents', before: null, after: 8900 },
        { field: 'allowance_in_cents', before: 1, after: null },
      ]),
    )
    const { body } = await put(id, rows)
    expect(body.data).toEqual({ ...dry_run, planned: null })
    expect(body.data).toEqual({
      carriers: counts(0, 0, 1),
      benefits: counts(0, 1, 1),
      plans: counts(0, 1, 1),
      rates: counts(1, 1, 0),
      allowances: { ...counts(0, 1, 0), removed: 1 },
      planned: null,
    })
    const [care, choice] = two(before.benefits)
    const base_plan = only(care.plans)
    const [other, own_plan] = two(choice.plans)
    const [ee, ef] = two(base_plan.tier_rates)
    const later = { ...ee, id: expect.any(String), effective_on: '2027-01-01' }
    const for_elders = { ...own_plan.ichra_allowances[1], allowance_in_cents: 5 }
    expect(await catalogOf(id)).toEqual({
      carriers: before.carriers,
      benefits: [
        {
          ...care,
          category: 'Hospital',
          plans: [{ ...base_plan, network_names: [], tier_rates: [{ ...ee, premium_in_cents: 9100 }, ef, later] }],
        },
        { ...choice, plans: [other, { ...own_plan, ichra_allowances: [for_elders] }] },
      ],
    })
  })

  it('compares names as the database does, in any alphabet', async () => {
    const { id } = await createOrganization(api)
    const rows = ['İstanbul', 'istanbul', 'ΟΔΟΣ', 'οδος', 'οδοσ', 'STRASSE', 'straße', 'ÉCLAIR', 'éclair'].map(
      (name) => ({
        carrier: name,
        product_code: 'MEC',
        benefit: name,
        plan: name,
      }),
    )
    const first = await put(id, rows)
    expect(first.status, first.text).toBe(200)
    const { created } = first.body.data.plans
    expect((await put(id, rows)).body.data.plans).toEqual(counts(0, 0, created))
  })

  it('accepts ten thousand rows', async () => {
    const { id } = await createOrganization(api)
    const rows = Array.from({ length: 2_500 }, (_, plan) =>
      ['EE', 'ES', 'EC', 'EF'].map((coverage_tier) => ({ ...rate, plan: `Plan ${plan}`, coverage_tier })),
    ).flat()
    expect((await put(id, rows)).body.data).toMatchObject({ plans: counts(2_500, 0, 0), rates: counts(10_000, 0, 0) })
    expect((await put(id, rows)).body.data).toMatchObject({ plans: counts(0, 0, 2_500), rates: counts(0, 0, 10_000) })
    expect(reported(await put(id, [...rows, rate]))).toEqual([
      400,
      'invalid_request',
      'rows must contain at most 10000 rows',
    ])
  })

  it('creates each item once if ten imports run at the same time', async () => {
    const { id } = await createOrganization(api)
    const answers = await Promise.all(Array.from({ length: 10 }, () => put(id, [rate])))
    expect(answers.map(({ body }) => body.data.plans.created).toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  })

  it('imports all rows or none', async () => {
    const { id } = await createOrganization(api)
    const row = { ...rate, benefit: 'New', plan: 'New' }
    expect((await put(id, [rate])).status).toBe(200)
    const before = await catalogOf(id)
    expect((await put(id, [row, { ...row, premium_in_cents: 1 }])).status).toBe(400)
    expect((await put(id, [row, { ...base, product_code: 'MEC2' }])).status).toBe(422)
    expect(await catalogOf(id)).toEqual(before)
  })

  it('names the row and field of each invalid value', async () => {
    const { id } = await createOrganization(api)
    expect(reported(await put(id, []))).toEqual([400, 'invalid_request', 'rows must contain at least one row'])
    expect(reported(await put(id, [rate, { ...rate, plan: 7, premium_in_cents: '$89', coverage_tier: 'XX' }]))).toEqual(
      [
        400,
        'invalid_request',
        'rows[1].plan must be a string',
        'rows[1].coverage_tier must be one of EE, ES, EC, EF',
        'rows[1].premium_in_cents must be a whole number from 0 to 100000000000',
      ],
    )
    expect(reported(await put(id, [rate, { ...rate, premium_in_cents: 1 }]))).toEqual([
      400,
      'invalid_request',
      'rows[1].premium_in_cents contradicts rows[0]',
    ])
  })

  it('refuses another product code for an existing benefit', async () => {
    const { id } = await createOrganization(api)
    await put(id, [base])
    expect(reported(await put(id, [{ ...base, plan: 'Plus', product_code: 'MEC_PLUS' }]))).toEqual([
      422,
      'benefit_has_another_product_code',
      'rows[0].product_code must be MEC, as in the existing benefit of this name',
    ])
  })

  it('refuses another category for a benefit that a plan year offers or has offered', async () => {
    const { id, key: partner } = await createOrganization(api)
    const catalog = await importCatalog(api, [], id)
    const employer_id = await createEmployer(api, {}, { key: partner })
    const plan_year_id = await openPlanYear(api, employer_id, catalog, { coverage_start: '2026-04-01' })
    const benefits = [{ benefit_id: catalog.mec.benefit_id }]
    const key = api.operator_key
    const changed = await api.patch(`/operator/v1/benefit-plan-years/${plan_year_id}`, { benefits }, { key })
    expect(changed.status).toBe(200)
    const row = (carrier: string, product_code: string, benefit: string, plan: string) => ({
      carrier,
      product_code,
      benefit,
      plan,
      category: 'Hospital',
    })
    const dental = row('Brightside Dental', 'VD', 'Dental', 'Brightside PPO')
    const mec = row('Evergreen Health', 'MEC', 'Essential Care', 'Essential Care Base')
    const vision = row('Clearview Vision', 'VV', 'Vision', 'Clearview Basic')
    for (const [offered, category] of [
      [dental, 'Dental'],
      [mec, 'Medical'],
    ] as const) {
      expect(reported(await put(id, [vision, offered]))).toEqual([
        422,
        'benefit_has_another_category',
        `rows[1].category must be ${category}, as in the existing benefit of this name`,
      ])
      expect((await put(id, [{ ...offered, category }])).status).toBe(200)
    }
    expect((await put(id, [vision])).body.data.benefits).toMatchObject({ updated: 1 })
  })

  it('accepts a premium of -0 as 0', async () => {
    const { id } = await createOrganization(api)
    const free = { ...rate, premium_in_cents: 0 }
    await put(id, [free])
    const raw = JSON.stringify({ rows: [free] }).replace('"premium_in_cents":0', '"premium_in_cents":-0')
    expect((await api.call('POST', `${path(id)}/import`, { raw, key: api.operator_key })).body.data.rates).toEqual({
      created: 0,
      updated: 0,
      unchanged: 1,
    })
  })

  it('requires an operator and an existing organization', async () => {
    expect(reported(await put(unknown, [base]))).toEqual([404, 'not_found'])
    expect(reported(await api.get(path(unknown), { key: api.operator_key }))).toEqual([404, 'not_found'])
    expect(reported(await put(api.story.organization_id, [base], { key: api.story.api_key }))).toEqual([
      401,
      'unauthorized',
    ])
  })
})

describe('an import as CSV', () => {
  const table = `\uFEFFcarrier,product_code,benefit,plan,networks,coverage_tier,premium_in_cents,effective_on,allowance_in_cents,max_age\r
Evergreen Health,MEC,"Care, Essential",Base, First Health ; PHCS ,EE, 8900,2026-01-01,,\r
Evergreen Health,MEC,"Care, Essential",Base,,ef,24900,2026-01-01,,\r
Evergreen Health,ICHRA,,Own,,,,,30000,39\r
,,,,,,,,,\r
`

  it('has the same result as the rows in JSON', async () => {
    const [one, other] = [await createOrganization(api), await createOrganization(api)]
    const care = { ...rate, benefit: 'Care, Essential' }
    const asJson = await put(one.id, [
      { ...care, networks: ['First Health', 'PHCS'] },
      { ...care, coverage_tier: 'EF', premium_in_cents: 24900 },
      { ...own, benefit: null, max_age: 39, allowance_in_cents: 30000 },
    ])
    const asCsv = await putCsv(other.id, table)
    expect([asCsv.status, asCsv.body]).toEqual([200, asJson.body])
    const bare = async (id: string) => JSON.stringify(await catalogOf(id)).replace(/"(\w+)_\w{26}"/g, '"$1"')
    expect(await bare(other.id)).toBe(await bare(one.id))
    expect((await putCsv(other.id, table.replaceAll('\r', ''))).body.data.rates).toEqual(counts(0, 0, 2))
  })

  it('names fields as JSON does, and the lines that cannot be parsed', async () => {
    const { id } = await createOrganization(api)
    expect(reported(await putCsv(id, table.replace(' 8900', '$89.00').replace('Own', '')))).toEqual([
      400,
      'invalid_request',
      'rows[0].premium_in_cents must be a whole number from 0 to 100000000000',
      'rows[2].plan is required',
    ])
    expect(reported(await putCsv(id, `${table}Evergreen Health,MEC\n`))).toEqual([
      400,
      'invalid_request',
      ' line 6 of the CSV has fewer or more cells than the first line',
    ])
    expect(reported(await putCsv(id, 'carrier,plan\n'))).toEqual([
      400,
      'invalid_request',
      'rows must contain at least one row',
    ])
    expect(reported(await putCsv(id, 'carrier,SSN\nA,1'))[2]).toMatch(/^rows\[0\]\.ssn /)
    expect(reported(await putCsv(id, Uint8Array.of(0xe9, 0x2c)))).toEqual([
      400,
      'invalid_request',
      ' the body is not valid UTF-8',
    ])
  })

  it('returns the stored response for a repeated Idempotency-Key', async () => {
    const { id } = await createOrganization(api)
    const send = () =>
      api.post(`${path(id)}/import`, undefined, {
        key: api.operator_key,
        raw: table,
        headers: { 'content-type': 'text/csv', 'idempotency-key': 'one' },
      })
    const [first, again] = [await send(), await send()]
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
  })

  it('is refused by operations that do not support it', async () => {
    const answer = await api.post('/v1/employers', undefined, {
      raw: 'name\nX',
      headers: { 'content-type': 'text/csv' },
    })
    expect(reported(answer)).toEqual([415, 'unsupported_media_type'])
    const { paths } = (await api.get('/operator/v1/openapi.json')).body as { paths: Record<string, OpenOperations> }
    const takesCsv = Object.entries(paths).filter(([, { post }]) => 'text/csv' in (post?.requestBody?.content ?? {}))
    expect(takesCsv.map(([name]) => name)).toEqual([
      '/operator/v1/lowest-cost-silver-premiums/import',
      path('{organization_id}') + '/import',
      '/operator/v1/hris-connections/{hris_connection_id}/upload',
    ])
  })
})

describe('plans_list', () => {
  let northwind: { id: string; key: string }
  beforeAll(async () => {
    northwind = await createOrganization(api)
    await put(northwind.id, [
      { ...base, plan: 'Beta', networks: ['PHCS'], spd_file_url: 'https://plans.example.com/beta.pdf' },
      { ...base, plan: 'Alpha' },
      { ...base, plan: 'Gamma' },
      { ...own, plan: 'Alpha' },
    ])
  })
  const list = (query = '', more: CallOptions = {}) => api.get(`/v1/plans${query}`, { key: northwind.key, ...more })
  const names = ({ body }: Awaited<ReturnType<typeof list>>) => body.data.map(({ name }) => name)

  it("lists the organization's plans by name", async () => {
    const [care, choice] = two((await catalogOf(northwind.id)).benefits)
    const [alpha, beta] = care.plans
    const alphas = [alpha?.id, only(choice.plans).id].toSorted()
    const answer = await list()
    expect(answer.body.pagination).toEqual({ limit: 20, page: 1, total: 4, total_pages: 1 })
    expect(names(answer)).toEqual(['Alpha', 'Alpha', 'Beta', 'Gamma'])
    expect(answer.body.data.slice(0, 2).map(({ id }) => id)).toEqual(alphas)
    expect(answer.body.data[2]).toEqual({
      id: beta?.id,
      name: 'Beta',
      benefit_id: care.id,
      carrier: 'Evergreen Health',
      network_names: ['PHCS'],
      spd_file_url: 'https://plans.example.com/beta.pdf',
      partial_month_rule: 'full_month_on_first',
      minimum_essential: true,
      minimum_value: false,
      self_insured: true,
    })
  })

  it('shows the comparison facts of plans, which several imports can add', async () => {
    const { id } = await createOrganization(api)
    const reported = async () => only(only((await catalogOf(id)).benefits).plans).facts
    const id_card_url = 'https://plans.example.com/id-card'
    const csv = [
      'carrier,product_code,plan,deductible_in_cents,out_of_pocket_limit_in_cents,copays,metal_level,hsa_eligible,' +
        'coinsurance_percentage,member_services_phone',
      'Evergreen Health,MEC,Base,150000,700000,Primary care: $25; Specialist: $50,silver,yes,20,(800) 555-0110',
    ].join('\n')
    const sent = await putCsv(id, csv)
    expect(sent.status, sent.text).toBe(200)
    const facts = {
      ...no_facts,
      deductible_in_cents: 150_000,
      out_of_pocket_limit_in_cents: 700_000,
      copays: ['Primary care: $25', 'Specialist: $50'],
      metal_level: 'Silver',
      hsa_eligible: true,
      coinsurance_percentage: 20,
      member_services_phone: '8005550110',
    }
    expect(await reported()).toEqual(facts)
    const plan = { carrier: 'Evergreen Health', product_code: 'MEC', plan: 'Base' }
    const more = [{ ...plan, hsa_eligible: false, deductible_in_cents: 300_000, id_card_url }]
    const planned = await api.post(`${path(id)}/import?dry_run=true`, { rows: more }, { key: api.operator_key })
    expect(only(planned.body.data.planned ?? []).differences).toEqual([
      { field: 'deductible_in_cents', before: 150_000, after: 300_000 },
      { field: 'hsa_eligible', before: 'true', after: 'false' },
      { field: 'id_card_url', before: null, after: id_card_url },
    ])
    expect((await put(id, more)).body.data.plans).toEqual(counts(0, 1, 0))
    expect((await put(id, [{ ...plan, copays: null }])).body.data.plans).toEqual(counts(0, 0, 1))
    expect(await reported()).toEqual({ ...facts, hsa_eligible: false, deductible_in_cents: 300_000, id_card_url })
  })

  it('pages through the plans', async () => {
    expect(names(await list('?limit=3&page=2'))).toEqual(['Gamma'])
    expect((await list('?limit=3&page=3')).body).toEqual({
      data: [],
      pagination: { limit: 3, page: 3, total: 4, total_pages: 2 },
    })
  })

  it('hides the plans of others', async () => {
    expect((await list('', { key: api.story.rival_api_key })).body.pagination.total).toBe(0)
    const organization_id = { 'x-service-organization': northwind.id }
    expect(reported(await list('', { key: api.story.rival_api_key, headers: organization_id }))).toEqual([
      403,
      'organization_access_denied',
      'X-Service-Organization is not accessible with these credentials',
    ])
  })

  it('requires callers of several organizations to select one, and shows all plans to callers that see all', async () => {
    expect(reported(await list('', { key: api.story.multi_organization_api_key }))).toEqual([
      400,
      'organization_required',
      'X-Service-Organization is required',
    ])
    await importCatalog(api)
    const all = await list('?limit=100', { key: api.story.super_api_key })
    expect(all.body.pagination.total).toBeGreaterThan(2_500)
    expect(names(all)).toEqual(names(all).toSorted())
    const headers = { 'x-service-organization': northwind.id }
    expect((await list('', { key: api.story.super_api_key, headers })).body.pagination.total).toBe(4)
  })
})
