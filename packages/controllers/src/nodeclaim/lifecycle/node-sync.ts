import {
  finalizers,
  groupVersion,
  isSameTaint,
  karpenterKinds,
  kinds,
  labels,
  type Node,
  type NodeClaim,
  type OwnerReference,
  ownValue,
  type Taint,
  taints,
} from '@kerf/apis'
import { isNotFound, type KubeClient } from '@kerf/runtime'

/** The fields that registration writes to a Node. */
export interface NodeSync {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly finalizers: readonly string[]
  readonly ownerReferences: readonly OwnerReference[]
  readonly taints: readonly Taint[]
}

const refersTo = (owner: OwnerReference, claim: NodeClaim): boolean =>
  owner.apiVersion === groupVersion(karpenterKinds.NodeClaim) &&
  owner.kind === karpenterKinds.NodeClaim.kind &&
  owner.uid === claim.metadata.uid

const claimOwner = (claim: NodeClaim): OwnerReference => ({
  apiVersion: groupVersion(karpenterKinds.NodeClaim),
  kind: karpenterKinds.NodeClaim.kind,
  name: claim.metadata.name,
  uid: claim.metadata.uid ?? '',
  blockOwnerDeletion: true,
})

/** Returns `present` plus those taints of `wanted` whose combination of key and effect is not in `present`. */
const withTaints = (present: readonly Taint[], wanted: readonly Taint[]): readonly Taint[] => {
  const result = [...present]
  for (const taint of wanted) if (!result.some((other) => isSameTaint(other, taint))) result.push(taint)
  return result
}

/**
 * Returns the fields that a Node should have according to its claim (`docs/spec/lifecycle.md#registration`, step 2): finalizer, owner,
 * labels and annotations. Includes taints and startup taints, unless the Node has the do-not-sync-taints label.
 */
export const syncedNode = (node: Node, claim: NodeClaim): NodeSync => {
  const owners = node.metadata.ownerReferences ?? []
  const present = node.spec.taints ?? []
  // After registration, a missing startup taint has been removed by its owner and must not be added again.
  const keepsTaints =
    node.metadata.labels?.[labels.doNotSyncTaints] === 'true' || node.metadata.labels?.[labels.registered] === 'true'
  return {
    labels: { ...node.metadata.labels, ...claim.metadata.labels },
    annotations: { ...node.metadata.annotations, ...claim.metadata.annotations },
    finalizers: [...new Set([...(node.metadata.finalizers ?? []), finalizers.termination])],
    ownerReferences: owners.some((owner) => refersTo(owner, claim)) ? owners : [...owners, claimOwner(claim)],
    taints: keepsTaints
      ? present
      : withTaints(present, [...(claim.spec.taints ?? []), ...(claim.spec.startupTaints ?? [])]),
  }
}

/** Returns the fields of a registered Node: with the registered label and without the unregistered taint. */
export const registeredNode = (sync: NodeSync): NodeSync => ({
  ...sync,
  labels: { ...sync.labels, [labels.registered]: 'true' },
  taints: sync.taints.filter((taint) => !isSameTaint(taint, taints.unregistered)),
})

/**
 * Writes the differences under an optimistic lock. Writes nothing if there are none. Returns false if the Node is deleted.
 *
 * @throws ApiError 409 if the Node has changed in the meantime.
 */
export const writeNode = async (
  client: KubeClient,
  node: Node,
  sync: NodeSync,
  signal: AbortSignal,
): Promise<boolean> => {
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
  const { metadata, spec } = node
  const isSynced =
    hasAll(metadata.labels, sync.labels) &&
    hasAll(metadata.annotations, sync.annotations) &&
    same(metadata.finalizers ?? [], sync.finalizers) &&
    same(metadata.ownerReferences ?? [], sync.ownerReferences) &&
    same(spec.taints ?? [], sync.taints)
  if (isSynced) return true
  const body = {
    metadata: {
      resourceVersion: metadata.resourceVersion,
      labels: sync.labels,
      annotations: sync.annotations,
      finalizers: sync.finalizers,
      ownerReferences: sync.ownerReferences,
    },
    spec: { taints: sync.taints },
  }
  return await patchNode(client, metadata.name, body, signal)
}

/** Patches a Node. Returns false if the Node is deleted. */
export const patchNode = async (
  client: KubeClient,
  name: string,
  body: object,
  signal: AbortSignal,
): Promise<boolean> => {
  try {
    await client.patch(kinds.Node, { name }, { type: 'merge', body }, { signal })
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

const hasAll = (
  present: Readonly<Record<string, string>> | undefined,
  wanted: Readonly<Record<string, string>>,
): boolean => Object.entries(wanted).every(([key, value]) => ownValue(present, key) === value)
