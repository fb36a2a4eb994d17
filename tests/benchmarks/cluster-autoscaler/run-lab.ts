import { kinds, type Milliseconds } from '@kerf/apis'
import type { Clock, KubeClient, Random } from '@kerf/runtime'
import { GROUP_NODE, LARGEST_CPU, WORKLOADS } from './lab-objects.ts'
import type { LabWatch, Side } from './lab-watch.ts'

/** The actions of the two autoscalers, as recorded by the cluster. */
export interface LabRecord {
  /** When Cluster Autoscaler added nodes to its groups, and how many. */
  readonly bought: readonly { readonly at: Milliseconds; readonly nodes: number }[]
  /** The evictions by each autoscaler. */
  readonly evictions: readonly { readonly at: Milliseconds; readonly by: Side; readonly pod: string }[]
  /** The writes of each autoscaler to Node objects. */
  readonly nodeWrites: readonly { readonly by: Side; readonly verb: string; readonly node: string }[]
}

/** A cluster with both autoscalers, real or simulated. */
export interface LabCluster {
  readonly client: KubeClient
  readonly clock: Clock
  readonly watch: LabWatch
  pass(duration: Milliseconds): Promise<void>
  record(): Promise<LabRecord>
  close(): Promise<void>
}

export interface Timeline {
  /** The number of pods that each wave adds. */
  readonly waves: readonly number[]
  readonly between: Milliseconds
  /** How long replicas stay unchanged after the last wave. */
  readonly hold: Milliseconds
  /** The fraction of the pods that remains after the scale-down. */
  readonly left: number
  readonly after: Milliseconds
}

/** 300 pods that arrive in three waves. */
export const standardTimeline: Timeline = {
  waves: [100, 100, 100],
  between: 45_000,
  hold: 150_000,
  left: 0.4,
  after: 240_000,
}

export const drawTimeline = (random: Random): Timeline => {
  const count = 2 + Math.floor(random.next() * 3)
  return {
    ...standardTimeline,
    waves: Array.from({ length: count }, () => 2 * (15 + Math.floor(random.next() * 45))),
    between: 60_000 + Math.floor(random.next() * 60_000),
    left: 0.2 + random.next() * 0.5,
  }
}

/** One wave: the CPUs that its pods request, and the CPUs that each autoscaler bought for it. */
export interface Wave {
  readonly asked: number
  readonly byKerf: number
  readonly byAutoscaler: number
  /**
   * How many of the CPUs were bought by both autoscalers for the same pods: the excess over the requested CPUs, but at most the CPUs of the
   * autoscaler that bought fewer.
   */
  readonly twice: number
}

export interface LabFacts {
  readonly waves: readonly Wave[]
  /** The number of nodes in node groups that were added less than a minute before or after the creation of a NodeClaim. */
  readonly pairs: number
  readonly boughtTwice: number
  /** Writes to nodes that belong to the other autoscaler. */
  readonly foreignWrites: readonly string[]
  readonly foughtNodes: readonly string[]
  readonly foughtWorkloads: readonly string[]
  /**
   * The number of NodeClaims that Kerf deleted while pods ran on their nodes. `leaned` lists those whose pods did not fit on Kerf's other
   * nodes.
   */
  readonly givenUp: number
  readonly leaned: readonly string[]
  /**
   * `emptied` is the number of pods that were bound to nodes of node groups after the scale-down, not counting the pods that Cluster
   * Autoscaler moved itself. `ofPods` is the number of pods on Kerf's nodes right after the scale-down.
   */
  readonly emptied: number
  readonly ofPods: number
  readonly evictions: Readonly<Record<Side, number>>
  readonly nodesAtEnd: Readonly<Record<Side, number>>
  readonly waitingAtEnd: number
}

/** How long it takes until the removed pods are gone. */
const SETTLE: Milliseconds = 15_000
const MINUTE: Milliseconds = 60_000
/**
 * A wave counts as bought twice if the excess is larger than this fraction of its request, and also larger than a node of one autoscaler
 * and a node of the other together.
 */
const SURPLUS = 0.25
const LAST_NODES = GROUP_NODE.cpu + LARGEST_CPU

const scale = async ({ client }: LabCluster, pods: number): Promise<void> => {
  for (const { name } of WORKLOADS)
    await client.patch(
      kinds.Deployment,
      { namespace: 'default', name },
      { type: 'merge', body: { spec: { replicas: Math.round(pods / WORKLOADS.length) } } },
    )
}

const podWorkload = (pod: string): string => WORKLOADS.find(({ name }) => pod.startsWith(`${name}-`))?.name ?? pod

