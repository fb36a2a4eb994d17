import type { StructuralSchema } from '@kerf/apis'
import { NILLABLE_DURATION } from '@kerf/apis/schema'
import { expect, test } from 'vitest'
import { keptBySchema } from './kept-schema.ts'
import { labelKey } from './kept-values.ts'

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    count: { type: 'integer' },
    ratio: { type: 'number' },
    enabled: { type: 'boolean' },
    policy: { type: 'string', enum: ['Fast', 'Slow'] },
    after: { type: 'string', pattern: NILLABLE_DURATION },
    size: { 'x-kubernetes-int-or-string': true },
    note: { type: 'string' },
    key: { type: 'string' },
    items: {
      type: 'array',
      items: { type: 'object', properties: { count: { type: 'integer' }, key: { type: 'string' } } },
    },
  },
}

test('numbers, booleans, quantities, durations and enumerated words are kept', () => {
  const value = {
    ...{ count: 3, ratio: 0.5, enabled: false, policy: 'Slow', after: 'Never', size: '4Gi' },
    items: [{ count: 1 }],
  }
  expect(keptBySchema(schema, {})(value)).toEqual(value)
})

test('a text is kept only if its path has a format that it matches', () => {
  const value = {
    note: 'secret',
    key: 'team',
    items: [{ count: 1, key: 'not a key' }, { key: 'team' }],
    policy: 'secret',
  }
  expect(keptBySchema(schema, { key: labelKey, 'items.key': labelKey })(value)).toEqual({
    key: 'team',
    items: [{ count: 1 }, { key: 'team' }],
  })
})
