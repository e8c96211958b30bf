-- A page of employers of any organization that are looked up.
with
  found as materialized (select * from shared.found_employers() as found_employer),
  page as (
    select employer.id, employer.organization_id, employer.created_at
    from found as employer
    order by employer.created_at desc, employer.id desc
    limit :limit::int offset :offset::bigint
  ),
  shown as (select * from shared.book_rows() as book_row)
select json
from shared.answer() as answer;
