import { running, spreadOver } from '@kerf/testing'
import { expect, test } from 'vitest'
import { cluster, node, pod, replicas, ZONE } from '../testing/cluster-builders.ts'

test('a zone of pods of one group is not a domain of another group', () => {
  const zones = { key: ZONE, operator: 'In' as const, values: ['zone-1', 'zone-2'] }
  const pods = [running('coming', pod('old', { labels: { app: 'b' } }))]
  const coming = node('coming', { zone: 'zone-9', hasNode: false, initialized: false, cpu: '0', pods })
  const pools = cluster()
    .pool('general', { requirements: [zones] })
    .nodes(coming)
  const spread = (app: string) => replicas(4, app, { spec: spreadOver(ZONE, app) })
  // Group b has one pod in zone-9, and no other pod can go there. Therefore each of the other zones takes at most two pods of group b.
  expect(pools.schedule(spread('b')).failed).toEqual([])
  expect(pools.schedule(spread('a'), spread('b')).failed).toEqual([])
})
