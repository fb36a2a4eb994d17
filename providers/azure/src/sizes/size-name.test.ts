import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseSizeName } from './size-name.ts'

/** Names with the results of upstream's parser: family, series, version, vCPUs, constrained vCPUs, accelerator. */
const vectors = readFileSync(new URL('size-name.vectors.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')

test('1,507 size names are parsed as in upstream', () => {
  const wrong = vectors.flatMap((line) => {
    const [name = '', expected] = line.split('\t')
    const parts = parseSizeName(name.replace(/^Standard_/, ''))
    if (expected === undefined) return parts === undefined ? [] : [`${name} should not parse`]
    const [family, series, version, , constrained, accelerator] = JSON.parse(expected)
    const own = [parts?.family, parts?.series, parts?.version, parts?.isConstrained, parts?.accelerator ?? '']
    return JSON.stringify(own) === JSON.stringify([family, series, version, constrained !== '', accelerator])
      ? []
      : [`${name}: ${own.join(' ')}`]
  })
  expect(vectors.length).toBe(1507)
  expect(wrong).toEqual([])
})

test.each(['ND128isr_NDR_GB200_v6', 'D4s_v10', 'D4S_V3', '', 'D4s_v5 '])('%s does not parse', (name) => {
  expect(parseSizeName(name)).toBeUndefined()
})
