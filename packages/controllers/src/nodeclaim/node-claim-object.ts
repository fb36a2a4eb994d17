import {
  annotations,
  finalizers,
  groupVersion,
  HASH_VERSION,
  karpenterKinds,
  type NodeClaim,
  type NodePool,
  nodePoolHash,
} from '@kerf/apis'
import type { PlannedClaim } from '@kerf/engine'
import type { Random } from '@kerf/runtime'

/** The length of the random suffix that the API server adds for `generateName`. */
const SUFFIX_LENGTH = 5

/** The maximum length of names that the API server generates. It is also the maximum length of a label value. */
const LONGEST_NAME = 63

/**
 * Returns a new name in the form that the API server generates: the base, truncated to 58 characters, and five random characters. Kerf
 * generates the name itself, so that it can find the object if the response to a create request is lost. Otherwise it might create a second
 * one.
 */
export const claimName = (pool: string, random: Random): string =>
  `${`${pool}-`.slice(0, LONGEST_NAME - SUFFIX_LENGTH)}${random.text(SUFFIX_LENGTH)}`

const poolOwner = (pool: NodePool) => ({
  apiVersion: groupVersion(karpenterKinds.NodePool),
  kind: karpenterKinds.NodePool.kind,
  name: pool.metadata.name,
  uid: pool.metadata.uid ?? '',
  blockOwnerDeletion: true,
})

/**
 * Returns annotations with the hash of the pool from which the claim was planned. Drift detection can therefore detect later changes of the
 * pool.
 */
export const hashAnnotations = (pool: NodePool): Readonly<Record<string, string>> => ({
  [annotations.nodePoolHash]: nodePoolHash(pool),
  [annotations.nodePoolHashVersion]: HASH_VERSION,
})

/** Returns a NodeClaim that the pool owns. The object already has the finalizer, because Kerf launches nothing for a claim without it. */
export const claimObject = (
  pool: NodePool,
  name: string,
  metadata: Partial<NodeClaim['metadata']>,
  spec: NodeClaim['spec'],
): NodeClaim => ({
  apiVersion: groupVersion(karpenterKinds.NodeClaim),
  kind: karpenterKinds.NodeClaim.kind,
  metadata: {
    ...metadata,
    name,
    generateName: `${pool.metadata.name}-`,
    ownerReferences: [poolOwner(pool)],
    finalizers: [finalizers.termination],
  },
  spec,
})

/**
 * Returns the NodeClaim object for a planned claim (`docs/spec/instance-types.md#the-nodeclaim-object`). `pool` must come from the
 * snapshot of the plan.
 */
export const toNodeClaim = (planned: PlannedClaim, pool: NodePool, name: string): NodeClaim =>
  claimObject(
    pool,
    name,
    {
      labels: planned.labels,
      annotations: {
        ...pool.spec.template.metadata?.annotations,
        ...hashAnnotations(pool),
        [annotations.minValuesRelaxed]: planned.minValuesRelaxed ? 'true' : 'false',
        ...planned.annotations,
      },
    },
    planned.spec,
  )
