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

/** Policies of which one could cut pods off from a DNS server on their own node. */
export const policyKinds: readonly ResourceKind<KubeObject>[] = [
  kind('networking.k8s.io', 'v1', 'NetworkPolicy', 'networkpolicies'),
  kind('cilium.io', 'v2', 'CiliumNetworkPolicy', 'ciliumnetworkpolicies'),
  kind('cilium.io', 'v2', 'CiliumClusterwideNetworkPolicy', 'ciliumclusterwidenetworkpolicies', false),
  kind('crd.projectcalico.org', 'v1', 'NetworkPolicy', 'networkpolicies'),
  kind('crd.projectcalico.org', 'v1', 'GlobalNetworkPolicy', 'globalnetworkpolicies', false),
]

/** AKS puts it into every cluster. */
const isOfAks = ({ metadata: { namespace, name } }: KubeObject): boolean =>
  namespace === 'kube-system' && name === 'konnectivity-agent'

/** One policy of the cluster that is not AKS's own, as `Kind namespace/name`; undefined without one. A kind that is not there has none. */
export const foreignPolicy = async (client: KubeClient, signal: AbortSignal): Promise<string | undefined> => {
  for (const each of policyKinds) {
    // Two: one of them may be AKS's own.
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

/** Whether the DNS cache that a cluster's operator may have installed runs on the nodes already. */
export const hasNodeLocalDns = async (client: KubeClient, signal: AbortSignal): Promise<boolean> => {
  try {
    await client.get<DaemonSet>(kinds.DaemonSet, { namespace: 'kube-system', name: 'node-local-dns' }, { signal })
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}
