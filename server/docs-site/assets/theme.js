// Runs before a page is drawn, so that it is drawn as its reader chose: light, dark, or as the system says.
{
  const kept = 'openbenefits.theme'
  const themes = ['system', 'light', 'dark']
  const chosen = () => {
    const theme = localStorage.getItem(kept) ?? 'system'
    return themes.includes(theme) ? theme : 'system'
  }
  const show = () => {
    document.documentElement.dataset.theme = chosen()
    const button = document.querySelector('.ob-theme')
    if (button) button.textContent = { system: 'System', light: 'Light', dark: 'Dark' }[chosen()]
    button?.setAttribute('aria-label', `Theme: ${chosen()}. Change it`)
    // References draw themselves, by a class of their own.
    const is_dark = chosen() === 'dark' || (chosen() === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
    if (document.body && !document.body.classList.contains('ob-docs')) {
      document.body.classList.toggle('dark-mode', is_dark)
      document.body.classList.toggle('light-mode', !is_dark)
    }
  }
  show()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show)
  document.addEventListener('DOMContentLoaded', () => {
    show()
    document.querySelector('.ob-theme')?.addEventListener('click', () => {
      localStorage.setItem(kept, themes[(themes.indexOf(chosen()) + 1) % themes.length])
      show()
    })
  })
}
