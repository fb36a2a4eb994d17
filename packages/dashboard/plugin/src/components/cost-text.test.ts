import { expect, test } from 'vitest'
import { translatorFor } from '../locales/translate.ts'
import { leastNote } from './cost-text.ts'

const t = translatorFor('en')
const cost = (total: number) => ({ total, instances: 1, unknown: 0 })

test.each([
  ['the controller', false, cost(1.2), 'currently 20 % above it'],
  ['the types of existing nodes', true, cost(1.2), 'currently 20 % above it; only types seen in this cluster'],
  ['the controller', false, undefined, /^a lower bound/],
  [
    'the types of existing nodes',
    true,
    undefined,
    /^the cost of the same pods on the cheapest instance types seen in this cluster$/,
  ],
] as const)(
  'a lowest possible cost from %s is called a lower bound only if it is one',
  (_from, isOfSeenTypes, now, text) => {
    expect(leastNote({ kind: 'known', cost: 1, isOfSeenTypes }, now, t)).toMatch(text)
  },
)
