import { type KubeObject, karpenterKinds, kinds, type Node, type ResourceKind } from '@kerf/apis'
import type { Wait } from '@kerf/control-plane/progress'
import type { KubeClient } from '@kerf/runtime'

interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string | undefined
  readonly message?: string | undefined
}

const told = (conditions: readonly Condition[] | undefined): string =>
  (conditions ?? [])
    .map(({ type, status, reason = '', message = '' }) => `${type}=${status} ${reason} ${message}`.trim())
    .join('; ')

/**
 * Returns the NodeClaims, nodes and pods with their conditions, one per line, for the message of a failed wait. Therefore it never rejects.
 */
export const clusterState = async (client: KubeClient): Promise<string> => {
  try {
    const claims = (await client.list(karpenterKinds.NodeClaim)).items.map(
      ({ metadata, status }) => `claim ${metadata.name} on ${status?.nodeName}: ${told(status?.conditions)}`,
    )
    const nodes = (await client.list(kinds.Node)).items.map(
      ({ metadata, spec, status }) =>
        `node ${metadata.name}: cpu ${status?.allocatable?.['cpu']}, taints ${spec.taints?.map(({ key }) => key).join(' ') ?? 'none'}: ${told(status?.conditions)}`,
    )
    const pods = (await client.list(kinds.Pod)).items.map(
      ({ metadata, spec, status }) =>
        `pod ${metadata.namespace}/${metadata.name} on ${spec.nodeName ?? 'no node'}, nominated for ${status?.nominatedNodeName ?? 'none'}: ${status?.phase}: ${told(status?.conditions)}`,
    )
    return [...claims, ...nodes, ...pods.slice(0, 30)].join('\n')
  } catch (error) {
    return `the cluster cannot be looked at: ${error instanceof Error ? error.message : error}`
  }
}

const listed = async <T extends KubeObject>(client: KubeClient, kind: ResourceKind<T>): Promise<readonly T[]> => {
  try {
    return (await client.list(kind)).items
  } catch {
    // The kind is not defined yet, or access is forbidden.
    return []
  }
}

const version = ({ metadata }: KubeObject): string => `${metadata.uid} ${metadata.resourceVersion}`

/** Returns a Node as text. Omits the condition times that a kubelet's heartbeat changes. */
const withoutHeartbeats = ({ metadata, spec, status }: Node): string => {
  const { resourceVersion: _version, managedFields: _fields, ...rest } = metadata
  return JSON.stringify([rest, spec, told(status?.conditions)])
}

/** Returns a text that changes with every change of a pod, a node or a NodeClaim, except heartbeats of kubelets. */
export const clusterFingerprint = async (client: KubeClient): Promise<string> => {
  const [claims, nodes, pods] = await Promise.all([
    listed(client, karpenterKinds.NodeClaim),
    listed(client, kinds.Node),
    listed(client, kinds.Pod),
  ])
  return [...claims.map(version), ...nodes.map(withoutHeartbeats), ...pods.map(version)].join('\n')
}

/** Returns a wait for a state of the cluster. `more` returns additional text for the message of a failed wait, such as Kerf's output. */
export const clusterWait = (client: KubeClient, what: string, more: () => string = () => ''): Wait => ({
  what,
  fingerprint: () => clusterFingerprint(client),
  state: async () => `${await clusterState(client)}\n${more()}`.trim(),
})
