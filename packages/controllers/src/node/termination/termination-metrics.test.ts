import { labels, type Node, type NodeClaim } from '@kerf/apis'
import { PrometheusMetrics, VirtualClock } from '@kerf/runtime'
import { condition, node, nodeClaim } from '@kerf/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { sumOfMetric } from '../../testing/harness/index.ts'
import { TerminationMetrics } from './termination-metrics.ts'

// Tests of the termination metrics. Dashboards depend on their names, labels and buckets (`docs/spec/termination.md#termination-metrics`).

let clock: VirtualClock
let registry: PrometheusMetrics
let metrics: TerminationMetrics
beforeEach(() => {
  clock = new VirtualClock()
  registry = new PrometheusMetrics()
  metrics = new TerminationMetrics(registry, clock)
})

const minute = 60
const hour = 60 * minute
const day = 24 * hour
const ago = (seconds: number): string => new Date(clock.now() - seconds * 1_000).toISOString()
const nodeOf = (times: { readonly deletionTimestamp?: string; readonly creationTimestamp?: string }): Node => {
  const found = node('n', { pool: 'general', labels: { [labels.zone]: 'a' } })
  const { creationTimestamp: _, ...metadata } = found.metadata
  return { ...found, metadata: { ...metadata, ...times } }
}
const claimOf = (traits: { readonly deletionTimestamp?: string; readonly ordered?: string } = {}): NodeClaim => {
  const claim = nodeClaim('c', { pool: 'general', ...traits })
  const own = { [labels.capacityType]: 'spot', [labels.zone]: 'a' }
  const ordered = { ...condition('InstanceTerminating'), lastTransitionTime: traits.ordered ?? '' }
  return {
    ...claim,
    metadata: { ...claim.metadata, labels: { ...claim.metadata.labels, ...own } },
    status: traits.ordered === undefined ? {} : { conditions: [ordered] },
  }
}
const read = (name: string, wanted: Readonly<Record<string, string>> = { nodepool: 'general' }) =>
  sumOfMetric(registry, name, wanted)
const metricBuckets = async (name: string): Promise<readonly number[]> =>
  [...(await registry.text()).matchAll(new RegExp(`^${name}_bucket{le="(\\d+)"`, 'gm'))].map(([, le]) => Number(le))

describe('when nodes are terminated', () => {
  test('they are counted by pool and zone, with their duration and age', async () => {
    metrics.nodeTerminated(nodeOf({ deletionTimestamp: ago(90), creationTimestamp: ago(2 * hour) }))
    expect(await read('karpenter_nodes_terminated_total', { nodepool: 'general', zone: 'a' })).toBe(1)
    expect(await read('karpenter_nodes_termination_duration_seconds_sum')).toBe(90)
    expect(await read('karpenter_nodes_lifetime_duration_seconds_sum')).toBe(2 * hour)
    expect(await registry.text()).toMatch(/karpenter_nodes_termination_duration_seconds{.*quantile="0.99".*} 90/)
  })

  test('their age has buckets from 15 minutes to thirty days', async () => {
    metrics.nodeTerminated(nodeOf({ creationTimestamp: ago(hour) }))
    expect(await metricBuckets('karpenter_nodes_lifetime_duration_seconds')).toEqual([
      ...[15, 30, 45].map((count) => count * minute),
      ...[1, 2, 4, 6, 8, 10, 12, 16, 20].map((count) => count * hour),
      ...[1, 2, 3, 5, 10, 15, 20, 25, 30].map((count) => count * day),
    ])
  })

  test('nodes with no deletion time, or one in the future, count with a duration of 0', async () => {
    metrics.nodeTerminated(nodeOf({}))
    metrics.nodeTerminated(nodeOf({ deletionTimestamp: ago(-30) }))
    expect(await read('karpenter_nodes_termination_duration_seconds_count')).toBe(2)
    expect(await read('karpenter_nodes_termination_duration_seconds_sum')).toBe(0)
  })

  test('drained nodes are counted by pool, and nodes without a pool under an empty name', async () => {
    metrics.nodeDrained(nodeOf({}))
    metrics.nodeDrained(node('other'))
    expect(await read('karpenter_nodes_drained_total')).toBe(1)
    expect(await read('karpenter_nodes_drained_total', { nodepool: '' })).toBe(1)
  })
})

describe('when claims are terminated', () => {
  test('they are counted by pool, capacity type and zone, with their duration', async () => {
    metrics.claimTerminated(claimOf({ deletionTimestamp: ago(100) }))
    const series = { nodepool: 'general', capacity_type: 'spot', zone: 'a' }
    expect(await read('karpenter_nodeclaims_terminated_total', series)).toBe(1)
    expect(await read('karpenter_nodeclaims_termination_duration_seconds_sum')).toBe(100)
    expect(await metricBuckets('karpenter_nodeclaims_termination_duration_seconds')).toEqual([
      1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048,
    ])
  })

  test('a claim without labels is counted too', async () => {
    const { labels: _, ...metadata } = claimOf().metadata
    metrics.claimTerminated({ ...claimOf(), metadata })
    expect(await read('karpenter_nodeclaims_terminated_total', { nodepool: '', capacity_type: '', zone: '' })).toBe(1)
  })

  test('the duration of an instance termination starts when it was requested', async () => {
    metrics.instanceTerminated(claimOf({ ordered: ago(40) }))
    metrics.instanceTerminated(claimOf())
    expect(await read('karpenter_nodeclaims_instance_termination_duration_seconds_sum')).toBe(40)
    expect(await read('karpenter_nodeclaims_instance_termination_duration_seconds_count')).toBe(2)
    expect(await metricBuckets('karpenter_nodeclaims_instance_termination_duration_seconds')).toEqual([
      1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024,
    ])
  })
})
