import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny } from '@kerf/provider-kit/doctor'
import { ec2NodeClassKind } from '../../node-class/ec2-node-class.ts'
import { accountRecords, ofCloud, recordTags, text } from './account-documents.ts'

const CLASS_TAG = 'karpenter.k8s.aws/ec2nodeclass'

export const cld007: DoctorCheck = {
  id: 'CLD-007',
  group: 'cloud',
  severity: 'information',
  title: 'Launch templates that were left behind',
  why: 'A controller creates launch templates and deletes those that it does not use. If it was uninstalled, or the node class is gone, they stay. An account can have 5,000 launch templates.',
  reads: ['EC2NodeClass', ofCloud('LaunchTemplates')],
  examine({ objects, cloud }) {
    const classes = new Set(objects.of(ec2NodeClassKind).map(({ metadata }) => metadata.name))
    const left = accountRecords(cloud, 'LaunchTemplates').filter((each) => {
      const name = recordTags(each).get(CLASS_TAG)
      return name !== undefined && !classes.has(name)
    })
    return foundAny(
      left.map((each) => `LaunchTemplate ${text(each['LaunchTemplateName'])}`),
      {
        seen: `their tag ${CLASS_TAG} names a node class that does not exist`,
        remedy: 'if no other cluster has that class: aws ec2 delete-launch-template --launch-template-name NAME',
      },
      'every launch template belongs to an existing node class',
    )
  },
}
