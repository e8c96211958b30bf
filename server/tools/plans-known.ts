const no_organization = 'belongs to a credential and not to an organization'
const all_at_once = 'the worker serves all organizations, by an index over what is due'
const all_organizations = 'who reads all organizations reads them in the order of an index'
const at_a_start = 'asked once, when a process starts, of any row'

/** Indexes that PostgreSQL does not ask past the second lock, where another one narrows it to little. */
const few_of_an_employer = 'an employer has a few, which the index of employers finds'
const by_another = 'another index of the same organization serves as well'

const operators_look = 'operators look at all organizations, by an index over what is late or failed'

const all_of_a_day = 'a day of the audit trail is sealed and verified as a whole'

const part_of_a_name = 'a part of a name is looked for in each'
const whose_token = 'a token of one person or employer asks for its own, which any other credential leaves open'
const kinds_of_all = 'what all organizations have of each kind is added up'

/** Statements whose plan may be what no other's may, and why. This list only ever gets shorter. */
export const known_plans: Record<string, string> = {
  'claim.findAnyOrganization scans organizations': at_a_start,
  'claim.findLastEmployer scans employers': at_a_start,
  'claim.findLastEmployer reads employers of any organization': at_a_start,
  'idempotency.findAnswer reads idempotency_keys of any organization': no_organization,
  'idempotency.forgetKeys reads idempotency_keys of any organization': no_organization,
  'idempotency.forgetAnswers reads idempotency_keys of any organization': no_organization,
  'idempotency.listStaleAnswers reads idempotency_keys of any organization': no_organization,
  'idempotency.saveSealedAnswers reads idempotency_keys of any organization': no_organization,
  'auth.findSelf reads api_keys of any organization': no_organization,
  'api-keys.findBySecret reads api_keys of any organization': no_organization,
  'api-keys.saveUses reads api_keys of any organization': no_organization,
  'api-keys.listOrigins reads api_keys of any organization': 'a browser asks before it says whose token it has',
  'api-keys.insertApiKey reads memberships of any organization': 'asks in which organizations a user is',
  'organizations.listOrganizationsOf reads memberships of any organization': 'asks in which organizations a user is',
  'worker.isAnyDue scans _private_jobs': 'it ends at the first job that is due',
  'events.takeOutboxEvents reads webhook_outbox of any organization': all_at_once,
  'events.placeEvents reads webhook_events of any organization': all_at_once,
  'webhooks.lockSubscription reads webhook_subscriptions of any organization': all_at_once,
  'webhooks.saveHealth reads webhook_subscriptions of any organization': all_at_once,
  'webhook-deliveries.claimDeliveries reads webhook_deliveries of any organization': all_at_once,
  'webhook-deliveries.claimDeliveries reads webhook_subscriptions of any organization': all_at_once,
  'webhook-deliveries.claimDeliveriesAlone reads webhook_deliveries of any organization': all_at_once,
  'webhook-deliveries.claimDeliveriesAlone reads webhook_subscriptions of any organization': all_at_once,
  'webhook-deliveries.saveEnd reads webhook_deliveries of any organization': all_at_once,
  'webhook-deliveries.saveEnd reads webhook_subscriptions of any organization': all_at_once,
  'webhook-deliveries.findStranded reads webhook_subscriptions of any organization': all_at_once,
  'webhook-deliveries.findStranded reads webhook_deliveries of any organization': all_at_once,
  'webhook-deliveries.forgetDeliveries reads webhook_deliveries of any organization': all_at_once,
  'webhook-deliveries.forgetDeliveries scans webhook_deliveries':
    'it looks at the 10,000 oldest by their ids, and ends',
  'usage.listOperationUsage reads credential_usage of any organization': no_organization,
  'usage.forgetUsage reads credential_usage of any organization': all_at_once,
  'overview.findOverview scans _private_jobs': 'it ends at the first 1,000 jobs of a state',
  'overview.findOverview reads credential_usage of any organization': operators_look,
  'overview.findOverview reads webhook_subscriptions of any organization': operators_look,
  'overview.findOverview reads webhook_deliveries of any organization': operators_look,
  'organizations.savePassed reads invoice_runs of any organization': all_at_once,
  'organizations.savePassed reads stripe_invoices of any organization': all_at_once,
  'organizations.savePassed reads invoices of any organization': all_at_once,
  'audit.listChains reads audit_chains of any organization': all_of_a_day,
  'audit.listDays reads audit_chains of any organization': all_of_a_day,
  'audit.listDays reads audit_sheets of any organization': all_of_a_day,
  'audit.findUnsealedDay reads audit_chains of any organization': all_of_a_day,
  'api-keys.listApiKeys() loses api_keys_of_organization by its order': all_organizations,
  'employers.hasActiveSubscription loses one_subscription_at_a_time by employer_id, span': few_of_an_employer,
  'plan-years.listOverlaps loses one_plan_year_of_a_benefit_at_a_time by during': few_of_an_employer,
  'renewals.listRenewal loses plans_of_organization by id, organization_id': by_another,
  'organizations.savePassed loses invoices_pkey by organization_id': by_another,
  'organizations.passesDay loses invoices_pkey by organization_id': by_another,
  'employers.listEmployers() scans organizations': all_organizations,
  'employers.listEmployers() scans book_counts': kinds_of_all,
  'employers.filterEmployers() scans book_counts': kinds_of_all,
  'webhooks.eventsTotals() scans webhook_event_counts': 'what all organizations have of each name is added up',
  'employers.searchEmployers(one, by_each) looks through employers for id': whose_token,
  'employers.searchEmployers(several, by_each) scans employers': part_of_a_name,
  'employers.searchEmployers(all, by_each) scans employers': part_of_a_name,
  'employers.listEmployers(one_organization) looks through employers for id': whose_token,
  'life-events.listReportedLifeEvents(of_organization) looks through qualifying_life_events for employee_id':
    whose_token,
  'life-events.listReportedLifeEvents(pending, of_organization) looks through qualifying_life_events for employee_id':
    whose_token,
  'life-events.listReportedLifeEvents(approved, of_organization) looks through qualifying_life_events for employee_id':
    whose_token,
  'life-events.listReportedLifeEvents(declined, of_organization) looks through qualifying_life_events for employee_id':
    whose_token,
  'members.listMembers(by_each) looks through members for id': part_of_a_name,
  'hris.listHrisProviders(one_organization) looks through hris_connections for employer_id': whose_token,
  'catalog.listPlans() scans plans': all_organizations,
  'catalog.plansKeys() scans plans': all_organizations,
  'catalog.plansTotals() scans plans': all_organizations,
  'groups.listGroups() scans groups': all_organizations,
  'groups.listMemberSyncs() scans group_member_syncs': all_organizations,
  'groups.memberSyncsKeys() scans group_member_syncs': all_organizations,
  'api-keys.listApiKeys() scans api_keys': all_organizations,
}
