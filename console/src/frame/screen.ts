import { createElement, lazy, use, type ComponentType, type FunctionComponent, type ReactNode } from 'react'
import { isReachable, Offline } from '../connection.ts'

/** The service responds but lacks this file, because it was upgraded after the console loaded. */
export class ScreenMissing extends Error {
  readonly #key: string

  constructor(screen: string, cause: unknown) {
    super(`The screen ${screen} can’t be loaded.`, { cause })
    this.#key = `reloaded:${screen}`
  }

  /** Whether this screen has not caused a reload yet. A missing file must not cause endless reloads. */
  isFirst(): boolean {
    return sessionStorage.getItem(this.#key) === null
  }

  reload(): void {
    sessionStorage.setItem(this.#key, 'yes')
    location.reload()
  }
}

/** Loads the code of a screen. Throws `Offline` if the service does not respond, or else `ScreenMissing`. */
export async function loadScreen<Code>(load: () => Promise<Code>, name: string): Promise<Code> {
  try {
    const code = await load()
    sessionStorage.removeItem(`reloaded:${name}`)
    return code
  } catch (error) {
    if (await isReachable()) throw new ScreenMissing(name, error)
    throw new Offline('The service does not respond.', { cause: error })
  }
}

type PropsOf<Part> = Part extends (props: infer Props) => ReactNode ? Props : never

/** A component with code that loads on first use, to be rendered in `Suspense`. */
export const lazyPart = <Code, Name extends keyof Code & string>(load: () => Promise<Code>, name: Name) =>
  lazy(() => loadScreen(load, name).then((code) => ({ default: code[name] as FunctionComponent<PropsOf<Code[Name]>> })))

/** Loads another page in place of the console if the service responds. If not, the frame shows that it is offline. */
export async function leaveFor(href: string): Promise<void> {
  if (await isReachable()) location.assign(href)
}

type LoadedScreen = (() => ReactNode) & { preload: () => Promise<void> }

/**
 * A screen with code that loads on first use. The router's own `lazyRouteComponent` reloads the page when
 * that fails, which puts the browser's error page in place of the console if the service is stopped.
 */
export function screen<Code extends object>(load: () => Promise<Code>, name: keyof Code & string): LoadedScreen {
  let found: ComponentType | undefined
  let loading: Promise<void> | undefined
  const preload = () =>
    (loading ??= loadScreen(load, name).then(
      (code) => void (found = code[name] as ComponentType),
      (error) => {
        loading = undefined
        throw error
      },
    ))
  const Screen = () => {
    if (!found) use(preload())
    return createElement(found!)
  }
  return Object.assign(Screen, { preload })
}
