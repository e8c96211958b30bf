/** The placement of each table in a sharded database (docs/design/data/scaling-out.md). */
import { reference_triggers } from '../schema/references.ts'

/** Tables that are sharded by organization. All rows of an organization, of all tables, are on one server. */
export const by_organization = [
  'billing_systems',
  'invoice_counters',
  'employers',
  'employer_admins',
  'employer_benefits',
  'plan_year_requests',
  'notes',
  'note_mentions',
  'employer_subscriptions',
  'book_entries',
  'book_counts',
  'carriers',
  'plans',
  'plan_area_rates',
  'plan_tier_rates',
  'ichra_allowances',
  'benefit_products',
  'benefit_eligibility_policies',
  'benefit_plan_years',
  'plan_year_amendments',
  'renewal_proposals',
  'plan_year_benefits',
  'plan_year_contributions',
  'plan_year_rates',
  'members',
  'former_homes',
  'dependents',
  'dependent_coverage_ends',
  'beneficiary_designations',
  'employees',
  'employee_classifications',
  'employee_compensations',
  'employee_bargaining_units',
  'employee_corrections',
  'employee_eligibilities',
  'employee_wages',
  'roster_terminations',
  'eligibility_statuses',
  'measurement_policies',
  'measured_statuses',
  'employee_measurements',
  'census_syncs',
  'census_chunks',
  'census_failures',
  'census_seen',
  'census_warnings',
  'census_changes',
  'groups',
  'group_members',
  'group_member_syncs',
  'group_member_chunks',
  'group_member_failures',
  'hris_connections',
  'hris_runs',
  'hris_run_hours',
  'enrollments',
  'enrollment_corrections',
  'enrollment_evidence',
  'elections',
  'enrollment_drafts',
  'enrollment_agreements',
  'enrollment_signatures',
  'enrollment_confirmations',
  'enrollment_message_settings',
  'enrollment_schedules',
  'enrollment_messages',
  'scheduled_exports',
  'export_deliveries',
  'bounced_addresses',
  'reminder_unsubscribes',
  'covered_dependents',
  'qualifying_life_events',
  'files',
  'file_pieces',
  'documents',
  'document_receipts',
  'life_event_attachments',
  'dependent_attachments',
  'manual_adjustments',
  'deduction_statements',
  'deduction_lines',
  'deduction_balances',
  'payroll_actuals',
  'payroll_shortfalls',
  'invoices',
  'invoice_lines',
  'invoice_pdfs',
  'invoice_runs',
  'stripe_customers',
  'stripe_invoices',
  'tasks',
  'webhook_events',
  'webhook_event_counts',
  'webhook_event_positions',
  'hours_of_service',
  'hours_reports',
  'ale_groups',
  'ale_members',
  'assignments',
  'tax_identifiers',
  'form_1095c_overrides',
  'employee_tax_facts',
  'form_years',
  'derived_forms',
  'released_forms',
  'electronic_deliveries',
  'form_transmissions',
] as const

/** Tables that each server has a copy of. They belong to no tenant, rarely change, and are joined with tenant rows. */
export const everywhere = ['affordability_figures', 'lowest_cost_silver_premiums'] as const

/** Tables that stay on the coordinator as plain tables, by reason. */
export const at_coordinator = {
  'the credential is looked up before its organization is known': [
    'organizations',
    'organization_counts',
    'users',
    'user_identities',
    'memberships',
    'member_invitations',
    'api_keys',
    'sessions',
    'operators',
    'operator_invitations',
    'operator_keys',
    'rate_limits',
    'idempotency_keys',
    'credential_usage',
  ],
  'one round serves all organizations': ['webhook_outbox', 'webhook_subscriptions', 'webhook_deliveries'],
  'an audit batch belongs to a process, and a day is sealed as a whole': [
    'audit_batches',
    'audit_chains',
    'audit_seals',
  ],
  'it belongs to the installation': [
    'mail_minutes',
    'installation',
    'migrations',
    'schema_definitions',
    'secret_keys',
    'service_processes',
    'directory_counts',
    'replica_heartbeats',
    'write_positions',
    'unsharding_steps',
    'two_phase_commits',
  ],
} as const

/**
 * The columns of an organization. Statements that read the organization together with sharded tables receive its row as
 * a value. Otherwise Citus would not run them on the server with the rows, but copy table by table to the coordinator.
 */
export const organization_columns = [
  'id text collate "C"',
  'name text',
  'type text',
  'idp_provider text',
  'idp_org_id text',
  'super_in boolean',
  'sandbox boolean',
  'created_at timestamp with time zone',
  'updated_at timestamp with time zone',
  'clock_offset_days integer',
  'daily_run_on date',
  'daily_run_progress jsonb',
  'name_key text collate pg_c_utf8',
  'accent_color text',
  'display_names jsonb',
] as const

