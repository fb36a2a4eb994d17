import type { KubeObject } from '@kerf/apis'
import { UsageError } from '@kerf/provider-kit/command-line'
import { node, pod } from '@kerf/testing'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { openTypes } from '../../../../packages/cli/src/cluster/instance-types.ts'
import { Audit } from '../../../../packages/cli/src/doctor/audit.ts'
import { cox007 } from '../../../../packages/cli/src/doctor/checks/cox-007-controller-in-shrinking-group.ts'
import { auditFindings } from '../../../../packages/cli/src/doctor/finding.ts'
import { knownTypes } from '../../../../packages/cli/src/doctor/known-types.ts'
import { type DraftOptions, draftMigration } from '../../../../packages/cli/src/migrate/draft-migration.ts'
import { readSources } from '../../../../packages/cli/src/migrate/groups/read-sources.ts'
import { rehearseMigration } from '../../../../packages/cli/src/migrate/rehearse/rehearse-migration.ts'
import { autoscalerDeployment, workload } from '../../../../tests/integration/migrate/objects.ts'
import { managedGroup } from './managed-group.ts'

const NOW = Date.parse('2026-08-22T09:00:30Z')
const EKS = 'eks.amazonaws.com/nodegroup'
const SIZES = { system: [1, 4, 1], apps: [1, 9, 3] } as const

/** Returns the status of Cluster Autoscaler if the group `system` has these bounds. */
const status = (min: number, max: number) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'cluster-autoscaler-status', namespace: 'kube-system' },
  data: {
    status: `time: "2026-08-22 09:00:00.1 +0000 UTC"\nautoscalerStatus: Running\nclusterWide:\n  health: {status: Healthy}\nnodeGroups:\n- name: eks-system-12345678-1234-1234-1234-123456789abc\n  health: {status: Healthy, cloudProviderTarget: 1, minSize: ${min}, maxSize: ${max}}\n`,
  },
})

const groups = Object.entries(SIZES).map(([name, [min, max, desired]]) =>
  managedGroup(name, ['m6i.xlarge'], min, max, desired),
)

const autoscaler = autoscalerDeployment('--cloud-provider=aws')

/** Returns a pod of Cluster Autoscaler that runs on a node of the group. */
const autoscalerOn = (group: string): readonly KubeObject[] => [
  node(`${group}-1`, { labels: { [EKS]: group, 'node.kubernetes.io/instance-type': 'm6i.xlarge' } }),
  pod('cluster-autoscaler-6d-x', {
    namespace: 'kube-system',
    labels: { app: 'cluster-autoscaler', 'pod-template-hash': '6d' },
    owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'cluster-autoscaler-6d' },
    nodeName: `${group}-1`,
  }),
]

/** Returns Kerf's own Deployment, with a pod on a node of the group. */
const kerfOn = (group: string): readonly KubeObject[] => [
  {
    ...workload({ namespace: 'kube-system', name: 'karpenter', replicas: 2, cpu: '1', memory: '1Gi' }),
    metadata: { name: 'karpenter', namespace: 'kube-system', labels: { 'app.kubernetes.io/name': 'karpenter' } },
  },
  node(`${group}-1`, { labels: { [EKS]: group, 'node.kubernetes.io/instance-type': 'm6i.xlarge' } }),
  pod('karpenter-7c-y', {
    namespace: 'kube-system',
    labels: { app: 'karpenter', 'pod-template-hash': '7c' },
    owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'karpenter-7c' },
    nodeName: `${group}-1`,
  }),
]

const apps = workload({
  namespace: 'shop',
  name: 'web',
  replicas: 6,
  cpu: '1500m',
  memory: '4Gi',
  nodeSelector: { tier: 'apps' },
})

const drafted = async (values: readonly unknown[], options: Partial<DraftOptions> = {}) =>
  draftMigration(
    await readSources([...groups, apps, ...values].map((value) => ({ value, file: 'in' }))),
    { outputDir: 'out', variant: 'faithful', clusterName: 'shop', ...options },
    NOW,
  )

type Drafted = Awaited<ReturnType<typeof drafted>>

const phaseSteps = ({ plan }: Drafted, phase: number) => plan.phases.find((each) => each.phase === phase)?.steps ?? []
const phaseCommands = (draft: Drafted, phase: number): readonly string[] =>
  phaseSteps(draft, phase).flatMap((step) => (step.do === 'by hand' ? step.commands : []))
const keptIn = ({ plan }: Drafted) => plan.kept.map(({ name, size, because }) => ({ name, size, because }))

test('a named group is kept: no NodePool, no drain, no deletion, and a size that Cluster Autoscaler cannot change', async () => {
  const draft = await drafted([autoscaler], { keep: ['system'] })
  expect(keptIn(draft)).toEqual([{ name: 'system', size: 2, because: 'you named it with --keep' }])
  expect(draft.plan.groups.map(({ name }) => name)).toEqual(['apps'])
  expect(draft.files.get('nodepools.yaml')).not.toContain('name: system')
  expect(draft.files.get('nodepools-merged.yaml')).not.toContain('system')
  expect(phaseSteps(draft, 6)).not.toContainEqual(expect.objectContaining({ group: 'system' }))
  expect(phaseCommands(draft, 2)).toContain(
    'aws eks update-nodegroup-config --cluster-name shop --nodegroup-name system --scaling-config minSize=2,maxSize=2',
  )
  expect(phaseCommands(draft, 8).join()).not.toContain('system')
  expect(draft.files.get('README.md')).toContain(
    '| system | none: it is kept, you named it with --keep | 1 to 4, fixed at 2',
  )
})

