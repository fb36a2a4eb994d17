import { columnTitles, type NodeClassColumn, type ProviderDashboard } from '@kerf/provider-contract'

const iamRole = { en: 'IAM role', uk: 'Роль IAM', zh: 'IAM 角色' }

const profileColumn: NodeClassColumn = {
  id: 'profile',
  title: { en: 'Instance profile', uk: 'Профіль екземпляра', zh: '实例配置文件' },
  paths: [
    ['status', 'instanceProfile'],
    ['spec', 'instanceProfile'],
  ],
}

/** The columns of EC2NodeClasses. */
export const ec2NodeClassColumns: readonly NodeClassColumn[] = [
  profileColumn,
  { id: 'role', title: iamRole, paths: [['spec', 'role']] },
  {
    id: 'amis',
    title: { en: 'AMIs', uk: 'Образи AMI', zh: 'AMI 镜像' },
    paths: [['status', 'amis']],
    itemFields: ['name', 'id'],
  },
  { id: 'subnets', title: columnTitles.subnets, paths: [['status', 'subnets']], itemFields: ['id'] },
  { id: 'zones', title: columnTitles.zones, paths: [['status', 'subnets']], itemFields: ['zone'] },
]

/**
 * AWS's own controller manages the NodeClass of EKS Auto Mode. The source of that controller is not public, so the effects of an edit are
 * unknown.
 */
export const awsDashboard: ProviderDashboard = {
  kinds: [
    {
      title: 'AWS (EKS Auto Mode)',
      group: 'eks.amazonaws.com',
      kind: 'NodeClass',
      plural: 'nodeclasses',
      versions: ['v1'],
      columns: [
        profileColumn,
        { id: 'role', title: iamRole, paths: [['spec', 'role']] },
        { id: 'subnets', title: columnTitles.subnets, paths: [['status', 'subnets']], itemFields: ['id'] },
        { id: 'zones', title: columnTitles.zones, paths: [['status', 'subnets']], itemFields: ['zone'] },
      ],
    },
  ],
}
