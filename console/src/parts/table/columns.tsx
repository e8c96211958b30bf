import { useState } from 'react'
import { MenuChoices, Menu } from './menu.tsx'
import { readStored, writeStored } from './stored.ts'
import type { Column } from './table.tsx'

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

/**
 * The columns of a list that the user has not hidden in this browser, and the menu to choose them. The first column is
 * always shown.
 */
export function useColumns<Row>(list: string, columns: Column<Row>[]) {
  const key = `openbenefits.hidden-columns.${list}`
  const [hidden, setHidden] = useState(() => readStored(key, isNames) ?? [])
  const optional = columns.slice(1).map(({ name }) => name)
  const menu = (
    <Menu label="Columns" end>
      <MenuChoices
        label="Columns"
        values={optional.map((name) => ({ value: name, label: name }))}
        chosen={optional.filter((name) => !hidden.includes(name))}
        choose={(shown) => {
          const now = optional.filter((name) => !shown.includes(name))
          writeStored(key, now)
          setHidden(now)
        }}
      />
    </Menu>
  )
  return { shown: columns.filter(({ name }) => !hidden.includes(name)), menu }
}
