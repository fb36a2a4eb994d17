import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, objectName } from '@kerf/provider-kit/doctor'
import { ec2NodeClassKind } from '../../node-class/ec2-node-class.ts'
import { accountRecords, ofCloud, recordTags, text } from './account-documents.ts'

export const pool014: DoctorCheck = {
  id: 'POOL-014',
  group: 'pools',
  severity: 'critical',
  title: 'More than one security group with the tag of the cluster',
  why: 'The load balancer controller expects exactly one security group with the tag kubernetes.io/cluster/NAME on a network interface. If there are two, it registers no targets on these nodes.',
  reads: [ofCloud('SecurityGroups')],
  examine({ objects, cloud }) {
    const tagged = new Set(
      accountRecords(cloud, 'SecurityGroups')
        .filter((group) => [...recordTags(group).keys()].some((key) => key.startsWith('kubernetes.io/cluster/')))
        .map((group) => text(group['GroupId'])),
    )
    const several = objects.of(ec2NodeClassKind).flatMap((each) => {
      const own = (each.status?.securityGroups ?? []).map(({ id }) => id).filter((id) => tagged.has(id))
      return own.length < 2 ? [] : [{ object: objectName(each), own }]
    })
    return foundAny(
      several.map(({ object }) => object),
      {
        seen: several.map(({ object, own }) => `${object} selects ${own.join(' and ')}, both with the tag`).join('; '),
        remedy: 'limit spec.securityGroupSelectorTerms to one of them, or remove the tag from the others',
      },
      'no node class selects two security groups with the tag of the cluster',
    )
  },
}
