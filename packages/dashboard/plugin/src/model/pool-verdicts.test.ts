import type { InstanceType, PoolFunnel, Reason } from '@kerf/engine'
import { expect, test } from 'vitest'
import { podProblems, poolVerdicts } from './pool-verdicts.ts'

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
  const verdicts = poolVerdicts({ funnels, reasons: [] }, { pools }, new Map())
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

test('among NodePools that are rejected equally early, those with a taint come last', () => {
  const label = { code: 'requirement.label-unknown', subject: 'nodepool/label', detail: { key: 'disk' } } as const
  const funnels = [funnel('tainted', [9, 0]), { ...funnel('label', [4, 0]), reason: label }]
  const verdicts = poolVerdicts({ funnels, reasons: [] }, { pools: [pool('tainted'), pool('label')] }, new Map())
  expect(verdicts.map(({ nodePool }) => nodePool)).toEqual(['label', 'tainted'])
})

const ready = condition('Ready', 'True')
const types = new Map([['general', [{} as InstanceType]]])

test.each(['volume.invalid', 'pod.invalid', 'pod.device-claim'] as const)(
  'a pod that is itself the problem (%s) gives no verdict on any NodePool, ready or not',
  (code) => {
    const pools = [pool('general', {}, ready), pool('broken', {}, condition('Ready', 'False'))]
    const reasons = [{ code, subject: 'pod/shop/web', detail: { problem: 'a claim is not there' } }]
    expect(poolVerdicts({ funnels: [], reasons }, { pools }, types)).toEqual([])
    expect(podProblems({ reasons })).toEqual(reasons)
  },
)

test('a Ready NodePool is never called not ready: the engine says what is wrong with it, or there is no verdict', () => {
  const pools = [pool('general', {}, ready)]
  const verdictFor = (...reasons: readonly Reason[]) => poolVerdicts({ funnels: [], reasons }, { pools }, types)
  const about = { subject: 'nodepool/general' }
  expect(verdictFor({ code: 'nodepool.none', subject: 'pod/shop/web', detail: {} })).toEqual([])
  expect(verdictFor({ code: 'nodepool.not-ready', ...about, detail: { problem: 'a limit is wrong' } })).toEqual([
    { nodePool: 'general', constraint: 'NodePool', miss: 'a limit is wrong' },
  ])
  expect(verdictFor({ code: 'nodepool.catalogue-empty', ...about, detail: { problem: 'no types' } })).toEqual([
    { nodePool: 'general', leftOut: 'no-types', detail: 'no types' },
  ])
})
