import { CLUSTER_POLICY, type NodePool, type NodePoolPolicy, tryParseQuantity } from '@kerf/apis'
import { attachPolicies, poolAccess, sleepingPools, sleepTexts } from '@kerf/controllers/cluster-view'
import type { CeilingHeadroom, PoolAccess } from '@kerf/engine'
import { at, isDeleting, isFields, listAt, numberAt, objectName, textAt } from './read.ts'

/** The policies of a cluster. A list is empty if the cluster does not serve the kind, or if the user is not allowed to list it. */
export interface PolicyObjects {
  readonly clusterPolicies: readonly unknown[]
  readonly poolPolicies: readonly unknown[]
}

/** The effect of policies on decisions, in the form that the engine uses. */
export interface BrowserPolicies {
  /** Absent if there are no ceilings, or if the controller has not yet written how much of them is left. */
  readonly ceilings?: CeilingHeadroom
  /** The NodePools that only some pods may use, by name. */
  readonly access: ReadonlyMap<string, PoolAccess>
  /** The time at which each sleeping NodePool wakes, as text, by the name of the NodePool. */
  readonly asleep: ReadonlyMap<string, string>
}

export const NO_POLICIES: BrowserPolicies = { access: new Map(), asleep: new Map() }

/** One replacement node may exceed the ceilings unless the policy says otherwise (`docs/spec/policies.md#replacements`). */
const DEFAULT_SURGE = 1

/**
 * Returns the ceilings in the status of the ClusterPolicy. Only the controller can count the nodes whose launch has begun, so what is left
 * is not computed again.
 */
const ceilingsOf = (policies: readonly unknown[]): CeilingHeadroom | undefined => {
  const policy = policies.find((each) => objectName(each) === CLUSTER_POLICY && !isDeleting(each))
  if (at(policy, 'spec', 'ceilings') === undefined) return undefined
  const most = new Map<string, bigint>()
  const free = new Map<string, bigint>()
  for (const row of listAt(policy, 'status', 'ceilings')) {
    const name = textAt(row, 'name')
    const [ceiling, headroom] = [textAt(row, 'ceiling'), textAt(row, 'headroom')].map((text) =>
      text === undefined ? undefined : tryParseQuantity(text),
    )
    if (name === undefined || ceiling === undefined || headroom === undefined) continue
    most.set(name, ceiling)
    free.set(name, headroom)
  }
  return most.size === 0
    ? undefined
    : { most, free, surge: numberAt(policy, 'spec', 'ceilings', 'surge') ?? DEFAULT_SURGE }
}

const isPoolPolicy = (object: unknown): object is NodePoolPolicy =>
  objectName(object) !== '' && isFields(at(object, 'spec'))
const isPool = (object: unknown): object is NodePool => objectName(object) !== '' && isFields(at(object, 'spec'))

/** Returns the effect of NodePoolPolicies by the controller's rules. Throws if a policy does not have the form that its CRD requires. */
const poolPolicyEffect = (
  policies: readonly NodePoolPolicy[],
  pools: readonly NodePool[],
  now: number,
): Pick<BrowserPolicies, 'access' | 'asleep'> => {
  const attached = attachPolicies(policies, pools)
  const byName = new Map(pools.map((pool) => [objectName(pool), pool]))
  const sleeping = sleepingPools(attached, (name) => byName.get(name), now)
  return { access: poolAccess(attached), asleep: sleepTexts(sleeping, now) }
}

/**
 * Returns the effect of the policies on decisions at a time in milliseconds, by the rules of the controller (`docs/spec/policies.md`).
 * Ignores NodePoolPolicies that the cluster stored without the checks of the CRD and that cannot be read.
 */
export const browserPolicies = (
  { clusterPolicies, poolPolicies }: PolicyObjects,
  listedPools: readonly unknown[],
  now: number,
): BrowserPolicies => {
  const ceilings = ceilingsOf(clusterPolicies)
  const pools = listedPools.filter(isPool)
  const readable = poolPolicies.filter(isPoolPolicy).filter((policy) => {
    try {
      return poolPolicyEffect([policy], pools, now) !== undefined
    } catch {
      return false
    }
  })
  return { ...(ceilings === undefined ? {} : { ceilings }), ...poolPolicyEffect(readable, pools, now) }
}