/** Scales up in waves, waits, and scales down. Returns what each autoscaler did. */
export const runLab = async (cluster: LabCluster, timeline: Timeline): Promise<LabFacts> => {
  const { clock, watch } = cluster
  const starts: Milliseconds[] = []
  let pods = 0
  for (const wave of timeline.waves) {
    starts.push(clock.now())
    pods += wave
    await scale(cluster, pods)
    await cluster.pass(timeline.between)
  }
  await cluster.pass(timeline.hold)
  await scale(cluster, Math.round(pods * timeline.left))
  await cluster.pass(SETTLE)
  // Both autoscalers have free capacity at this point, and replicas do not change any more.
  const before = watch.podsOn('kerf')
  const from = clock.now()
  await cluster.pass(timeline.after)
  // Waits until pods that are being moved run again.
  for (let tries = 0; watch.waiting > 0 && tries < 12; tries++) await cluster.pass(SETTLE)

  const { bought, evictions, nodeWrites } = await cluster.record()
  const cpuAsked = WORKLOADS.reduce((sum, { cpu }) => sum + cpu, 0) / WORKLOADS.length
  const waves = timeline.waves.map((count, index): Wave => {
    const [from, to] = [starts[index] ?? 0, (starts[index] ?? 0) + timeline.between]
    // Timestamps of objects have whole seconds.
    const isIn = ({ at }: { readonly at: Milliseconds }): boolean => at >= from - 1_000 && at < to - 1_000
    const asked = count * cpuAsked
    const byKerf = watch.claims.filter(isIn).reduce((sum, { cpu }) => sum + cpu, 0)
    const byAutoscaler = bought.filter(isIn).reduce((sum, { nodes }) => sum + nodes * GROUP_NODE.cpu, 0)
    return {
      asked,
      byKerf,
      byAutoscaler,
      twice: Math.max(0, Math.min(byKerf, byAutoscaler, byKerf + byAutoscaler - asked)),
    }
  })
  const evictedBy = (side: Side): readonly string[] =>
    evictions.filter(({ by }) => by === side).map(({ pod }) => podWorkload(pod))
  const both = new Set(evictedBy('kerf'))
  const isAfter = ({ at }: { readonly at: Milliseconds }): boolean => at >= from
  const arrived = watch.bound.filter(({ side }) => side === 'cluster-autoscaler').filter(isAfter).length
  const ownMoves = evictions.filter(({ by }) => by === 'cluster-autoscaler').filter(isAfter).length
  return {
    waves,
    pairs: bought
      .filter(({ at }) => watch.claims.some((claim) => Math.abs(claim.at - at) <= MINUTE))
      .reduce((sum, { nodes }) => sum + nodes, 0),
    boughtTwice: waves.filter(({ twice, asked }) => twice > Math.max(LAST_NODES, SURPLUS * asked)).length,
    foreignWrites: nodeWrites
      .filter(({ by, node }) => (watch.sideOfNode(node) ?? by) !== by)
      .map(({ by, verb, node }) => `${by} ${verb} ${node}`),
    foughtNodes: [...watch.foughtOver],
    foughtWorkloads: [...new Set(evictedBy('cluster-autoscaler'))].filter((name) => both.has(name)),
    givenUp: watch.givenUp.length,
    leaned: watch.givenUp.filter(({ needed, room }) => needed > room).map(({ claim }) => claim),
    emptied: Math.max(0, arrived - ownMoves),
    ofPods: before,
    evictions: { kerf: evictedBy('kerf').length, 'cluster-autoscaler': evictedBy('cluster-autoscaler').length },
    nodesAtEnd: { kerf: watch.nodesOf('kerf'), 'cluster-autoscaler': watch.nodesOf('cluster-autoscaler') },
    waitingAtEnd: watch.waiting,
  }
}

/** Returns the problems of a lab in which the autoscalers are separated. */
export const problemsApart = (facts: LabFacts): readonly string[] => [
  ...(facts.boughtTwice === 0 ? [] : [`${facts.boughtTwice} bursts were bought twice`]),
  ...(facts.foreignWrites.length === 0
    ? []
    : [`writes to nodes of the other side: ${facts.foreignWrites.slice(0, 3).join(', ')}`]),
  ...(facts.foughtNodes.length === 0 ? [] : [`both wanted nodes: ${facts.foughtNodes.slice(0, 3).join(', ')}`]),
  ...(facts.waitingAtEnd === 0 ? [] : [`${facts.waitingAtEnd} pods wait at the end`]),
]

/** Returns the problems of a lab without a separation, in which Kerf ignores free capacity on nodes of node groups. */
export const problemsTogether = (facts: LabFacts): readonly string[] => [
  ...(facts.leaned.length === 0
    ? []
    : [`nodes of Kerf were given up for room on nodes of groups: ${facts.leaned.slice(0, 3).join(', ')}`]),
  ...(facts.foreignWrites.length === 0
    ? []
    : [`writes to nodes of the other side: ${facts.foreignWrites.slice(0, 3).join(', ')}`]),
  ...(facts.waitingAtEnd === 0 ? [] : [`${facts.waitingAtEnd} pods wait at the end`]),
]

export const factsText = (facts: LabFacts): string =>
  [
    ...facts.waves.map(
      ({ asked, byKerf, byAutoscaler, twice }, index) =>
        `  wave ${index + 1}: ${asked} CPU asked, ${byKerf} bought by Kerf, ${byAutoscaler} by Cluster Autoscaler, ${twice} twice`,
    ),
    `  bursts bought twice: ${facts.boughtTwice} of ${facts.waves.length} (${facts.pairs} nodes of groups within a minute of a NodeClaim)`,
    `  writes to nodes of the other side: ${facts.foreignWrites.length}; nodes that both wanted: ${facts.foughtNodes.length}; workloads that both evicted: ${facts.foughtWorkloads.join(', ') || 'none'}`,
    `  pods that left Kerf's nodes for those of groups while nothing was scaled: ${facts.emptied} of ${facts.ofPods}`,
    `  nodes of Kerf given up with pods on them: ${facts.givenUp}, for room on nodes of groups: ${facts.leaned.length}`,
    `  evictions: ${facts.evictions.kerf} by Kerf, ${facts.evictions['cluster-autoscaler']} by Cluster Autoscaler; at the end ${facts.nodesAtEnd.kerf} nodes of Kerf, ${facts.nodesAtEnd['cluster-autoscaler']} of groups, ${facts.waitingAtEnd} pods waiting`,
  ].join('\n')
