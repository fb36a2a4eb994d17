import { expect, test } from 'vitest'
import { autoscaler } from '../../../../tests/integration/migrate/objects.ts'
import { asg, drafted, managed, template } from './drafted.ts'

const ENABLED = 'k8s.io/cluster-autoscaler/enabled'
const OPTION = 'k8s.io/cluster-autoscaler/node-template/autoscaling-options/'

test.each([false, true])('--nodes limits each group that it names; in a shell command: %s', async (shell) => {
  const flags = ['--v=4', '--nodes=1:4:web', '--nodes=0:2:batch', '--nodes=0:3:gone', '--nodes=x', '--v=2']
  const { pools, conversions, questions } = await drafted(
    { AutoScalingGroups: [asg('web'), asg('batch'), asg('other')] },
    template,
    autoscaler(flags, { shell }),
  )
  const limits = (name: string) => pools.get(name)?.spec.limits?.['nodes']
  expect([limits('web'), limits('batch'), limits('other')]).toEqual(['4', '2', '20'])
  const ofFlags = conversions.filter(({ field }) => field.startsWith('--'))
  expect(ofFlags.map(({ field, fate }) => `${field} ${fate}`)).toEqual([
    '--v=4 not carried over',
    '--nodes=1:4:web carried over',
    '--nodes=0:2:batch carried over',
    '--nodes=0:3:gone carried over',
    '--nodes=x not carried over',
    '--v=2 not carried over',
  ])
  expect(ofFlags[0]?.because).toContain('a later occurrence of the same flag overrides it')
  expect(questions.filter((each) => each.includes('--nodes'))).toEqual([
    expect.stringContaining('no --nodes names it'),
    expect.stringContaining('give an export of gone'),
  ])
})

test('a flag names a managed group by the name of its Auto Scaling group, and the first flag counts', async () => {
  const flags = ['--nodes=1:4:eks-web-0a1b2c3d-0000', '--nodes=0:9:eks-web-0a1b2c3d-0000', '--nodes=0:3:by-hand']
  const named = managed('batch', { resources: { autoScalingGroups: [{ name: 'by-hand' }] } })
  const { pools } = await drafted(managed('web'), named, autoscaler(flags))
  const limits = (name: string) => pools.get(name)?.spec.limits?.['nodes']
  expect([limits('web'), limits('batch')]).toEqual(['4', '3'])
})

test('auto-discovery by custom tags', async () => {
  const flag = '--node-group-auto-discovery=asg:tag=mine,team=web'
  const groups = [
    asg('a', { mine: '', team: 'web' }),
    asg('b', { [ENABLED]: 'true' }),
    asg('c', { mine: '', team: 'x' }),
  ]
  const { plan } = await drafted({ AutoScalingGroups: groups }, template, autoscaler([flag]))
  const asked = plan.questions.filter(({ message }) => message.includes('auto-discovery'))
  expect(asked.map(({ object }) => object)).toEqual(['Auto Scaling group b', 'Auto Scaling group c'])
  // If Cluster Autoscaler runs without this flag, its default tag applies.
  const { questions } = await drafted({ AutoScalingGroups: groups.slice(0, 2) }, template)
  expect(questions.filter((each) => each.includes(`no tag ${ENABLED}`))).toHaveLength(1)
})

test('the options of a group use durations and numbers in the format of Go', async () => {
  const groups = [
    asg('slow', { [ENABLED]: '', [`${OPTION}scaledownunneededtime`]: '1h0m0s' }),
    asg('bare', { [ENABLED]: '', [`${OPTION}scaledownunneededtime`]: '45' }),
    asg('empty', { [ENABLED]: '', [`${OPTION}scaledownutilizationthreshold`]: '0' }),
  ]
  const { pools, merged, conversions } = await drafted({ AutoScalingGroups: groups }, template)
  const after = (name: string) => pools.get(name)?.spec.disruption?.consolidateAfter
  expect([after('slow'), after('bare'), after('empty')]).toEqual(['1h0m0s', '10m0s', '10m0s'])
  const policy = (name: string) => pools.get(name)?.spec.disruption?.consolidationPolicy
  expect([policy('slow'), policy('empty')]).toEqual(['WhenEmptyOrUnderutilized', 'WhenEmpty'])
  // If node groups are merged into one NodePool, the most conservative of their settings applies.
  expect(merged.map(({ spec }) => spec.disruption?.consolidateAfter)).toEqual(['1h0m0s'])
  const options = conversions.filter(({ field }) => field.includes(OPTION))
  expect(options.map(({ to, because }) => to ?? because)).toEqual([
    'NodePool spec.disruption.consolidateAfter',
    'its value "45" is not a duration such as 10m0s: Cluster Autoscaler ignores it too',
    'NodePool spec.disruption.consolidationPolicy',
  ])
})

const state = (...resources: readonly { readonly type: string; readonly values: object }[]) => ({
  format_version: '1.0',
  terraform_version: '1.9.0',
  values: { root_module: { resources: resources.map((each) => ({ mode: 'managed', address: each.type, ...each })) } },
})

