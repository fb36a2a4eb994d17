import { sampled } from '@kerf/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { foreignWords, messagesWithoutNote, writtenIn } from './foreign-words.ts'
import { languages, speak } from './languages.ts'
import { openSmallCluster } from './small-cluster.ts'
import type { WalkedCluster } from './walked-cluster.ts'
import { WalkedPages } from './walked-pages.ts'
import { walkedPaths } from './walked-paths.ts'
import { findLayoutProblems, inWords, sizes } from './walker.ts'

const cells = languages
  .filter(({ code }) => code !== 'en')
  .flatMap((language) => walkedPaths.flatMap((path) => sizes.map((size) => ({ language, path, size }))))
const byLanguage = Map.groupBy(sampled(cells, 12, 'languages × pages × sizes'), ({ language }) => language)

let cluster: WalkedCluster
let written: Awaited<ReturnType<typeof writtenIn>>
beforeAll(async () => {
  cluster = await openSmallCluster(Date.now())
  written = await writtenIn(cluster.client)
})
afterAll(async () => {
  await cluster?.close()
})

/** Check the layout in each language, because its texts may be longer than in English or have no spaces at which lines can break. */
describe.each([...byLanguage].map(([language, ofLanguage]) => ({ ...language, ofLanguage })))(
  'in $name',
  ({ ofLanguage, ...language }) => {
    let walk: WalkedPages

    beforeAll(async () => {
      const { connection, controller } = cluster
      walk = await WalkedPages.open([{ name: 'kerf', connection, controller }], (context) => speak(context, language))
      const page = await walk.goTo('kerf', 'karpenter')
      await page.getByRole('heading', { name: language.overview, exact: true }).waitFor()
    })
    afterAll(async () => {
      await walk?.close()
    })

    test.each([...Map.groupBy(ofLanguage, ({ path }) => path)])(
      '%s: no text of the plugin is in English, it says that messages are, and nothing overflows or is cut off',
      async (path, ofPath) => {
        const page = await walk.goTo('kerf', path)
        expect(await foreignWords(page, written)).toEqual([])
        expect(await messagesWithoutNote(page, written, language.messagesInEnglish)).toEqual([])
        const problems = await findLayoutProblems(
          page,
          ofPath.map(({ size }) => size),
        )
        expect(inWords(problems)).toEqual([])
      },
    )

    test('no page logged errors', () => {
      expect(walk.complaints).toEqual([])
    })
  },
)
