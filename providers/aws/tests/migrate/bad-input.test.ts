import type { FieldConversion } from '@kerf/provider-contract'
import { expect, test } from 'vitest'
import { draftMigration } from '../../../../packages/cli/src/migrate/draft-migration.ts'
import { readSources } from '../../../../packages/cli/src/migrate/groups/read-sources.ts'
import { autoscalerDeployment } from '../../../../tests/integration/migrate/objects.ts'
import { batch } from './example-clusters/batch.ts'
import { webShop } from './example-clusters/web-shop.ts'

type Loose = Record<string, ReturnType<typeof JSON.parse>>

const drafted = async (...values: readonly unknown[]) =>
  draftMigration(
    await readSources(values.map((value) => ({ value, file: 'in.json' }))),
    { outputDir: 'out', variant: 'faithful' },
    0,
  )

const notCarriedOver = ({ conversions }: { readonly conversions: readonly FieldConversion[] }): readonly string[] =>
  conversions
    .filter(({ fate }) => fate === 'not carried over')
    .map(({ object, field, because }) => `${object} | ${field} | ${because}`)

const group = (more: Loose = {}): Loose => ({
  AutoScalingGroups: [
    {
      AutoScalingGroupName: 'web',
      MinSize: 0,
      MaxSize: 5,
      DesiredCapacity: 1,
      AvailabilityZones: ['us-east-1a'],
      MixedInstancesPolicy: { LaunchTemplate: { Overrides: [{ InstanceType: 'm6i.large' }] } },
      ...more,
    },
  ],
})

test('unknown flags and unreadable values are reported', async () => {
  const lines = notCarriedOver(
    await drafted(group(), autoscalerDeployment('--frobnicate=3', '--scale-down-unneeded-time=soon')),
  )
  expect(lines).toContain('Deployment kube-system/cluster-autoscaler | --frobnicate=3 | Kerf does not know this flag')
  expect(lines).toContain(
    'Deployment kube-system/cluster-autoscaler | --scale-down-unneeded-time=soon | its value cannot be read, so the default applies',
  )
})

test('unknown fields, invalid tags and types that are not offered are reported', async () => {
  const lines = notCarriedOver(
    await drafted(
      group({
        Sparkle: true,
        MixedInstancesPolicy: {
          LaunchTemplate: { Overrides: [{ InstanceType: 'm6i.large' }, { InstanceType: 'zz9.large' }] },
        },
        Tags: [{ Key: 'k8s.io/cluster-autoscaler/node-template/taint/gpu', Value: 'yes' }],
      }),
    ),
  )
  expect(lines).toContain('Auto Scaling group web | Sparkle | unknown field')
  expect(lines.find((line) => line.includes('instance type zz9.large'))).toContain('has no such type')
  expect(lines.find((line) => line.includes('node-template/taint/gpu'))).toContain('its value yes is not VALUE:EFFECT')
})

test('a group without tags and a missing launch template become questions', async () => {
  const { plan } = await drafted(
    group({ LaunchTemplate: { LaunchTemplateId: 'lt-1', LaunchTemplateName: 'web', Version: '7' } }),
  )
  const asked = plan.questions.map(({ object, message }) => `${object}: ${message}`).join('\n')
  expect(asked).toContain('Auto Scaling group web: it has no tag k8s.io/cluster-autoscaler/enabled')
  expect(asked).toContain("aws ec2 describe-launch-template-versions --launch-template-id lt-1 --versions '7'")
})

test('truncated exports, lists of names, further pages and unrelated documents are reported', async () => {
  const lines = notCarriedOver(
    await drafted(
      group(),
      { AutoScalingGroups: [{ MinSize: 1 }], NextToken: 'abc' },
      { nodegroups: ['web', 'apps'] },
      { hello: 'rehearsed' },
      'text',
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'cut' }, spec: {} },
      { apiVersion: 'v1', kind: 'Service', metadata: {} },
    ),
  )
  expect(lines.join('\n')).toContain('it has no AutoScalingGroupName: the export is cut off')
  expect(lines.join('\n')).toContain('further pages that are not here (NextToken)')
  expect(lines.filter((line) => line.includes('export each with aws eks describe-nodegroup'))).toHaveLength(2)
  expect(lines.join('\n')).toMatch(/neither an export of .*AWS/)
  expect(lines.join('\n')).toContain('in.json | document | it is not an object')
  expect(lines.join('\n')).toContain('Deployment cut | spec.template.spec.containers | it is missing')
  expect(lines.join('\n')).toContain('in.json | Service | it has no metadata.name')
})

test('documents without a node group are refused', () =>
  expect(drafted({ hello: 'rehearsed' })).rejects.toThrow(/there is no node group in it/))

test('the report covers every field of an Auto Scaling group and of a managed group', async () => {
  for (const cluster of [webShop(), batch()]) {
    const { conversions } = await draftMigration(
      await readSources(cluster.documents),
      { outputDir: 'out', variant: 'faithful' },
      0,
    )
    expect(conversions.filter(({ because }) => because === 'unknown field')).toEqual([])
    const fields = new Set(conversions.map(({ object, field }) => `${object} ${field}`))
    for (const { value } of cluster.documents) {
      const { AutoScalingGroups = [], nodegroup } = value as Loose
      for (const each of AutoScalingGroups)
        for (const [key, set] of Object.entries(each))
          if (set !== 0) expect(fields).toContain(`Auto Scaling group ${each.AutoScalingGroupName} ${key}`)
      for (const key of Object.keys(nodegroup ?? {}))
        if (key !== 'health') expect(fields).toContain(`managed node group ${nodegroup.nodegroupName} ${key}`)
    }
  }
})
