import { Paging } from '../../../kernel/pages.ts'
import { data, dataOf, endpoint, partner } from '../../../http/endpoint.ts'
import { DownloadLink, link_minutes } from '../../../http/files/download-link.ts'
import { downloadLink } from '../../../http/files/downloads.ts'
import { everyone } from '../../../runtime/permissions.ts'
import { refusals } from '../plan-years/offer-rules.ts'
import { locatePlanYear } from '../plan-years/queries.ts'
import { proposeRenewal } from './actions.ts'
import { listProposals, locateProposal } from './queries.ts'
import { NewRenewalProposal, RenewalProposal, RenewalProposalPage } from './schemas.ts'

const of_partners = { tag: 'Plan years', allows: partner, roles: everyone } as const

const path = '/v1/employers/{employer_id}/benefit-plan-years/{benefit_plan_year_id}/renewal-proposals'

export const endpoints = [
  endpoint({
    ...of_partners,
    operation: 'employers_list_renewal_proposals',
    sdk: 'planYears.listRenewalProposals',
    method: 'GET',
    path,
    summary: 'List the renewal proposals of a plan year',
    description: 'Lists the stored proposals, newest first. Each can be shared as a PDF.',
    scopes: ['read'],
    locate: locatePlanYear,
    query: Paging,
    returns: { 200: RenewalProposalPage },
    handle: (ctx, { params, query }) => listProposals(ctx, params, query),
  }),
  endpoint({
    ...of_partners,
    operation: 'employers_propose_renewal',
    sdk: 'planYears.proposeRenewal',
    method: 'POST',
    path,
    summary: 'Propose the renewal of a plan year',
    description:
      'Compares the cost of the enrollments that cover the last day of the plan year with their cost in the next ' +
      'plan year, by scenario: new rates as a change in percent or as quotes, and contributions. Without them, a ' +
      'scenario has the prices and contributions that a copy of the plan year would have. The proposal is stored, so ' +
      'that it can be shared as a PDF. It changes no plan year. With `dry_run`, it is not stored.',
    scopes: ['write'],
    locate: locatePlanYear,
    locks: 'nothing',
    body: NewRenewalProposal,
    returns: { 200: dataOf(RenewalProposal), 201: dataOf(RenewalProposal) },
    refuses: [
      refusals.invalid_plan_year,
      refusals.unknown_benefit,
      refusals.unknown_plan,
      refusals.plan_has_no_rate,
      refusals.contribution_does_not_fit,
      refusals.contribution_missing,
      refusals.invalid_plan_successors,
    ],
    example: {
      coverage_start: '2098-01-01',
      scenarios: [
        { name: 'As quoted', premium_change_percent: 6.5 },
        { name: 'Negotiated', premium_change_percent: 4 },
      ],
      dry_run: true,
    },
    handle: async (ctx, { located, body }) => {
      const proposal = await proposeRenewal(ctx, located, body)
      const resource_id = proposal.renewal_proposal_id ?? undefined
      return { status: body.dry_run ? 200 : 201, resource_id, body: JSON.stringify({ data: proposal }) }
    },
  }),
  endpoint({
    ...of_partners,
    operation: 'employers_get_renewal_proposal_pdf',
    sdk: 'planYears.getRenewalProposalPdf',
    method: 'GET',
    path: '/v1/employers/{employer_id}/renewal-proposals/{renewal_proposal_id}/pdf',
    summary: 'Get a link to the PDF of a renewal proposal',
    description: `The link works for ${link_minutes} minutes without a key.`,
    scopes: ['read'],
    locate: locateProposal,
    returns: { 200: dataOf(DownloadLink) },
    handle: async (ctx, { params }) => {
      const found = await locateProposal(ctx, params)
      if (!found) return undefined
      const { organization_id, renewal_proposal_id: id } = found
      return data(await downloadLink(ctx, { kind: 'renewal_proposal', organization_id, id }))
    },
  }),
]
