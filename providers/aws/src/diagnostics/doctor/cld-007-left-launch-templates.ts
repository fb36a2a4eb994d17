import { ec2NodeClassKind } from '@kerf/provider-aws/node-class'
import { type Check, foundAny } from '../check.ts'
import { ofCloud, tagsOf, text } from '../cloud-export.ts'

const CLASS_TAG = 'karpenter.k8s.aws/ec2nodeclass'

export const cld007: Check = {
  id: 'CLD-007',
  group: 'cloud',
  severity: 'information',
  title: 'Launch templates that were left behind',
  why: 'A controller makes a launch template for each way of starting instances and deletes it when it is not used. One that was uninstalled, or whose node class is gone, leaves them; an account may have five thousand.',
  reads: ['EC2NodeClass', ofCloud('LaunchTemplates')],
  examine({ objects, cloud }) {
    const classes = new Set(objects.of(ec2NodeClassKind).map(({ metadata }) => metadata.name))
    const left = cloud.of('LaunchTemplates').filter((each) => {
      const name = tagsOf(each).get(CLASS_TAG)
      return name !== undefined && !classes.has(name)
    })
    return foundAny(
      left.map((each) => `LaunchTemplate ${text(each['LaunchTemplateName'])}`),
      {
        seen: `their tag ${CLASS_TAG} names a node class that is not there`,
        remedy: 'when no other cluster has that class: aws ec2 delete-launch-template --launch-template-name NAME',
      },
      'every launch template of a controller has its node class',
    )
  },
}
