// Generated from openapi.operator.json by npm run gen.
/** Every operation as the client calls it; core/operations.ts reads them. */
export const operations = {
    sandbox: {
        getClock: 'GET /operator/v1/organizations/{organization_id}/clock data',
        moveClock: 'PUT /operator/v1/organizations/{organization_id}/clock body data',
    },
    authentication: {
        getToken: 'GET /operator/v1/auth/token data',
    },
    operators: {
        list: 'GET /operator/v1/operators query page:data',
        create: 'POST /operator/v1/operators body keyed data',
        update: 'PATCH /operator/v1/operators/{operator_id} body data',
        dismiss: 'DELETE /operator/v1/operators/{operator_id} data',
        listKeys: 'GET /operator/v1/operators/{operator_id}/keys query page:data',
        createKey: 'POST /operator/v1/operators/{operator_id}/keys body keyed data',
        revokeKey: 'DELETE /operator/v1/operators/{operator_id}/keys/{operator_key_id} data',
        listInvitations: 'GET /operator/v1/operator-invitations query page:data',
        invite: 'POST /operator/v1/operator-invitations body keyed data',
        withdrawInvitation: 'DELETE /operator/v1/operator-invitations/{operator_invitation_id} data',
    },
    invitations: {
        list: 'GET /operator/v1/organizations/{organization_id}/invitations query page:data',
        create: 'POST /operator/v1/organizations/{organization_id}/invitations body keyed data',
    },
    sessions: {
        list: 'GET /operator/v1/sessions query page:data',
        revoke: 'DELETE /operator/v1/sessions/{session_id} data',
    },
    organizations: {
        listUsage: 'GET /operator/v1/organizations/{organization_id}/usage query page:data',
        list: 'GET /operator/v1/organizations query page:data',
        create: 'POST /operator/v1/organizations body keyed data',
        get: 'GET /operator/v1/organizations/{organization_id} data',
        runDay: 'POST /operator/v1/organizations/{organization_id}/daily-run keyed data',
    },
    apiKeys: {
        listUsage: 'GET /operator/v1/api-keys/{api_key_id}/usage query page:data',
        create: 'POST /operator/v1/api-keys body keyed data',
        list: 'GET /operator/v1/api-keys query page:data',
        revoke: 'DELETE /operator/v1/api-keys/{api_key_id} data',
    },
    auditEntries: {
        list: 'GET /operator/v1/audit-entries query cursor:data',
        export: 'GET /operator/v1/audit-entries/export query data',
    },
    openMatters: {
        list: 'GET /operator/v1/open-matters query page:data',
    },
    employers: {
        list: 'GET /operator/v1/employers query page:data',
        get: 'GET /operator/v1/employers/{employer_id} data',
        getSettings: 'GET /operator/v1/employers/{employer_id}/settings data',
        listAdmins: 'GET /operator/v1/employers/{employer_id}/admins query page:data',
        addAdmin: 'POST /operator/v1/employers/{employer_id}/admins body keyed data',
        removeAdmin: 'DELETE /operator/v1/employers/{employer_id}/admins/{employer_admin_id} data',
        administer: 'PATCH /operator/v1/employers/{employer_id}/administration body data',
    },
    ichra: {
        importLowestCostSilverPremiums: 'POST /operator/v1/lowest-cost-silver-premiums/import body keyed data',
        listLowestCostSilverPremiums: 'GET /operator/v1/lowest-cost-silver-premiums query page:data',
        setAffordabilityFigures: 'POST /operator/v1/affordability-figures body keyed data',
        listAffordabilityFigures: 'GET /operator/v1/affordability-figures data',
    },
    catalog: {
        import: 'POST /operator/v1/organizations/{organization_id}/catalog/import body query keyed data',
        get: 'GET /operator/v1/organizations/{organization_id}/catalog data',
    },
    planYears: {
        list: 'GET /operator/v1/employers/{employer_id}/benefit-plan-years data',
        open: 'POST /operator/v1/employers/{employer_id}/benefit-plan-years body keyed',
        update: 'PATCH /operator/v1/benefit-plan-years/{benefit_plan_year_id} body',
        copy: 'POST /operator/v1/benefit-plan-years/{benefit_plan_year_id}/copy body keyed',
        listAmendments: 'GET /operator/v1/benefit-plan-years/{benefit_plan_year_id}/amendments query page:data',
        amend: 'POST /operator/v1/benefit-plan-years/{benefit_plan_year_id}/amendments body keyed',
        withdrawAmendment: 'POST /operator/v1/benefit-plan-years/{benefit_plan_year_id}/amendments/{amendment_id}/withdraw body keyed data',
    },
    enrollments: {
        correct: 'POST /operator/v1/enrollments/{enrollment_id}/corrections body keyed',
        reissue: 'POST /operator/v1/enrollments/{enrollment_id}/reissue body keyed',
    },
    dependents: {
        approveDisability: 'POST /operator/v1/dependents/{dependent_id}/disability body keyed data',
        withdrawDisability: 'DELETE /operator/v1/dependents/{dependent_id}/disability data',
    },
    lifeEvents: {
        list: 'GET /operator/v1/qualifying-life-events query page:data',
        approve: 'POST /operator/v1/qualifying-life-events/{life_event_id}/approve keyed data',
        decline: 'POST /operator/v1/qualifying-life-events/{life_event_id}/decline body keyed data',
    },
    statements: {
        run: 'POST /operator/v1/employers/{employer_id}/payroll-deduction-statements/run body keyed data',
    },
    billingSystem: {
        get: 'GET /operator/v1/organizations/{organization_id}/billing-system data',
        choose: 'PUT /operator/v1/organizations/{organization_id}/billing-system body data',
    },
    invoices: {
        list: 'GET /operator/v1/employers/{employer_id}/invoices query cursor:data',
        runDay: 'POST /operator/v1/employers/{employer_id}/invoices/run keyed data',
        issue: 'POST /operator/v1/employers/{employer_id}/invoices/{invoice_id}/issue keyed data',
        pay: 'POST /operator/v1/employers/{employer_id}/invoices/{invoice_id}/pay body keyed data',
        void: 'POST /operator/v1/employers/{employer_id}/invoices/{invoice_id}/void keyed data',
        getReconciliation: 'GET /operator/v1/employers/{employer_id}/invoices/{invoice_id}/reconciliation data',
    },
    manualAdjustments: {
        list: 'GET /operator/v1/employers/{employer_id}/manual-adjustments query page:data',
        book: 'POST /operator/v1/enrollments/{enrollment_id}/manual-adjustments body keyed data',
    },
    members: {
        find: 'GET /operator/v1/members query page:data',
        get: 'GET /operator/v1/members/{member_id} data',
        listEnrollments: 'GET /operator/v1/members/{member_id}/enrollments query page:data',
    },
    employees: {
        reinstate: 'POST /operator/v1/employees/{employee_id}/reinstate body keyed',
        terminate: 'POST /operator/v1/employees/{employee_id}/terminate body keyed',
        reclassify: 'POST /operator/v1/employees/{employee_id}/reclassify body keyed',
        listCorrections: 'GET /operator/v1/employees/{employee_id}/corrections query page:data',
    },
    census: {
        listOpen: 'GET /operator/v1/census-syncs query page:data',
        list: 'GET /operator/v1/employers/{employer_id}/census-syncs query page:data',
        get: 'GET /operator/v1/census-syncs/{census_sync_id} data',
        confirm: 'POST /operator/v1/census-syncs/{census_sync_id}/confirm keyed data',
        discard: 'POST /operator/v1/census-syncs/{census_sync_id}/discard keyed data',
    },
    hris: {
        connect: 'POST /operator/v1/employers/{employer_id}/hris-connections body keyed data',
        listConnections: 'GET /operator/v1/employers/{employer_id}/hris-connections data',
        getConnection: 'GET /operator/v1/hris-connections/{hris_connection_id} data',
        pause: 'POST /operator/v1/hris-connections/{hris_connection_id}/pause keyed data',
        resume: 'POST /operator/v1/hris-connections/{hris_connection_id}/resume keyed data',
        renewAccess: 'PUT /operator/v1/hris-connections/{hris_connection_id}/access-token body data',
        disconnect: 'POST /operator/v1/hris-connections/{hris_connection_id}/disconnect keyed data',
        sync: 'POST /operator/v1/hris-connections/{hris_connection_id}/sync keyed data',
        uploadFile: 'POST /operator/v1/hris-connections/{hris_connection_id}/upload body keyed data',
        tellSandboxPayroll: 'PUT /operator/v1/hris-connections/{hris_connection_id}/payroll body data',
        listRuns: 'GET /operator/v1/hris-connections/{hris_connection_id}/runs query page:data',
        getRun: 'GET /operator/v1/hris-runs/{hris_run_id} data',
        confirmRun: 'POST /operator/v1/hris-runs/{hris_run_id}/confirm keyed data',
        listOpenConnections: 'GET /operator/v1/hris-connections query page:data',
    },
    groups: {
        listMemberSyncs: 'GET /operator/v1/group-member-syncs query page:data',
        getMemberSync: 'GET /operator/v1/group-member-syncs/{request_id} data',
    },
    webhookSubscriptions: {
        list: 'GET /operator/v1/webhook-subscriptions query page:data',
        listDeliveries: 'GET /operator/v1/webhook-subscriptions/{webhook_subscription_id}/deliveries query page:data',
        resume: 'POST /operator/v1/webhook-subscriptions/{webhook_subscription_id}/resume keyed data',
    },
    webhookEvents: {
        list: 'GET /operator/v1/organizations/{organization_id}/webhook-events query page:data',
        listDeliveries: 'GET /operator/v1/webhook-events/{webhook_event_id}/deliveries query page:data',
    },
    jobs: {
        list: 'GET /operator/v1/jobs query page:data',
        get: 'GET /operator/v1/jobs/{job_id} data',
        run: 'POST /operator/v1/jobs/{job_id}/run keyed data',
    },
    users: {
        list: 'GET /operator/v1/users query page:data',
        create: 'POST /operator/v1/users body keyed data',
        get: 'GET /operator/v1/users/{user_id} data',
    },
    memberships: {
        list: 'GET /operator/v1/organizations/{organization_id}/members query page:data',
        grant: 'POST /operator/v1/organizations/{organization_id}/members body keyed data',
        end: 'DELETE /operator/v1/organizations/{organization_id}/members/{user_id} data',
    },
    subscriptions: {
        list: 'GET /operator/v1/employers/{employer_id}/subscriptions query page:data',
        grant: 'POST /operator/v1/employers/{employer_id}/subscriptions body keyed data',
        end: 'POST /operator/v1/employers/{employer_id}/subscriptions/end body keyed data',
    },
};
