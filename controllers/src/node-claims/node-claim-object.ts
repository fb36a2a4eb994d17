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

/** Length of the random part of a name, as the API server draws it for `generateName`. */
const SUFFIX_LENGTH = 5

/** The longest name that the API server generates: one that is still a label value. */
const LONGEST_NAME = 63

/**
 * A fresh name in the form the API server generates, with the base cut as it cuts `generateName`: 58 characters and five
 * random ones. The name is drawn here, so that a create whose answer got lost can be looked up by name instead of being
 * repeated under another one.
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

/** The fingerprint of the pool as the plan saw it: an edit that came meanwhile must show as drift. */
export const hashAnnotations = (pool: NodePool): Readonly<Record<string, string>> => ({
  [annotations.nodePoolHash]: nodePoolHash(pool),
  [annotations.nodePoolHashVersion]: HASH_VERSION,
})

/** A NodeClaim of the pool, which owns it. Nothing is launched for a claim without the finalizer, so it is born with it. */
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
 * The NodeClaim that a plan asks for (`docs/spec/instance-types.md#the-nodeclaim-object`). `pool` is the one of the
 * plan's snapshot.
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
