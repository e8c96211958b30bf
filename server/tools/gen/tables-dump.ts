/** Runs a statement on a connection with the default search path, and returns its rows. */
type Query = (text: string) => Promise<any[]>

// Queries of PostgreSQL's catalogs. Its own functions already produce most of the SQL.

const table_key = `class.oid::regclass::text`

/** Relations in the public schema that neither belong to an extension nor are part of another one. */
const is_ours = `
  class.relnamespace = 'public'::regnamespace and not exists (
    select from pg_depend where classid = 'pg_class'::regclass and objid = class.oid and refobjid <> objid
      and deptype in ('e', 'i'))`

const extensions = `
  select format('CREATE EXTENSION %I;', extname) as sql from pg_extension where extname <> 'plpgsql' order by extname`

/** `(…)` is replaced by the columns and constraints. */
const tables = `
  select ${table_key} as key,
         format('CREATE %sTABLE %s %s%s%s;', case relpersistence when 'u' then 'UNLOGGED ' else '' end,
                ${table_key},
                case when relispartition
                     then format('PARTITION OF %s %s', inhparent::regclass, pg_get_expr(relpartbound, class.oid))
                     else '(…)' end,
                ' PARTITION BY ' || pg_get_partkeydef(class.oid),
                ' WITH (' || array_to_string(class.reloptions, ', ') || ')') as sql
    from pg_class as class left join pg_inherits on inhrelid = class.oid
   where ${is_ours} and relkind in ('r', 'p')
   order by relname`

const columns = `
  select ${table_key} as key,
         concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
                   case when attcollation <> typcollation then 'COLLATE ' || attcollation::regcollation end,
                   case when attgenerated <> '' then
                     format('GENERATED ALWAYS AS (%s) %s', pg_get_expr(adbin, adrelid, true),
                            case attgenerated when 's' then 'STORED' else 'VIRTUAL' end)
                        else 'DEFAULT ' || pg_get_expr(adbin, adrelid, true) end,
                   'GENERATED ' || case attidentity when 'a' then 'ALWAYS' when 'd' then 'BY DEFAULT' end
                     || ' AS IDENTITY',
                   case when attnotnull then 'NOT NULL' end) as sql
    from pg_attribute
    join pg_type as type on type.oid = atttypid
    join pg_class as class on class.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
   where ${is_ours} and relkind in ('r', 'p') and not relispartition and attnum > 0 and not attisdropped
   order by attnum`

const constraints = `
  select ${table_key} as key, format('CONSTRAINT %I %s', conname, pg_get_constraintdef(pg_constraint.oid, true)) as sql
    from pg_constraint join pg_class as class on class.oid = conrelid
   where ${is_ours} and not relispartition and contype in ('p', 'u', 'x', 'c', 'f') and coninhcount = 0
   order by position(contype::text in 'puxcf'), conname`

const indexes = `
  select indrelid::regclass::text as key,
         replace(pg_get_indexdef(class.oid, 0, true), ' ON ONLY ', ' ON ') || ';' as sql
    from pg_class as class join pg_index on indexrelid = class.oid
   where ${is_ours} and not relispartition
     and not exists (select from pg_constraint where conindid = class.oid and contype in ('p', 'u', 'x'))
   order by relname`

const policies = `
  select ${table_key} as key,
         format('CREATE POLICY %I ON %s', polname, ${table_key})
           || case polcmd when '*' then '' else ' FOR ' || case polcmd when 'r' then 'SELECT' when 'a' then 'INSERT'
                                                          when 'w' then 'UPDATE' when 'd' then 'DELETE' end end
           || coalesce(' USING (' || pg_get_expr(polqual, polrelid, true) || ')', '')
           || coalesce(' WITH CHECK (' || pg_get_expr(polwithcheck, polrelid, true) || ')', '') || ';' as sql
    from pg_policy join pg_class as class on class.oid = polrelid
   where ${is_ours}
   order by relname, polname`

const row_security = `
  select ${table_key} as key, format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY;', ${table_key}) as sql
    from pg_class as class where ${is_ours} and relrowsecurity`

/**
 * Describes the tables of the public schema as SQL from the catalogs, by name, each with its columns, constraints,
 * indexes and policies. Functions, triggers and views are omitted, because a `functions.sql` already defines them.
 */
export async function dumpTables(query: Query): Promise<string> {
  const linesOf = async (...texts: string[]) => {
    const rows: { key: string; sql: string }[] = []
    for (const text of texts) rows.push(...(await query(text)))
    const lines = Map.groupBy(rows, ({ key }) => key)
    return (key: string) => (lines.get(key) ?? []).map(({ sql }) => sql)
  }
  const insideOf = await linesOf(columns, constraints)
  const afterOf = await linesOf(indexes, policies, row_security)
  const written = (await query(tables)).map(({ key, sql }) => {
    const inside = insideOf(key).join(',\n  ')
    return [sql.replace('(…)', () => `(\n  ${inside}\n)`), ...afterOf(key)].join('\n')
  })
  const first = (await query(extensions)).map(({ sql }) => sql).join('\n')
  return `${['-- The tables after all migrations, written by npm run gen.', first, ...written].join('\n\n')}\n`
}