/**
 * Exclusion constraints with a column for the organization, which only a sharded table has. The planner would choose an
 * index with that column for reads by organization while a table is small (docs/design/data/sql.md). The condition is
 * true for every row and occurs in no query, so that no read uses the index.
 */
export const sharded_rules = [
  {
    table: 'employees',
    name: 'one_employment_at_a_time',
    sharded: `exclude using gist ((member_id || employer_id) with =, organization_id with =, employed with &&)
      where ((member_id || employer_id) > '')`,
  },
  {
    table: 'plan_year_benefits',
    name: 'one_plan_year_of_a_benefit_at_a_time',
    sharded: `exclude using gist ((benefit_id || employer_id) with =, organization_id with =, during with &&)
      where (withdrawn_at is null and (benefit_id || employer_id) > '')`,
  },
] as const

/**
 * Statement triggers that read or write another table of a tenant. Sharded tables do not have them, because such a
 * trigger has no value that selects the server of the rows.
 */
export const triggers_of_one_server: readonly { table: string; name: string }[] = [
  ...reference_triggers.filter(({ table }) => (by_organization as readonly string[]).includes(table)),
  { table: 'members', name: 'count_members' },
  { table: 'members', name: 'follow_search_key' },
  { table: 'employees', name: 'set_search_key' },
  { table: 'employees', name: 'keep_references' },
  { table: 'employees', name: 'count_added_terminations' },
  { table: 'employees', name: 'count_changed_terminations' },
  { table: 'employee_classifications', name: 'keep_references' },
  { table: 'employee_compensations', name: 'keep_references' },
  { table: 'employee_bargaining_units', name: 'keep_references' },
  { table: 'employers', name: 'add_book_entries' },
  { table: 'hris_connections', name: 'add_connection' },
  { table: 'hris_connections', name: 'follow_connection' },
  { table: 'book_entries', name: 'count_added' },
  { table: 'book_entries', name: 'count_changed' },
  { table: 'book_entries', name: 'count_removed' },
]

/**
 * References that triggers check on one server (docs/design/data/schema.md) and foreign keys check in a sharded
 * database.
 */
export const sharded_keys = [
  { table: 'employees', column: 'employer_id', target: 'employers', key: 'id' },
  { table: 'employees', column: 'member_id', target: 'members', key: 'id' },
  { table: 'employee_classifications', column: 'employee_id', target: 'employees', key: 'id' },
  { table: 'employee_compensations', column: 'employee_id', target: 'employees', key: 'id' },
  { table: 'employee_bargaining_units', column: 'employee_id', target: 'employees', key: 'id' },
  { table: 'group_members', column: 'group_id', target: 'groups', key: 'id' },
  { table: 'group_members', column: 'member_id', target: 'members', key: 'id' },
  { table: 'group_members', column: 'plan_id', target: 'plans', key: 'id' },
  { table: 'enrollments', column: 'employee_id', target: 'employees', key: 'id' },
  { table: 'enrollments', column: 'employer_id', target: 'employers', key: 'id' },
  { table: 'enrollments', column: 'plan_year_id', target: 'benefit_plan_years', key: 'id' },
  { table: 'enrollment_evidence', column: 'enrollment_id', target: 'enrollments', key: 'id' },
  { table: 'deduction_lines', column: 'employee_id', target: 'employees', key: 'id' },
  { table: 'deduction_lines', column: 'enrollment_id', target: 'enrollments', key: 'id' },
  { table: 'deduction_lines', column: 'statement_id', target: 'deduction_statements', key: 'id' },
  { table: 'deduction_balances', column: 'enrollment_id', target: 'enrollments', key: 'id' },
  { table: 'invoice_lines', column: 'employee_id', target: 'employees', key: 'id' },
  { table: 'invoice_lines', column: 'enrollment_id', target: 'enrollments', key: 'id' },
  { table: 'invoice_lines', column: 'invoice_id', target: 'invoices', key: 'invoice_id' },
] as const

/** Row triggers that replace statement triggers in a sharded database. */
export const sharded_triggers = [
  { table: 'employers', name: 'add_book_entry', on: 'insert' },
  { table: 'hris_connections', name: 'follow_connection_by_row', on: 'insert or update' },
  { table: 'book_entries', name: 'count_book_entry', on: 'insert or update or delete' },
  { table: 'employees', name: 'count_termination_by_row', on: 'insert or update' },
] as const
