import type { Node, PodSpec } from '@kerf/apis'
import { node as buildNode, pod as buildPod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { ClassPlacement } from './class-placement.ts'
import { DomainCounts } from './domain-counts.ts'
import { NodeTable } from './node-table.ts'
import { PodClasses } from './pod-class.ts'
import { lookedAtBy } from './pod-terms.ts'
import { ResourceNames } from './quantities.ts'
import { ExistingAntiAffinity, TopologyConstraints } from './topology-constraints.ts'

const NODES = 5000
const PODS = 50_000
const CLASSES = 20

const node = (index: number): Node =>
  buildNode(`node-${index}`, {
    labels: { hostname: `node-${index}`, zone: `zone-${index % 3}` },
    status: { allocatable: { cpu: '16', memory: '64Gi', pods: '110' } },
  })

/** One pod class in four spreads over zones, and another one in four has anti-affinity with its own pods. */
const spec = (index: number): PodSpec => {
  const labelSelector = { matchLabels: { app: `app-${index}` } }
  const base = { containers: [{ name: 'main', resources: { requests: { cpu: '700m', memory: '1Gi' } } }] }
  if (index % 4 === 1) {
    const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' as const, labelSelector }
    return { ...base, topologySpreadConstraints: [spread] }
  }
  if (index % 4 === 2) {
    const required = [{ topologyKey: 'hostname', labelSelector }]
    return { ...base, affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } }
  }
  return base
}

test('50,000 pods are placed on 5,000 nodes in one attempt each, and only changed rows are examined', () => {
  const names = new ResourceNames()
  const table = new NodeTable(names)
  const classes = new PodClasses(names)
  const counts = new DomainCounts(table)
  const holders = new ExistingAntiAffinity(counts, () => undefined)
  for (let index = 0; index < NODES; index++) table.setNode(node(index))
  const pods = Array.from({ length: CLASSES }, (_, index) =>
    buildPod(`app-${index}`, { labels: { app: `app-${index}` }, spec: spec(index) }),
  )
  for (const pod of pods) classes.look(lookedAtBy(pod))
  const placements = pods.map((pod) => {
    const podClass = classes.of(pod)
    return new ClassPlacement(
      podClass,
      table,
      names,
      new TopologyConstraints(podClass, counts, () => undefined, holders),
    )
  })
  const everything = { kind: 'per-node', unbound: [], uses: [], against: () => undefined } as const
  let failures = 0
  for (let index = 0; index < PODS; index++) {
    const placement = placements[index % CLASSES]
    const choice = placement?.choose(everything)
    if (placement === undefined || choice?.kind !== 'placed') {
      failures++
      continue
    }
    holders.note(placement.podClass)
    const uid = `pod-${index}`
    table.place(choice.row.name, { uid, pod: placement.podClass.sample, class: placement.podClass, volumes: [] })
  }
  expect(failures).toBe(0)
  const examined = placements.reduce((sum, placement) => sum + placement.rowsExamined, 0)
  // The scheduler examines every node once per pod class, and then one node per placement. The work must not grow with pods × nodes (250
  // million).
  expect(examined).toBeLessThanOrEqual(NODES * CLASSES + PODS * CLASSES)
  const perNode = table.rows.map((row) => row.pods.size)
  expect(Math.max(...perNode)).toBeLessThanOrEqual(22)
  const zones = new Map<string, number>()
  for (const [row, placed] of table.placedPods()) {
    if (placed.class !== placements[1]?.podClass) continue
    const zone = row.node?.metadata.labels?.['zone'] ?? ''
    zones.set(zone, (zones.get(zone) ?? 0) + 1)
  }
  expect(Math.max(...zones.values()) - Math.min(...zones.values())).toBeLessThanOrEqual(1)
  for (const row of table.rows) {
    const own = [...row.pods.values()].filter((placed) => placed.class === placements[2]?.podClass)
    expect(own.length).toBeLessThanOrEqual(1)
  }
})
