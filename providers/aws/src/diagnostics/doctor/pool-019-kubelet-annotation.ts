import { KUBELET_ANNOTATION } from '@kerf/apis/legacy'
import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'

export const pool019: DoctorCheck = {
  id: 'POOL-019',
  group: 'pools',
  severity: 'warning',
  title: 'Kubelet settings in an annotation that nothing reads',
  why: 'When Karpenter 1.0 converted a v1beta1 NodePool, it kept the kubelet settings in an annotation. Karpenter 1.1 and later, and Kerf, ignore it: new nodes get the settings of their node class, for example a different maximum number of pods.',
  reads: ['NodePool'],
  examine({ nodePools }) {
    const annotated = nodePools.filter(({ metadata }) => metadata.annotations?.[KUBELET_ANNOTATION] !== undefined)
    return foundAny(
      annotated.map(objectName),
      {
        seen: annotated
          .map(({ metadata }) => `${metadata.name}: ${metadata.annotations?.[KUBELET_ANNOTATION]} has no effect`)
          .join('; '),
        remedy:
          'kubectl get nodepools,ec2nodeclasses -o yaml | kerf migrate manifests - moves the settings into spec.kubelet of the EC2NodeClass',
      },
      'no NodePool has kubelet settings in an annotation',
    )
  },
}