test('Terraform: tags as resources, sizes of 0, and the disk of the launch template', async () => {
  const tag = (group: string, key: string, value: string) => ({
    type: 'aws_autoscaling_group_tag',
    values: { autoscaling_group_name: group, tag: [{ key, value, propagate_at_launch: false }] },
  })
  const { pools, classes, conversions, because } = await drafted(
    state(
      {
        type: 'aws_eks_node_group',
        values: {
          node_group_name: 'web',
          cluster_name: 'shop',
          disk_size: 0,
          capacity_type: 'SPOT',
          instance_types: ['m5.large'],
          scaling_config: [{ desired_size: 2, max_size: 6, min_size: 1 }],
          update_config: [{ max_unavailable: 0, max_unavailable_percentage: 33 }],
          subnet_ids: ['subnet-a'],
          node_role_arn: 'arn:aws:iam::111122223333:role/web',
          ami_type: 'AL2023_x86_64_STANDARD',
          launch_template: [{ id: 'lt-9', name: 'web', version: '3' }],
          resources: [{ autoscaling_groups: [{ name: 'eks-web-aaaa' }] }],
        },
      },
      {
        type: 'aws_launch_template',
        values: {
          id: 'lt-9',
          name: 'web',
          latest_version: 3,
          default_version: 3,
          block_device_mappings: [
            {
              device_name: '/dev/xvda',
              ebs: [{ volume_size: 75, volume_type: 'gp2', iops: 0, throughput: 0, encrypted: 'true' }],
            },
          ],
          metadata_options: [{ http_tokens: 'required', http_put_response_hop_limit: 0 }],
          vpc_security_group_ids: ['sg-1'],
        },
      },
      tag('eks-web-aaaa', `${OPTION}scaledownunneededtime`, '45m0s'),
      tag('gone', 'x', 'y'),
    ),
  )
  const pool = pools.get('web')?.spec.disruption
  expect(pool?.consolidateAfter).toBe('45m0s')
  expect(pool?.budgets?.at(-1)).toEqual({ nodes: '33%', reasons: ['Drifted'] })
  expect(classes[0]?.spec.blockDeviceMappings).toEqual([
    { deviceName: '/dev/xvda', ebs: { volumeSize: '75Gi', volumeType: 'gp2', encrypted: true } },
  ])
  expect(classes[0]?.spec.metadataOptions).toEqual({ httpTokens: 'required' })
  expect(conversions.filter(({ field }) => field === 'diskSize')).toEqual([])
  expect(because('tag x')).toBe('no node group of the files is the Auto Scaling group gone')
})

const priorities = (text: string, namespace = 'autoscaling') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'cluster-autoscaler-priority-expander', namespace },
  data: { priorities: text },
})

test('priorities: names of Auto Scaling groups, patterns of Go, and a report line for patterns that match nothing', async () => {
  const group = (name: string) =>
    managed(name, { resources: { autoScalingGroups: [{ name: `eks-${name}-0a1b2c3d-0000-4000-8000-000000000001` }] } })
  const text = '10:\n- ^eks-od-\n- ^eks-spot-\n50:\n- (?i)^EKS-SPOT-\n90:\n- ^gpu\n95:\n- (?=x)\nhigh:\n- .*'
  const { pools, because } = await drafted(
    group('spot'),
    group('od'),
    group('rest'),
    autoscaler(['--expander=priority,least-waste']),
    priorities('50:\n- .*od.*', 'kube-system'),
    priorities(text),
  )
  expect([...pools].map(([name, { spec }]) => [name, spec.weight])).toEqual([
    ['spot', 100],
    ['od', 90],
    ['rest', undefined],
  ])
  expect(because('priority 90 ^gpu')).toBe('it matches no node group of the files')
  expect(because('priority 95 (?=x)')).toContain('Go cannot read its pattern')
  expect(because('priority high')).toBe('it is not a whole number')
  const unreadable = await drafted(group('od'), autoscaler(['--expander=priority']), priorities('10: ['))
  expect(unreadable.because('data.priorities')).toContain('it is not YAML')
  const byHand = managed('od', { resources: { autoScalingGroups: [{ name: 'by-hand' }] } })
  const named = await drafted(byHand, autoscaler(['--expander=priority']), priorities('10:\n- ^by-hand$'))
  expect(named.pools.get('od')?.spec.weight).toBe(100)
})

test('more than ten priorities keep their order', async () => {
  const tiers = Array.from({ length: 13 }, (_, index) => `tier-${String(index).padStart(2, '0')}`)
  const { pools } = await drafted(
    { AutoScalingGroups: tiers.map((name) => asg(name)) },
    template,
    autoscaler(['--expander=priority']),
    priorities(tiers.map((name, index) => `${1300 - index * 100}:\n- ^${name}$`).join('\n')),
  )
  const weights = tiers.map((name) => pools.get(name)?.spec.weight ?? 0)
  expect(new Set(weights).size).toBe(13)
  expect(weights).toEqual(weights.toSorted((a, b) => b - a))
  expect([weights[0], weights[12]]).toEqual([100, 1])
})

