import { capacityTypes, groupVersion, karpenterKinds, labels, type NodeClaim } from '@kerf/apis'
import { type ConformanceHarness, ownHarnesses } from '@kerf/provider-contract/conformance'
import { PREEMPTIBLE, type Upstream } from '../names.ts'
import { CLASS, nodeClassKind, type OciHarness } from './oci-harness.ts'

export const MINUTE = 60_000
/** The Oracle Cloud harness that belongs to each harness of the conformance suite. */
export const harnesses = ownHarnesses<OciHarness>()

export const anyCapacity = (upstream: Upstream) => ({
  key: labels.capacityType,
  operator: 'In' as const,
  values: [PREEMPTIBLE[upstream], capacityTypes.onDemand],
})

/** Creates a NodeClaim that tolerates preemptible instances. With an OCINodeClass, the NodePool needs a taint for them. */
export const preemptibleClaim = async (
  harness: ConformanceHarness,
  name: string,
  requirements?: NodeClaim['spec']['requirements'],
): Promise<NodeClaim> => {
  const { client, upstream } = harnesses.of(harness)
  const { group, kind } = nodeClassKind[upstream]
  return client.create(karpenterKinds.NodeClaim, {
    apiVersion: groupVersion(karpenterKinds.NodeClaim),
    kind: 'NodeClaim',
    metadata: { name, labels: { [labels.nodePool]: 'default' } },
    spec: {
      nodeClassRef: { group, kind, name: CLASS },
      requirements: requirements ?? [anyCapacity(upstream)],
      ...(upstream === 'oracle'
        ? { taints: [{ key: 'oci.oraclecloud.com/oke-is-preemptible', effect: 'NoSchedule' as const }] }
        : {}),
    },
  })
}
