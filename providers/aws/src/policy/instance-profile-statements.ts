import { type PolicyStatement, type StatementScope, serviceActions } from './statement.ts'

const CLASS = 'karpenter.k8s.aws/ec2nodeclass'

/** Returns the statements for the instance profiles that Kerf creates for the role of an EC2NodeClass. */
export const instanceProfileStatements = ({
  scope: { clusterName, region },
  instanceProfiles: profiles,
}: StatementScope): readonly PolicyStatement[] => {
  const profileTags = (of: 'RequestTag' | 'ResourceTag') => ({
    [`aws:${of}/kubernetes.io/cluster/${clusterName}`]: 'owned',
    [`aws:${of}/topology.kubernetes.io/region`]: region,
  })
  const requestedProfile = { ...profileTags('RequestTag'), 'aws:RequestTag/eks:eks-cluster-name': clusterName }
  return [
    {
      capability: 'instanceProfiles',
      name: 'AllowScopedInstanceProfileCreationActions',
      actions: serviceActions('iam', 'CreateInstanceProfile'),
      resources: [profiles],
      conditions: { StringEquals: requestedProfile, StringLike: { [`aws:RequestTag/${CLASS}`]: '*' } },
    },
    {
      capability: 'instanceProfiles',
      name: 'AllowScopedInstanceProfileTagActions',
      actions: serviceActions('iam', 'TagInstanceProfile'),
      resources: [profiles],
      conditions: {
        StringEquals: { ...profileTags('ResourceTag'), ...requestedProfile },
        StringLike: { [`aws:ResourceTag/${CLASS}`]: '*', [`aws:RequestTag/${CLASS}`]: '*' },
      },
    },
    {
      capability: 'instanceProfiles',
      name: 'AllowScopedInstanceProfileActions',
      actions: serviceActions('iam', 'AddRoleToInstanceProfile RemoveRoleFromInstanceProfile DeleteInstanceProfile'),
      resources: [profiles],
      conditions: { StringEquals: profileTags('ResourceTag'), StringLike: { [`aws:ResourceTag/${CLASS}`]: '*' } },
    },
    {
      capability: 'instanceProfiles',
      name: 'AllowUnscopedInstanceProfileListAction',
      actions: serviceActions('iam', 'ListInstanceProfiles'),
      resources: ['*'],
    },
    {
      capability: 'instanceProfiles',
      name: 'AllowInstanceProfileReadActions',
      actions: serviceActions('iam', 'GetInstanceProfile'),
      resources: [profiles],
    },
  ]
}
