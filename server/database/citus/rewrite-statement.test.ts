import { describe, expect, it } from 'vitest'
import { inReach } from '../sql/reach.ts'
import { read, statement } from '../sql/statement.ts'
import type { CompiledStatement } from '../query/distribution.ts'
import { removeTestStatements } from '../../test/declared-statements.ts'
import { rewriteStatement } from './rewrite-statement.ts'

removeTestStatements()

const textForOne = (declared: CompiledStatement) => rewriteStatement(declared, true).text

const in_reach = `select employee.id from employees as employee
  where ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`

describe('a rewritten statement', () => {
  it('compares with a single organization if the caller reaches one', () => {
    const declared = read('test.ofOne', in_reach)
    const { text, parameters } = declared
    const text_of_one = textForOne(declared)
    const organizations = `$${parameters.indexOf('reach_organization_ids') + 1}`
    expect(text).toContain(`(${organizations}::text[] is null or employee.organization_id = any(${organizations}))`)
    expect(text_of_one).toContain(`employee.organization_id = (${organizations}::text[])[1]`)
    expect(text_of_one).not.toContain('any(')
  })

  it('reads each sharded table as that of one organization', () => {
    const text_of_one = textForOne(
      read(
        'test.distributed',
        `select employer.name from employees as employee
         join employers as employer on employer.id = employee.employer_id
          and employer.organization_id = employee.organization_id
        where exists (select from organizations where id = employer.organization_id)
          and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`,
      ),
    )
    expect(text_of_one).toContain('from (select * from employees where organization_id = ($1::text[])[1]) as employee')
    expect(text_of_one).toContain('join (select * from employers where organization_id = ($1::text[])[1]) as employer')
    expect(text_of_one).toContain('employee.organization_id and employer.organization_id = ($1::text[])[1])')
    expect(text_of_one).toContain(
      'exists (select 1 from (select * from jsonb_to_recordset($4::jsonb) as organizations (id text',
    )
  })

  it('adds a returning clause to a final insert from a select', () => {
    const written = 'insert into groups (id, organization_id) select id, :organization_id from people'
    expect(textForOne(statement('test.inserted', written))).toMatch(/returning true as written$/)
    const reported = `with made as (${written} returning id) ${written}`
    expect(textForOne(statement('test.insertedTwice', reported))).toMatch(/returning true as written$/)
    const read_after = `with made as (${written} returning id) select id from made`
    expect(textForOne(statement('test.insertedBefore', read_after))).toMatch(/select id from made$/)
  })
})
