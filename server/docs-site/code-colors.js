// Which parts of a program are what, by highlight.js. Plain JavaScript with its types beside it: those of the package
// bring in all that a browser has, and then the server's own code may name it without an error.
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'

const grammars = { sh: bash, go, ini, java, json, python, ruby, sql, ts: typescript }
for (const [name, grammar] of Object.entries(grammars)) hljs.registerLanguage(name, grammar)

export const colored = (code, language) => hljs.highlight(code, { language, ignoreIllegals: true }).value