test.each([
  [
    'the pod of Cluster Autoscaler',
    [autoscaler, ...autoscalerOn('system')],
    'Deployment kube-system/cluster-autoscaler',
  ],
  ["the pod of Kerf's controller", [...kerfOn('system')], 'Deployment kube-system/karpenter'],
] as const)('%s shows which group is kept', async (_what, objects, who) => {
  expect(keptIn(await drafted(objects))).toEqual([{ name: 'system', size: 2, because: `${who} runs there` }])
})

test('a node selector that matches only one group also shows which group is kept', async () => {
  const { spec, ...rest } = autoscaler as KubeObject & { spec: { template: { spec: object } } }
  const template = { ...spec.template, spec: { ...spec.template.spec, nodeSelector: { tier: 'system' } } }
  expect(keptIn(await drafted([{ ...rest, spec: { ...spec, template } }]))).toMatchObject([{ name: 'system' }])
})

test('if nothing shows it, no group is kept and the report says so', async () => {
  const draft = await drafted([autoscaler])
  expect(keptIn(draft)).toEqual([])
  expect(draft.conversions).toContainEqual(
    expect.objectContaining({
      object: 'Deployment kube-system/cluster-autoscaler',
      because: expect.stringContaining('name it with --keep GROUP'),
    }),
  )
})

test('--no-keep keeps no group, and an unknown group name is refused', async () => {
  expect(keptIn(await drafted([autoscaler, ...autoscalerOn('system')], { keep: false }))).toEqual([])
  await expect(drafted([], { keep: ['sistem'] })).rejects.toThrow(
    new UsageError('--keep sistem: there is no such node group; did you mean system? (system, apps)'),
  )
  await expect(drafted([], { keep: ['system', 'apps'] })).rejects.toThrow('nothing is left to migrate')
})

test('a workload that only the kept group can run stays there, without a question', async () => {
  const stays = workload({
    namespace: 'shop',
    name: 'builds',
    replicas: 2,
    cpu: '1',
    memory: '1Gi',
    nodeSelector: { tier: 'system' },
  })
  const named = workload({
    namespace: 'shop',
    name: 'agent',
    replicas: 2,
    cpu: '1',
    memory: '1Gi',
    nodeSelector: { [EKS]: 'system' },
  })
  const draft = await drafted([stays, named], { keep: ['system'] })
  const of = (name: string) =>
    draft.conversions.find(({ object, field }) => object === `Deployment shop/${name}` && field === 'workload')
  expect(of('builds')?.because).toBe(
    'only the node group system, which is kept, satisfies its constraints: it stays there',
  )
  expect(of('agent')?.because).toBe('it selects the node group system, which is kept: it stays there')
  expect(draft.plan.questions.filter(({ object }) => object.includes('shop/'))).toEqual([])
  expect([...draft.files.keys()].filter((name) => name.startsWith('patches/'))).toEqual([
    'patches/shop-deployment-web.yaml',
  ])
})

test('doctor finds the same group at risk, and accepts the size of the plan', async () => {
  const own = [autoscaler, ...kerfOn('system')]
  const examined = async (min: number, max: number) => {
    const objects = [...own, status(min, max)] as unknown as readonly KubeObject[]
    const [finding] = auditFindings(
      new Audit({ objects, now: NOW, source: { kind: 'files' }, ...(await knownTypes(objects, {})) }),
      [cox007],
    )
    return finding
  }
  const { plan } = await drafted([...own, status(1, 4)])
  expect(await examined(1, 4)).toMatchObject({ status: 'fail', objects: ['Node system-1'] })
  const [kept] = plan.kept
  expect(kept?.name).toBe('system')
  expect(await examined(kept?.size ?? 0, kept?.size ?? 0)).toMatchObject({ status: 'pass' })
})

test('after a rehearsal the kept group has its size and the others are at zero', async () => {
  const draft = await drafted([autoscaler], { keep: ['system'] })
  const { types } = await openTypes({ instanceTypes: 'aws', region: 'us-east-1' })
  const folder = { folder: 'out', plan: { ...draft.plan, questions: [] }, files: draft.files }
  // The groups allow only this type. Leaving out the other types makes the rehearsal faster.
  const instanceTypes = types.filter(({ name }) => name === 'm6i.xlarge')
  const { after, phases } = await rehearseMigration(folder, { seed: 1, instanceTypes })
  expect(phases.map(({ problem }) => problem)).toEqual(phases.map(() => undefined))
  expect(after).toMatchObject({ groupNodes: 0, keptNodes: 2, waiting: 0 })
})

test('the plan names a file with the resources to create in the account', async () => {
  const draft = await drafted([autoscaler], { keep: ['system'] })
  const stack = parse(draft.files.get('iam/stack.yaml') ?? '', { version: '1.1' })
  const { Resources } = stack
  expect(Resources.KarpenterNodeRole).toBeUndefined()
  expect(Resources.KarpenterNodeAccessEntry).toBeUndefined()
  expect(Resources.KarpenterControllerRole.Properties.AssumeRolePolicyDocument.Statement[0].Principal).toEqual({
    Service: 'pods.eks.amazonaws.com',
  })
  expect(Resources.KarpenterPodIdentity.Properties).toMatchObject({
    Namespace: 'kube-system',
    ServiceAccount: 'karpenter',
  })
  const lifecycle = JSON.stringify(Object.values(Resources))
  expect(lifecycle).toContain(':role/shop-nodes')
  expect(phaseCommands(draft, 2).slice(0, 2)).toEqual([
    'aws cloudformation deploy --stack-name kerf-shop --template-file iam/stack.yaml --capabilities CAPABILITY_NAMED_IAM',
    'aws eks create-access-entry --cluster-name shop --principal-arn "$(aws iam get-role --role-name shop-nodes --query Role.Arn --output text)" --type EC2_LINUX    # unless aws eks list-access-entries names it',
  ])
})
