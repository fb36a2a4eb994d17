import type { PoolFunnel } from '@kerf/engine'
import { expect, test } from 'vitest'
import { poolVerdicts } from './pool-verdicts.ts'

const condition = (type: string, status: string, message = '') => ({ type, status, reason: type, message })
const pool = (name: string, more: object = {}, ...conditions: readonly object[]) => ({
  metadata: { name },
  spec: more,
  status: { conditions },
})
const funnel = (nodePool: string, left: readonly number[], isRefused = true): PoolFunnel => ({
  nodePool,
  stages: left.map((offeringsLeft, place) => ({ constraint: `c${place}`, offeringsLeft })),
  reason: isRefused
    ? { code: 'taint.not-tolerated', subject: `nodepool/${nodePool}`, detail: { taint: 'a:NoSchedule' } }
    : undefined,
})

test('every NodePool has a line, the closest pool comes first, and pools that launch no nodes have a reason', () => {
  const broken = [
    condition('Ready', 'False', 'not ready'),
    condition('NodeClassReady', 'False', 'class gpu is not there'),
  ]
  const pools = [
    pool('broken', {}, ...broken),
    pool('far'),
    pool('near'),
    pool('could'),
    pool('fixed', { replicas: 3 }, condition('Ready', 'True')),
    pool('empty', {}, condition('Ready', 'True')),
    { ...pool('leaving'), metadata: { name: 'leaving', deletionTimestamp: '2026-01-01T00:00:00Z' } },
  ]
  const funnels = [funnel('far', [9, 0]), funnel('near', [9, 4, 0]), funnel('could', [9], false)]
  const verdicts = poolVerdicts({ funnels }, { pools }, new Map())
  expect(verdicts).toEqual([
    { nodePool: 'could' },
    { nodePool: 'near', constraint: 'c2', miss: 'taint a:NoSchedule is not tolerated' },
    { nodePool: 'far', constraint: 'c1', miss: 'taint a:NoSchedule is not tolerated' },
    { nodePool: 'broken', leftOut: 'not-ready', detail: 'NodeClassReady: class gpu is not there' },
    { nodePool: 'fixed', leftOut: 'static' },
    { nodePool: 'empty', leftOut: 'no-types' },
    { nodePool: 'leaving', leftOut: 'deleting' },
  ])
})
