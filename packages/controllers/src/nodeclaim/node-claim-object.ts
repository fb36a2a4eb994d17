import {
  annotations,
  apiVersionOf,
  finalizers,
  HASH_VERSION,
  karpenterKinds,
  type NodeClaim,
  type NodePool,
  nodePoolHash,
} from '@kerf/apis'
import type { PlannedClaim } from '@kerf/engine'
import type { Random } from '@kerf/runtime'

/** The length of the random suffix that the API server uses for `generateName`. */
const SUFFIX_LENGTH = 5

/** The longest name that the API server generates, so that it is a valid label value. */
const LONGEST_NAME = 63

/**
 * Returns a new name in the form that the API server generates: the base, truncated to 58 characters, and five random
 * characters. Kerf draws the name itself. If the answer to a create request is lost, it can look up the name instead of
 * creating a second object.
 */
export const claimName = (pool: string, random: Random): string =>
  `${`${pool}-`.slice(0, LONGEST_NAME - SUFFIX_LENGTH)}${random.text(SUFFIX_LENGTH)}`

const ownerOf = (pool: NodePool) => ({
  apiVersion: apiVersionOf(karpenterKinds.NodePool),
  kind: karpenterKinds.NodePool.kind,
  name: pool.metadata.name,
  uid: pool.metadata.uid ?? '',
  blockOwnerDeletion: true,
})

/** Returns the hash of the pool as the plan saw it, so that a later edit is detected as drift. */
export const hashAnnotations = (pool: NodePool): Readonly<Record<string, string>> => ({
  [annotations.nodePoolHash]: nodePoolHash(pool),
  [annotations.nodePoolHashVersion]: HASH_VERSION,
})

/**
 * Returns a NodeClaim that the pool owns. It is created with the finalizer, because nothing is launched for a claim without
 * it.
 */
export const claimObject = (
  pool: NodePool,
  name: string,
  metadata: Partial<NodeClaim['metadata']>,
  spec: NodeClaim['spec'],
): NodeClaim => ({
  apiVersion: apiVersionOf(karpenterKinds.NodeClaim),
  kind: karpenterKinds.NodeClaim.kind,
  metadata: {
    ...metadata,
    name,
    generateName: `${pool.metadata.name}-`,
    ownerReferences: [ownerOf(pool)],
    finalizers: [finalizers.termination],
  },
  spec,
})

/**
 * Returns the NodeClaim for a planned claim (`docs/spec/instance-types.md#the-nodeclaim-object`). `pool` comes from the
 * snapshot of the plan.
 */
export const nodeClaimOf = (planned: PlannedClaim, pool: NodePool, name: string): NodeClaim =>
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
