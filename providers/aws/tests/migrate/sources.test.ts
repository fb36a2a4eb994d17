import type { KubeObject } from '@kerf/apis'
import { node } from '@kerf/testing'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { draftMigration } from '../../../../packages/cli/src/migrate/draft-migration.ts'
import { readSources } from '../../../../packages/cli/src/migrate/groups/read-sources.ts'

const drafted = async (...values: readonly unknown[]) => {
  const { files, plan, conversions } = await draftMigration(
    await readSources(values.map((value) => ({ value, file: 'in' }))),
    { outputDir: 'out', variant: 'faithful', clusterName: 'shop' },
    Date.parse('2026-08-22T09:00:30Z'),
  )
  const objects = (file: string) =>
    parseAllDocuments(files.get(file) ?? '').map(
      (document) => document.toJS() as KubeObject & { readonly spec: ReturnType<typeof JSON.parse> },
    )
  return { plan, conversions, pools: objects('nodepools.yaml'), classes: objects('nodeclasses.yaml') }
}

/** Returns the output of `terraform show -json` for a state with these resources (format 1.0 of Terraform's documentation). */
const terraform = {
  format_version: '1.0',
  terraform_version: '1.9.0',
  values: {
    root_module: {
      resources: [{ address: 'aws_vpc.main', mode: 'managed', type: 'aws_vpc', values: { id: 'vpc-1' } }],
      child_modules: [
        {
          resources: [
            {
              address: 'module.eks.aws_launch_template.web',
              mode: 'managed',
              type: 'aws_launch_template',
              values: {
                id: 'lt-1',
                name: 'web',
                latest_version: 4,
                default_version: 4,
                image_id: 'ami-0aa',
                instance_type: 'm6i.large',
                vpc_security_group_ids: ['sg-0aa'],
                user_data: Buffer.from('#!/bin/bash\nnodeadm init').toString('base64'),
                iam_instance_profile: [{ name: 'web-nodes', arn: '' }],
                metadata_options: [{ http_tokens: 'required', http_put_response_hop_limit: 1 }],
                block_device_mappings: [
                  { device_name: '/dev/xvda', ebs: [{ volume_size: 40, volume_type: 'gp3', encrypted: 'true' }] },
                ],
              },
            },
            {
              address: 'module.eks.aws_autoscaling_group.web',
              mode: 'managed',
              type: 'aws_autoscaling_group',
              values: {
                name: 'web',
                min_size: 0,
                max_size: 9,
                desired_capacity: 3,
                availability_zones: ['us-east-1a', 'us-east-1b'],
                vpc_zone_identifier: ['subnet-0a1', 'subnet-0b2'],
                launch_template: [{ id: 'lt-1', name: 'web', version: '$Latest' }],
                tag: [
                  { key: 'k8s.io/cluster-autoscaler/enabled', value: 'true', propagate_at_launch: true },
                  {
                    key: 'k8s.io/cluster-autoscaler/node-template/label/tier',
                    value: 'web',
                    propagate_at_launch: true,
                  },
                ],
                glitter: 3,
              },
            },
          ],
        },
      ],
    },
  },
}

test("Terraform's state: groups and launch templates of all modules", async () => {
  const { pools, classes, plan, conversions } = await drafted(terraform)
  expect(plan.questions).toEqual([
    { object: 'node group web', message: expect.stringContaining('which role is in its instance profile web-nodes?') },
  ])
  expect(pools[0]?.spec).toMatchObject({
    limits: { nodes: '9', cpu: '18' },
    template: {
      metadata: { labels: { tier: 'web' } },
      spec: {
        requirements: expect.arrayContaining([
          { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m6i.large'] },
        ]),
      },
    },
  })
  expect(classes[0]?.spec).toMatchObject({
    amiFamily: 'AL2023',
    amiSelectorTerms: [{ id: 'ami-0aa' }],
    instanceProfile: 'web-nodes',
    subnetSelectorTerms: [{ id: 'subnet-0a1' }, { id: 'subnet-0b2' }],
    securityGroupSelectorTerms: [{ id: 'sg-0aa' }],
    metadataOptions: { httpTokens: 'required', httpPutResponseHopLimit: 1 },
    blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: '40Gi', volumeType: 'gp3', encrypted: true } }],
  })
  expect(conversions.find(({ field }) => field === 'Glitter')?.because).toBe('unknown field')
  expect(conversions.find(({ field }) => field === '1 aws_vpc')?.because).toBe(
    'this type of resource says nothing about node groups',
  )
})

