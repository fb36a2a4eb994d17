import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny } from '@kerf/provider-kit/doctor'
import { asObjects } from '@kerf/provider-kit/documents'
import { accountRecords, ofCloud, recordTags, text } from './account-documents.ts'

export const cox015: DoctorCheck = {
  id: 'COX-015',
  group: 'coexistence',
  severity: 'information',
  title: 'Auto Scaling groups that rebalance zones',
  why: 'AZRebalance terminates an instance in a full zone and starts one in another zone without a drain, regardless of Cluster Autoscaler and PodDisruptionBudgets.',
  reads: [ofCloud('AutoScalingGroups')],
  examine({ cloud }) {
    const groups = accountRecords(cloud, 'AutoScalingGroups')
      .filter((group) => [...recordTags(group).keys()].some((key) => key.startsWith('k8s.io/cluster-autoscaler/')))
      .filter(
        (group) => !asObjects(group['SuspendedProcesses']).some((each) => text(each['ProcessName']) === 'AZRebalance'),
      )
      .map((group) => text(group['AutoScalingGroupName']))
    return foundAny(
      groups.map((name) => `AutoScalingGroup ${name}`),
      {
        seen: 'they have the tags of auto-discovery, and AZRebalance is not suspended',
        remedy: `aws autoscaling suspend-processes --auto-scaling-group-name ${groups[0] ?? ''} --scaling-processes AZRebalance`,
      },
      'no group of Cluster Autoscaler rebalances zones',
    )
  },
}
