import { capacityTypes, groupVersion, karpenterKinds, labels, type NodeClaim } from '@kerf/apis'
import { type ConformanceHarness, ownHarnesses } from '@kerf/provider-contract/conformance'
import { type Dialect, PREEMPTIBLE } from '../names.ts'
import { CLASS, nodeClassKind, type OciHarness } from './oci-harness.ts'

export const MINUTE = 60_000
/** The Oracle Cloud harness that belongs to each harness of the conformance suite. */
export const harnesses = ownHarnesses<OciHarness>()

export const anyCapacity = (dialect: Dialect) => ({
  key: labels.capacityType,
  operator: 'In' as const,
  values: [PREEMPTIBLE[dialect], capacityTypes.onDemand],
})

/** Creates a NodeClaim that tolerates preemptible instances. With an OCINodeClass, the NodePool needs a taint for them. */
export const preemptibleClaim = async (
  harness: ConformanceHarness,
  name: string,
  requirements?: NodeClaim['spec']['requirements'],
): Promise<NodeClaim> => {
  const { client, dialect } = harnesses.of(harness)
  const { group, kind } = nodeClassKind[dialect]
  return client.create(karpenterKinds.NodeClaim, {
    apiVersion: groupVersion(karpenterKinds.NodeClaim),
    kind: 'NodeClaim',
    metadata: { name, labels: { [labels.nodePool]: 'default' } },
    spec: {
      nodeClassRef: { group, kind, name: CLASS },
      requirements: requirements ?? [anyCapacity(dialect)],
      ...(dialect === 'oracle'
        ? { taints: [{ key: 'oci.oraclecloud.com/oke-is-preemptible', effect: 'NoSchedule' as const }] }
        : {}),
    },
  })
}
