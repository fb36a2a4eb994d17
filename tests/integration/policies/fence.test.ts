import { kinds, type Namespace, type Pod, policyKinds } from '@kerf/apis'
import { describeOnCluster } from '@kerf/control-plane/testing'
import { attachPolicies } from '@kerf/controllers'
import { nodePool, pod } from '@kerf/testing'
import { beforeAll, expect, test } from 'vitest'
import { fence, fencedPools } from '../../../packages/cli/src/policy/fence.ts'

const team = 'fence-team'
const other = 'fence-other'

const pool = nodePool('team-a', {
  templateMetadata: { labels: { 'example.com/tier': 'secret' } },
  templateSpec: { taints: [{ key: 'team', value: 'a', effect: 'NoSchedule' }] },
})
const policy = {
  apiVersion: 'kerf.sh/v1alpha1',
  kind: policyKinds.NodePoolPolicy.kind,
  metadata: { name: 'team-a' },
  spec: {
    targetRefs: [{ group: 'karpenter.sh' as const, kind: 'NodePool' as const, name: 'team-a' }],
    access: { namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'In' as const, values: ['a', 'z'] }] } },
  },
}

/** The specs that the fence refuses, and those that it accepts, in a namespace that may not use the NodePool. */
const refused: readonly (readonly [name: string, spec: Partial<Pod['spec']>])[] = [
  ['tolerates-the-taint', { tolerations: [{ key: 'team', operator: 'Equal', value: 'a', effect: 'NoSchedule' }] }],
  ['tolerates-the-key', { tolerations: [{ key: 'team', operator: 'Exists' }] }],
  ['tolerates-everything', { tolerations: [{ operator: 'Exists' }] }],
  ['tolerates-without-operator', { tolerations: [{ key: 'team', value: 'a' }] }],
  ['selects-the-pool', { nodeSelector: { 'karpenter.sh/nodepool': 'team-a' } }],
  ['selects-a-label', { nodeSelector: { 'example.com/tier': 'secret' } }],
  [
    'requires-the-pool',
    {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'karpenter.sh/nodepool', operator: 'In', values: ['x', 'team-a'] }] },
            ],
          },
        },
      },
    },
  ],
  [
    'prefers-the-pool',
    {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 1,
              preference: { matchExpressions: [{ key: 'karpenter.sh/nodepool', operator: 'In', values: ['team-a'] }] },
            },
          ],
        },
      },
    },
  ],
  ['names-a-node', { nodeName: 'somewhere' }],
]
const accepted: readonly (readonly [name: string, spec: Partial<Pod['spec']>])[] = [
  ['plain', {}],
  ['tolerates-another-value', { tolerations: [{ key: 'team', operator: 'Equal', value: 'b' }] }],
  ['tolerates-another-effect', { tolerations: [{ key: 'team', operator: 'Exists', effect: 'NoExecute' }] }],
  ['selects-another-pool', { nodeSelector: { 'karpenter.sh/nodepool': 'shared', 'example.com/tier': 'public' } }],
]

describeOnCluster('the fence of a NodePool on a real API server', (cluster) => {
  const apply = async (object: object): Promise<{ readonly code: number; readonly stderr: string }> =>
    await cluster().kubectl(['create', '-f', '-'], JSON.stringify(object))
  const create = async (name: string, namespace: string, spec: Partial<Pod['spec']>) => {
    const made = pod(name, { spec })
    return await apply({ ...made, metadata: { name, namespace }, status: undefined })
  }

  beforeAll(async () => {
    const namespace = (name: string, labels: Namespace['metadata']['labels']) => ({
      apiVersion: 'v1',
      kind: kinds.Namespace.kind,
      metadata: { name, labels },
    })
    for (const each of [namespace(team, { team: 'a' }), namespace(other, { team: 'b' })]) {
      expect((await apply(each)).stderr).toBe('')
      const account = {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'default', namespace: each.metadata.name },
      }
      await apply(account)
    }
    const [fenced] = fencedPools(attachPolicies([policy], [pool]), [pool])
    if (fenced === undefined) throw new Error('no fence')
    for (const each of fence(fenced, [pool], ['kube-system'])) expect((await apply(each)).stderr).toBe('')
    // The API server needs a moment to load a new admission policy.
    for (let attempt = 0; ; attempt++) {
      const { code } = await create(`probe-${attempt}`, other, { tolerations: [{ operator: 'Exists' }] })
      if (code !== 0) break
      if (attempt > 200) throw new Error('the admission policy has no effect')
    }
  })

  test.each(refused)('refuses a pod that %s in another namespace', async (name, spec) => {
    const { code, stderr } = await create(name, other, spec)
    expect([code, stderr]).toEqual([1, expect.stringContaining('NodePool "team-a" is not open to this pod')])
  })

  test.each(accepted)('accepts a pod in another namespace: %s', async (name, spec) => {
    expect(await create(name, other, spec)).toMatchObject({ code: 0, stderr: '' })
  })

  test.each(refused)('accepts a pod in the namespace of the team that %s', async (name, spec) => {
    expect(await create(name, team, spec)).toMatchObject({ code: 0, stderr: '' })
  })

  test('refuses a toleration that is added later, and accepts other changes of the pod', async () => {
    const kubectl = async (...args: readonly string[]) => await cluster().kubectl(args)
    await create('later', other, {})
    const labelled = await kubectl('label', 'pod', 'later', '-n', other, 'a=b')
    expect(labelled.stderr).toBe('')
    const toleration = JSON.stringify([{ op: 'add', path: '/spec/tolerations/-', value: { operator: 'Exists' } }])
    const patched = await kubectl('patch', 'pod', 'later', '-n', other, '--type=json', '-p', toleration)
    expect(patched.stderr).toContain('NodePool "team-a" is not open to this pod')
  })
})
