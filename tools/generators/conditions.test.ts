import { expect, test } from 'vitest'
import { isTest, sourceFiles } from '../source-files.ts'
import { files } from './conditions.ts'

/** Returns a pattern for a reason on the page. On the page, `…` stands for the part in which several reasons differ. */
const patternOf = (reason: string): RegExp => new RegExp(`['"\`/]\\w*${reason.replace('…', '\\w*')}['"\`]`)

test('the code uses every reason that the page of conditions contains', async () => {
  const [page] = await files()
  const cells = (page?.content ?? '').split('\n').filter((line) => line.startsWith('| `'))
  const reasons = cells.flatMap((line) => [...line.matchAll(/`(…?[A-Z][A-Za-z]+)`/g)].map(([, reason = '']) => reason))
  const code = sourceFiles()
    .filter(({ path }) => /^(packages\/(apis|controllers)|providers)\//.test(path) && !isTest(path))
    .filter(({ path }) => !path.endsWith('/condition-meanings.ts'))
    .map(({ text }) => text)
    .join('\n')
  expect(reasons.length).toBeGreaterThan(50)
  expect([...new Set(reasons)].filter((reason) => !patternOf(reason).test(code))).toEqual([])
})
