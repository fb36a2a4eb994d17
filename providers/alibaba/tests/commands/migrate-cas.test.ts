import { expect, test } from 'vitest'
import { drafted } from '../../../../tests/integration/migrate/drafted.ts'
import { ackCluster, ackPool } from '../migrate/ack-pools.ts'

const spot = ackPool('spot', {
  scaling: {
    ...{
      spot_strategy: 'SpotWithPriceLimit',
      spot_price_limit: [{ instance_type: 'ecs.g7.xlarge', price_limit: '1' }],
    },
    ...{ instance_types: ['ecs.g7.xlarge', 'ecs.c7.xlarge'], image_type: 'ContainerOS', ram_role_name: 'nodes' },
    ...{
      data_disks: [{ category: 'cloud_auto', size: 200 }],
      system_disk_encrypted: true,
      multi_az_policy: 'PRIORITY',
    },
    tags: [
      { key: 'owner', value: 'batch' },
      { key: 'ack.aliyun.com', value: 'c0123456789' },
    ],
  },
  config: {
    labels: [{ key: 'team', value: 'batch' }],
    taints: [{ key: 'spot', value: 'true', effect: 'NoSchedule' }],
    user_data: Buffer.from('#!/bin/sh\necho hi').toString('base64'),
  },
  kubelet: { maxPods: 60, kubeReserved: { memory: '1Gi' }, topologyManagerPolicy: 'single-numa-node' },
})

test('node pools become NodePools and ECSNodeClasses', async () => {
  const { pools, classes, lines, plan } = await drafted([{ nodepools: [ackPool('web'), spot] }])
  expect(pools.map(({ metadata }) => metadata.name)).toEqual(['web', 'spot'])
  expect(pools[1]?.spec).toMatchObject({
    template: {
      metadata: { labels: { team: 'batch' } },
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.alibabacloud', kind: 'ECSNodeClass', name: 'spot' },
        requirements: [
          { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['ecs.c7.xlarge', 'ecs.g7.xlarge'] },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
          { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
        ],
        taints: expect.arrayContaining([{ key: 'spot', value: 'true', effect: 'NoSchedule' }]),
      },
    },
    limits: { nodes: '9' },
  })
  const selected = {
    vSwitchSelectorTerms: [{ id: 'vsw-h' }, { id: 'vsw-i' }],
    securityGroupSelectorTerms: [{ id: 'sg-nodes' }],
    systemDisk: { categories: ['cloud_essd'], volumeSize: '120Gi', performanceLevel: 'PL1' },
    keyPairName: 'nodes',
  }
  expect(classes.map(({ spec }) => spec)).toEqual([
    {
      ...selected,
      imageSelectorTerms: [{ alias: 'AlibabaCloudLinux3' }],
      vSwitchSelectionPolicy: 'balanced',
    },
    {
      ...selected,
      imageSelectorTerms: [{ alias: 'ContainerOS' }],
      dataDisks: [{ volumeSize: '200Gi' }],
      dataDiskCategories: ['cloud_auto'],
      userData: '#!/bin/sh\necho hi',
      kubeletConfiguration: { maxPods: 60, kubeReserved: { memory: '1Gi' } },
      tags: { owner: 'batch' },
    },
  ])
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringContaining('ACK node pool spot | scaling_group.spot_price_limit | not carried over'),
      expect.stringContaining('ACK node pool spot | scaling_group.system_disk_encrypted | not carried over'),
    ]),
  )
  expect(lines.filter((line) => line.includes('unknown field'))).toEqual([
    'ACK node pool spot | node_config.kubelet_configuration.topologyManagerPolicy | not carried over | unknown field',
  ])
  expect(plan.questions.map(({ message }) => message)).toContainEqual(expect.stringContaining('RAM role nodes'))
})

test('the commands contain the IDs of the pool and the cluster', async () => {
  const { plan } = await drafted([ackCluster, { nodepools: [ackPool('web', { sizes: { min_instances: 2 } })] }])
  const commands = plan.phases
    .flatMap(({ steps }) => steps)
    .flatMap((step) => (step.do === 'by hand' ? [...step.commands, ...step.back] : []))
  const path = '/clusters/c0123456789/nodepools/np-web'
  const resize = (min: number) =>
    `aliyun cs PUT ${path} --header Content-Type=application/json --body '{"auto_scaling":{"enable":true,"min_instances":${min},"max_instances":9}}' # web`
  expect(commands).toEqual(expect.arrayContaining([resize(0), resize(2), `aliyun cs DELETE ${path}`]))
})

