const no_organization = 'belongs to a credential and not to an organization'
const worker_reads_all = 'the worker serves all organizations, by an index over what is due'
const all_organizations = 'callers with all organizations read them in the order of an index'

/** Indexes that PostgreSQL does not use because of row-level security, if another index narrows the rows enough. */
const few_of_an_employer = 'an employer has few, which the index of employers finds'
const by_another = 'another index of the same organization serves as well'

const operators_read = 'operators read all organizations, by an index of late or failed rows'

const all_of_a_day = 'a day of the audit log is sealed and verified as a whole'

const part_of_a_name = 'a part of a name is searched in each row'
const bound_token_reads = 'only tokens of one person or employer set this condition'
const kinds_of_all = 'the counts of all organizations are added up by kind'

/** Accepted exceptions: statements whose plan breaks a rule, with the reason. This list must only get shorter. */
export const known_plans: Record<string, string> = {
  'idempotency.findResponse reads idempotency_keys of any organization': no_organization,
  'idempotency.deleteKeys reads idempotency_keys of any organization': no_organization,
  'idempotency.deleteResponses reads idempotency_keys of any organization': no_organization,
  'idempotency.listOutdatedResponses reads idempotency_keys of any organization': no_organization,
  'idempotency.saveSealedResponses reads idempotency_keys of any organization': no_organization,
  'auth.findSelf reads api_keys of any organization': no_organization,
  'api-keys.findBySecret reads api_keys of any organization': no_organization,
  'api-keys.saveUses reads api_keys of any organization': no_organization,
  'api-keys.listOrigins reads api_keys of any organization': 'a CORS preflight contains no token',
  'api-keys.insertApiKey reads memberships of any organization': 'reads the organizations of a user',
  'organizations.listOrganizationsOf reads memberships of any organization': 'reads the organizations of a user',
  'events.takeOutboxEvents reads webhook_outbox of any organization': worker_reads_all,
  'webhooks.lockSubscription reads webhook_subscriptions of any organization': worker_reads_all,
  'webhooks.saveHealth reads webhook_subscriptions of any organization': worker_reads_all,
  'webhook-deliveries.claimDeliveries reads webhook_deliveries of any organization': worker_reads_all,
  'webhook-deliveries.claimDeliveries reads webhook_subscriptions of any organization': worker_reads_all,
  'webhook-deliveries.claimDeliveriesAlone reads webhook_deliveries of any organization': worker_reads_all,
  'webhook-deliveries.claimDeliveriesAlone reads webhook_subscriptions of any organization': worker_reads_all,
  'webhook-deliveries.saveEnd reads webhook_deliveries of any organization': worker_reads_all,
  'webhook-deliveries.saveEnd reads webhook_subscriptions of any organization': worker_reads_all,
  'webhook-deliveries.findOrphaned reads webhook_subscriptions of any organization': worker_reads_all,
  'webhook-deliveries.findOrphaned reads webhook_deliveries of any organization': worker_reads_all,
  'webhook-deliveries.deleteOldDeliveries reads webhook_deliveries of any organization': worker_reads_all,
  'webhook-deliveries.deleteOldDeliveries scans webhook_deliveries': 'it reads only the 1,000 oldest by id',
  'usage.listOperationUsage reads credential_usage of any organization': no_organization,
  'usage.purgeUsage reads credential_usage of any organization': worker_reads_all,
  'overview.findOverview scans _private_jobs': 'it reads at most 1,000 jobs per state',
  'overview.findOverview reads credential_usage of any organization': operators_read,
  'overview.findOverview reads webhook_subscriptions of any organization': operators_read,
  'overview.findOverview reads webhook_deliveries of any organization': operators_read,
  'organizations.savePassed reads invoice_runs of any organization': worker_reads_all,
  'organizations.savePassed reads stripe_invoices of any organization': worker_reads_all,
  'organizations.savePassed reads invoices of any organization': worker_reads_all,
  'audit.listChains reads audit_chains of any organization': all_of_a_day,
  'audit.listDays reads audit_chains of any organization': all_of_a_day,
  'audit.listDays reads audit_batches of any organization': all_of_a_day,
  'audit.findUnsealedDay reads audit_chains of any organization': all_of_a_day,
  'api-keys.listApiKeys() loses api_keys_of_organization by its order': all_organizations,
  'employers.hasActiveSubscription loses one_subscription_at_a_time by employer_id, span': few_of_an_employer,
  'plan-years.listOfferOverlaps loses one_plan_year_of_a_benefit_at_a_time by during': few_of_an_employer,
  'renewals.listRenewal loses plans_of_organization by id, organization_id': by_another,
  'employers.listEmployers() scans book_counts': kinds_of_all,
  'employers.filterEmployers() scans book_counts': kinds_of_all,
  'webhooks.eventsTotals() scans webhook_event_counts': 'the counts of all organizations are added up by name',
  'employers.searchEmployers(one, by_each) filters employers by id': bound_token_reads,
  'employers.searchEmployers(some, by_each) scans employers': part_of_a_name,
  'employers.searchEmployers(all, by_each) scans employers': part_of_a_name,
  'employers.sortEmployers(asc, by_each) filters employers by id': bound_token_reads,
  'employers.sortEmployers(desc, by_each) filters employers by id': bound_token_reads,
  'employers.countEmployers(by_each) filters employers by id': bound_token_reads,
  'employers.listEmployers(one_organization) filters employers by id': bound_token_reads,
  'life-events.listReportedLifeEvents(of_organization) filters qualifying_life_events by employee_id':
    bound_token_reads,
  'life-events.listReportedLifeEvents(pending, of_organization) filters qualifying_life_events by employee_id':
    bound_token_reads,
  'life-events.listReportedLifeEvents(approved, of_organization) filters qualifying_life_events by employee_id':
    bound_token_reads,
  'life-events.listReportedLifeEvents(declined, of_organization) filters qualifying_life_events by employee_id':
    bound_token_reads,
  'tasks.listPartnerTasks() filters employers by id': bound_token_reads,
  'members.listMembers(by_each) filters members by id': part_of_a_name,
  'hris.listHrisProviders(one_organization) filters hris_connections by employer_id': bound_token_reads,
  'catalog.listPlans() scans plans': all_organizations,
  'catalog.plansKeys() scans plans': all_organizations,
  'catalog.plansTotals() scans plans': all_organizations,
  'groups.listGroups() scans groups': all_organizations,
  'groups.listMemberSyncs() scans group_member_syncs': all_organizations,
  'groups.memberSyncsKeys() scans group_member_syncs': all_organizations,
  'api-keys.listApiKeys() scans api_keys': all_organizations,
}
