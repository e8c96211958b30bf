/** The themes that a user can choose. `system` follows the setting of the device. */
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'theme'

/** The theme that was chosen in this browser. */
export const chosenTheme = (): Theme => themes.find((theme) => theme === localStorage.getItem(key)) ?? 'system'

/** Applies a theme and remembers it in this browser. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(key, theme)
  applyTheme()
}

/** Applies the chosen theme to the page. */
export function applyTheme(): void {
  const theme = chosenTheme()
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme
}
