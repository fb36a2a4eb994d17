import type { KubeObject, NodePool } from '@kerf/apis'
import { parseAllDocuments } from 'yaml'
import { draftMigration } from '../../../../packages/cli/src/migrate/draft-migration.ts'
import { readSources } from '../../../../packages/cli/src/migrate/groups/read-sources.ts'

const NOW = Date.parse('2026-08-22T09:00:30Z')

/** Drafts a migration of these documents as `kerf migrate cas` does. Returns the parts that tests check. */
export const drafted = async (...values: readonly unknown[]) => {
  const { files, plan, conversions } = await draftMigration(
    await readSources(values.map((value) => ({ value, file: 'in' }))),
    { outputDir: 'out', variant: 'faithful', clusterName: 'shop', nodeRole: 'nodes', region: 'us-east-1', keep: false },
    NOW,
  )
  const objects = <T extends KubeObject>(file: string) =>
    parseAllDocuments(files.get(file) ?? '').map((document) => document.toJS() as T)
  const pools = new Map(objects<NodePool>('nodepools.yaml').map((pool) => [pool.metadata.name, pool]))
  const merged = objects<NodePool>('nodepools-merged.yaml')
  const classes = objects<KubeObject & { readonly spec: ReturnType<typeof JSON.parse> }>('nodeclasses.yaml')
  const because = (field: string) => conversions.find((each) => each.field === field)?.because
  return { plan, conversions, pools, merged, classes, because, questions: plan.questions.map(({ message }) => message) }
}

/** Returns an Auto Scaling group that uses `template`. */
export const asg = (name: string, tags: Readonly<Record<string, string>> = {}, rest: object = {}) => ({
  AutoScalingGroupName: name,
  MinSize: 0,
  MaxSize: 20,
  DesiredCapacity: 1,
  AvailabilityZones: ['us-east-1a'],
  VPCZoneIdentifier: 'subnet-0a',
  LaunchTemplate: { LaunchTemplateId: 'lt-1', Version: '1' },
  Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
  ...rest,
})

/** A launch template of m5.large. */
export const template = {
  LaunchTemplateVersions: [
    {
      LaunchTemplateId: 'lt-1',
      VersionNumber: 1,
      LaunchTemplateData: { InstanceType: 'm5.large', SecurityGroupIds: ['sg-1'] },
    },
  ],
}

/** Returns a managed node group. */
export const managed = (name: string, rest: object = {}) => ({
  nodegroup: {
    nodegroupName: name,
    clusterName: 'shop',
    scalingConfig: { minSize: 0, maxSize: 5, desiredSize: 1 },
    instanceTypes: ['m5.large'],
    capacityType: 'ON_DEMAND',
    subnets: ['subnet-0a'],
    nodeRole: 'arn:aws:iam::111122223333:role/nodes',
    amiType: 'AL2023_x86_64_STANDARD',
    ...rest,
  },
})
