-- Employers of all organizations found by id, EIN or admin email address, or by the start of a name. Each lookup reads
-- a bounded range of an index.
(
  select employer.id, employer.organization_id, employer.created_at
  from employers as employer
  where shared.begins(employer.name_key) and shared.in_reach(employer.organization_id, employer.id)
  order by employer.name_key, employer.organization_id
  limit shared.most()
)
union
(
  select employer.id, employer.organization_id, employer.created_at
  from employers as employer
  where shared.begins(employer.legal_name_key) and shared.in_reach(employer.organization_id, employer.id)
  order by employer.legal_name_key, employer.organization_id
  limit shared.most()
)
union
select employer.id, employer.organization_id, employer.created_at
from employers as employer
where employer.id = :search and shared.in_reach(employer.organization_id, employer.id)
union
(
  select employer.id, employer.organization_id, employer.created_at
  from employers as employer
  where employer.ein_hash = any (:ein_hashes::bytea[]) and shared.in_reach(employer.organization_id, employer.id)
  limit shared.most()
)
union
(
  select employer.id, employer.organization_id, employer.created_at
  from
    employer_admins as admin
    join employers as employer on employer.id = admin.employer_id and employer.organization_id = admin.organization_id
  where
    admin.email_key = lower(:search::text)
    and admin.disabled_at is null
    and shared.in_reach(admin.organization_id, admin.employer_id)
  limit shared.most()
);
