-- Who filters the book has the few entries looked for that do not hold on the day. Where an organization has many more
-- employers than others, PostgreSQL walked all of its entries by kind for that, since that index had all that was asked
-- for, and these had not.
drop index book_entries_by_end, book_entries_by_beginning;
create index book_entries_by_end on book_entries (organization_id, holds_until) include (employer_id, kind);
create index book_entries_by_beginning on book_entries (organization_id, holds_from) include (employer_id, kind);
