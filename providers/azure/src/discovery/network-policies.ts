import { type DaemonSet, type KubeObject, kinds, type ResourceKind } from '@kerf/apis'
import { isNotFound, type KubeClient } from '@kerf/runtime'

const kind = (
  group: string,
  version: string,
  name: string,
  plural: string,
  namespaced = true,
): ResourceKind<KubeObject> => ({
  ...{ group, version, kind: name, plural, namespaced },
})

/** The kinds of network policies that could block a DNS server on the pods' own node. */
export const policyKinds: readonly ResourceKind<KubeObject>[] = [
  kind('networking.k8s.io', 'v1', 'NetworkPolicy', 'networkpolicies'),
  kind('cilium.io', 'v2', 'CiliumNetworkPolicy', 'ciliumnetworkpolicies'),
  kind('cilium.io', 'v2', 'CiliumClusterwideNetworkPolicy', 'ciliumclusterwidenetworkpolicies', false),
  kind('crd.projectcalico.org', 'v1', 'NetworkPolicy', 'networkpolicies'),
  kind('crd.projectcalico.org', 'v1', 'GlobalNetworkPolicy', 'globalnetworkpolicies', false),
]

/** Returns true for the policy that AKS creates in every cluster. */
const isOfAks = ({ metadata: { namespace, name } }: KubeObject): boolean =>
  namespace === 'kube-system' && name === 'konnectivity-agent'

/**
 * Returns a network policy that AKS did not create, as `Kind namespace/name`, or undefined if there is none. A kind that does not exist has
 * no policies.
 */
export const foreignPolicy = async (client: KubeClient, signal: AbortSignal): Promise<string | undefined> => {
  for (const each of policyKinds) {
    // Two items are enough, because one of them may be the policy of AKS.
    const { items } = await client.list(each, { limit: 2, signal }).catch((error: unknown) => {
      if (isNotFound(error)) return { items: [] }
      throw error
    })
    const found = items.find((policy) => each.group !== 'networking.k8s.io' || !isOfAks(policy))
    if (found === undefined) continue
    const { namespace, name } = found.metadata
    return `${each.kind} ${namespace === undefined ? name : `${namespace}/${name}`}`
  }
  return undefined
}

/** Returns true if NodeLocal DNSCache, which a user may have installed, runs on the nodes. */
export const hasNodeLocalDns = async (client: KubeClient, signal: AbortSignal): Promise<boolean> => {
  try {
    await client.get<DaemonSet>(kinds.DaemonSet, { namespace: 'kube-system', name: 'node-local-dns' }, { signal })
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}
