import type { BeneficiariesInput, BenefitBeneficiaries } from 'openbenefits'
import { type ReactNode, useId, useState } from 'react'
import { ob, refetch } from '../../api.ts'
import { toSentence } from '../../format.ts'
import { useAction } from '../../parts/form/use-action.ts'
import { takeFocus } from '../../parts/page/interaction.ts'
import { HereLink, useChangeSearch } from '../../parts/page/links.tsx'
import { ErrorMessage } from '../../parts/page/page.tsx'

type Beneficiary = BenefitBeneficiaries['beneficiaries'][number]
type Level = Beneficiary['level']
type Kind = Beneficiary['type']
type Relationship = NonNullable<Beneficiary['relationship']>

/** A beneficiary while it is edited. */
type Row = { level: Level; type: Kind; name: string; relationship: Relationship; born: string; share: string }

const levels: Level[] = ['primary', 'contingent']
const types: Kind[] = ['person', 'trust', 'estate']
const relationships: Relationship[] = ['spouse', 'domestic_partner', 'child', 'parent', 'sibling', 'other']

const max_rows = 20

const toRow = ({ level, type, name, relationship, date_of_birth, share_percentage }: Beneficiary): Row => ({
  level,
  type,
  name: name ?? '',
  relationship: relationship ?? 'other',
  born: date_of_birth ?? '',
  share: String(share_percentage),
})

const newRow = (level: Level): Row => ({ level, type: 'person', name: '', relationship: 'spouse', born: '', share: '' })

/** A row in the format of the API. */
const toBeneficiary = ({ level, type, name, relationship, born, share }: Row) => ({
  level,
  type,
  ...(type !== 'estate' && { name }),
  ...(type === 'person' && { relationship, date_of_birth: born || null }),
  share_percentage: Number(share),
})

/** `Primary 50 of 100%`, for each level with beneficiaries. */
const describeTotals = (rows: Row[]): string =>
  levels
    .map((level) => ({ level, those: rows.filter((row) => row.level === level) }))
    .filter(({ those }) => those.length > 0)
    .map(({ level, those }) => {
      const total = those.reduce((sum, { share }) => sum + Math.round(Number(share) * 100), 0) / 100
      return `${toSentence(level)}: ${total} of 100%`
    })
    .join(' · ')

type DesignateProps = { employee_id: string; of: BenefitBeneficiaries }

/** The form that replaces the beneficiaries of a benefit. */
export function DesignateBeneficiaries({ employee_id, of }: DesignateProps) {
  const [rows, setRows] = useState(() =>
    of.beneficiaries.length > 0 ? of.beneficiaries.map(toRow) : [newRow('primary')],
  )
  const change = useChangeSearch()
  const save = useAction({
    mutationFn: async () => {
      const input = { beneficiaries: rows.map(toBeneficiary) } as BeneficiariesInput
      await ob.beneficiaries.designate(employee_id, of.benefit_id, input)
      await refetch(['employees', employee_id, 'beneficiaries'])
      await change({ designating: undefined })
    },
  })
  return (
    <form
      className="offer-body"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <h3 tabIndex={-1} ref={takeFocus}>
        Beneficiaries of {of.benefit_name}
      </h3>
      {save.error && <ErrorMessage error={save.error} />}
      {rows.map((row, at) => (
        <BeneficiaryFields
          key={at}
          of={row}
          number={at + 1}
          change={(changed) => setRows(rows.with(at, { ...row, ...changed }))}
          remove={() => setRows(rows.toSpliced(at, 1))}
        />
      ))}
      <span className="quiet">
        {rows.length > 0 ? describeTotals(rows) : 'Without beneficiaries, the rules of the plan decide.'}
      </span>
      <div className="form-end">
        <button type="submit" className="button main" disabled={save.isPending}>
          Save beneficiaries
        </button>
        {rows.length < max_rows && (
          <button type="button" className="button" onClick={() => setRows([...rows, newRow(nextLevel(rows))])}>
            Add beneficiary
          </button>
        )}
        <HereLink change={{ designating: undefined }}>Cancel</HereLink>
      </div>
    </form>
  )
}

/** The level of an added beneficiary: contingent when the shares of the primary ones are complete. */
const nextLevel = (rows: Row[]): Level => {
  const primary = rows.filter(({ level }) => level === 'primary')
  return primary.reduce((sum, { share }) => sum + Number(share), 0) >= 100 ? 'contingent' : 'primary'
}

type FieldsProps = { of: Row; number: number; change: (changed: Partial<Row>) => void; remove: () => void }

function BeneficiaryFields({ of: row, number, change, remove }: FieldsProps) {
  const id = useId()
  const field = (name: keyof Row, label: string, input: ReactNode) => (
    <div className="field">
      <label htmlFor={id + name}>{label}</label>
      {input}
    </div>
  )
  const choice = (name: 'level' | 'type' | 'relationship', label: string, values: readonly string[]) =>
    field(
      name,
      label,
      <select
        id={id + name}
        value={row[name]}
        onChange={({ target }) => change({ [name]: target.value } as Partial<Row>)}
      >
        {values.map((value) => (
          <option key={value} value={value}>
            {toSentence(value)}
          </option>
        ))}
      </select>,
    )
  const typed = (name: 'name' | 'born' | 'share', label: string, more: object) =>
    field(
      name,
      label,
      <input
        id={id + name}
        autoComplete="off"
        value={row[name]}
        onChange={({ target }) => change({ [name]: target.value })}
        {...more}
      />,
    )
  return (
    <fieldset className="fields beneficiary">
      <legend className="unseen">Beneficiary {number}</legend>
      {choice('type', 'Type', types)}
      {row.type !== 'estate' && typed('name', 'Name', { maxLength: 200 })}
      {row.type === 'person' && choice('relationship', 'Relationship', relationships)}
      {row.type === 'person' && typed('born', 'Born (optional)', { type: 'date' })}
      {choice('level', 'Level', levels)}
      {typed('share', 'Share in percent', { type: 'number', min: 0, max: 100, step: 0.01, className: 'share-input' })}
      <button type="button" className="plain" aria-label={`Remove beneficiary ${number}`} onClick={remove}>
        Remove
      </button>
    </fieldset>
  )
}
