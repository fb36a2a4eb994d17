import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'

/** The API group of the other Karpenter provider, which Alibaba's container service publishes. */
const OTHER_GROUP = 'karpenter.alibabacloud.com'

export const cox022: DoctorCheck = {
  id: 'COX-022',
  group: 'coexistence',
  severity: 'warning',
  title: 'NodePools of another Karpenter provider for Alibaba Cloud',
  why: 'Alibaba’s container service publishes a Karpenter provider of its own (AliyunContainerService/karpenter-provider-alibabacloud), with the API group karpenter.alibabacloud.com. Its ECSNodeClass has the same name and other fields. Kerf is compatible with the provider of CloudPilot (karpenter.k8s.alibabacloud), so it ignores NodePools and NodeClaims of the other one.',
  reads: ['NodePool'],
  examine({ nodePools, nodeClaims }) {
    const pools = nodePools.filter(({ spec }) => spec.template.spec.nodeClassRef.group === OTHER_GROUP)
    const claims = nodeClaims.filter(({ spec }) => spec.nodeClassRef.group === OTHER_GROUP)
    return foundAny(
      [...pools, ...claims].map(objectName),
      {
        seen: `they have node classes of ${OTHER_GROUP}, which Kerf does not serve`,
        remedy:
          'keep that provider running for them, or write an ECSNodeClass of karpenter.k8s.alibabacloud and move the workloads to NodePools with it; the classes cannot be converted',
      },
      `no NodePool has a node class of ${OTHER_GROUP}`,
    )
  },
}