test('other images, Windows, pools of other machines and truncated exports are reported', async () => {
  const { plan, lines, pools } = await drafted([
    {
      nodepools: [
        ackPool('own', { scaling: { image_type: 'Custom', image_id: 'm-1' } }),
        ackPool('ubuntu', { scaling: { image_type: 'Ubuntu', image_id: 'ubuntu_22' } }),
        ackPool('win', { scaling: { platform: 'Windows', image_type: 'Windows' } }),
        ackPool('edge', { info: { type: 'edge' } }),
        { nodepool_info: { name: 'cut' } },
      ],
    },
  ])
  const messages = plan.questions.map(({ object, message }) => `${object}: ${message}`)
  expect(messages).toContainEqual(expect.stringContaining('ACK node pool ubuntu: which image do its nodes need?'))
  expect(messages).toContainEqual(expect.stringContaining('ACK node pool win: its nodes are Windows'))
  expect(plan.kept).toMatchObject([{ name: 'edge', because: 'its nodes are not ECS instances (type edge)' }])
  expect(lines).toContainEqual(expect.stringContaining('the export is cut off'))
  expect(pools.map(({ metadata }) => metadata.name)).toEqual(['own', 'ubuntu', 'win'])
})

/** The output of `terraform show -json` with one node pool of the Terraform provider aliyun/alicloud. */
const terraform = {
  format_version: '1.0',
  terraform_version: '1.9.0',
  values: {
    root_module: {
      resources: [
        {
          address: 'alicloud_cs_kubernetes_node_pool.batch',
          mode: 'managed',
          type: 'alicloud_cs_kubernetes_node_pool',
          values: {
            ...{ id: 'c0123456789:np-batch', cluster_id: 'c0123456789', node_pool_id: 'np-batch', type: 'ess' },
            ...{
              node_pool_name: 'batch',
              name: null,
              scaling_group_id: 'asg-batch',
              vpc_id: 'vpc-1',
              node_count: null,
            },
            ...{ vswitch_ids: ['vsw-h'], security_group_ids: ['sg-nodes'], instance_types: ['ecs.g7.xlarge'] },
            ...{ image_type: 'AliyunLinux3', key_name: 'nodes', multi_az_policy: 'BALANCE', desired_size: '3' },
            ...{ system_disk_category: 'cloud_essd', system_disk_size: 80, system_disk_performance_level: 'PL1' },
            data_disks: [{ category: 'cloud_auto', size: 200, encrypted: 'false' }],
            scaling_config: [{ enable: true, min_size: 1, max_size: 6, type: 'cpu', is_bond_eip: false }],
            ...{ spot_strategy: 'SpotAsPriceGo', spot_price_limit: [], compensate_with_on_demand: true },
            labels: [{ key: 'team', value: 'batch' }],
            taints: [{ key: 'batch', value: 'true', effect: 'NoSchedule' }],
            tags: { owner: 'batch' },
            kubelet_configuration: [
              {
                ...{ max_pods: '60', cpu_cfs_quota: 'false', kube_reserved: { memory: '1Gi' }, eviction_soft: null },
                ...{ cpu_manager_policy: '' },
              },
            ],
            management: [{ enable: true, auto_repair: true }],
            ...{ runtime_name: 'containerd', runtime_version: '1.6.36', install_cloud_monitor: false },
            ...{ instances: [], rolling_policy: [], timeouts: null, user_data: '' },
          },
        },
      ],
    },
  },
}

test('node pools from Terraform equal those from the API', async () => {
  const { pools, classes, lines, plan } = await drafted([terraform])
  expect(pools.map(({ metadata }) => metadata.name)).toEqual(['batch'])
  const { template, limits } = pools[0]?.spec ?? {}
  expect(limits.nodes).toBe('6')
  expect(template.metadata.labels).toMatchObject({ team: 'batch' })
  expect(template.spec.taints).toContainEqual({ key: 'batch', value: 'true', effect: 'NoSchedule' })
  expect(template.spec.requirements).toContainEqual({
    ...{ key: 'karpenter.sh/capacity-type', operator: 'In' },
    values: ['on-demand', 'spot'],
  })
  expect(classes[0]?.spec).toEqual({
    imageSelectorTerms: [{ alias: 'AlibabaCloudLinux3' }],
    vSwitchSelectorTerms: [{ id: 'vsw-h' }],
    securityGroupSelectorTerms: [{ id: 'sg-nodes' }],
    vSwitchSelectionPolicy: 'balanced',
    systemDisk: { categories: ['cloud_essd'], volumeSize: '80Gi', performanceLevel: 'PL1' },
    dataDisks: [{ volumeSize: '200Gi' }],
    dataDiskCategories: ['cloud_auto'],
    keyPairName: 'nodes',
    kubeletConfiguration: { maxPods: 60, kubeReserved: { memory: '1Gi' }, cpuCFSQuota: false },
    tags: { owner: 'batch' },
  })
  const commands = plan.phases
    .flatMap(({ steps }) => steps)
    .flatMap((step) => (step.do === 'by hand' ? step.commands : []))
  expect(commands).toContain('aliyun cs DELETE /clusters/c0123456789/nodepools/np-batch')
  expect(lines.filter((line) => line.includes('unknown field'))).toEqual([])
})
