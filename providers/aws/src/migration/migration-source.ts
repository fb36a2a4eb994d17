import type { MigrationSource } from '@kerf/provider-contract'
import type { LaunchSettings } from './aws-group.ts'
import { deletion, readResize, resize } from './commands.ts'
import { groupReader } from './group-reader.ts'
import { iamNeeds } from './iam-needs.ts'
import { draftNodeClass } from './node-class-draft.ts'
import { whyNotScaled } from './unscaled-groups.ts'

const UUID = '00000000-0000-4000-8000-000000000000'

/** Node groups of EC2 and EKS. */
export const migrationSource: MigrationSource<LaunchSettings> = {
  cloudProviders: ['aws'],
  decidedBy: 'nothing else',
  discoveryFlags: ['aws-use-static-instance-list'],
  capacityLabels: {
    'eks.amazonaws.com/capacityType': { SPOT: 'spot', ON_DEMAND: 'on-demand', CAPACITY_BLOCK: 'reserved' },
  },
  unreadResources: {
    aws_autoscaling_schedule: 'schedules are of Auto Scaling groups; change spec.limits by a CronJob instead',
    aws_autoscaling_policy: 'pods decide how many nodes there are',
    aws_autoscaling_lifecycle_hook: 'Kerf launches instances without an Auto Scaling group, which alone knows it',
    aws_autoscaling_attachment: 'nodes register with load balancers through the load balancer controller, not by group',
  },
  reader: groupReader,
  plainName: (name) => /^eks-(.+)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.exec(name)?.[1],
  // The names that EKS and eksctl generate for an Auto Scaling group.
  autoscalerNames: ({ name, origin }, clusterName) => {
    switch (origin) {
      case 'managed node group':
        return [`eks-${name}-${UUID}`]
      case 'eksctl node group':
        return [`eksctl-${clusterName}-nodegroup-${name}-NodeGroup-AAAAAAAAAAAA`, `eks-${name}-${UUID}`]
      default:
        return [name]
    }
  },
  whyNotScaled,
  whyNoLabel: (key) =>
    key.startsWith('eks.amazonaws.com/') || key.startsWith('alpha.eksctl.io/')
      ? 'EKS sets it on its own nodes alone'
      : undefined,
  draftNodeClass,
  resize,
  readResize,
  deletion,
  accountNeeds: iamNeeds,
}
