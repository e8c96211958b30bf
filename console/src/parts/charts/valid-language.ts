/**
 * uPlot creates a number format in the language of the browser when it loads, and fails if that is not a valid language
 * tag, such as `en-US@posix`. Import this file before uPlot.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' })
}
