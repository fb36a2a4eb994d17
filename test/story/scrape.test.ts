import { expect, test } from 'vitest'
import { conditionMetrics, coreMetrics, processMetrics } from '../facts/metrics.ts'
import { parseMetrics, sumOf } from './metrics-text.ts'
import { scrapeOfProcess } from './scraped-process.ts'

/** With the settings of `kerf run` as they are, nothing is repaired. */
const GATED = ['karpenter_nodeclaims_unhealthy_disrupted_total']

test('a real process publishes every family that dashboards read, with series', { timeout: 180_000 }, async () => {
  const text = await scrapeOfProcess()
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => [name, type]))
  const expected = [...coreMetrics, ...conditionMetrics, ...processMetrics].filter(({ name }) => !GATED.includes(name))
  expect(expected.filter(({ name, type }) => types.get(name) !== type)).toEqual([])

  const samples = parseMetrics(text)
  expect(sumOf(samples, 'karpenter_build_info')).toBe(1)
  expect(sumOf(samples, 'karpenter_cluster_state_synced')).toBe(1)
  expect(sumOf(samples, 'leader_election_master_status')).toBe(1)
  expect(sumOf(samples, 'karpenter_pods_state')).toBe(10)
  for (const name of ['karpenter_nodeclaims_created_total', 'karpenter_nodes_created_total']) {
    expect(sumOf(samples, name, { nodepool: 'general' })).toBeGreaterThan(0)
  }
  expect(sumOf(samples, 'karpenter_cluster_state_node_count')).toBeGreaterThan(0)
  const zones = samples.filter(({ name }) => name === 'karpenter_scheduler_pending_pods_by_effective_zone_count')
  expect(zones.map(({ labels }) => labels)).toEqual([{ controller: 'provisioner', zone: 'flexible' }])
})
