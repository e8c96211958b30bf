-- groups -----------------------------------------------------------------------------------------

-- A member of a group may have no e-mail address; an employee always has one.
alter table members alter column email drop not null;

create table groups (
  id text collate "C" not null,
  organization_id text collate "C" not null references organizations,
  name text not null,
  external_reference_id text collate "C" not null,
  -- how many members it has now: the total of their list
  member_count bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id),
  constraint groups_external_reference unique (external_reference_id, organization_id)
);
-- The list, newest first: of one organization, and of all for a super caller.
create index groups_of_organization on groups (organization_id, created_at desc, id desc);
create index groups_of_all on groups (created_at desc, id desc) include (organization_id);

-- That a person belongs to a group, from when until when: who comes back has another row.
create table group_members (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  group_id text collate "C" not null,
  member_id text collate "C" not null,
  reference_id text collate "C" not null,
  plan_id text collate "C" not null,
  joined_at timestamptz not null,
  updated_at timestamptz not null,
  left_at timestamptz,
  primary key (id, organization_id),
  foreign key (group_id, organization_id) references groups,
  foreign key (member_id, organization_id) references members,
  foreign key (plan_id, organization_id) references plans
);
-- A person belongs to one group at a time.
create unique index one_group_at_a_time on group_members (member_id, organization_id) where left_at is null;
-- A sync finds the members by their references, and those who left by theirs: who comes back is known. Over an
-- expression: on a young table the planner would take the index of the list below for a reference in a group, and read
-- the whole group for each. Ids have one length, so that no two groups and references make the same text.
create unique index group_members_by_reference on group_members ((group_id || reference_id), organization_id) where left_at is null;
create index former_group_members_by_reference on group_members ((group_id || reference_id), organization_id) where left_at is not null;
-- The list, newest first.
create index group_members_of_group on group_members (group_id, joined_at desc, id desc, organization_id) where left_at is null;

create table group_member_syncs (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  group_id text collate "C" not null,
  -- the order of acceptance within the group
  position bigint not null,
  accepted_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  -- the memberships that ended, since the body spoke of them no more
  removed_ids text[] collate "C" not null default '{}',
  primary key (id, organization_id),
  foreign key (group_id, organization_id) references groups,
  unique (group_id, position, organization_id)
);
-- A group's syncs run in the order of acceptance.
create index group_member_syncs_waiting on group_member_syncs (group_id, position, organization_id) where completed_at is null;

-- The rows still to be processed; when a chunk is done they go, so no personal data stays, and whom it added is noted.
create table group_member_chunks (
  organization_id text collate "C" not null,
  request_id text collate "C" not null,
  first_index int not null,
  rows jsonb,
  added_ids text[] collate "C" not null default '{}',
  primary key (request_id, organization_id, first_index),
  foreign key (request_id, organization_id) references group_member_syncs
);

create table group_member_failures (
  organization_id text collate "C" not null,
  request_id text collate "C" not null,
  index int not null,
  operation text not null check (operation in ('add', 'remove')),
  reason text not null,
  reference_id text not null,
  primary key (request_id, organization_id, index),
  foreign key (request_id, organization_id) references group_member_syncs
);
