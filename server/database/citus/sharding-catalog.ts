/** Queries of the PostgreSQL catalogs for sharding a database and bringing it back. */
import type pg from 'pg'

/** A part of a table that exists only on one server, with the definition that restores it. */
export type TablePart = { table: string; name: string; definition: string }
export type Reference = TablePart & { target: string }

export const listParts = async <Row extends TablePart>(
  client: pg.ClientBase,
  text: string,
  values: unknown[],
): Promise<Row[]> => (await client.query<Row>(text, values)).rows

export const references = `
  select conrelid::regclass::text as table, conname as name, confrelid::regclass::text as target,
         pg_get_constraintdef(oid) as definition
    from pg_constraint
   where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by 1, 2`

export const rules = `
  select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'x' and conrelid = any($1::regclass[]) order by 1, 2`

export const triggers = `
  select tgrelid::regclass::text as table, tgname as name, pg_get_triggerdef(oid) as definition
    from pg_trigger where not tgisinternal and tgparentid = 0 and tgrelid = any($1::regclass[]) order by 1, 2`

/**
 * Functions in SQL that name sharded tables, in the order of their dependencies. Citus does not plan their statements.
 * If PostgreSQL stores the parsed body (`begin atomic`), Citus also treats the tables as dependencies that cannot be
 * sharded alone.
 */
export const reading_functions = `
  select function.oid::regprocedure::text as name, pg_get_functiondef(function.oid) as definition
    from pg_proc as function
    join pg_language as language on language.oid = function.prolang
   where function.pronamespace = 'public'::regnamespace and language.lanname = 'sql'
     and (exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = function.oid
                                          and refclassid = 'pg_class'::regclass and refobjid = any($1::regclass[]))
          or function.prosrc ~ ('\\m(from|join) (' || array_to_string($1::text[], '|') || ')\\M'))
   order by exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = function.oid
                                            and refclassid = 'pg_proc'::regclass and refobjid = any(array(
                      select requested.oid from pg_proc as requested
                       where requested.pronamespace = 'public'::regnamespace and requested.proretset))), 1`

/** Functions that statements, policies and defaults call, and that the workers do not have yet. */
export const functions_here = `
  select function.oid::regprocedure::text as name, '' as definition from pg_proc as function
   where function.pronamespace = 'public'::regnamespace and function.prokind = 'f'
     and function.prorettype <> 'trigger'::regtype and not function.proname = any($1)
     and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = function.oid
                                             and deptype = 'e')
     and not exists (select from pg_dist_object where classid = 'pg_proc'::regclass and objid = function.oid)
   order by 1`

/** Functions that return rows of a table. They must be dropped while Citus recreates the table. */
export const functions_of_rows = `
  select function.oid::regprocedure::text as name, '' as definition from pg_proc as function
    join pg_class as class on class.reltype = function.prorettype
   where function.pronamespace = 'public'::regnamespace and class.oid = any($1::regclass[])`