test('a group described only by the status and its nodes', async () => {
  const status = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'cluster-autoscaler-status', namespace: 'kube-system' },
    data: {
      status: [
        'time: 2026-08-22 09:00:00.1 +0000 UTC',
        'autoscalerStatus: Running',
        'nodeGroups:',
        '- {name: eks-web-1, health: {minSize: 1, maxSize: 8}}',
        '- {name: eks-gone-1, health: {minSize: 0, maxSize: 3}}',
      ].join('\n'),
    },
  }
  const { pools, plan } = await drafted(
    status,
    node('a', {
      labels: {
        'eks.amazonaws.com/nodegroup': 'web',
        'node.kubernetes.io/instance-type': 'm6i.large',
        'topology.kubernetes.io/zone': 'us-east-1b',
      },
    }),
  )
  expect(pools.map(({ spec }) => spec.limits.nodes)).toEqual(['8'])
  expect(plan.questions.map(({ object, message }) => `${object}: ${message}`).join('\n')).toContain(
    'eks-gone-1: give an export of it',
  )
})

const configuration = {
  ...{ id: 'workers-1', name: 'workers-1', name_prefix: '', arn: 'arn:aws:autoscaling:1', image_id: 'ami-1' },
  ...{
    instance_type: 'm5.large',
    iam_instance_profile: 'workers',
    key_name: 'ops',
    security_groups: ['sg-1', 'default'],
  },
  ...{ associate_public_ip_address: false, enable_monitoring: true, ebs_optimized: false, spot_price: '0.05' },
  ...{ user_data: 'da39a3ee5e6b4b0d3255bfef95601890afd80709', user_data_base64: null, placement_tenancy: '' },
  root_block_device: [{ volume_size: 50, volume_type: 'gp3', encrypted: true, delete_on_termination: true, iops: 0 }],
  ebs_block_device: [{ device_name: '/dev/sdf', volume_size: 100, volume_type: 'gp2', snapshot_id: '' }],
  ephemeral_block_device: [{ device_name: '/dev/sdb', virtual_name: 'ephemeral0' }],
  metadata_options: [{ http_endpoint: 'enabled', http_tokens: 'required', http_put_response_hop_limit: 2 }],
}
const configured = (...configurations: readonly object[]) => ({
  format_version: '1.0',
  terraform_version: '1.9.0',
  values: {
    root_module: {
      resources: [
        {
          ...{ address: 'aws_autoscaling_group.workers', mode: 'managed', type: 'aws_autoscaling_group' },
          values: {
            name: 'workers',
            min_size: 1,
            max_size: 5,
            desired_capacity: 2,
            launch_configuration: 'workers-1',
            vpc_zone_identifier: ['subnet-0a'],
            availability_zones: ['us-east-1a'],
          },
        },
        ...configurations.map((values) => ({
          ...{ address: 'aws_launch_configuration.workers', mode: 'managed', type: 'aws_launch_configuration', values },
        })),
      ],
    },
  },
})

test('a launch configuration of Terraform gives types, image, disks and groups, and the report covers each of its fields', async () => {
  const { pools, classes, conversions } = await drafted(configured(configuration))
  const requirements = JSON.stringify(pools[0]?.spec.template.spec.requirements)
  expect(requirements).toContain('m5.large')
  expect(requirements).toContain('spot')
  expect(classes[0]?.spec).toMatchObject({
    amiSelectorTerms: [{ id: 'ami-1' }],
    securityGroupSelectorTerms: [{ id: 'sg-1' }],
    instanceProfile: 'workers',
    associatePublicIPAddress: false,
    detailedMonitoring: true,
    metadataOptions: { httpEndpoint: 'enabled', httpTokens: 'required', httpPutResponseHopLimit: 2 },
    blockDeviceMappings: [
      { deviceName: '/dev/xvda', ebs: { volumeSize: '50Gi', volumeType: 'gp3', encrypted: true } },
      { deviceName: '/dev/sdf', ebs: { volumeSize: '100Gi', volumeType: 'gp2' } },
    ],
  })
  const own = conversions.filter(({ object }) => object === 'launch configuration workers-1')
  expect(own.map(({ field }) => field).sort()).toEqual(
    [
      ...['AssociatePublicIpAddress', 'BlockDeviceMappings', 'BlockDeviceMappings /dev/sdb', 'IamInstanceProfile'],
      ...['ImageId', 'InstanceMonitoring', 'InstanceType', 'KeyName', 'LaunchConfigurationName', 'MetadataOptions'],
      ...['RootBlockDevice', 'SecurityGroups', 'SecurityGroups default', 'SpotPrice', 'UserData'],
    ].sort(),
  )
  expect(own.find(({ field }) => field === 'UserData')?.because).toContain('only a hash')
})

test('an export of launch configurations is read too; a missing one becomes a question', async () => {
  const LaunchConfigurations = [
    {
      LaunchConfigurationName: 'workers-1',
      ImageId: 'ami-2',
      InstanceType: 'c5.large',
      UserData: Buffer.from('echo a').toString('base64'),
      SecurityGroups: ['sg-2'],
    },
  ]
  const { classes } = await drafted(configured(), { LaunchConfigurations })
  expect(classes[0]?.spec).toMatchObject({ userData: 'echo a', amiSelectorTerms: [{ id: 'ami-2' }] })
  const { plan } = await drafted(configured())
  expect(plan.questions.map(({ message }) => message)).toContain(
    'give its launch configuration workers-1: aws autoscaling describe-launch-configurations --launch-configuration-names workers-1',
  )
})
