-- The last day on which a dependent can be covered: a child until the end of the month of the 26th birthday, or
-- longer while disabled; every dependent until the end of the month in which the relationship ended. Null if there is
-- no last day. A birthday on February 29 falls on March 1.
create or replace function dependent_covered_until(
  relationship text,
  date_of_birth date,
  ended_on date,
  disabled_until date default null
)
returns date
language sql
immutable
parallel safe
return least(
  case
    when relationship = 'child'
    and disabled_until is distinct from 'infinity' then greatest(
      month_end(
        (
          date_of_birth + (
            extract(month from date_of_birth) = 2
            and extract(day from date_of_birth) = 29
          )::int + interval '26 years'
        )::date
      ),
      month_end(disabled_until)
    )
  end,
  month_end(ended_on)
);
