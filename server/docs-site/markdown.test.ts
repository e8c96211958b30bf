import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './markdown.ts'

const explained = (code: string) => (code === 'GET /v1/plans' ? '/docs/reference/#plans' : undefined)
const drawn = async (markdown: string) => (await renderMarkdown(markdown, { base: '/benefits', explained })).body.text

describe('a text', () => {
  it.each([
    ['html as it stands', 'a <b onclick="x">bold</b> one', '&lt;b onclick=&quot;x&quot;&gt;bold&lt;/b&gt;'],
    ['no link that runs', '[x](javascript:alert(1))', '<p>x</p>'],
    ['paths behind those of a proxy', '[x](/docs/errors)', '<a href="/benefits/docs/errors">x</a>'],
    [
      'where code is explained',
      '`GET /v1/plans`',
      '<a class="code" href="/benefits/docs/reference/#plans"><code>GET /<wbr>v1/<wbr>plans<',
    ],
    [
      'one link where there are two',
      '[`GET /v1/plans`](/x)',
      '<p><a href="/benefits/x"><code>GET /<wbr>v1/<wbr>plans</code></a></p>',
    ],
    ['colored code', '```sh\necho "a" # b\n```', '<span class="hljs-comment"># b</span>'],
    ['code of no language as it stands', '```\n<a>\n```', '<code>&lt;a&gt;</code>'],
    ['JSON with its levels', '```json\n{"a":1}\n```', '{</span>\n  <span'],
    ['what is answered as that', '```sh\nx\n```\n\n```\ny\n```', '<figure class="code answer">'],
    ['a picture of ours', '![w](pictures/a-b.svg)', '<img src="/benefits/docs/assets/a-b.svg" alt="w" />'],
    ['no picture of others', '![w](https://x.example/a.svg)', '<p>w</p>'],
    ['a table without empty headings', '| | |\n|---|---|\n| a | b |', '<table><tbody><tr><td>a</td>'],
  ])('shows %s', async (_, markdown, html) => expect(await drawn(markdown)).toContain(html))

  it('has blocks with tabs one beside the other, and headings that are linked to', async () => {
    const tabs = await drawn('```sh tab="curl"\na\n```\n\n```ts tab="TypeScript"\nb\n```\n\nafter')
    expect(tabs).toMatch(
      /^<div class="tabs"><figure[^>]* data-tab="curl">.*<figure[^>]* data-tab="TypeScript">.*<\/div>\n<p>after/s,
    )
    const { headings } = await renderMarkdown('# T\n\n## A `b`\n\n## A b\n', { base: '', explained })
    expect(headings).toEqual([
      { level: 2, id: 'a-b', title: 'A b' },
      { level: 2, id: 'a-b-1', title: 'A b' },
    ])
  })
})
