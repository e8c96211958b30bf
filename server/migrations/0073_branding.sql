-- In which color what an organization puts into its pages stands, unless a page says otherwise: `#2748b3`.
alter table organizations add column accent_color text check (accent_color ~ '^#[0-9a-f]{6}$');
