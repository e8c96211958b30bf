import { type ReactNode, useId, useState } from 'react'
import { ApiError, isSignedOut, messageOf } from '../../api.ts'
import { formatReason } from '../../reasons.ts'
import { takeFocus } from '../page/interaction.ts'

/** A value and its label. */
type Option = readonly [value: string, label: string]

/** Props that the form passes to each field: id, value, description and change handler. */
export type InputProps = {
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
  /** help text shown before the user answers */
  hint?: ReactNode
  kind?: 'text' | 'date' | 'number' | 'email' | 'url' | 'choice' | 'several' | 'long'
  /** the options. They make the field a choice, unless its kind is `several`, whose values are joined with spaces */
  options?: readonly Option[]
  /** the first and the last day of a date field */
  min?: string
  max?: string
  /** renders a custom field */
  render?: (input: InputProps) => ReactNode
  required?: boolean
}

export type Values = Record<string, string>

type FormProps = {
  fields: Field[]
  initial?: Values
  /** throws if the service refuses */
  submit: (values: Values) => Promise<unknown>
  button: string
  /** whether the page has a more important button */
  is_secondary?: boolean
  /** the message after success */
  success?: string
  children?: ReactNode
}

/** A field error that a screen finds before it sends a request. */
export class FieldError extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

type FormProblem = { field: string | null; message: string }

const problemsOf = (error: unknown): FormProblem[] => {
  if (error instanceof FieldError) return [error]
  if (isSignedOut(error)) return [{ field: null, message: 'Your session has ended. Sign in again, then resubmit.' }]
  if (!(error instanceof ApiError))
    return [{ field: null, message: 'The service did not respond. Check your connection.' }]
  return error.details.length > 0 ? error.details : [{ field: null, message: messageOf(error) }]
}

/**
 * The only form component. Refusals of the service appear next to their fields and at the top, which gets the focus.
 * Entries stay.
 */
export function Form({ fields, initial = {}, submit, button, is_secondary, success = 'Saved.', children }: FormProps) {
  const [values, setValues] = useState<Values>(initial)
  const [complaints, setComplaints] = useState<FormProblem[]>([])
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
      setComplaints(problemsOf(error))
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
            // If a field has parts, such as an address, the id belongs to its first part.
            const named =
              fields.find(({ name }) => name === field) ??
              fields.find(({ name }) => field && name.startsWith(`${field}.`))
            return (
              <p key={`${field}${message}`}>
                {named ? <a href={`#${id}${named.name}`}>{named.label}</a> : field && <code>{field}</code>}{' '}
                {formatReason(message)}
              </p>
            )
          })}
        </div>
      )}
      {fields.map((field) => (
        <FieldInput
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
        <button type="submit" className={is_secondary ? 'button' : 'button main'} disabled={busy}>
          {button}
        </button>
        <span role="status" className="quiet">
          {busy ? 'Saving…' : done ? success : ''}
        </span>
      </div>
    </form>
  )
}

type FieldInputProps = {
  id: string
  field: Field
  value: string
  complaint: string | undefined
  change: (value: string) => void
}

function FieldInput({
  id,
  field: { label, hint, options, kind = options ? 'choice' : 'text', min, max, render, required },
  value,
  complaint,
  change,
}: FieldInputProps) {
  const described = [hint && `${id}-hint`, complaint && `${id}-wrong`].filter(Boolean).join(' ') || undefined
  const common: InputProps = {
    id,
    value,
    'aria-describedby': described,
    'aria-invalid': complaint ? true : undefined,
    'aria-required': required,
    onChange: (event) => change(event.target.value),
  }
  return (
    <div className="field" data-wrong={complaint !== undefined}>
      <label htmlFor={kind === 'several' ? undefined : id} id={`${id}-label`}>
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
      {render ? (
        render(common)
      ) : kind === 'choice' ? (
        <select {...common}>
          {options?.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      ) : kind === 'several' ? (
        <Checkboxes id={id} label={label} options={options ?? []} value={value} described={described} change={change} />
      ) : kind === 'long' ? (
        <textarea rows={3} {...common} />
      ) : (
        <input type={kind} autoComplete="off" min={min} max={max} {...common} />
      )}
    </div>
  )
}

type CheckboxesProps = {
  id: string
  label: string
  options: readonly Option[]
  value: string
  described: string | undefined
  change: (value: string) => void
}

/** A group of checkboxes. */
function Checkboxes({ id, label, options, value, described, change }: CheckboxesProps) {
  const chosen = value.split(' ').filter(Boolean)
  const toggle = (one: string) =>
    change(
      options
        .map(([option]) => option)
        .filter((each) => chosen.includes(each) !== (each === one))
        .join(' '),
    )
  return (
    <div className="boxes" role="group" id={id} tabIndex={-1} aria-label={label} aria-describedby={described}>
      {options.map(([option, text]) => (
        <label key={option}>
          <input type="checkbox" checked={chosen.includes(option)} onChange={() => toggle(option)} />
          {text}
        </label>
      ))}
    </div>
  )
}
