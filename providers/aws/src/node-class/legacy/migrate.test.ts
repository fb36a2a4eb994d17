import { type KubeObject, nodePoolResource, resourceAdmission } from '@kerf/apis'
import { type Migration, type MigrationOptions, migrateManifests } from '@kerf/apis/legacy'
import { kwokNodeClassResource } from '@kerf/provider-kwok/node-class'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { ec2NodeClassResource } from '../ec2-node-class.ts'
import { awsNodeTemplates } from './aws-node-templates.ts'

const parse = (yaml: string): readonly KubeObject[] =>
  parseAllDocuments(yaml).map((document) => document.toJS() as KubeObject)
const migrate = (yaml: string, options: Omit<MigrationOptions, 'templates'> = {}): Migration =>
  migrateManifests(parse(yaml), { templates: awsNodeTemplates, ...options })
const problemTexts = ({ problems }: Migration): readonly string[] =>
  problems.map(({ object, message }) => `${object}: ${message}`)

const accepted = (object: KubeObject) =>
  resourceAdmission<KubeObject>(object.kind === 'NodePool' ? nodePoolResource : ec2NodeClassResource).create(object)

const migratedSpec = (migration: Migration, kind: string, name = 'default'): unknown => {
  const found = migration.objects.find((object) => object.kind === kind && object.metadata.name === name)
  return (found as { readonly spec?: unknown } | undefined)?.spec
}
const conversions = (migration: Migration, fate: string): readonly string[] =>
  migration.fields.filter((each) => each.fate === fate).map(({ object, field }) => `${object} ${field}`)

const PROVISIONER = `
apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata:
  name: default
  uid: 1234
  labels: {team: a}
  annotations: {karpenter.sh/provisioner-hash: "1", note: mine}
spec:
  labels: {team: a, karpenter.sh/provisioner-name: default}
  annotations: {example.com/owner: me}
  requirements:
    - {key: karpenter.k8s.aws/instance-pods, operator: Gt, values: ["10"]}
    - {key: karpenter.sh/capacity-type, operator: In, values: [spot]}
  taints: [{key: a, value: "", effect: NoSchedule}]
  startupTaints: [{key: b, value: c, effect: NoExecute}]
  kubeletConfiguration: {containerRuntime: containerd, maxPods: 50, kubeReserved: {cpu: 1, memory: 1Gi}}
  providerRef: {name: shared}
  limits: {resources: {cpu: 100, example.com/gpu: 2}}
  weight: 7
  ttlSecondsUntilExpired: 3600
  ttlSecondsAfterEmpty: 30
status: {resources: {cpu: 1}}
`
const TEMPLATE = `
apiVersion: karpenter.k8s.aws/v1alpha1
kind: AWSNodeTemplate
metadata: {name: shared}
spec:
  amiFamily: Bottlerocket
  instanceProfile: nodes
  subnetSelector: {Name: "a, b", zone: x}
  securityGroupSelector: {aws::ids: "sg-1,sg-2", Name: c}
  amiSelector: {aws::name: "one,two", aws::owners: "self,123456789012"}
  tags: {team: a, karpenter.sh/provisioner-name: default}
  metadataOptions: {httpTokens: optional}
  userData: x
  launchTemplate: mine
`

