import { type ClusterPolicy, karpenterKinds, type NodePool, type NodePoolPolicy, policyKinds } from '@kerf/apis'
import type { Manifest } from '../manifests/manifest.ts'
import type { ClusterSource } from '../plan/load-cluster.ts'

export interface PolicyOptions extends ClusterSource {
  readonly output: 'text' | 'json'
}

/** Returns the policies among the manifests. */
export const policiesIn = (manifests: readonly Manifest[]): readonly ClusterPolicy[] =>
  manifests.flatMap(({ object }) =>
    object.kind === policyKinds.ClusterPolicy.kind && object.apiVersion === 'kerf.sh/v1alpha1'
      ? [object as ClusterPolicy]
      : [],
  )

/** Returns the NodePoolPolicies among the manifests. */
export const poolPoliciesIn = (manifests: readonly Manifest[]): readonly NodePoolPolicy[] =>
  manifests.flatMap(({ object }) =>
    object.kind === policyKinds.NodePoolPolicy.kind && object.apiVersion === 'kerf.sh/v1alpha1'
      ? [object as NodePoolPolicy]
      : [],
  )

/** Returns the NodePools among the manifests. */
export const nodePoolsIn = (manifests: readonly Manifest[]): readonly NodePool[] =>
  manifests.flatMap(({ object }) => (object.kind === karpenterKinds.NodePool.kind ? [object as NodePool] : []))
