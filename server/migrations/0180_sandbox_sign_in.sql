-- A sandbox lists its people at /sign-in. One-time links are gone.
drop table sign_in_links;

alter table sessions drop constraint sessions_signed_in_with_check;
update sessions set signed_in_with = 'sandbox' where signed_in_with = 'sandbox_link';
alter table sessions add constraint sessions_signed_in_with_check check (signed_in_with in ('openid', 'sandbox'));
