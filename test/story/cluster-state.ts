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
 * What a person would look at when something does not come: claims, nodes and pods, one a line, with their conditions.
 * For the message of a wait that was in vain, so it never fails itself.
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
    // Not defined yet, or forbidden.
    return []
  }
}

const version = ({ metadata }: KubeObject): string => `${metadata.uid} ${metadata.resourceVersion}`

/** A heartbeat of a kubelet changes nothing but times of conditions. */
const withoutHeartbeats = ({ metadata, spec, status }: Node): string => {
  const { resourceVersion: _version, managedFields: _fields, ...rest } = metadata
  return JSON.stringify([rest, spec, told(status?.conditions)])
}

/** Returns a text that changes whenever a pod, a node or a claim does, except with the heartbeats of kubelets. */
export const clusterFingerprint = async (client: KubeClient): Promise<string> => {
  const [claims, nodes, pods] = await Promise.all([
    listed(client, karpenterKinds.NodeClaim),
    listed(client, kinds.Node),
    listed(client, kinds.Pod),
  ])
  return [...claims.map(version), ...nodes.map(withoutHeartbeats), ...pods.map(version)].join('\n')
}

/** Returns a wait for something in the cluster. `more`: what else a wait in vain tells, such as the last output of Kerf. */
export const clusterWait = (client: KubeClient, what: string, more: () => string = () => ''): Wait => ({
  what,
  fingerprint: () => clusterFingerprint(client),
  state: async () => `${await clusterState(client)}\n${more()}`.trim(),
})
