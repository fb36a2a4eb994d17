import { expect, test } from 'vitest'
import { conditionMetrics, coreMetrics, type ProcessFact, processMetrics } from '../facts/metrics.ts'
import { parseMetrics, type Sample, sumSamples } from './metrics-text.ts'
import { scrapeOfProcess } from './scraped-process.ts'

/** Families without series, because node repair is off by default in `kerf run`. */
const GATED = ['karpenter_nodeclaims_unhealthy_disrupted_total']

/** Returns the labels of a family's series, and the bounds of its buckets if the table defines them. */
const shapeOf = (samples: readonly Sample[], { name, labels, bounds }: ProcessFact) => {
  const of = samples.filter((sample) => sample.name === name || sample.name === `${name}_bucket`)
  const keys = new Set(of.flatMap((sample) => Object.keys(sample.labels).filter((key) => key !== 'le')))
  const found = new Set(
    of.flatMap((sample) => (sample.labels['le'] === undefined ? [] : [Number(sample.labels['le'])])),
  )
  return {
    ...(labels === undefined ? {} : { labels: [...keys].sort() }),
    ...(bounds === undefined ? {} : { bounds: [...found].filter(Number.isFinite).sort((a, b) => a - b) }),
  }
}
const expectedShape = ({ labels, bounds }: ProcessFact) => ({
  ...(labels === undefined ? {} : { labels: [...labels].sort() }),
  ...(bounds === undefined ? {} : { bounds }),
})

test('a real process publishes every family that dashboards read, with series', async () => {
  const text = await scrapeOfProcess()
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => [name, type]))
  const expected = [...coreMetrics, ...conditionMetrics, ...processMetrics].filter(({ name }) => !GATED.includes(name))
  expect(expected.filter(({ name, type }) => types.get(name) !== type)).toEqual([])

  const samples = parseMetrics(text)
  for (const fact of processMetrics)
    expect([fact.name, shapeOf(samples, fact)]).toEqual([fact.name, expectedShape(fact)])
  expect(sumSamples(samples, 'karpenter_build_info')).toBe(1)
  expect(sumSamples(samples, 'karpenter_cluster_state_synced')).toBe(1)
  expect(sumSamples(samples, 'leader_election_master_status')).toBe(1)
  expect(sumSamples(samples, 'karpenter_pods_state')).toBe(10)
  for (const name of ['karpenter_nodeclaims_created_total', 'karpenter_nodes_created_total']) {
    expect(sumSamples(samples, name, { nodepool: 'general' })).toBeGreaterThan(0)
  }
  expect(sumSamples(samples, 'karpenter_cluster_state_node_count')).toBeGreaterThan(0)
  const zones = samples.filter(({ name }) => name === 'karpenter_scheduler_pending_pods_by_effective_zone_count')
  expect(zones.map(({ labels }) => labels)).toEqual([{ controller: 'provisioner', zone: 'flexible' }])
})
