/** Where rows are once a database is divided over several servers (decisions 168 and 195). */

/** Tables that are divided by organization: all rows of one are together on one server, whatever table they are in. */
export const by_organization = [
  'billing_systems',
  'invoice_counters',
  'employers',
  'employer_admins',
  'employer_benefits',
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
  'plan_year_benefits',
  'plan_year_contributions',
  'plan_year_rates',
  'members',
  'dependents',
  'dependent_coverage_ends',
  'employees',
  'employee_classifications',
  'employee_compensations',
  'employee_corrections',
  'employee_eligibilities',
  'employee_wages',
  'eligibility_standings',
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
  'enrollments',
  'enrollment_corrections',
  'enrollment_evidence',
  'elections',
  'covered_dependents',
  'qualifying_life_events',
  'life_event_attachments',
  'life_event_attachment_pieces',
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
] as const

/** Tables of which each server has a copy: of nobody, seldom written, and read beside rows of tenants. */
export const everywhere = ['affordability_figures', 'lowest_cost_silver_premiums'] as const

/** Tables that stay with the server that is asked, as plain tables, by why they do. */
export const at_coordinator = {
  'who comes is known before their organization is': [
    'organizations',
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
  'a sheet is of a process, and a day is sealed as a whole': [
    'audit_sheets',
    'audit_chains',
    'audit_seals',
    'former_audit_entries',
  ],
  'it is about the installation': [
    'installation',
    'migrations',
    'secret_keys',
    'service_processes',
    'directory_counts',
    'replica_beats',
    'write_positions',
    'set_aside',
    'whole_commits',
  ],
} as const

/**
 * The columns of an organization, whose row is handed to statements that read it beside what is divided: one that also
 * reads a table of the coordinator is not run where the rows are, but brought together here, table by table.
 */
export const organization_columns = [
  'id text collate "C"',
  'name text',
  'type text',
  'idp_provider text',
  'idp_org_id text',
  'super_in boolean',
  'sandbox boolean',
  'employer_count bigint',
  'created_at timestamp with time zone',
  'updated_at timestamp with time zone',
  'clock_offset_days integer',
  'daily_run_on date',
  'daily_run_progress jsonb',
  'member_count bigint',
  'name_key text collate pg_c_utf8',
  'accent_color text',
] as const

/**
 * Rules of tables that name the organization by a column of its own only where the table is divided: an index that
 * offers itself for that column alone would be taken for one that narrows much, as long as a table is young
 * (decision 19). The condition is true of every row, and of nothing that anybody asks, so that the index offers itself
 * to no read.
 */
export const rules_when_divided = [
  {
    table: 'employees',
    name: 'one_employment_at_a_time',
    divided: `exclude using gist ((member_id || employer_id) with =, organization_id with =, employed with &&)
      where ((member_id || employer_id) > '')`,
  },
  {
    table: 'plan_year_benefits',
    name: 'one_plan_year_of_a_benefit_at_a_time',
    divided: `exclude using gist ((benefit_id || employer_id) with =, organization_id with =, during with &&)
      where (withdrawn_at is null and (benefit_id || employer_id) > '')`,
  },
] as const

/**
 * Triggers that write to another table of a tenant, or read one, for all rows of a statement: where tenants are divided
 * they would ask by no value which server has the rows.
 */
export const triggers_of_one_server = [
  { table: 'members', name: 'count_members' },
  { table: 'members', name: 'follow_search_key' },
  { table: 'members', name: 'stays' },
  { table: 'employees', name: 'note_search_key' },
  { table: 'employees', name: 'stays' },
  { table: 'employees', name: 'refers' },
  { table: 'employees', name: 'keeps' },
  { table: 'employee_classifications', name: 'refers' },
  { table: 'employee_classifications', name: 'keeps' },
  { table: 'employee_compensations', name: 'refers' },
  { table: 'employee_compensations', name: 'keeps' },
  { table: 'groups', name: 'stays' },
  { table: 'group_members', name: 'refers' },
  { table: 'group_members', name: 'refers_still' },
  { table: 'plans', name: 'stays' },
  { table: 'employers', name: 'stays' },
  { table: 'employers', name: 'enter_book' },
  { table: 'hris_connections', name: 'enter_connection' },
  { table: 'hris_connections', name: 'follow_connection' },
  { table: 'book_entries', name: 'count_added' },
  { table: 'book_entries', name: 'count_changed' },
  { table: 'book_entries', name: 'count_taken' },
  { table: 'plan_year_benefits', name: 'stays' },
  { table: 'enrollments', name: 'stays' },
  { table: 'enrollments', name: 'refers' },
  { table: 'enrollment_evidence', name: 'refers' },
  { table: 'deduction_statements', name: 'stays' },
  { table: 'deduction_lines', name: 'refers' },
  { table: 'deduction_balances', name: 'refers' },
  { table: 'invoices', name: 'stays' },
  { table: 'invoice_lines', name: 'refers' },
] as const

/** References that triggers check on one server (decision 188), and foreign keys where tenants are divided. */
export const keys_when_divided = [
  { table: 'employees', column: 'employer_id', target: 'employers', key: 'id' },
  { table: 'employees', column: 'member_id', target: 'members', key: 'id' },
  { table: 'employee_classifications', column: 'employee_id', target: 'employees', key: 'id' },
  { table: 'employee_compensations', column: 'employee_id', target: 'employees', key: 'id' },
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

/** Triggers of a row that do where tenants are divided what those of a statement do on one server. */
export const triggers_when_divided = [
  { table: 'employers', name: 'enter_book_alone', on: 'insert' },
  { table: 'hris_connections', name: 'show_connection_alone', on: 'insert or update' },
  { table: 'book_entries', name: 'count_entry_alone', on: 'insert or update or delete' },
] as const
