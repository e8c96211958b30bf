import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { dayOf, sentence } from '../format.ts'
import { base_url, type Session } from '../session.ts'
import { signOut } from './sign-out.ts'
import { chooseTheme, chosenTheme, themes } from './theme.ts'

/** The name of the user, which opens a menu: another person in a sandbox, the theme, help, and sign-out. */
export function AccountMenu({ session }: { session: Session }) {
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <div className="account">
      {session.sandbox && <SandboxDay session={session} />}
      <button type="button" className="account-button" popoverTarget="account-menu">
        <span className="account-name">{session.user.name}</span>
        <span className="quiet">{sentence(session.role.toLowerCase())}</span>
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
                  chooseTheme(each)
                  setTheme(each)
                }}
              />
              {sentence(each)}
            </label>
          ))}
        </fieldset>
        <button type="button" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </div>
  )
}

/** States that this is a sandbox. Members see the present day of their organization, which a test clock may move. */
function SandboxDay({ session: { organization_id, organizations } }: { session: Session }) {
  const organization = organizations.find(({ id }) => id === organization_id)
  if (organization) return <span className="sandbox-day">Sandbox, {dayOf(organization.today)}</span>
  return (
    <Link className="sandbox-day" to="/clocks">
      Sandbox
    </Link>
  )
}
