-- Documents that prove life events. `scan`: what the operator's scanner says; `none` where there is none.
create table life_event_attachments (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  life_event_id text collate "C" not null,
  file_name text not null,
  content_type text not null,
  bytes int not null,
  scan text not null check (scan in ('none', 'waiting', 'clean', 'refused')),
  created_at timestamptz not null,
  primary key (id, organization_id),
  foreign key (life_event_id, organization_id) references qualifying_life_events (id, organization_id)
);

-- Those of a life event, in the order in which they came.
create index life_event_attachments_of_event on life_event_attachments (life_event_id, organization_id, created_at, id);

-- What they hold, each piece encrypted by the keys of the installation. There are none of what a scan has refused.
create table life_event_attachment_pieces (
  organization_id text collate "C" not null,
  attachment_id text collate "C" not null,
  position int not null,
  content_sealed bytea not null,
  primary key (attachment_id, organization_id, position),
  foreign key (attachment_id, organization_id) references life_event_attachments (id, organization_id)
    on delete cascade
);

-- What is encrypted can't be compressed.
alter table life_event_attachment_pieces alter column content_sealed set storage external;
