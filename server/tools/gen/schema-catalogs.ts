// The queries of the PostgreSQL catalogs for dumpSchema. PostgreSQL's own functions already produce most of the SQL.

const keyOf = (catalog: string, oid: string) => `'${catalog} ' || ${oid}`

/** Objects in the public schema that neither belong to an extension nor are part of another object. */
const ours = (catalog: string, alias: string, namespace: string) => `
  ${alias}.${namespace} = 'public'::regnamespace and not exists (
    select from pg_depend where classid = '${catalog}'::regclass and objid = ${alias}.oid and refobjid <> objid
      and deptype in ('e', 'i'))`

/** Options of a sequence that differ from the defaults. */
const sequence_options = `concat_ws(' ',
  case when seqincrement <> 1 then 'INCREMENT BY ' || seqincrement end,
  case when seqmin <> 1 then 'MINVALUE ' || seqmin end,
  case when seqmax <> case seqtypid when 'int2'::regtype then 32767 when 'int4'::regtype then 2147483647
                                    else 9223372036854775807 end then 'MAXVALUE ' || seqmax end,
  case when seqstart <> seqmin then 'START WITH ' || seqstart end,
  case when seqcache <> 1 then 'CACHE ' || seqcache end,
  case when seqcycle then 'CYCLE' end)`

const options = `coalesce(' WITH (' || array_to_string(class.reloptions, ', ') || ')', '')`

