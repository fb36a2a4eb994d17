import { annotations, type LabelVocabulary, type NodePool, nodePoolHash, type UsdPerHour } from '@kerf/apis'
import { LabelRules, reasonSentence } from '@kerf/engine'
import { poolUsage } from './amounts.ts'
import { netAllowances } from './budgets.ts'
import { browserCluster, type ClusterObjects, type InstanceTypesByPool, poolCounts } from './cluster-snapshot.ts'
import { isTrue } from './conditions.ts'
import { claimsCost } from './price.ts'
import { at, fieldsAt, isDeleting, listAt, objectLabel, objectName, textAt } from './read.ts'
import { replaceNodes } from './replacement.ts'

/** A claim that does not match its pool after the edit. */
export interface DriftingClaim {
  readonly claim: string
  readonly node: string
  readonly cause: 'NodePoolDrifted' | 'RequirementsDrifted'
}

/** A running pod that would become unschedulable. */
export interface UnschedulablePod {
  readonly pod: string
  readonly why: string
}

/** The effect of an edit of a NodePool. */
export interface ChangeEffect {
  readonly drifting: readonly DriftingClaim[]
  readonly unschedulable: readonly UnschedulablePod[]
  /** The cost now, and after all drifted nodes are replaced. Absent if prices are unknown. */
  readonly cost?: { readonly before: UsdPerHour; readonly after: UsdPerHour }
  /** Limits that are already exceeded, by resource. */
  readonly exceeded: readonly string[]
}

const isPool = (object: unknown): object is NodePool =>
  objectName(object) !== '' && at(object, 'spec', 'template', 'spec') !== undefined

const hashOf = (pool: unknown): string | undefined => {
  try {
    return isPool(pool) ? nodePoolHash(pool) : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns which claims of a pool drift if the pool becomes `after`, and why. Uses the drift controller's own rules.
 */
export const driftingClaims = (
  after: unknown,
  claims: readonly unknown[],
  vocabulary: LabelVocabulary,
): readonly DriftingClaim[] => {
  const hash = hashOf(after)
  const rules = new LabelRules(vocabulary)
  const wanted = rules.requirements(listAt(after, 'spec', 'template', 'spec', 'requirements') as never)
  return claims.flatMap((claim): readonly DriftingClaim[] => {
    if (
      objectLabel(claim, 'karpenter.sh/nodepool') !== objectName(after) ||
      isDeleting(claim) ||
      !isTrue(claim, 'Launched')
    )
      return []
    const about = { claim: objectName(claim), node: textAt(claim, 'status', 'nodeName') ?? '' }
    const own = textAt(claim, 'metadata', 'annotations', annotations.nodePoolHash)
    if (hash !== undefined && own !== undefined && own !== hash) return [{ ...about, cause: 'NodePoolDrifted' }]
    const labels = fieldsAt(claim, 'metadata', 'labels') as Readonly<Record<string, string>>
    return rules.ofLabels(labels).accepts(wanted) ? [] : [{ ...about, cause: 'RequirementsDrifted' }]
  })
}

/**
 * Returns how many nodes of the pool may be replaced at the same time according to its budgets. At least 1, because a
 * budget that allows no nodes stops applying at some point.
 */
const driftsAtOnce = (after: unknown, objects: ClusterObjects, now: number): number => {
  const count = poolCounts(objects.nodes, objects.claims).get(objectName(after)) ?? { total: 0, disrupting: 0 }
  const net = netAllowances(after, count, now).find(({ reasons }) => reasons.includes('Drifted'))
  return net?.allowed === undefined ? Number.POSITIVE_INFINITY : Math.max(1, net.allowed)
}

/**
 * Returns the effect of changing a NodePool to `after`. The drifted nodes are replaced step by step, as budgets
 * allow, and the engine plans their pods with the changed NodePool. The result contains the pods that become
 * unschedulable and the new cost.
 */
export const poolChange = (
  after: unknown,
  objects: ClusterObjects,
  instanceTypes: InstanceTypesByPool,
  now: number,
  vocabulary: LabelVocabulary,
): ChangeEffect => {
  const drifting = driftingClaims(after, objects.claims, vocabulary)
  const exceeded = poolUsage(after)
    .filter(({ share }) => share !== undefined && share > 1)
    .map(({ resource }) => resource)
  const pools = objects.pools.map((pool) => (objectName(pool) === objectName(after) ? after : pool))
  const driftedNames = new Set(drifting.map(({ claim }) => claim))
  const { snapshot } = browserCluster({ ...objects, pools }, instanceTypes)
  if (snapshot.pools.length === 0) return { drifting, unschedulable: [], exceeded }
  const driftedNodes = snapshot.nodes.filter(({ nodeClaim }) => nodeClaim !== undefined && driftedNames.has(nodeClaim))
  const replaced = replaceNodes(snapshot, driftedNodes, driftsAtOnce(after, objects, now), vocabulary)
  const unschedulable = replaced.unschedulable.map(({ pod, reasons: [nearest] }) => ({
    pod: `${pod.metadata.namespace ?? 'default'}/${pod.metadata.name ?? ''}`,
    why: nearest === undefined ? '' : reasonSentence(nearest),
  }))
  const all = objects.claims.filter((claim) => !isDeleting(claim))
  const before = claimsCost(all)
  const kept = claimsCost(all.filter((claim) => !driftedNames.has(objectName(claim))))
  const isPriced = before.unknown === 0 && replaced.unpriced === 0
  return {
    drifting,
    unschedulable,
    exceeded,
    ...(isPriced ? { cost: { before: before.total, after: kept.total + replaced.cost } } : {}),
  }
}
