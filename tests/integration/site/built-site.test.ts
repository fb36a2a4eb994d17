import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { builtPages, siteLinkProblems, unreachedPages } from './built-site.ts'

const siteOf = (pages: Readonly<Record<string, string>>): string => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-site-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  for (const [path, html] of Object.entries(pages)) {
    mkdirSync(join(directory, path, '..'), { recursive: true })
    writeFileSync(join(directory, path), html)
  }
  return directory
}

test('missing pages, files and headings are found, and resources from another host', () => {
  const directory = siteOf({
    'index.html': '<a href="/guides/a.html#one">a</a> <a href="/guides/a.html#two">b</a> <a href="/gone.html">c</a>',
    'guides/a.html':
      '<h2 id="one">One</h2> <a href="../">up</a> <img src="/no.png"> <script src="https://cdn.example/x.js">',
    'left.html': '<a href="https://karpenter.sh">elsewhere</a>',
  })
  const pages = builtPages(directory)
  expect(siteLinkProblems(directory, pages)).toEqual([
    'guides/a.html loads https://cdn.example/x.js',
    'guides/a.html: /no.png: no such page',
    'index.html: /guides/a.html#two: no such heading',
    'index.html: /gone.html: no such page',
  ])
  expect(unreachedPages(pages)).toEqual(['left.html'])
})

test('for a site below a path, links that leave the path count as missing', () => {
  const directory = siteOf({
    'index.html':
      '<a href="/kerf/a.html#one">a</a> <a href="/a.html">b</a> <img src="/kerf/icon.svg"> <img src="/icon.svg">',
    'a.html': '<h2 id="one">One</h2> <a href="/kerf/">up</a>',
    'icon.svg': '',
  })
  const pages = builtPages(directory)
  expect(siteLinkProblems(directory, pages, '/kerf/')).toEqual([
    'index.html: /a.html: no such page',
    'index.html: /icon.svg: no such page',
  ])
  expect(unreachedPages(pages, '/kerf/')).toEqual([])
})
