import { Link } from '@tanstack/react-router'
import { useState, type SubmitEvent } from 'react'
import { takeFocus } from './take-focus.ts'

/** A list as somebody wants to see it again: a name, and what the address says after its path. */
type View = { name: string; search: Record<string, unknown> }

const read = (place: string): View[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
    return Array.isArray(kept) ? (kept as View[]) : []
  } catch {
    // A browser may keep nothing at all, or something else under this name.
    return []
  }
}

const keep = (place: string, views: View[]): void => {
  try {
    localStorage.setItem(place, JSON.stringify(views))
  } catch {
    // It is there until the page is left.
  }
}

/**
 * Views by name, kept in this browser for whoever uses it. Each is an address: it can be shared, and what is shown can
 * be kept under a name. `said`: the search of the page; `kind`: of which list.
 */
export function Views({ kind, said }: { kind: string; said: Record<string, unknown> }) {
  const place = `openbenefits.views.${kind}`
  const [views, setViews] = useState(() => read(place))
  const [is_naming, setNaming] = useState(false)
  const { as: _, ...search } = said
  const shown = JSON.stringify(search)
  const is_filtered = Object.values(search).some((value) => value !== undefined)
  const save = (kept: View[]) => {
    keep(place, kept)
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
            aria-label={`Forget ${view.name}`}
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
            aria-label="Name of the view"
            placeholder="Name, kept in this browser"
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
