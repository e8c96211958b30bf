import { useId, useState, type ReactNode } from 'react'
import { ApiError, nobodyIn, wordsOf } from '../api.ts'
import { DaysInput, type Days } from './days.tsx'
import { takeFocus } from './take-focus.ts'

type Option = { value: string; label: string }

/** What of a field is the form’s: its id and value, what describes it, and to whom a change is told. */
type Drawn = {
  id: string
  value: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': boolean | undefined
  onChange: (event: { target: { value: string } }) => void
}

export type Field = {
  name: string
  label: string
  /** what helps to answer it, before one does */
  hint?: ReactNode
  kind?: 'text' | 'date' | 'number' | 'email' | 'url' | 'choice' | 'several' | 'long' | 'days'
  /** of a choice; `several` are said with spaces between them */
  options?: Option[]
  /** of days: which there are to choose of */
  days?: Days
  /** draws what no kind is like */
  draw?: (input: Drawn) => ReactNode
  required?: boolean
}

export type Values = Record<string, string>

type FormProps = {
  fields: Field[]
  initial?: Values
  /** throws what the service refuses */
  submit: (values: Values) => Promise<unknown>
  button: string
  /** what is said when it was done */
  said?: string
  children?: ReactNode
}

/** What a screen itself finds wrong with a field, before the service is asked. */
export class Wrong extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

type Complaint = { field: string | null; message: string }

const complaintsOf = (error: unknown): Complaint[] => {
  if (error instanceof Wrong) return [error]
  if (nobodyIn(error)) return [{ field: null, message: 'Your session has ended: sign in again, then send it again.' }]
  if (!(error instanceof ApiError))
    return [{ field: null, message: 'The service did not answer. Check your connection.' }]
  return error.details.length > 0 ? error.details : [{ field: null, message: wordsOf(error) }]
}

/**
 * The one form. What the service refuses is said at its field in the service's words and at the top, where the focus
 * goes; what was typed stays.
 */
export function Form({ fields, initial = {}, submit, button, said = 'Saved.', children }: FormProps) {
  const [values, setValues] = useState<Values>(initial)
  const [complaints, setComplaints] = useState<Complaint[]>([])
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState(false)
  const id = useId()
  const change = (name: string, value: string) => {
    setDone(false)
    setValues((before) => ({ ...before, [name]: value }))
  }
  const send = async () => {
    setBusy(true)
    setComplaints([])
    try {
      await submit(values)
      setDone(true)
    } catch (error) {
      setComplaints(complaintsOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {complaints.length > 0 && (
        <div className="trouble" role="alert" tabIndex={-1} ref={takeFocus}>
          {complaints.map(({ field, message }) => {
            // Of what has parts, such as an address, the first of them.
            const named =
              fields.find(({ name }) => name === field) ??
              fields.find(({ name }) => field && name.startsWith(`${field}.`))
            return (
              <p key={`${field}${message}`}>
                {named ? <a href={`#${id}${named.name}`}>{named.label}</a> : field && <code>{field}</code>} {message}
              </p>
            )
          })}
        </div>
      )}
      {fields.map((field) => (
        <Input
          key={field.name}
          id={id + field.name}
          field={field}
          value={values[field.name] ?? ''}
          complaint={complaints.find(({ field: name }) => name === field.name)?.message}
          change={(value) => change(field.name, value)}
        />
      ))}
      {children}
      <div className="form-end">
        <button type="submit" className="button main" disabled={busy}>
          {button}
        </button>
        <span role="status" className="quiet">
          {busy ? 'Saving…' : done ? said : ''}
        </span>
      </div>
    </form>
  )
}

type InputProps = {
  id: string
  field: Field
  value: string
  complaint: string | undefined
  change: (value: string) => void
}

function Input({
  id,
  field: { label, hint, kind = 'text', options = [], days, draw, required },
  value,
  complaint,
  change,
}: InputProps) {
  const described = [hint && `${id}-hint`, complaint && `${id}-wrong`].filter(Boolean).join(' ') || undefined
  const common: Drawn = {
    id,
    value,
    'aria-describedby': described,
    'aria-invalid': complaint ? true : undefined,
    'aria-required': required,
    onChange: (event) => change(event.target.value),
  }
  return (
    <div className="field" data-wrong={complaint !== undefined}>
      <label htmlFor={kind === 'several' || kind === 'days' ? undefined : id} id={`${id}-label`}>
        {label}
        {required === false && <span className="quiet"> (optional)</span>}
      </label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {complaint && (
        <p className="wrong" id={`${id}-wrong`}>
          {complaint}
        </p>
      )}
      {draw ? (
        draw(common)
      ) : kind === 'choice' ? (
        <select {...common}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : kind === 'several' ? (
        <Boxes id={id} label={label} options={options} value={value} described={described} change={change} />
      ) : kind === 'days' && days ? (
        <DaysInput {...days} id={id} label={label} described={described} value={value} change={change} />
      ) : kind === 'long' ? (
        <textarea rows={3} {...common} />
      ) : (
        <input type={kind} autoComplete="off" {...common} />
      )}
    </div>
  )
}

type BoxesProps = {
  id: string
  label: string
  options: Option[]
  value: string
  described: string | undefined
  change: (value: string) => void
}

/** Several of a few, each with a box. */
function Boxes({ id, label, options, value, described, change }: BoxesProps) {
  const chosen = value.split(' ').filter(Boolean)
  const toggle = (one: string) =>
    change(
      options
        .map((option) => option.value)
        .filter((each) => chosen.includes(each) !== (each === one))
        .join(' '),
    )
  return (
    <div className="boxes" role="group" id={id} tabIndex={-1} aria-label={label} aria-describedby={described}>
      {options.map((option) => (
        <label key={option.value}>
          <input type="checkbox" checked={chosen.includes(option.value)} onChange={() => toggle(option.value)} />
          {option.label}
        </label>
      ))}
    </div>
  )
}
