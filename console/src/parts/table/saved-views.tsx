import { Link } from '@tanstack/react-router'
import { type SubmitEvent, useState } from 'react'
import { takeFocus } from '../page/interaction.ts'
import { readStored, writeStored } from './stored.ts'

/** A saved view of a list: a name and the search of the URL. */
type SavedView = { name: string; search: Record<string, unknown> }

const isViews = (value: unknown): value is SavedView[] => Array.isArray(value)

/**
 * Named views of a list, stored in this browser. Each view is a URL that can be shared. `current` is the search of the
 * page, `kind` the list.
 */
export function SavedViews({ kind, current }: { kind: string; current: Record<string, unknown> }) {
  const storage_key = `openbenefits.views.${kind}`
  const [views, setViews] = useState(() => readStored(storage_key, isViews) ?? [])
  const [is_naming, setNaming] = useState(false)
  const { as: _, ...search } = current
  const shown = JSON.stringify(search)
  const is_filtered = Object.values(search).some((value) => value !== undefined)
  const save = (kept: SavedView[]) => {
    writeStored(storage_key, kept)
    setViews(kept)
  }
  const name = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    if (name !== '') save([...views.filter((view) => view.name !== name), { name, search: JSON.parse(shown) }])
    setNaming(false)
  }
  if (views.length === 0 && !is_filtered) return null
  return (
    <div className="views" role="group" aria-label="Saved views">
      {views.map((view) => (
        <span key={view.name}>
          <Link to="." search={view.search as never} aria-current={JSON.stringify(view.search) === shown}>
            {view.name}
          </Link>
          <button
            type="button"
            className="plain"
            aria-label={`Delete ${view.name}`}
            onClick={() => save(views.filter((one) => one !== view))}
          >
            ×
          </button>
        </span>
      ))}
      {is_filtered && !is_naming && !views.some((view) => JSON.stringify(view.search) === shown) && (
        <button type="button" className="plain" onClick={() => setNaming(true)}>
          Save this view
        </button>
      )}
      {is_naming && (
        <form onSubmit={name}>
          <input
            ref={takeFocus}
            name="name"
            aria-label="View name"
            placeholder="Name (saved in this browser)"
            maxLength={60}
          />
          <button type="submit" className="button">
            Save
          </button>
        </form>
      )}
    </div>
  )
}
