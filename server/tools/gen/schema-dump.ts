/** Runs a statement on a connection with the default search path, and returns its rows. */
type Query = (text: string) => Promise<any[]>

// Queries of PostgreSQL's catalogs. Its own functions already produce most of the SQL.

const keyOf = (catalog: string, oid: string) => `'${catalog} ' || ${oid}`

/** Objects in the public schema that neither belong to an extension nor are part of another object. */
const ours = (catalog: string, alias: string, namespace: string) => `
  ${alias}.${namespace} = 'public'::regnamespace and not exists (
    select from pg_depend where classid = '${catalog}'::regclass and objid = ${alias}.oid and refobjid <> objid
      and deptype in ('e', 'i'))`

const options = `coalesce(' WITH (' || array_to_string(class.reloptions, ', ') || ')', '')`

/** The statements of a dump, in the order of the output unless a dependency requires another. */
const statements = {
  extension: `
    select ${keyOf('pg_extension', 'extension.oid')} as key,
           format('CREATE EXTENSION IF NOT EXISTS %I WITH SCHEMA %s;', extname, extnamespace::regnamespace) as sql
      from pg_extension as extension where extname <> 'plpgsql' order by extname`,

  function: `
    select ${keyOf('pg_proc', 'proc.oid')} as key,
           regexp_replace(rtrim(pg_get_functiondef(proc.oid), E'\\n'), '^(CREATE OR REPLACE \\w+ )public\\.',
             '\\1') || ';' as sql
      from pg_proc as proc where ${ours('pg_proc', 'proc', 'pronamespace')} and prokind = 'f'
     order by proc.oid::regprocedure::text collate "C"`,

  table: `
    select ${keyOf('pg_class', 'class.oid')} as key,
           format('CREATE %sTABLE %s %s%s%s;', case relpersistence when 'u' then 'UNLOGGED ' else '' end,
             class.oid::regclass,
                  case when relispartition
                       then format('PARTITION OF %s %s', inhparent::regclass, pg_get_expr(relpartbound, class.oid))
                       else '(…)' end,
                  ' PARTITION BY ' || pg_get_partkeydef(class.oid), ${options}) as sql
      from pg_class as class left join pg_inherits on inhrelid = class.oid
     where ${ours('pg_class', 'class', 'relnamespace')} and relkind in ('r', 'p') order by relname`,

  view: `
    select ${keyOf('pg_class', 'class.oid')} as key,
           format(E'CREATE VIEW %s%s AS\\n%s', class.oid::regclass, ${options}, pg_get_viewdef(class.oid, true)) as sql
      from pg_class as class
     where ${ours('pg_class', 'class', 'relnamespace')} and relkind = 'v' order by relname`,

  index: `
    select ${keyOf('pg_class', 'class.oid')} as key, ${keyOf('pg_class', 'indrelid')} as part_of,
           replace(pg_get_indexdef(class.oid, 0, true), ' ON ONLY ', ' ON ') || ';' as sql
      from pg_class as class join pg_index on indexrelid = class.oid
     where ${ours('pg_class', 'class', 'relnamespace')} and not relispartition
       and not exists (select from pg_constraint where conindid = class.oid and contype in ('p', 'u', 'x'))
     order by relname`,

  policy: `
    select ${keyOf('pg_policy', 'policy.oid')} as key, ${keyOf('pg_class', 'polrelid')} as part_of,
           format('CREATE POLICY %I ON %s', polname, polrelid::regclass)
             || case polcmd when '*' then '' else ' FOR ' || case polcmd when 'r' then 'SELECT' when 'a' then 'INSERT'
                                                            when 'w' then 'UPDATE' when 'd' then 'DELETE' end end
             || coalesce(' USING (' || pg_get_expr(polqual, polrelid, true) || ')', '')
             || coalesce(' WITH CHECK (' || pg_get_expr(polwithcheck, polrelid, true) || ')', '') || ';' as sql
      from pg_policy as policy join pg_class as class on class.oid = polrelid
     where relnamespace = 'public'::regnamespace order by relname, polname`,

  row_security: `
    select 'row security of ' || class.oid as key, ${keyOf('pg_class', 'class.oid')} as part_of,
           format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY;', class.oid::regclass) as sql
      from pg_class as class where relnamespace = 'public'::regnamespace and relrowsecurity order by relname`,

  trigger: `
    select ${keyOf('pg_trigger', 'trigger.oid')} as key, ${keyOf('pg_class', 'tgrelid')} as part_of,
           pg_get_triggerdef(trigger.oid, true) || ';' as sql
      from pg_trigger as trigger join pg_class as class on class.oid = tgrelid
     where relnamespace = 'public'::regnamespace and not tgisinternal and tgparentid = 0 order by relname, tgname`,
}

