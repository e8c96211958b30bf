import { type ReactNode, useEffect, useRef } from 'react'

type MenuProps = { label: string; mark?: ReactNode; end?: boolean; children: ReactNode }

/** A button that opens a panel below it. A click elsewhere or Escape closes it. `end`: aligned to the right. */
export function Menu({ label, mark, end = false, children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      if (menu.current?.open && !menu.current.contains(target as Node)) menu.current.open = false
    }
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !menu.current?.open) return
      menu.current.open = false
      menu.current.querySelector('summary')?.focus()
    }
    addEventListener('pointerdown', onPress)
    addEventListener('keydown', onKeyDown)
    return () => {
      removeEventListener('pointerdown', onPress)
      removeEventListener('keydown', onKeyDown)
    }
  }, [])
  return (
    // One open menu at a time.
    <details className="menu" name="menu" ref={menu}>
      <summary className="button">
        {label}
        {mark}
      </summary>
      <div className={end ? 'menu-panel end' : 'menu-panel'}>{children}</div>
    </details>
  )
}

type ChoiceProps = {
  label: string
  values: readonly { value: string; label: ReactNode; count?: number | undefined }[]
  chosen: readonly string[]
  choose: (values: string[]) => void
}

/** The checkboxes of a menu, each with the number of matching rows. */
export const MenuChoices = ({ label, values, chosen, choose }: ChoiceProps) => (
  <fieldset className="menu-choices">
    <legend className="unseen">{label}</legend>
    {values.map(({ value, label, count }) => (
      <label key={value}>
        <input
          type="checkbox"
          checked={chosen.includes(value)}
          onChange={({ target }) =>
            choose(
              values.map((one) => one.value).filter((one) => (one === value ? target.checked : chosen.includes(one))),
            )
          }
        />
        <span>{label}</span>
        {count !== undefined && <span className="number quiet">{count}</span>}
      </label>
    ))}
  </fieldset>
)

type FilterProps<Value extends string> = Omit<ChoiceProps, 'values' | 'chosen' | 'choose'> & {
  values: readonly Value[]
  labelOf: (value: Value) => ReactNode
  /** the number of rows by value */
  counts: Map<string, number> | undefined
  chosen: readonly Value[] | undefined
  choose: (values: Value[] | undefined) => void
  end?: boolean
}

/** A menu that filters by several values. An empty selection matches all rows. */
export function MenuFilter<Value extends string>(props: FilterProps<Value>) {
  const { label, values, labelOf, counts, chosen = [], choose, end = false } = props
  return (
    <Menu label={label} end={end} mark={chosen.length > 0 && <span className="menu-mark">{chosen.length}</span>}>
      <MenuChoices
        label={label}
        values={values.map((value) => ({
          value,
          label: labelOf(value),
          count: counts && (counts.get(value) ?? 0),
        }))}
        chosen={chosen}
        choose={(selected) => choose(selected.length > 0 ? (selected as Value[]) : undefined)}
      />
      {values.length === 0 && <span className="quiet">None</span>}
    </Menu>
  )
}