test('groups that choose types by attributes become a question, and the disk of eksctl is carried over', async () => {
  const chosen = {
    MixedInstancesPolicy: {
      LaunchTemplate: {
        LaunchTemplateSpecification: { LaunchTemplateId: 'lt-1', Version: '1' },
        Overrides: [
          {
            InstanceRequirements: {
              VCpuCount: { Min: 4, Max: 8 },
              MemoryMiB: { Min: 16_384 },
              ExcludedInstanceTypes: ['m5.*'],
              LocalStorage: 'required',
            },
          },
        ],
      },
    },
    LaunchTemplate: undefined,
  }
  const { pools, classes, questions, because } = await drafted(
    { AutoScalingGroups: [asg('by-attributes', {}, chosen)] },
    template,
    {
      apiVersion: 'eksctl.io/v1alpha5',
      kind: 'ClusterConfig',
      metadata: { name: 'shop' },
      managedNodeGroups: [
        { name: 'plain', amiFamily: 'AmazonLinux2023', maxSize: 4 },
        { name: 'selected', amiFamily: 'Bottlerocket', instanceSelector: { vCPUs: 8, memory: '32GiB' }, maxSize: 4 },
      ],
    },
  )
  const requirements = (name: string) =>
    (pools.get(name)?.spec.template.spec.requirements ?? [])
      .filter(({ key }) => key.includes('instance'))
      .map(({ key, operator, values = [] }) => `${key} ${operator} ${values.join()}`)
  expect(requirements('by-attributes')).toEqual([
    'karpenter.k8s.aws/instance-cpu Gt 3',
    'karpenter.k8s.aws/instance-cpu Lt 9',
    'karpenter.k8s.aws/instance-memory Gt 16383',
    'karpenter.k8s.aws/instance-family NotIn m5',
  ])
  expect(requirements('selected')).toEqual([
    'karpenter.k8s.aws/instance-cpu In 8',
    'karpenter.k8s.aws/instance-memory In 32768',
  ])
  expect(requirements('plain')).toEqual(['node.kubernetes.io/instance-type In m5.large'])
  expect(questions.filter((each) => each.includes('chosen by attributes'))).toHaveLength(2)
  expect(because('MixedInstancesPolicy.LaunchTemplate.Overrides[0].InstanceRequirements.LocalStorage')).toContain(
    'cannot require it',
  )
  const disks = classes.flatMap(({ spec }) => spec.blockDeviceMappings ?? [])
  expect(disks).toEqual([
    { deviceName: '/dev/xvda', ebs: { volumeSize: '80Gi', volumeType: 'gp3' } },
    { deviceName: '/dev/xvdb', ebs: { volumeSize: '80Gi', volumeType: 'gp3' } },
  ])
})

test('invalid labels, and taints that exist only as tags, are named and left out', async () => {
  const label = 'k8s.io/cluster-autoscaler/node-template/label/restrict'
  const taint = 'k8s.io/cluster-autoscaler/node-template/taint/only'
  const { pools, because } = await drafted(
    managed('gpu', {
      resources: { autoScalingGroups: [{ name: 'eks-gpu-1' }] },
      labels: { team: 'ml', 'not a key': 'x' },
    }),
    { AutoScalingGroups: [asg('eks-gpu-1', { [label]: 'monitoring-only:NoSchedule', [taint]: 'x:NoSchedule' })] },
    template,
  )
  const { metadata, spec } = pools.get('gpu')?.spec.template ?? {}
  expect(metadata?.labels).toEqual({ team: 'ml', autoscaler: 'karpenter' })
  expect(spec?.taints?.map(({ key }) => key)).toEqual(['autoscaler'])
  expect(because(`tag ${label}`)).toContain('no node can have a label with the value "monitoring-only:NoSchedule"')
  expect(because(`tag ${taint}`)).toContain('EKS says the taints of the managed node group gpu')
  expect(because('label not a key')).toContain('cannot be the key of a label')
})

test('a launch template chooses types for groups without types, and such groups are not merged', async () => {
  const InstanceRequirements = { VCpuCount: { Min: 2 }, MemoryMiB: { Min: 4096 } }
  const [{ LaunchTemplateData, ...head }] = template.LaunchTemplateVersions as [
    (typeof template.LaunchTemplateVersions)[0],
  ]
  const { InstanceType: _, ...data } = LaunchTemplateData
  const choosing = { LaunchTemplateVersions: [{ ...head, LaunchTemplateData: { ...data, InstanceRequirements } }] }
  const { pools, merged } = await drafted({ AutoScalingGroups: [asg('a'), asg('b')] }, choosing)
  expect(pools.get('a')?.spec.template.spec.requirements).toContainEqual({
    key: 'karpenter.k8s.aws/instance-cpu',
    operator: 'Gt',
    values: ['1'],
  })
  expect(merged.map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
})

test('if an API server would refuse a drafted object, the plan contains a question', async () => {
  const { plan } = await drafted(managed('web', { taints: [{ key: 'not a key', value: 'x', effect: 'NO_SCHEDULE' }] }))
  expect(plan.questions).toContainEqual({
    object: 'NodePool/web',
    message: expect.stringMatching(/^an API server refuses it: .*not a key/),
  })
})