test('a Provisioner and its AWSNodeTemplate, field by field', () => {
  const migration = migrate(`${PROVISIONER}---${TEMPLATE}`)
  expect(migration.problems).toEqual([])
  expect(migratedSpec(migration, 'NodePool')).toEqual({
    template: {
      metadata: { labels: { team: 'a' }, annotations: { 'example.com/owner': 'me' } },
      spec: {
        taints: [{ key: 'a', effect: 'NoSchedule' }],
        startupTaints: [{ key: 'b', value: 'c', effect: 'NoExecute' }],
        requirements: [
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
          { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
          { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
          { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm', 'r'] },
          { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['2'] },
        ],
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'shared-default' },
        expireAfter: '3600s',
      },
    },
    disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' },
    limits: { cpu: 100, 'example.com/gpu': 2 },
    weight: 7,
  })
  const nodeClass = {
    amiFamily: 'Bottlerocket',
    instanceProfile: 'nodes',
    userData: 'x',
    subnetSelectorTerms: [{ tags: { Name: 'a', zone: 'x' } }, { tags: { Name: 'b', zone: 'x' } }],
    securityGroupSelectorTerms: [{ id: 'sg-1' }, { id: 'sg-2' }],
    amiSelectorTerms: [
      { name: 'one', owner: 'self' },
      { name: 'one', owner: '123456789012' },
      { name: 'two', owner: 'self' },
      { name: 'two', owner: '123456789012' },
    ],
    tags: { team: 'a' },
    metadataOptions: { httpPutResponseHopLimit: 2, httpTokens: 'optional' },
  }
  // The migration keeps the template unchanged, and adds a copy with the kubelet settings of the Provisioner.
  expect(migratedSpec(migration, 'EC2NodeClass', 'shared')).toEqual(nodeClass)
  expect(migratedSpec(migration, 'EC2NodeClass', 'shared-default')).toEqual({
    ...nodeClass,
    kubelet: { maxPods: 50, kubeReserved: { cpu: '1', memory: '1Gi' } },
  })
  for (const object of migration.objects) expect(accepted(object)).toMatchObject({ accepted: true, unknownFields: [] })
  expect(conversions(migration, 'gone')).toEqual([
    'AWSNodeTemplate/shared spec.tags.karpenter.sh/provisioner-name',
    'AWSNodeTemplate/shared spec.launchTemplate',
    'Provisioner/default metadata.annotations.karpenter.sh/provisioner-hash',
    'Provisioner/default spec.labels.karpenter.sh/provisioner-name',
    'Provisioner/default spec.requirements[0]',
    'Provisioner/default spec.kubeletConfiguration.containerRuntime',
    'Provisioner/default status',
  ])
  expect(conversions(migration, 'changed')).toEqual([
    'AWSNodeTemplate/shared spec.securityGroupSelector',
    'Provisioner/default spec.ttlSecondsUntilExpired',
    'Provisioner/default spec.kubeletConfiguration',
  ])
})

const leaves = (value: unknown, path = ''): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, each]) => leaves(each, path === '' ? key : `${path}.${key}`))
    : [path]

test('no field is lost silently, not even an unknown one', () => {
  const yaml = `${PROVISIONER}---${TEMPLATE}`.replaceAll('spec:\n', 'spec:\n  surprise: {deep: {er: 1}}\n')
  const { fields } = migrate(yaml)
  for (const object of parse(yaml)) {
    const own = fields.filter(
      (each) => each.object === `${object.kind}/${object.metadata.name}` && each.fate !== 'added',
    )
    const unspoken = leaves(object).filter(
      (leaf) => !own.some(({ field }) => leaf === field || leaf.startsWith(`${field}.`)),
    )
    expect(unspoken).toEqual(['apiVersion', 'kind', ...(object.kind === 'Provisioner' ? ['metadata.uid'] : [])])
    expect(own.find(({ field }) => field === 'spec.surprise.deep.er')?.fate).toBe('gone')
  }
})

const migratedDisruption = (lines: string): unknown => {
  const yaml = `apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata: {name: default}\nspec: {providerRef: {name: x}, ${lines}}`
  return (migratedSpec(migrate(yaml), 'NodePool') as { readonly disruption: unknown }).disruption
}
test.each([
  ['consolidation: {enabled: true}', 'WhenEmptyOrUnderutilized', '0s'],
  ['consolidation: {enabled: false}', 'WhenEmpty', 'Never'],
  ['ttlSecondsAfterEmpty: 0', 'WhenEmpty', '0s'],
  ['weight: 1', 'WhenEmpty', 'Never'],
])('%s', (lines, consolidationPolicy, consolidateAfter) => {
  expect(migratedDisruption(lines)).toEqual({ consolidationPolicy, consolidateAfter })
})

const BETA = (name: string, kubelet: string) => `
apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {name: ${name}}
spec:
  template:
    metadata: {labels: {team: a}}
    spec:
      requirements: []
      ${kubelet}
      nodeClassRef: {apiVersion: karpenter.k8s.aws/v1beta1, kind: EC2NodeClass, name: shared}
  disruption: {consolidationPolicy: WhenUnderutilized, expireAfter: 24h, budgets: [{nodes: "1"}]}
  limits: {cpu: "10"}
`
const BETA_CLASS = `
apiVersion: karpenter.k8s.aws/v1beta1
kind: EC2NodeClass
metadata: {name: shared}
spec:
  amiFamily: AL2023
  role: nodes
  subnetSelectorTerms: [{tags: {a: b}}]
  securityGroupSelectorTerms: [{name: c}]
`

