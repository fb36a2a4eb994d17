import { addQuantities, labels, type Quantity, toNumber, zero } from '@kerf/apis'
import { parseAmount, podRequest } from './amounts.ts'
import { isActivePod } from './pending-pods.ts'
import { at, objectLabel, objectName, onceForEach, textAt } from './read.ts'

/** The resources whose shares are shown. */
export const FULLNESS_RESOURCES = ['cpu', 'memory'] as const
type Amounts = Readonly<Record<(typeof FULLNESS_RESOURCES)[number], Quantity>>

/** What the pods of some nodes request, and what these nodes can allocate to pods. */
export interface Fullness {
  readonly requested: Amounts
  readonly allocatable: Amounts
}

const NOTHING: Amounts = { cpu: zero, memory: zero }

const plus = (a: Amounts, b: Amounts): Amounts => ({
  cpu: addQuantities(a.cpu, b.cpu),
  memory: addQuantities(a.memory, b.memory),
})

const requestsOf = onceForEach((pod): Amounts => ({ cpu: podRequest(pod, 'cpu'), memory: podRequest(pod, 'memory') }))

/** Returns what a Node or NodeClaim can allocate to pods, or nothing if it does not say. */
const objectAllocatable = (object: unknown): Amounts | undefined => {
  const [cpu, memory] = FULLNESS_RESOURCES.map((name) => parseAmount(at(object, 'status', 'allocatable', name)))
  return cpu === undefined || memory === undefined ? undefined : { cpu, memory }
}

/** Returns the requested share of a resource; undefined if nothing can be allocated. */
export const requestedShare = ({ requested, allocatable }: Fullness, resource: keyof Amounts): number | undefined => {
  const all = toNumber(allocatable[resource])
  return all === 0 ? undefined : toNumber(requested[resource]) / all
}

/** Sums of several nodes. */
export const sumFullness = (all: readonly Fullness[]): Fullness =>
  all.reduce(
    (sum, each) => ({
      requested: plus(sum.requested, each.requested),
      allocatable: plus(sum.allocatable, each.allocatable),
    }),
    { requested: NOTHING, allocatable: NOTHING },
  )

/** How full the nodes and NodePools are, by name. The name of a node is that of its Node object. */
export interface FullnessByName {
  readonly nodes: ReadonlyMap<string, Fullness>
  readonly pools: ReadonlyMap<string, Fullness>
}

/**
 * Returns what the pods of each node of a NodePool request. Pods that have ended or are being deleted do not count. Omits a node without
 * allocatable amounts.
 */
export const fullnessByName = (nodes: readonly unknown[], pods: readonly unknown[]): FullnessByName => {
  const requested = new Map<string, Amounts>()
  for (const pod of pods) {
    const node = textAt(pod, 'spec', 'nodeName')
    if (node === undefined || !isActivePod(pod)) continue
    requested.set(node, plus(requested.get(node) ?? NOTHING, requestsOf(pod)))
  }
  const byNode = new Map<string, Fullness>()
  const byPool = new Map<string, Fullness[]>()
  for (const node of nodes) {
    const pool = objectLabel(node, labels.nodePool)
    const allocatable = objectAllocatable(node)
    if (pool === undefined || allocatable === undefined) continue
    const fullness = { requested: requested.get(objectName(node)) ?? NOTHING, allocatable }
    byNode.set(objectName(node), fullness)
    const own = byPool.get(pool)
    if (own === undefined) byPool.set(pool, [fullness])
    else own.push(fullness)
  }
  return { nodes: byNode, pools: new Map(Array.from(byPool, ([pool, own]) => [pool, sumFullness(own)])) }
}
