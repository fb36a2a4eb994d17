import { expect, test } from 'vitest'
import { type Replicated, wantedBy } from './missing-pods.ts'

const job = (spec: Replicated['spec'], succeeded?: number): Replicated => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'sums' },
  ...(spec === undefined ? {} : { spec }),
  ...(succeeded === undefined ? {} : { status: { succeeded } }),
})

test.each<[string, Replicated, number]>([
  ['parallelism', job({ parallelism: 3, completions: 9 }, 2), 3],
  ['the completions that are left', job({ parallelism: 3, completions: 4 }, 3), 1],
  ['a work queue', job({ parallelism: 3 }), 3],
  ['no pod of a work queue after its first success', job({ parallelism: 3 }, 1), 0],
])('a Job should have %s', (_, owner, count) => {
  expect(wantedBy(owner)).toBe(count)
})
