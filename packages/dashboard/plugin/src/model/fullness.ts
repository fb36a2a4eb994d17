import { addQuantities, labels, type Quantity, toNumber, zero } from '@kerf/apis'
import { parseAmount, podRequest } from './amounts.ts'
import { isActivePod } from './pending-pods.ts'
import { at, objectLabel, objectName, onceForEach, textAt } from './read.ts'

/** The resources whose shares are shown. */
export const FULLNESS_RESOURCES = ['cpu', 'memory'] as const
type Amounts = Readonly<Record<(typeof FULLNESS_RESOURCES)[number], Quantity>>

/** The resources that the pods on some nodes request, and the allocatable resources of these nodes. */
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

/** Returns the allocatable resources of a Node or NodeClaim, or undefined if its status does not contain them. */
const objectAllocatable = (object: unknown): Amounts | undefined => {
  const [cpu, memory] = FULLNESS_RESOURCES.map((name) => parseAmount(at(object, 'status', 'allocatable', name)))
  return cpu === undefined || memory === undefined ? undefined : { cpu, memory }
}

/** Returns the requested fraction of a resource, or undefined if nothing is allocatable. */
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

/** How full the nodes and NodePools are, keyed by the names of the Nodes and NodePools. */
export interface FullnessByName {
  readonly nodes: ReadonlyMap<string, Fullness>
  readonly pools: ReadonlyMap<string, Fullness>
}

/**
 * Returns how full the nodes of NodePools are, and how full the NodePools are. Pods that have ended or are being deleted do not count.
 * Omits nodes without allocatable amounts.
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
