import { groupVersion, type KubeObject, karpenterKinds, type NodeClaim, type ResourceKind } from '@kerf/apis'
import { isAlreadyExists, type KubeClient } from '@kerf/runtime'
import { ORACLE_GROUP } from '../names.ts'
import type { ResolvedClass, SecondaryVnic } from '../node-class/resolved-class.ts'

export interface NativePodNetwork extends KubeObject {
  readonly spec: {
    readonly id: string
    readonly maxPodCount: number
    readonly secondaryVnics: readonly object[]
  }
}

/** The object from which Oracle's network plugin creates the interfaces for the pods of a node. */
export const nativePodNetworkKind: ResourceKind<NativePodNetwork> = {
  ...{ group: ORACLE_GROUP, version: 'v1beta1', kind: 'NativePodNetwork' },
  ...{ plural: 'nativepodnetworks', namespaced: false },
}

const ownerOf = ({ metadata: { name, uid = '' } }: NodeClaim) => ({
  ...{ apiVersion: groupVersion(karpenterKinds.NodeClaim), kind: karpenterKinds.NodeClaim.kind, name, uid },
})

const vnicOf = (vnic: SecondaryVnic, index: number, defaultIpCount: number): object => {
  const displayName = vnic.displayName ?? `SVnic ${index}`
  const [subnet] = vnic.subnets
  const { nsgIds, securityAttributes, ipv6SubnetCidrs } = vnic
  return {
    displayName,
    ...(vnic.nicIndex === undefined ? {} : { nicIndex: vnic.nicIndex }),
    createVnicDetails: {
      ...{ displayName, ipCount: vnic.ipCount ?? defaultIpCount, subnetId: subnet?.id ?? '' },
      skipSourceDestCheck: vnic.skipSourceDestCheck ?? true,
      ...(vnic.assignIpv6Ip === undefined ? {} : { assignIpv6Ip: vnic.assignIpv6Ip }),
      ...(vnic.assignPublicIp === undefined ? {} : { assignPublicIp: vnic.assignPublicIp }),
      ...(vnic.applicationResource === undefined ? {} : { applicationResources: [vnic.applicationResource] }),
      ...(nsgIds.length === 0 ? {} : { nsgIds }),
      ...(Object.keys(securityAttributes).length === 0 ? {} : { securityAttributes }),
      ...(ipv6SubnetCidrs.length === 0
        ? {}
        : { ipv6AddressIpv6SubnetCidrPairDetails: ipv6SubnetCidrs.map((ipv6SubnetCidr) => ({ ipv6SubnetCidr })) }),
    },
  }
}

/**
 * Creates the NativePodNetwork of an instance if its class has network interfaces for pods. A repeated call changes nothing. The NodeClaim
 * owns the object, so Kubernetes deletes the object together with the NodeClaim.
 */
export const ensureNativePodNetwork = async (
  client: Pick<KubeClient, 'create'>,
  claim: NodeClaim,
  nodeClass: ResolvedClass,
  instance: { readonly id: string; readonly maxPods: number; readonly defaultIpCount: number },
  signal: AbortSignal,
): Promise<void> => {
  if (nodeClass.secondaryVnics.length === 0) return
  const { id, maxPods, defaultIpCount } = instance
  try {
    await client.create(
      nativePodNetworkKind,
      {
        apiVersion: groupVersion(nativePodNetworkKind),
        kind: nativePodNetworkKind.kind,
        metadata: { name: id.split('.').at(-1) ?? id, ownerReferences: [ownerOf(claim)] },
        spec: {
          id,
          maxPodCount: maxPods,
          secondaryVnics: nodeClass.secondaryVnics.map((vnic, index) => vnicOf(vnic, index, defaultIpCount)),
        },
      },
      { signal },
    )
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}
