import { useState } from 'react'
import { ob, operator } from '../api.ts'
import { toSentence } from '../format.ts'
import { base_url, deleteDrafts, isOperator, session } from '../session.ts'

/** The themes that a user can choose. `system` follows the setting of the device. */
const themes = ['system', 'light', 'dark'] as const
const theme_key = 'theme'

/** The theme that was chosen in this browser. */
const chosenTheme = () => themes.find((theme) => theme === localStorage.getItem(theme_key)) ?? 'system'

/** The keys that open the palette. */
export const find_keys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

/** Applies the chosen theme to the page. */
export function applyTheme(): void {
  const theme = chosenTheme()
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme
}

/** Signs out and opens the sign-in page. */
async function signOut(): Promise<void> {
  await (isOperator() ? operator : ob).sessions.revoke(session.session_id)
  deleteDrafts()
  location.assign(`${base_url}/sign-in`)
}

/** The name of the user, which opens a menu: another person in a sandbox, help, themes, shortcuts, and sign-out. */
export function AccountMenu() {
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <div className="account">
      <button type="button" className="account-button" popoverTarget="account-menu">
        <span className="account-name">{session.user.name}</span>
        <span className="quiet">{toSentence(session.role.toLowerCase())}</span>
      </button>
      <div id="account-menu" popover="auto" aria-label="Account">
        {session.sandbox && <a href={`${base_url}/sign-in`}>Switch person</a>}
        <a href={`${base_url}/docs`}>Documentation</a>
        <fieldset>
          <legend>Theme</legend>
          {themes.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="theme"
                checked={theme === each}
                onChange={() => {
                  localStorage.setItem(theme_key, each)
                  applyTheme()
                  setTheme(each)
                }}
              />
              {toSentence(each)}
            </label>
          ))}
        </fieldset>
        <dl aria-label="Keyboard shortcuts">
          <dt>Find</dt>
          <dd>
            <kbd>{find_keys}</kbd>
          </dd>
          <dt>Close or cancel</dt>
          <dd>
            <kbd>Esc</kbd>
          </dd>
        </dl>
        <button type="button" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </div>
  )
}
