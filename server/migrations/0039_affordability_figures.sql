-- What the law says of a year, where the operator tells it before a release does: public figures, the same for everybody.
create table affordability_figures (
  year integer primary key check (year between 2020 and 2199),
  -- hundredths of a percent of income
  required_contribution integer check (required_contribution between 0 and 10000),
  -- dollars a year for one person: of the contiguous states, of Alaska, of Hawaii; null: not told
  poverty_guidelines integer[] check (array_length(poverty_guidelines, 1) = 3),
  updated_at timestamptz not null
);
