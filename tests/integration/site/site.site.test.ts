import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { type PreviewServer, preview } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MOVED_PAGES } from '../../../docs/site/moved-pages.ts'
import { root } from '../../../tools/source-files.ts'
import { openContext } from '../browser/chromium.ts'
import { borrowChromium } from '../browser/shared-chromium.ts'
import { type BuiltPage, builtPages, siteLinkProblems, unreachedPages } from './built-site.ts'

const directory = join(root, 'docs', 'site', 'dist')
/** The path below which the site is published. GitHub publishes the pages of a repository below the repository's name. */
const base = process.env['KERF_SITE_BASE'] ?? '/kerf/'
/** Earlier addresses, which no page links to. */
const moved = Object.keys(MOVED_PAGES)
  .map((path) => `${path}.html`)
  .sort()
let pages: readonly BuiltPage[] = []
let server: PreviewServer
let browser: Browser
let address = ''

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, 'tools', 'site.ts')], {
    cwd: root,
    env: { ...process.env, KERF_SITE_BASE: base },
  })
  pages = builtPages(directory)
  server = await preview({
    root: join(root, 'docs', 'site'),
    base,
    configFile: false,
    appType: 'mpa',
    logLevel: 'silent',
    build: { outDir: 'dist' },
    preview: { host: '127.0.0.1', port: 0 },
  })
  const listening = server.httpServer.address()
  if (listening === null || typeof listening === 'string') throw new Error('the site is not served on a port')
  address = `http://127.0.0.1:${listening.port}${base.replace(/\/$/, '')}`
  browser = await borrowChromium()
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** Opens a browser page that records requests to other hosts, failed requests and console errors. */
const watchedPage = async (): Promise<{ readonly page: Page; readonly problems: string[] }> => {
  const problems: string[] = []
  const page = await (await openContext(browser)).newPage()
  await page.route('**/*', (route) => {
    const url = route.request().url()
    if (url.startsWith(`${address}/`) || url.startsWith('data:') || url.startsWith('blob:')) return route.continue()
    problems.push(`${page.url()} asks for ${url}`)
    return route.abort()
  })
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${page.url()} ${response.url()}: ${response.status()}`)
  })
  page.on('pageerror', (error) => problems.push(`${page.url()} ${error.message}`))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`${page.url()} ${message.text()}`)
  })
  return { page, problems }
}

test('every link leads to a page and a heading, and every page is reachable from the first one', () => {
  expect(pages.length).toBeGreaterThan(100)
  expect(siteLinkProblems(directory, pages, base)).toEqual([])
  expect(unreachedPages(pages, base)).toEqual(moved)
})

test('the earlier address of a page leads to the page', async () => {
  const { page, problems } = await watchedPage()
  for (const path of moved) {
    await page.goto(`${address}/${path}`, { waitUntil: 'commit' })
    await page.waitForURL((url) => !url.pathname.endsWith(`/${path}`))
    await page.locator('.VPDoc h1').first().waitFor()
    expect(await page.locator('.NotFound').count(), path).toBe(0)
  }
  expect(problems).toEqual([])
  await page.context().close()
})

test('no page sends requests to other hosts, fails to load or logs errors', async () => {
  const { page, problems } = await watchedPage()
  // The pages of source files all have the same structure, so a sample is enough.
  const sources = pages.filter(({ path }) => path.startsWith('source/'))
  const notRead = ['404.html', ...moved]
  const read = [
    ...pages.filter((each) => !sources.includes(each) && !notRead.includes(each.path)),
    ...sources.slice(0, 10),
  ]
  for (const { path } of read) {
    await page.goto(`${address}/${path}`)
    await page.locator('h1').first().waitFor()
    expect(await page.locator('.NotFound').count(), path).toBe(0)
  }
  expect(problems).toEqual([])
})

test('the search finds a page without a server, and pages follow the dark color scheme', async () => {
  const { page, problems } = await watchedPage()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`${address}/`)
  expect(await page.locator('html').getAttribute('class')).toContain('dark')
  await page.locator('.VPNavBarSearchButton, .DocSearch-Button').first().click()
  await page.locator('input.search-input').fill('do-not-disrupt')
  await page.locator('.results a.result').first().waitFor()
  expect(await page.locator('.results a.result').count()).toBeGreaterThan(0)
  await page.keyboard.press('Enter')
  await page.locator('h1').first().waitFor()
  expect(new URL(page.url()).pathname).not.toBe(base)
  expect(problems).toEqual([])
})
