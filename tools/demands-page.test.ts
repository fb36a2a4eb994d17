import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './source-files.ts'

const ROW = /^\| D(\d+): [^|]+ \| (\w+) \| (.+) \|$/gm

const page = readFileSync(join(root, 'docs/demands.md'), 'utf8')
const rows = [...page.matchAll(ROW)].map(([, number, state = '', text = '']) => ({
  number: Number(number),
  state,
  text,
}))

test('the page has one row for each of the forty demands, in order', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
})

test('each row has a state: completed rows link to a proof, and the other rows contain the reason', () => {
  for (const { number, state, text } of rows) {
    expect(['done', 'partly', 'no'], `D${number}`).toContain(state)
    if (state !== 'no') expect(text, `D${number}`).toMatch(/\]\([^)]+\)/)
    // If a demand is not done, a sentence about the missing part must follow its links.
    if (state !== 'done') expect(text, `D${number}`).toMatch(/\. \w/)
  }
})
