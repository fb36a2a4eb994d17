import { annotations, HASH_VERSION, type LabelVocabulary, type NodePool, nodePoolHash } from '@kerf/apis'
import { LabelRules } from '@kerf/engine'
import { findConditionRow, isTrue } from './conditions.ts'
import { at, fieldsAt, isDeleting, listAt, objectLabel, objectName, textAt } from './read.ts'

/** The drift reasons that follow from the NodePool alone. The provider has further reasons. */
type PoolDriftCause = 'NodePoolDrifted' | 'RequirementsDrifted'

/** A claim that does not match its pool after the edit. */
export interface DriftingClaim {
  readonly claim: string
  readonly node: string
  readonly cause: PoolDriftCause
}

/** The effect of an edit of a NodePool on the drift of its claims. */
export interface DriftChange {
  /** Claims that drift because of the edit. */
  readonly drifting: readonly DriftingClaim[]
  /** The names of claims that have already drifted and remain drifted after the edit. */
  readonly already: readonly string[]
  /** The names of drifted NodeClaims that match the pool again. */
  readonly undone: readonly string[]
}

const isPool = (object: unknown): object is NodePool =>
  objectName(object) !== '' && at(object, 'spec', 'template', 'spec') !== undefined

const poolHash = (pool: unknown): string | undefined => {
  try {
    return isPool(pool) ? nodePoolHash(pool) : undefined
  } catch {
    return undefined
  }
}

const ownHash = (claim: unknown): string | undefined =>
  textAt(claim, 'metadata', 'annotations', annotations.nodePoolHashVersion) === HASH_VERSION
    ? textAt(claim, 'metadata', 'annotations', annotations.nodePoolHash)
    : undefined

const ownClaims = (pool: unknown, claims: readonly unknown[]): readonly unknown[] =>
  claims.filter(
    (claim) =>
      objectLabel(claim, 'karpenter.sh/nodepool') === objectName(pool) &&
      !isDeleting(claim) &&
      isTrue(claim, 'Launched'),
  )

/** Returns a function that returns why a claim drifts from a pool. The function uses the drift controller's own rules. */
const causeIn = (pool: unknown, vocabulary: LabelVocabulary): ((claim: unknown) => PoolDriftCause | undefined) => {
  const hash = poolHash(pool)
  const rules = new LabelRules(vocabulary)
  const wanted = rules.requirements(listAt(pool, 'spec', 'template', 'spec', 'requirements') as never)
  return (claim) => {
    const own = ownHash(claim)
    if (hash !== undefined && own !== undefined && own !== hash) return 'NodePoolDrifted'
    const labels = fieldsAt(claim, 'metadata', 'labels') as Readonly<Record<string, string>>
    return rules.ofLabels(labels).accepts(wanted) ? undefined : 'RequirementsDrifted'
  }
}

const drifted = (claim: unknown, cause: PoolDriftCause): DriftingClaim => ({
  claim: objectName(claim),
  node: textAt(claim, 'status', 'nodeName') ?? '',
  cause,
})

/** Returns which claims do not match a pool, and why. Only hashes of Kerf's own version can be compared. */
export const driftingClaims = (
  pool: unknown,
  claims: readonly unknown[],
  vocabulary: LabelVocabulary,
): readonly DriftingClaim[] => {
  const causeOf = causeIn(pool, vocabulary)
  return ownClaims(pool, claims).flatMap((claim) => {
    const cause = causeOf(claim)
    return cause === undefined ? [] : [drifted(claim, cause)]
  })
}

/** Values of the `Drifted` condition's reason that an edit of the NodePool can remove. */
const OF_THE_POOL: ReadonlySet<string> = new Set<PoolDriftCause>(['NodePoolDrifted', 'RequirementsDrifted'])

/**
 * Returns which NodeClaims begin or cease to drift if the stored pool `before` becomes `after`. NodeClaims that have
 * already drifted are not counted as an effect of the edit. If the hash on a NodeClaim has another version, the hashes
 * of `before` and `after` are compared instead.
 */
export const driftChange = (
  before: unknown,
  after: unknown,
  claims: readonly unknown[],
  vocabulary: LabelVocabulary,
): DriftChange => {
  const causeBefore = causeIn(before, vocabulary)
  const causeAfter = causeIn(after, vocabulary)
  const isTemplateEdited = before !== undefined && poolHash(before) !== poolHash(after)
  const drifting: DriftingClaim[] = []
  const already: string[] = []
  const undone: string[] = []
  for (const claim of ownClaims(after, claims)) {
    const condition = findConditionRow(claim, 'Drifted')
    const isDrifted = condition?.status === 'True'
    const isForeign = ownHash(claim) === undefined
    const cause = causeAfter(claim) ?? (isForeign && isTemplateEdited ? 'NodePoolDrifted' : undefined)
    const isPoolDrift = OF_THE_POOL.has(condition?.reason ?? '')
    if (isDrifted && isPoolDrift && cause === undefined && !isForeign) undone.push(objectName(claim))
    else if (isDrifted || causeBefore(claim) !== undefined) {
      if (isDrifted || cause !== undefined) already.push(objectName(claim))
    } else if (cause !== undefined) drifting.push(drifted(claim, cause))
  }
  return { drifting, already, undone }
}
