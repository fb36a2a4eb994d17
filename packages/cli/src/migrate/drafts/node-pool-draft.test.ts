import type { SourceGroup } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import { readAutoscaler } from '../autoscaler/autoscaler-settings.ts'
import { draftPool, type PoolContext } from './node-pool-draft.ts'

const group = (name: string, more: Partial<SourceGroup> = {}): SourceGroup => ({
  ...{ name, at: 'groups.json:1', origin: 'pool', min: 0, max: 3, desired: 1 },
  ...{ instanceTypes: ['m-2'], capacityTypes: ['on-demand'], zones: [], labels: {}, taints: [], startupTaints: [] },
  options: {},
  ...more,
})

const { settings } = readAutoscaler(undefined, [])
const context: PoolContext = {
  settings,
  weights: new Map([
    ['a', 20],
    ['b', 10],
  ]),
  types: new Map(),
  typesSource: 'the table',
  groupLabels: new Set(),
  selectedGroups: new Set(),
  whyNoLabel: () => undefined,
}

const draft = (...groups: readonly SourceGroup[]) =>
  draftPool('general', groups, { group: 'acme.example', kind: 'AcmeNodeClass', name: 'default' }, context)
const zones = (...groups: readonly SourceGroup[]) =>
  draft(...groups).pool.spec.template.spec.requirements?.find(({ key }) => key === 'topology.kubernetes.io/zone')
    ?.values

test('merged groups may use the zones of each group; a group without zones may use any zone', () => {
  expect(zones(group('a', { zones: ['z-2', 'z-1'] }), group('b', { zones: ['z-2', 'z-3'] }))).toEqual([
    'z-1',
    'z-2',
    'z-3',
  ])
  expect(zones(group('a', { zones: ['z-1'] }), group('b'))).toBeUndefined()
})

test('merged groups have the labels that all of them have, and the others are reported', () => {
  const { pool, conversions } = draft(
    group('a', { labels: { team: 'web', disk: 'ssd' } }),
    group('b', { labels: { team: 'web', disk: 'hdd' } }),
  )
  expect(pool.spec.template.metadata?.labels).toMatchObject({ team: 'web' })
  expect(pool.spec.template.metadata?.labels).not.toHaveProperty('disk')
  expect(conversions.filter(({ field }) => field === 'label disk').map(({ object }) => object)).toEqual([
    'node group a',
    'node group b',
  ])
})

test('merged groups have the sum of their maximum sizes, the highest weight, and the most conservative settings', () => {
  const { spec } = draft(
    group('a', { max: 3, options: { scaledownunneededtime: '30m' } }),
    group('b', { max: 4, options: { scaledownunneededtime: '5m' } }),
  ).pool
  expect(spec.limits).toMatchObject({ nodes: '7' })
  expect(spec.weight).toBe(20)
  expect(spec.disruption?.consolidateAfter).toBe('30m0s')
})
