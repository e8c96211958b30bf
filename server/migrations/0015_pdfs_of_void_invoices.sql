-- A PDF says whether its invoice is void. One that was kept before says that it is not: it is rendered again when opened.
alter table invoice_pdfs add column says_void boolean not null default false;

-- What is not rendered yet is rendered when it is opened: nothing looks for what is missing any more.
drop index invoices_issued;
