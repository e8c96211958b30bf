-- The cancelled of a book are counted as a kind of it, and not one by one.
drop index employers_by_subscription_end;
