import type { CloudNames } from '../../../../tests/simulation/runs/cloud-draws.ts'

export const alibabaNames: CloudNames = {
  nodeClassRef: { group: 'karpenter.k8s.alibabacloud', kind: 'ECSNodeClass', name: 'default' },
  zones: ['cn-hangzhou-h', 'cn-hangzhou-i'],
  types: ['ecs.g7.2xlarge', 'ecs.r7.4xlarge'],
}