const table_columns = `
  select ${keyOf('pg_class', 'attrelid')} as table_key,
         concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
                   case when attcollation <> typcollation then 'COLLATE ' || attcollation::regcollation end,
                   case when attgenerated <> '' then
                     format('GENERATED ALWAYS AS (%s) %s', pg_get_expr(adbin, adrelid, true),
                            case attgenerated when 's' then 'STORED' else 'VIRTUAL' end)
                        else 'DEFAULT ' || pg_get_expr(adbin, adrelid, true) end,
                   'GENERATED ' || case attidentity when 'a' then 'ALWAYS' when 'd' then 'BY DEFAULT' end
                     || ' AS IDENTITY',
                   case when attnotnull then 'NOT NULL' end) as line
    from pg_attribute
    join pg_type as type on type.oid = atttypid
    join pg_class as class on class.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
   order by attnum`

const table_constraints = `
  select ${keyOf('pg_class', 'conrelid')} as table_key,
         format('CONSTRAINT %I %s', conname, pg_get_constraintdef(oid, true)) as line
    from pg_constraint
   where connamespace = 'public'::regnamespace and conrelid <> 0 and contype in ('p', 'u', 'x', 'c', 'f')
     and coninhcount = 0
   order by position(contype::text in 'puxcf'), conname`

/** Maps each catalog entry to the statement that contains it. */
const parts = `
  select 'pg_class'::regclass as classid, class.oid as objid,
         case when conrelid is not null then ${keyOf('pg_class', 'conrelid')}
              else ${keyOf('pg_class', 'class.oid')} end as key
    from pg_class as class
    left join pg_constraint on relkind in ('i', 'I') and conindid = class.oid and contype in ('p', 'u', 'x')
   union all
  select 'pg_type'::regclass, type.oid, ${keyOf('pg_class', 'class.oid')}
    from pg_type as type
    join pg_type as element on element.oid in (type.oid, type.typelem)
    join pg_class as class on class.oid = element.typrelid and relkind in ('r', 'p', 'v')
   union all select 'pg_proc'::regclass, oid, ${keyOf('pg_proc', 'oid')} from pg_proc
   union all select 'pg_extension'::regclass, oid, ${keyOf('pg_extension', 'oid')} from pg_extension
   union all select 'pg_constraint'::regclass, oid, ${keyOf('pg_class', 'conrelid')} from pg_constraint
              where conrelid <> 0
   union all select 'pg_attrdef'::regclass, oid, ${keyOf('pg_class', 'adrelid')} from pg_attrdef
   union all select 'pg_rewrite'::regclass, oid, ${keyOf('pg_class', 'ev_class')} from pg_rewrite
   union all select 'pg_trigger'::regclass, oid, ${keyOf('pg_trigger', 'oid')} from pg_trigger
   union all select 'pg_policy'::regclass, oid, ${keyOf('pg_policy', 'oid')} from pg_policy`

const dependencies = `
  with part as (${parts})
  select distinct user_of.key, used.key as needs
    from pg_depend as depend
    join part as user_of using (classid, objid)
    join part as used on used.classid = depend.refclassid and used.objid = depend.refobjid
   where user_of.key <> used.key and depend.deptype in ('n', 'a')`

