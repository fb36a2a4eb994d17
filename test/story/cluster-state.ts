import { karpenterKinds, kinds } from '@kerf/apis'
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