/** The queries of a dump, in the order of the output, as far as dependencies allow. */
export const statements = {
  extension: `
    select ${keyOf('pg_extension', 'extension.oid')} as key,
           format('CREATE EXTENSION IF NOT EXISTS %I WITH SCHEMA %s;', extname, extnamespace::regnamespace) as sql
      from pg_extension as extension where extname <> 'plpgsql' order by extname`,

  type: `
    select ${keyOf('pg_type', 'type.oid')} as key,
           case typtype
             when 'e' then format('CREATE TYPE %s AS ENUM (%s);', type.oid::regtype, labels)
             when 'c' then format('CREATE TYPE %s AS (%s);', type.oid::regtype, fields)
             when 'r' then format('CREATE TYPE %s AS RANGE (%s);', type.oid::regtype, range)
             when 'd' then format('CREATE DOMAIN %s AS %s;', type.oid::regtype, domain)
           end as sql
      from pg_type as type
      left join pg_class as class on class.oid = type.typrelid
      cross join lateral (
        select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) as labels
          from pg_enum where enumtypid = type.oid) as enum
      cross join lateral (
        select string_agg(concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod), 
                                    case when attcollation <> base.typcollation then 'COLLATE ' || attcollation::regcollation end),
                          ', ' order by attnum) as fields
          from pg_attribute join pg_type as base on base.oid = atttypid
         where attrelid = type.typrelid and attnum > 0 and not attisdropped) as composite
      cross join lateral (
        select max(concat_ws(', ', 'SUBTYPE = ' || rngsubtype::regtype,
                             case when not opcdefault then 'SUBTYPE_OPCLASS = ' || quote_ident(opcname) end,
                             case when rngcollation <> base.typcollation then 'COLLATION = ' || rngcollation::regcollation end,
                             'SUBTYPE_DIFF = ' || nullif(rngsubdiff::oid, 0)::regproc,
                             'MULTIRANGE_TYPE_NAME = ' || rngmultitypid::regtype)) as range
          from pg_range join pg_opclass as class on class.oid = rngsubopc join pg_type as base on base.oid = rngsubtype
         where rngtypid = type.oid) as range_type
      cross join lateral (
        select concat_ws(' ', format_type(type.typbasetype, type.typtypmod),
                         case when type.typcollation <> base.typcollation then 'COLLATE ' || type.typcollation::regcollation end,
                         'DEFAULT ' || pg_get_expr(type.typdefaultbin, 0, true),
                         case when type.typnotnull then 'NOT NULL' end,
                         (select string_agg(format('CONSTRAINT %I %s', conname, pg_get_constraintdef(oid, true)),
                                             ' ' order by conname)
                            from pg_constraint where contypid = type.oid and contype = 'c')) as domain
          from pg_type as base where base.oid = type.typbasetype
        union all select null where type.typbasetype = 0) as domain_type
     where ${ours('pg_type', 'type', 'typnamespace')} and (typtype in ('e', 'd', 'r')
       or typtype = 'c' and class.relkind = 'c')
     order by typname`,

  sequence: `
    select ${keyOf('pg_class', 'class.oid')} as key,
           rtrim(format('CREATE SEQUENCE %s AS %s %s', class.oid::regclass, seqtypid::regtype,
             ${sequence_options})) || ';' as sql
      from pg_class as class join pg_sequence on seqrelid = class.oid
     where ${ours('pg_class', 'class', 'relnamespace')} order by relname`,

  function: `
    select ${keyOf('pg_proc', 'proc.oid')} as key,
           regexp_replace(rtrim(pg_get_functiondef(proc.oid), E'\\n'), '^(CREATE OR REPLACE \\w+ )public\\.',
             '\\1') || ';' as sql
      from pg_proc as proc where ${ours('pg_proc', 'proc', 'pronamespace')} and prokind <> 'a'
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

  sequence_owner: `
    select 'owner of ' || sequence.oid as key, ${keyOf('pg_class', 'attrelid')} as part_of,
           format('ALTER SEQUENCE %s OWNED BY %s.%I;', sequence.oid::regclass, attrelid::regclass, attname) as sql
      from pg_class as sequence
      join pg_depend on classid = 'pg_class'::regclass and objid = sequence.oid and deptype = 'a'
      join pg_attribute on attrelid = refobjid and attnum = refobjsubid
     where ${ours('pg_class', 'sequence', 'relnamespace')} and relkind = 'S' order by relname`,

  view: `
    select ${keyOf('pg_class', 'class.oid')} as key,
           format(E'CREATE %sVIEW %s%s AS\\n%s', case relkind when 'm' then 'MATERIALIZED ' else '' end,
             class.oid::regclass,
                  ${options}, pg_get_viewdef(class.oid, true)) as sql
      from pg_class as class
     where ${ours('pg_class', 'class', 'relnamespace')} and relkind in ('v', 'm') order by relname`,

  index: `
    select ${keyOf('pg_class', 'class.oid')} as key, ${keyOf('pg_class', 'indrelid')} as part_of,
           replace(pg_get_indexdef(class.oid, 0, true), ' ON ONLY ', ' ON ') || ';' as sql
      from pg_class as class join pg_index on indexrelid = class.oid
     where ${ours('pg_class', 'class', 'relnamespace')} and not relispartition
       and not exists (select from pg_constraint where conindid = class.oid and contype in ('p', 'u', 'x'))
     order by relname`,

  statistics: `
    select ${keyOf('pg_statistic_ext', 'statistic.oid')} as key, ${keyOf('pg_class', 'stxrelid')} as part_of,
           replace(pg_get_statisticsobjdef(statistic.oid), 'CREATE STATISTICS public.',
             'CREATE STATISTICS ') || ';' as sql
      from pg_statistic_ext as statistic where ${ours('pg_statistic_ext', 'statistic', 'stxnamespace')}
        order by stxname`,

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

export const table_columns = `
  select ${keyOf('pg_class', 'attrelid')} as table_key,
         concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
                   case when attcollation <> typcollation then 'COLLATE ' || attcollation::regcollation end,
                   case when attgenerated <> '' then 
                     format('GENERATED ALWAYS AS (%s) %s', pg_get_expr(adbin, adrelid, true),
                                                            case attgenerated when 's' then 'STORED' else 'VIRTUAL' end)
                        else 'DEFAULT ' || pg_get_expr(adbin, adrelid, true) end,
                   'GENERATED ' || case attidentity when 'a' then 'ALWAYS' when 'd' then 'BY DEFAULT' end
                     || ' AS IDENTITY',
                   '(' || (select nullif(${sequence_options}, '') from pg_sequence
                            where seqrelid = pg_get_serial_sequence(attrelid::regclass::text, attname)::regclass
                              and attidentity <> '') || ')',
                   case when attnotnull then 'NOT NULL' end) as line
    from pg_attribute
    join pg_type as type on type.oid = atttypid
    join pg_class as class on class.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
   order by attnum`

export const table_constraints = `
  select ${keyOf('pg_constraint', 'oid')} as key, ${keyOf('pg_class', 'conrelid')} as table_key,
         conrelid::regclass::text as table_name, ${keyOf('pg_class', 'nullif(confrelid, 0)')} as refers_to,
         convalidated as is_valid, format('CONSTRAINT %I %s', conname, pg_get_constraintdef(oid, true)) as line
    from pg_constraint
   where connamespace = 'public'::regnamespace and conrelid <> 0 and contype in ('p', 'u', 'x', 'c', 'f')
     and coninhcount = 0
   order by position(contype::text in 'puxcf'), conname`

/** Maps each catalog entry to the statement that contains it. */
const parts = `
  select 'pg_class'::regclass as classid, class.oid as objid,
         case when relkind in ('i', 'I') and conrelid is not null then ${keyOf('pg_class', 'conrelid')}
              when relkind = 'c' then ${keyOf('pg_type', 'reltype')}
              when identity.refobjid is not null then ${keyOf('pg_class', 'identity.refobjid')}
              else ${keyOf('pg_class', 'class.oid')} end as key
    from pg_class as class
    left join pg_constraint on conindid = class.oid and contype in ('p', 'u', 'x')
    left join pg_depend as identity on relkind = 'S' and identity.classid = 'pg_class'::regclass
                                   and identity.objid = class.oid and identity.deptype = 'i'
   union all
  select 'pg_type'::regclass, type.oid,
         case when relkind in ('r', 'p', 'v', 'm') then ${keyOf('pg_class', 'class.oid')}
           else ${keyOf('pg_type', 'element.oid')} end
    from pg_type as type
    left join pg_range on rngmultitypid = type.oid
    join pg_type as element on element.oid = coalesce(
         rngtypid, case when type.typcategory = 'A' then nullif(type.typelem, 0) end, type.oid)
    left join pg_class as class on class.oid = element.typrelid
   union all select 'pg_proc'::regclass, oid, ${keyOf('pg_proc', 'oid')} from pg_proc
   union all select 'pg_extension'::regclass, oid, ${keyOf('pg_extension', 'oid')} from pg_extension
   union all select 'pg_constraint'::regclass, oid,
                    case when conrelid <> 0 then ${keyOf('pg_class', 'conrelid')}
                      else ${keyOf('pg_type', 'contypid')} end from pg_constraint
   union all select 'pg_attrdef'::regclass, oid, ${keyOf('pg_class', 'adrelid')} from pg_attrdef
   union all select 'pg_rewrite'::regclass, oid, ${keyOf('pg_class', 'ev_class')} from pg_rewrite
   union all select 'pg_trigger'::regclass, oid, ${keyOf('pg_trigger', 'oid')} from pg_trigger
   union all select 'pg_policy'::regclass, oid, ${keyOf('pg_policy', 'oid')} from pg_policy
   union all select 'pg_statistic_ext'::regclass, oid, ${keyOf('pg_statistic_ext', 'oid')} from pg_statistic_ext`

export const dependencies = `
  with part as (${parts})
  select distinct user_of.key, used.key as needs
    from pg_depend as depend
    join part as user_of using (classid, objid)
    join part as used on used.classid = depend.refclassid and used.objid = depend.refobjid
   where user_of.key <> used.key and depend.deptype in ('n', 'a')
     -- The table needs its sequence. A later statement sets the owner of the sequence.
     and not exists (select from pg_sequence where depend.classid = 'pg_class'::regclass and seqrelid = depend.objid)`

export const object_comments = `
  with part as (${parts})
  select case when type = 'table constraint' then ${keyOf('pg_constraint', 'objoid')} else part.key end as key,
         format('COMMENT ON %s %s IS %L;',
                case when type like '% column' then 'COLUMN' when type like '% constraint' then 'CONSTRAINT'
                     when type = 'statistics object' then 'STATISTICS' else upper(type) end,
                regexp_replace(replace(identity, ' on public.', 
                   case type when 'domain constraint' then ' ON DOMAIN ' else ' ON ' end),
                               '^public\\.', ''),
                description) as sql
    from pg_description join part on part.classid = classoid and part.objid = objoid,
         pg_identify_object(classoid, objoid, objsubid)
   where classoid <> 'pg_extension'::regclass
   order by classoid, objsubid, identity collate "C"`

/** Objects of the schema that none of the queries above covers. */
export const unknown_objects = `
  select name from (
    select 'the foreign table ' || relname as name from pg_class as class
     where ${ours('pg_class', 'class', 'relnamespace')} and relkind = 'f'
     union all select 'row security of its owner of the table ' || relname from pg_class
     where relnamespace = 'public'::regnamespace and relforcerowsecurity
     union all select 'the policy ' || polname from pg_policy join pg_class as class on class.oid = polrelid
     where relnamespace = 'public'::regnamespace and (polroles <> '{0}' or not polpermissive)
     union all select 'inheritance of the table ' || relname from pg_class join pg_inherits on inhrelid = oid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition
     union all select 'the rule ' || rulename from pg_rewrite join pg_class as class on class.oid = ev_class
     where ${ours('pg_class', 'class', 'relnamespace')} and rulename <> '_RETURN'
     union all select 'the aggregate ' || proname from pg_proc as proc
     where ${ours('pg_proc', 'proc', 'pronamespace')} and prokind = 'a'
     union all select 'the operator ' || oprname from pg_operator as operator
     where ${ours('pg_operator', 'operator', 'oprnamespace')}
     union all select 'the collation ' || collname from pg_collation as collation_
     where ${ours('pg_collation', 'collation_', 'collnamespace')}) as unknown
   order by name limit 1`