/** Objects of the schema that no statement above covers. The schema has none of these kinds. */
const unknown_objects = `
  select name from (
    select 'the relation ' || relname as name from pg_class as class
     where ${ours('pg_class', 'class', 'relnamespace')} and relkind in ('f', 'm', 'S', 'c')
     union all select 'the type ' || typname from pg_type as type
     where ${ours('pg_type', 'type', 'typnamespace')} and typtype in ('e', 'd', 'r')
     union all select 'the statistics ' || stxname from pg_statistic_ext as statistic
     where ${ours('pg_statistic_ext', 'statistic', 'stxnamespace')}
     union all select 'the comment on ' || class.oid::regclass from pg_class as class
     where ${ours('pg_class', 'class', 'relnamespace')} and exists (
       select from pg_description where classoid = 'pg_class'::regclass and objoid = class.oid)
     union all select 'row security of its owner of the table ' || relname from pg_class
     where relnamespace = 'public'::regnamespace and relforcerowsecurity
     union all select 'the policy ' || polname from pg_policy join pg_class as class on class.oid = polrelid
     where relnamespace = 'public'::regnamespace and (polroles <> '{0}' or not polpermissive)
     union all select 'inheritance of the table ' || relname from pg_class join pg_inherits on inhrelid = oid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition
     union all select 'the rule ' || rulename from pg_rewrite join pg_class as class on class.oid = ev_class
     where ${ours('pg_class', 'class', 'relnamespace')} and rulename <> '_RETURN'
     union all select 'the function ' || proname from pg_proc as proc
     where ${ours('pg_proc', 'proc', 'pronamespace')} and prokind <> 'f'
     union all select 'the operator ' || oprname from pg_operator as operator
     where ${ours('pg_operator', 'operator', 'oprnamespace')}
     union all select 'the collation ' || collname from pg_collation as collation_
     where ${ours('pg_collation', 'collation_', 'collnamespace')}) as unknown
   order by name limit 1`

/** A statement of the dump. Its dependencies come before it. A part belongs to a table or view and follows it. */
type DumpStatement = { key: string; part_of: string | null; sql: string }

/** A line of a table: a column or a constraint. */
type TableLine = { table_key: string; line: string }

/**
 * Dumps the public schema of a database as SQL from the catalogs. The dump is deterministic: dependencies come first,
 * and everything else is sorted by name. Throws on objects that it cannot dump.
 */
export async function dumpSchema(query: Query): Promise<string> {
  const [unknown] = await query(unknown_objects)
  if (unknown) throw new Error(`The schema dump does not support ${unknown.name}.`)
  const dump_statements = new Map<string, DumpStatement>()
  for (const text of Object.values(statements))
    for (const row of await query(text)) dump_statements.set(row.key, { part_of: null, ...row })
  const all_lines: TableLine[] = [...(await query(table_columns)), ...(await query(table_constraints))]
  const lines = Map.groupBy(all_lines, ({ table_key }) => table_key)
  const needs = new Set((await query(dependencies)).map((row) => `${row.key} needs ${row.needs}`))
  const of_table = Map.groupBy([...dump_statements.values()], ({ part_of }) => part_of ?? '')

  const started = new Set<string>()
  const written: string[] = []
  const write = (key: string) => {
    const dump_statement = dump_statements.get(key)
    if (!dump_statement || started.has(key)) return
    started.add(key)
    for (const other of dump_statements.keys()) if (needs.has(`${key} needs ${other}`)) write(other)
    const body = (lines.get(key) ?? []).map(({ line }) => `\n  ${line}`).join(',')
    const { part_of, sql } = dump_statement
    written.push((part_of ? '' : '\n') + sql.replace('(…)', () => `(${body}\n)`))
    for (const part of of_table.get(key) ?? []) write(part.key)
  }
  for (const key of dump_statements.keys()) write(key)
  const head = ['-- The schema after all migrations, written by npm run gen.', 'SET check_function_bodies = off;']
  return `${[...head, ...written].join('\n')}\n`
}