test('v1beta1: moved fields, and one class for each kubelet configuration', () => {
  const migration = migrate(
    [BETA('a', 'kubelet: {maxPods: 10}'), BETA('b', 'kubelet: {maxPods: 20}'), BETA('c', ''), BETA_CLASS].join('---'),
  )
  expect(migration.problems).toEqual([])
  expect(migratedSpec(migration, 'NodePool', 'a')).toEqual({
    template: {
      metadata: { labels: { team: 'a' } },
      spec: {
        requirements: [],
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'shared' },
        expireAfter: '24h',
      },
    },
    disruption: {
      consolidationPolicy: 'WhenEmptyOrUnderutilized',
      consolidateAfter: '0s',
      budgets: [{ nodes: '1' }],
    },
    limits: { cpu: '10' },
  })
  expect(migratedSpec(migration, 'EC2NodeClass', 'shared')).toMatchObject({
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    kubelet: { maxPods: 10 },
  })
  expect(migratedSpec(migration, 'NodePool', 'b')).toMatchObject({
    template: { spec: { nodeClassRef: { name: 'shared-b' } } },
  })
  expect(migratedSpec(migration, 'EC2NodeClass', 'shared-b')).toMatchObject({ kubelet: { maxPods: 20 } })
  expect(migratedSpec(migration, 'EC2NodeClass', 'shared-c')).not.toHaveProperty('kubelet')
})

test('karpenter-global-settings: settings get their new names, the default profile goes into the classes', () => {
  const migration = migrate(`
apiVersion: v1
kind: ConfigMap
metadata: {name: karpenter-global-settings}
data:
  batchMaxDuration: 5s
  aws.clusterName: demo
  aws.interruptionQueueName: q
  aws.defaultInstanceProfile: fallback
  aws.enablePodENI: "true"
  featureGates.driftEnabled: "true"
---${TEMPLATE.replace('  instanceProfile: nodes\n', '')}`)
  expect(migration.settings).toEqual({ BATCH_MAX_DURATION: '5s', CLUSTER_NAME: 'demo', INTERRUPTION_QUEUE: 'q' })
  expect(migratedSpec(migration, 'EC2NodeClass', 'shared')).toMatchObject({ instanceProfile: 'fallback' })
  expect(conversions(migration, 'gone')).toContain('ConfigMap/karpenter-global-settings data.aws.enablePodENI')
})

test('what cannot be converted is reported as a problem with a remedy', () => {
  const alone = migrate(PROVISIONER)
  expect(problemTexts(alone)).toEqual([
    'NodePool/default: refers to EC2NodeClass/shared, which is not in the manifests: convert it too, and add the kubelet settings of the pool to its spec.kubelet',
  ])
  const ubuntu = migrate(BETA_CLASS.replace('AL2023', 'Ubuntu'))
  expect(problemTexts(ubuntu).join()).toMatch(/^EC2NodeClass\/shared: spec\.amiSelectorTerms: Required value/)
  expect(conversions(ubuntu, 'changed')).toEqual(['EC2NodeClass/shared spec.amiFamily'])
})

test('workloads get the new names; old names in other places are reported for review', () => {
  const pod = `${TEMPLATE}---\n{apiVersion: v1, kind: Pod, metadata: {name: a, annotations: {karpenter.sh/do-not-evict: "true"}}}`
  const migration = migrate(pod)
  expect(problemTexts(migration)).toEqual([])
  expect(migration.untouched).toEqual([])
  expect(migration.objects.at(-1)).toMatchObject({
    kind: 'Pod',
    metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } },
  })
  expect(conversions(migration, 'renamed')).toContain('Pod/a metadata.annotations.karpenter.sh/do-not-evict')
  const labelled = migrate(
    '{apiVersion: v1, kind: Pod, metadata: {name: a, labels: {karpenter.sh/provisioner-name: b}}}',
  )
  expect(labelled.untouched).toEqual(['Pod/a'])
  expect(problemTexts(labelled)).toEqual([
    'Pod/a: uses karpenter.sh/provisioner-name, which v1 ignores: write karpenter.sh/nodepool',
  ])
})

