import {
  type ClusterPolicy,
  COMMITMENT_CONFIG_MAP,
  COMMITMENT_KEY,
  type KubeObject,
  type Milliseconds,
  ProblemError,
} from '@kerf/apis'
import {
  type CommitmentSpec,
  type CommitmentUse,
  commitmentOrigin,
  commitmentSpecs,
  commitmentUse,
  overriddenCommitments,
  parseCommitmentDocument,
  readDiscounts,
  readPrepaid,
  type TypesByName,
} from '@kerf/controllers'
import type { InstanceType, NodeState } from '@kerf/engine'
import { DeclaredPrices, type PriceDiscount } from '@kerf/provider-contract'
import { configMapText, isClusterPolicy, type PlannedPrices } from './price-book.ts'

/** The commitments of a cluster. A command reads them once and uses them everywhere. */
export interface PlannedCommitments {
  readonly specs: readonly CommitmentSpec[]
  /** The prepaid commitments, each with the nodes that it covers. */
  readonly uses: readonly CommitmentUse[]
  /** Names of commitments in the source that do not apply, because the policy itself declares commitments with the same names. */
  readonly overridden: readonly string[]
  /** The instance types of the NodePools, on which the amounts of some commitments depend. */
  readonly types: TypesByName
}

/**
 * Returns the ClusterPolicy among the objects, with the commitments of its ConfigMap. If the objects do not include the ConfigMap, the
 * commitments in the policy's status apply, where Kerf stores the commitments that it read last. The second result is the problem with the
 * ConfigMap, if there is one.
 */
const policyIn = (objects: readonly KubeObject[]): readonly [ClusterPolicy | undefined, string?] => {
  const policy = objects.findLast(isClusterPolicy)
  const source = policy?.spec?.commitmentSource
  if (policy === undefined || source === undefined) return [policy]
  const configMap = source.configMap && {
    name: source.configMap.name ?? COMMITMENT_CONFIG_MAP,
    key: source.configMap.key ?? COMMITMENT_KEY,
  }
  const origin = commitmentOrigin({ ...source, configMap })
  const text = configMap === undefined ? undefined : configMapText(objects, configMap)
  try {
    if (text !== undefined) {
      const commitmentSource = { source: origin, readAt: '', commitments: parseCommitmentDocument(text) }
      return [{ ...policy, status: { ...policy.status, commitmentSource } }]
    }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return [policy, `commitments: ${origin}: ${error.message}`]
  }
  if (policy.status?.commitmentSource !== undefined) return [policy]
  const missing = `commitments: ${origin} is not among the objects, and the status of the ClusterPolicy has no commitments of it`
  return [policy, missing]
}

/** Returns the commitments that the ClusterPolicy among the objects declares, and the commitments that it reads from its source. */
export const commitmentSpecsIn = (objects: readonly KubeObject[]): readonly CommitmentSpec[] =>
  commitmentSpecs(policyIn(objects)[0])

/** Returns a sentence if the source of the commitments cannot be read. */
export const commitmentNotes = (objects: readonly KubeObject[]): readonly string[] => {
  const [, problem] = policyIn(objects)
  return problem === undefined ? [] : [problem]
}

/** Returns the discounts of the ClusterPolicy among the objects. */
export const discountsIn = (objects: readonly KubeObject[]): readonly PriceDiscount[] =>
  readDiscounts(commitmentSpecsIn(objects))

/** Returns a function that applies the price book and the discounts of a cluster to instance types. */
export const pricing = (
  book: PlannedPrices | undefined,
  discounts: readonly PriceDiscount[],
): ((types: readonly InstanceType[]) => readonly InstanceType[]) => {
  if (book !== undefined) return (types) => book.apply(types)
  const store = new DeclaredPrices()
  if (discounts.length > 0) store.replaceDiscounts(discounts)
  return (types) => store.apply(types)
}

/** Returns instance types by name. If several types have the same name, the first one is used. */
export const typesByName = (types: Iterable<InstanceType>): TypesByName => {
  const byName = new Map<string, InstanceType>()
  for (const type of types) if (!byName.has(type.name)) byName.set(type.name, type)
  return byName
}

/** Returns the commitments and their use, by the same rules as the controllers. Returns undefined if there are no commitments. */
export const plannedUse = (
  objects: readonly KubeObject[],
  nodes: readonly NodeState[],
  unlaunched: Parameters<typeof commitmentUse>[2],
  types: TypesByName,
  now: Milliseconds,
): PlannedCommitments | undefined => {
  const [policy] = policyIn(objects)
  const specs = commitmentSpecs(policy)
  if (specs.length === 0) return undefined
  return {
    specs,
    overridden: overriddenCommitments(policy),
    uses: commitmentUse(readPrepaid(specs, now), nodes, unlaunched, types),
    types,
  }
}
