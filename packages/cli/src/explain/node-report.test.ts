import type { NodeExplanation } from '@kerf/controllers'
import { plain } from '@kerf/provider-kit/terminal'
import { expect, test } from 'vitest'
import { nodeReport } from './node-report.ts'

// The names of these methods are invented: the report must not depend on the names of Kerf's own methods.
test('a method that never applies to the node has no row, and methods with the same title have one', () => {
  const explanation: NodeExplanation = {
    node: 'node-a',
    blockers: [],
    methods: [
      { method: 'swap-static', title: 'swap', blockers: [{ code: 'pool.dynamic', pool: 'general' }] },
      { method: 'swap', title: 'swap', blockers: [{ code: 'node.not-drifted' }] },
      { method: 'renew-a', title: 'renewal', blockers: [{ code: 'pools.none' }] },
      { method: 'renew-b', title: 'renewal', blockers: [{ code: 'pools.none' }] },
      { method: 'pack', title: 'packing', blockers: [{ code: 'pool.static', pool: 'general' }] },
    ],
  }
  const rows = nodeReport(explanation, plain).split('\n').slice(3, -1)
  expect(rows.map((row) => row.split('  ')[0])).toEqual(['swap', 'renewal'])
})
