import { labels, type NodeClaim } from '@kerf/apis'
import type { Commitment, NodeState } from '@kerf/engine'
import type { PrepaidTerms } from './prepaid-terms.ts'

const ONE = 1_000_000_000n

/** A prepaid commitment and the nodes that use it. */
export interface CommitmentUse {
  readonly terms: PrepaidTerms
  /** The names of the nodes that use the commitment, or would use it if it covered more. */
  readonly nodes: readonly string[]
  /** How many claims without a known instance may use it. */
  readonly starting: number
}

/** An instance that may use a commitment. */
interface Instance {
  readonly name: string
  readonly isStarting: boolean
  mayUse(terms: PrepaidTerms): boolean
}

const isIn = ({ region, zone }: PrepaidTerms, own: Readonly<Record<string, string>>): boolean =>
  (zone === undefined || own[labels.zone] === zone) &&
  (region === undefined || (own[labels.region] ?? region) === region)

/**
 * Returns whether the bill applies the commitment to this node. Nodes that Kerf does not manage count too, because the bill treats them
 * alike. They have no label with the capacity type, so they count as on-demand.
 */
const nodeMayUse = ({ labels: own }: NodeState, terms: PrepaidTerms): boolean =>
  own[labels.instanceType] === terms.instanceType &&
  (own[labels.capacityType] ?? 'on-demand') === 'on-demand' &&
  isIn(terms, own)

/** Returns whether the instance of a claim may use the commitment, whichever of the claim's types and offerings the cloud launches. */
const claimMayUse = ({ spec: { requirements } }: NodeClaim, terms: PrepaidTerms): boolean => {
  const allows = (key: string, value: string | undefined): boolean =>
    value === undefined ||
    requirements.every((each) => each.key !== key || each.operator !== 'In' || each.values?.includes(value) !== false)
  return (
    allows(labels.instanceType, terms.instanceType) &&
    allows(labels.capacityType, 'on-demand') &&
    allows(labels.zone, terms.zone) &&
    allows(labels.region, terms.region)
  )
}

/** Returns how many instances a commitment covers now. */
export const coversNow = ({ covers, state }: PrepaidTerms): number => (state === 'Active' ? covers : 0)

/** Returns how many instances of a commitment nodes use. */
export const usedInstances = ({ terms, nodes, starting }: CommitmentUse): number =>
  Math.min(coversNow(terms), nodes.length + starting)

/** Returns how many instances of a commitment no node uses. */
export const unusedInstances = (use: CommitmentUse): number => coversNow(use.terms) - usedInstances(use)

/**
 * Returns which nodes use each commitment (`docs/spec/policies.md#commitments`). A node uses the first commitment that still covers it. If
 * none does, it is listed under the last one that could. Nodes that are being removed use no commitment. `unlaunched` contains the claims
 * whose instance is not known yet.
 */
export const commitmentUse = (
  all: readonly PrepaidTerms[],
  nodes: Iterable<NodeState>,
  unlaunched: readonly NodeClaim[] = [],
): readonly CommitmentUse[] => {
  const claims = new Map(unlaunched.map((claim) => [claim.metadata.name, claim]))
  const users = all.map((): Instance[] => [])
  const instances = Array.from(nodes)
    .filter(({ markedForDeletion, nodeClaim }) => !markedForDeletion && !claims.has(nodeClaim ?? ''))
    .map((view): Instance => ({ name: view.name, isStarting: false, mayUse: (terms) => nodeMayUse(view, terms) }))
  for (const [name, claim] of claims)
    instances.push({ name, isStarting: true, mayUse: (terms) => claimMayUse(claim, terms) })
  for (const instance of instances.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const possible = all.flatMap((terms, place) => (terms.state === 'Active' && instance.mayUse(terms) ? [place] : []))
    const place = possible.find((each) => (users[each]?.length ?? 0) < (all[each]?.covers ?? 0)) ?? possible.at(-1)
    if (place !== undefined) users[place]?.push(instance)
  }
  return all.map((terms, place) => {
    const own = users[place] ?? []
    const running = own.filter(({ isStarting }) => !isStarting)
    return { terms, nodes: running.map(({ name }) => name), starting: own.length - running.length }
  })
}

/** Returns the active commitments in the form in which the engine plans with them. */
export const plannedCommitments = (uses: readonly CommitmentUse[]): readonly Commitment[] =>
  uses.flatMap(({ terms, nodes, starting }): readonly Commitment[] => {
    const { name, instanceType, region, zone, covers, state } = terms
    if (state !== 'Active') return []
    return [
      {
        ...{ name, units: new Map([[instanceType, ONE]]) },
        ...(region === undefined ? {} : { region }),
        ...(zone === undefined ? {} : { zone }),
        free: BigInt(covers - nodes.length - starting) * ONE,
        uses: new Map(nodes.map((node) => [node, ONE])),
      },
    ]
  })
