import { sampled } from '@kerf/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { languages, speak } from './languages.ts'
import { openSmallCluster } from './small-cluster.ts'
import type { WalkedCluster } from './walked-cluster.ts'
import { WalkedPages } from './walked-pages.ts'
import { walkedPaths } from './walked-paths.ts'
import { appearances, inWords, pageProblems } from './walker.ts'

const [language = languages[0]] = sampled(languages, 1, 'language of the walk')
const [look = appearances[0]] = sampled(appearances, 1, 'appearance of the walk')
if (language === undefined || look === undefined) throw new Error('there is no language or no appearance')

/** The pages that `npm test` checks. every-page and languages check the remaining pages, in more languages and sizes. */
const paths = sampled(walkedPaths, 8, 'pages of the walk')

/** The pages on which keyboard navigation is also tested. */
const keyboardPaths: ReadonlySet<string> = new Set(sampled(paths, 3, 'pages with a keyboard'))

describe(`pages, in ${language.name}, ${look.name}`, () => {
  let cluster: WalkedCluster
  let walk: WalkedPages

  beforeAll(async () => {
    cluster = await openSmallCluster(Date.now())
    const { connection, controller } = cluster
    walk = await WalkedPages.open([{ name: 'kerf', connection, controller }], (context) => speak(context, language))
  })
  afterAll(async () => {
    await walk?.close()
    await cluster?.close()
  })

  test('the pages are shown in the language', async () => {
    const page = await walk.goTo('kerf', 'karpenter')
    await page.getByRole('heading', { name: language.overview, exact: true }).waitFor()
  })

  test.each(paths)('%s: no text overflows, is cut off or is unreadable', async (path) => {
    const page = await walk.goTo('kerf', path)
    await page.locator('main .kerf').first().waitFor()
    expect(inWords(await pageProblems(page, [look], { hasKeyboard: keyboardPaths.has(path) }))).toEqual([])
  })

  test('no page logged errors', () => {
    expect(walk.complaints).toEqual([])
  })
})
