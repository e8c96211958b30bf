import { targetList } from '../../../database/sql/pages.ts'
import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { Page } from '../../../kernel/pages.ts'
import { enrolling, everyone } from '../../../runtime/permissions.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { target_employee, target_employer } from '../../access/auth/queries.ts'
import { isLimitedToShared, type LocatedNote } from './rules.ts'

/**
 * SQL: a `Note`, from a row `note`. Members see no names of operators, and a caller who sees only shared notes sees no
 * mentions and no ids of users.
 */
const noteJson = `
  select row_to_json(shown) as item from (
    select note.id, note.employer_id, note.employee_id, note.text, note.shared_with_employer,
           case when note.by_operator then 'operator' else 'organization' end as author,
           case when note.by_operator = :is_operator::boolean and not :only_shared::boolean
                then note.author_user_id end as author_user_id,
           case when :is_operator or not note.by_operator
                then (select name from users where id = note.author_user_id) end as author_name,
           (select coalesce(json_agg(json_build_object('user_id', mention.user_id, 'name', account.name,
                                                       'done_at', iso(mention.done_at))
                                     order by account.name, mention.user_id), '[]')
              from note_mentions as mention join users as account on account.id = mention.user_id
             where mention.note_id = note.id and mention.organization_id = note.organization_id
               and not :only_shared) as mentions,
           iso(note.created_at) as created_at, iso(note.edited_at) as edited_at) as shown`

/** SQL: whether the caller may see a row `note`. */
const is_visible = '(note.shared_with_employer or not :only_shared::boolean)'

const notesOf = <const Name extends string>(name: Name, target: string, condition: string) =>
  targetList(name, {
    target,
    from: `notes as note where ${condition} and note.organization_id = target.organization_id and ${is_visible}`,
    row: 'note',
    order: 'note.id desc',
    item: `(${noteJson})`,
  })

const of_employer = notesOf(
  'notes.listNotesOfEmployer',
  target_employer,
  'note.employer_id = target.id and note.employee_id is null',
)

const of_employee = notesOf('notes.listNotesOfEmployee', target_employee, 'note.employee_id = target.id')

const visibilityOf = ({ caller }: ReadCtx) => ({
  is_operator: caller.operator_role !== null,
  only_shared: isLimitedToShared(caller),
})

/** A page of the notes about an employer, newest first. Undefined if it is out of reach. */
export const listNotesOfEmployer = (ctx: ReadCtx, employer_id: string, page: Page) =>
  of_employer(ctx, { employer_id, ...visibilityOf(ctx) }, page)

/** A page of the notes about an employee, newest first. Undefined if the employee is out of reach. */
export const listNotesOfEmployee = (ctx: ReadCtx, employee_id: string, page: Page) =>
  of_employee(ctx, { employee_id, ...visibilityOf(ctx) }, page)

const in_reach = inReach('note.organization_id', 'note.employer_id', 'note.employee_id')

/** Locates a note within reach. The caller checks whether its role sees notes about employees. */
export const findLocatedNote = read(
  'notes.locateNote',
  `select note.id as note_id, note.organization_id, note.employer_id, note.employee_id, note.author_user_id,
          note.by_operator
     from notes as note where note.id = :note_id and ${in_reach}`,
).row<LocatedNote>

const one_note = read(
  'notes.findNote',
  `select shown.item::text as json from notes as note cross join lateral (${noteJson}) as shown
    where note.id = :note_id and ${in_reach} and ${is_visible}`,
)

/** One `Note` as JSON. Undefined if the caller may not see it. */
export const findNote = (ctx: ReadCtx, note_id: string) => one_note.json(ctx, { note_id, ...visibilityOf(ctx) })

/** The given users who are members with one of the roles, or whom the note already mentions. */
const mentionable = statement(
  'notes.listMentionable',
  `select user_id from memberships
    where organization_id = :organization_id and user_id = any(:user_ids::text[]) and ended_at is null
      and role = any(:roles::text[])
    union
   select user_id from note_mentions
    where note_id = :note_id and organization_id = :organization_id and user_id = any(:user_ids)`,
)

/** The given users whom a note can mention: members whose role sees it, and those whom it already mentions. */
export const listMentionable = (
  ctx: Ctx,
  { note_id, organization_id, employee_id }: Pick<LocatedNote, 'note_id' | 'organization_id' | 'employee_id'>,
  user_ids: string[],
) => mentionable.column(ctx, { note_id, organization_id, user_ids, roles: employee_id === null ? everyone : enrolling })

export const insertNote = statement(
  'notes.insertNote',
  `insert into notes (id, organization_id, employer_id, employee_id, author_user_id, by_operator, text,
                      shared_with_employer, created_at)
   values (:note_id, :organization_id, :employer_id, :employee_id, :author_user_id, :by_operator, :text,
           :shared_with_employer, :now)`,
).rows

const changed = statement(
  'notes.saveNote',
  `update notes
      set text = coalesce(:text, text), shared_with_employer = coalesce(:shared_with_employer, shared_with_employer),
          edited_at = case when :text <> text then :now else edited_at end
    where id = :note_id and organization_id = :organization_id`,
)

/** Saves the given fields of a note. Null keeps a field. */
export const saveNote = (
  ctx: Ctx,
  { note_id, organization_id }: LocatedNote,
  changes: { text: string | null; shared_with_employer: boolean | null },
) => changed.rows(ctx, { note_id, organization_id, ...changes })

const mentions_saved = statement(
  'notes.saveMentions',
  `with former as (
     delete from note_mentions
      where note_id = :note_id and organization_id = :organization_id and user_id <> all(:user_ids::text[]))
   insert into note_mentions (note_id, organization_id, user_id, created_at)
   select :note_id, :organization_id, input.user_id, :now
     from (select distinct unnest(:user_ids::text[]) as user_id) as input
   on conflict do nothing
   returning user_id`,
)

/** Replaces the mentions of a note. Returns whether there is a new mention. */
export const saveMentions = (ctx: Ctx, note: { note_id: string; organization_id: string }, user_ids: string[]) =>
  mentions_saved.exists(ctx, { note_id: note.note_id, organization_id: note.organization_id, user_ids })

export const deleteNote = statement(
  'notes.deleteNote',
  'delete from notes where id = :note_id and organization_id = :organization_id returning id',
).exists

const mention_saved = statement(
  'notes.saveMentionState',
  `update note_mentions set done_at = case when :done::boolean then coalesce(done_at, :now) end
    where note_id = :note_id and organization_id = :organization_id and user_id = :user_id
   returning user_id`,
)

/** Marks the mention of a user as done or open. Returns whether the note mentions the user. */
export const saveMentionState = (
  ctx: Ctx,
  { note_id, organization_id }: LocatedNote,
  mention: { user_id: string; done: boolean },
) => mention_saved.exists(ctx, { note_id, organization_id, ...mention })
