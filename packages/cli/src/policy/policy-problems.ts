import { CLUSTER_POLICY, type ClusterPolicy, type Milliseconds, type NodePool } from '@kerf/apis'
import { ceilingAmount, ceilingName, commitmentProblems, type PlannedCeilings } from '@kerf/controllers'
import { HOURLY_COST, hourlyCost, type InstanceType, NODES, type PoolOption } from '@kerf/engine'
import type { PlannedCommitments } from '../plan/commitments.ts'
import { type LintedPriceBook, priceBookProblems } from './price-book-problems.ts'

/** A problem of a policy, with its remedy. */
export interface PolicyProblem {
  readonly policy: string
  readonly problem: string
  readonly remedy: string
}

/** The cluster in which policies are checked. */
export interface LintedCluster {
  readonly policies: readonly ClusterPolicy[]
  readonly pools: readonly PoolOption[]
  readonly staticPools: readonly NodePool[]
  readonly ceilings: PlannedCeilings | undefined
  readonly priceBook: LintedPriceBook | undefined
  readonly commitments: PlannedCommitments | undefined
  /** Why the ConfigMap of `spec.commitmentSource` cannot be read. */
  readonly sourceProblem: string | undefined
  /** Whether the provider of the instance types reads commitments from the account. */
  readonly readsAccount: boolean
  readonly now: Milliseconds
}

type Found = Omit<PolicyProblem, 'policy'>

/**
 * Returns the smallest amount that a node of one of these types adds to the use of the ceiling `name`. Returns undefined if no type adds
 * anything.
 */
const smallestNeed = (name: string, types: readonly InstanceType[]): bigint | undefined => {
  const needs = types.flatMap(({ capacity, offerings }): readonly bigint[] => {
    if (name === NODES) return [1_000_000_000n]
    if (name === HOURLY_COST) return offerings.flatMap(({ price }) => (price === undefined ? [] : [hourlyCost(price)]))
    const amount = Object.entries(capacity).find(([resource]) => resource === name)?.[1] ?? 0n
    return amount > 0n ? [amount] : []
  })
  return needs.length === 0 ? undefined : needs.reduce((least, each) => (each < least ? each : least))
}

const ceilingProblem = (
  name: string,
  { ceilings, use }: PlannedCeilings,
  types: readonly InstanceType[],
): readonly Found[] => {
  const most = ceilings.most.get(name) ?? 0n
  const used = use.used.get(name) ?? 0n
  const text = `the ceiling on ${ceilingName(name)} (${ceilingAmount(name, most)})`
  if (used > most)
    return [
      {
        problem: `${text} is below what runs: ${ceilingAmount(name, used)}. Kerf removes no node because of that, and launches none.`,
        remedy: 'raise the ceiling, or remove pods so that consolidation can remove nodes',
      },
    ]
  if (types.length === 0) return []
  const least = smallestNeed(name, types)
  if (least === undefined)
    return [
      name === HOURLY_COST
        ? {
            problem: `${text} lets Kerf launch nothing, because no instance type has a known price`,
            remedy: 'set prices, for example in spec.priceBook, or remove usdPerHour',
          }
        : {
            problem: `${text} has no effect: no instance type of any NodePool has this resource`,
            remedy: 'correct the name of the resource, or remove the ceiling',
          },
    ]
  if (least > most)
    return [
      {
        problem: `${text} is below the smallest instance type (${ceilingAmount(name, least)}), so Kerf can launch nothing`,
        remedy: 'raise the ceiling',
      },
    ]
  return []
}

/** Returns a problem if some instance types have offerings without a known price, because a ceiling on the price excludes these types. */
const unpricedProblem = (types: readonly InstanceType[]): readonly Found[] => {
  const unpriced = types.filter(({ offerings }) => offerings.some(({ price }) => price === undefined))
  if (unpriced.length === 0 || unpriced.length === types.length) return []
  return [
    {
      problem: `${unpriced.length} of ${types.length} instance types have offerings without a known price; below a ceiling on the price, Kerf does not launch these types`,
      remedy: 'set their prices, for example in spec.priceBook',
    },
  ]
}

/** Returns the problems of the policies in a cluster. */
export const policyProblems = ({
  policies,
  pools,
  staticPools,
  ceilings,
  priceBook,
  commitments,
  sourceProblem,
  readsAccount,
  now,
}: LintedCluster): readonly PolicyProblem[] => {
  const found: PolicyProblem[] = policies
    .filter(({ metadata }) => metadata.name !== CLUSTER_POLICY)
    .map(({ metadata: { name } }) => ({
      policy: `ClusterPolicy ${name}`,
      problem: 'is not read: the only ClusterPolicy is named "default"',
      remedy: 'merge its sections into the ClusterPolicy "default"',
    }))
  const add = (problems: readonly Found[]): void => {
    for (const problem of problems) found.push({ policy: `ClusterPolicy ${CLUSTER_POLICY}`, ...problem })
  }
  if (priceBook !== undefined) add(priceBookProblems(priceBook))
  const asksAccount = policies.some(
    ({ metadata, spec }) => metadata.name === CLUSTER_POLICY && spec?.commitmentSource?.account !== undefined,
  )
  if (asksAccount && !readsAccount)
    add([
      {
        problem: 'spec.commitmentSource.account: the provider of the NodePools reads no commitments from the account',
        remedy: 'declare them in spec.commitments, in a ConfigMap or in a file',
      },
    ])
  if (sourceProblem !== undefined)
    add([
      {
        problem: sourceProblem,
        remedy: 'correct the ConfigMap, or add it to the files; the commitments in spec.commitments apply without it',
      },
    ])
  const types = [...new Set(pools.flatMap(({ instanceTypes }) => instanceTypes))]
  if (commitments !== undefined)
    add(
      commitmentProblems(
        commitments.specs,
        new Map(types.map((type) => [type.name, type])),
        now,
        commitments.overridden,
      ),
    )
  if (ceilings === undefined) return found
  add(
    ceilings.ceilings.invalid.map((field) => ({
      problem: `${field} is not a quantity; Kerf treats the ceiling as 0 and launches no node`,
      remedy: 'write a quantity that is not negative, for example "100" or "64Gi"',
    })),
  )
  for (const name of ceilings.ceilings.most.keys()) add(ceilingProblem(name, ceilings, types))
  if (ceilings.ceilings.most.has(HOURLY_COST)) add(unpricedProblem(types))
  const replicas = staticPools.reduce((sum, { spec }) => sum + (spec.replicas ?? 0), 0)
  const nodes = ceilings.ceilings.most.get(NODES)
  if (nodes !== undefined && BigInt(replicas) * 1_000_000_000n > nodes)
    add([
      {
        problem: `the static NodePools require ${replicas} nodes, and the ceiling on nodes is ${ceilingAmount(NODES, nodes)}`,
        remedy: 'raise the ceiling, or lower spec.replicas',
      },
    ])
  if (ceilings.ceilings.surge === 0)
    add([
      {
        problem: 'surge is 0: at a ceiling, Kerf replaces no drifted node before another node is gone',
        remedy: 'set spec.ceilings.surge to 1, unless that is intended',
      },
    ])
  return found
}