test.each([
  ['v1alpha5', PROVISIONER.replace('{example.com/owner: me}', '{karpenter.sh/do-not-consolidate: "true"}')],
  [
    'v1beta1',
    BETA('default', '').replace('{labels: {team: a}}', '{annotations: {karpenter.sh/do-not-consolidate: "true"}}'),
  ],
  [
    'v1',
    `{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: default}, spec: {template: {metadata: {annotations: {karpenter.sh/do-not-consolidate: "true"}}, spec: {}}}}`,
  ],
])('the template of a %s pool protects its nodes with the new annotation', (_version, text) => {
  const migration = migrate(`${text}\n---${TEMPLATE}`)
  expect(migratedSpec(migration, 'NodePool')).toMatchObject({
    template: { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } },
  })
  expect(JSON.stringify(migration.objects)).not.toContain('do-not-consolidate')
})

test('a class without role and instance profile is a problem in every version', () => {
  const bare = TEMPLATE.replace('  instanceProfile: nodes\n', '')
  const needed =
    'EC2NodeClass/shared: has neither role nor instanceProfile, so its instances cannot join: set spec.role (Kerf creates the instance profile) or spec.instanceProfile'
  expect(problemTexts(migrate(bare))).toEqual([needed])
  expect(problemTexts(migrate(`${PROVISIONER}\n---${bare}`))).toContain(needed)
  const v1 = '{apiVersion: karpenter.k8s.aws/v1, kind: EC2NodeClass, metadata: {name: shared}, spec: {}}'
  expect(problemTexts(migrate(v1))).toEqual([
    'EC2NodeClass/shared: has neither role nor instanceProfile, so its instances cannot join: set spec.role (Kerf creates the instance profile) or spec.instanceProfile',
  ])
  expect(problemTexts(migrate(TEMPLATE))).toEqual([])
})

const INLINE = `
apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata: {name: default}
spec:
  provider:
    instanceProfile: nodes
    subnetSelector: {karpenter.sh/discovery: ""}
    securityGroupSelector: {karpenter.sh/discovery: demo}
  kubeletConfiguration: {maxPods: 20}
`

test('a Provisioner with an inline class becomes a pool and a class of its name with its kubelet settings', () => {
  const migration = migrate(INLINE, { kubernetesVersion: '1.36', classDefaults: { instanceProfile: 'unused' } })
  expect(migration.problems).toEqual([])
  expect(migration.objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
    'EC2NodeClass/default',
    'NodePool/default',
  ])
  expect(migratedSpec(migration, 'EC2NodeClass')).toEqual({
    instanceProfile: 'nodes',
    // In the old selector, an empty value matched any value.
    subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': '*' } }],
    securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'demo' } }],
    amiFamily: 'AL2023',
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    metadataOptions: { httpPutResponseHopLimit: 2 },
    kubelet: { maxPods: 20 },
  })
})

test('if nodes are not EC2 instances, creates classes of the provider without the fields of EC2', () => {
  const nodeClass = kwokNodeClassResource
  for (const yaml of [INLINE, `${PROVISIONER}---${TEMPLATE}`, INLINE.replace(/provider:[\s\S]*/, 'weight: 1')]) {
    const migration = migrate(yaml, { nodeClass })
    expect(problemTexts(migration)).toEqual([])
    const pool = migratedSpec(migration, 'NodePool') as {
      template: { spec: { nodeClassRef: object; requirements: object[] } }
    }
    const { nodeClassRef, requirements } = pool.template.spec
    const name = yaml.includes('shared') ? 'shared' : 'default'
    expect(nodeClassRef).toEqual({ group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name })
    expect(migratedSpec(migration, 'KWOKNodeClass', name)).toEqual({})
    expect(JSON.stringify(requirements)).not.toContain('karpenter.k8s.aws')
  }
  expect(conversions(migrate(INLINE, { nodeClass }), 'gone')).toEqual([
    'Provisioner/default spec.provider.instanceProfile',
    'Provisioner/default spec.provider.subnetSelector',
    'Provisioner/default spec.provider.securityGroupSelector',
    'Provisioner/default spec.kubeletConfiguration',
  ])
})

test('a Provisioner with two classes, or without one', () => {
  const both = INLINE.replace('spec:', 'spec:\n  providerRef: {name: other}')
  expect(problemTexts(migrate(both))[0]).toBe(
    'NodePool/default: has both spec.provider and spec.providerRef: keep one of them',
  )
  const none = migrate(INLINE.replace(/provider:[\s\S]*/, 'weight: 1'))
  expect(problemTexts(none)).toEqual([
    'NodePool/default: does not describe its machines: set spec.provider or spec.providerRef',
  ])
})
