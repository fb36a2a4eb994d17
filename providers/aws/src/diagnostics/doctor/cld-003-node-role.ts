import { kinds } from '@kerf/apis'
import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny, undecided } from '@kerf/provider-kit/doctor'
import { ec2NodeClassKind } from '../../node-class/ec2-node-class.ts'
import { accountRecords, accountTexts, ofCloud, text } from './account-documents.ts'

/** The policies that an EKS node needs to join the cluster and pull images. Each row lists alternatives. The role needs one of them. */
const REQUIRED: readonly (readonly string[])[] = [
  ['AmazonEKSWorkerNodePolicy', 'AmazonEKSWorkerNodeMinimalPolicy'],
  ['AmazonEC2ContainerRegistryReadOnly', 'AmazonEC2ContainerRegistryPullOnly'],
]

export const cld003: DoctorCheck = {
  id: 'CLD-003',
  group: 'cloud',
  severity: 'critical',
  title: 'Node roles without an access entry or without the policies of a node',
  why: 'If the role of an instance has neither an access entry nor an entry in aws-auth, the instance starts, costs money and never registers. Without the policies it cannot join the cluster or pull images.',
  reads: ['EC2NodeClass', ofCloud('accessEntries'), ofCloud('AttachedPolicies')],
  examine({ objects, cloud }) {
    const entries = accountTexts(cloud, 'accessEntries')
    const mapped =
      objects
        .of(kinds.ConfigMap)
        .find(({ metadata }) => metadata.name === 'aws-auth' && metadata.namespace === 'kube-system')?.data?.[
        'mapRoles'
      ] ?? ''
    const classes = objects.of(ec2NodeClassKind)
    const roles = [...new Set(classes.flatMap(({ spec }) => spec.role ?? []))]
    if (roles.length === 0)
      return undecided('no EC2NodeClass sets spec.role, and the role of an instance profile is unknown')
    const lines = mapped.split('\n').map((line) => line.trim())
    const isKnown = (role: string): boolean =>
      [...entries, ...lines].some((arn) => arn.includes(':role/') && arn.split('/').at(-1) === role)
    const attached = new Set(accountRecords(cloud, 'AttachedPolicies').map((each) => text(each['PolicyName'])))
    const strangers = roles.filter((role) => !isKnown(role))
    const lacks = REQUIRED.filter((either) => !either.some((name) => attached.has(name))).map(([name]) => name)
    return foundAny(
      [...strangers, ...(lacks.length > 0 ? roles : [])]
        .filter((role, index, all) => all.indexOf(role) === index)
        .map((role) => `Role ${role}`),
      {
        seen: [
          ...(strangers.length > 0 ? [`neither an access entry nor aws-auth names ${strangers.join(', ')}`] : []),
          ...(lacks.length > 0 ? [`not attached: ${lacks.join(', ')}`] : []),
        ].join('; '),
        remedy:
          strangers.length > 0
            ? 'aws eks create-access-entry --cluster-name NAME --principal-arn ROLE --type EC2_LINUX'
            : 'aws iam attach-role-policy for each',
      },
      'every node role has an access entry and its policies',
    )
  },
}
