import { nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { reasonSentence } from '../reasons/reason.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { usablePools } from './usable-pools.ts'

test('the sentence about a pool that is not ready contains the cause', () => {
  const pool = nodePool('general')
  const condition = { type: 'Ready', status: 'False', reason: 'NodeClassNotReady', message: 'NodeClass not found' }
  const status = { conditions: [{ ...condition, lastTransitionTime: '2026-01-01T00:00:00Z' }] } as const
  const pools = [{ nodePool: { ...pool, status }, instanceTypes: [] }]
  const { unusable } = usablePools({ pools, nodes: [] } as unknown as ClusterSnapshot)
  expect(unusable.map(({ reason }) => reasonSentence(reason))).toEqual([
    'nodepool/general: not ready: NodeClass not found',
  ])
})
