import { kinds, type NodePoolPolicy, policyKinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { createPendingPods, createPool, type Harness, patchPool } from '../testing/harness/index.ts'
import { harnessPerTest } from '../testing/harness-per-test.ts'

// docs/spec/policies.md#access

const start = harnessPerTest()

const taints = [{ key: 'team', value: 'a', effect: 'NoSchedule' as const }]
const tolerations = [{ operator: 'Exists' as const }]

const createTaintedPool = async (w: Harness, name: string, spec: object = {}): Promise<void> => {
  await createPool(w, name, spec)
  await patchPool(w, name, { spec: { template: { spec: { taints } } } })
}

const refs = (...names: readonly string[]) =>
  names.map((name) => ({ group: 'karpenter.sh' as const, kind: 'NodePool' as const, name }))

const createPolicy = async (w: Harness, name: string, spec: NodePoolPolicy['spec']): Promise<void> => {
  await w.admin.create(policyKinds.NodePoolPolicy, {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'NodePoolPolicy',
    metadata: { name },
    spec,
  })
  await w.pass(1_000)
}

const teamA = { namespaceSelector: { matchLabels: { team: 'a' } } }

const setTeam = (w: Harness, team: string | null) =>
  w.patch(kinds.Namespace, 'default', { metadata: { labels: { team } } })

/** Returns the conditions of each target of a policy, as `pool type=status reason`. */
const targets = async (w: Harness, policy: string): Promise<readonly string[]> =>
  ((await w.read(policyKinds.NodePoolPolicy, policy))?.status?.targets ?? []).flatMap(({ name, conditions }) =>
    conditions.map(({ type, status, reason }) => `${name} ${type}=${status} ${reason}`),
  )

const summary = async (w: Harness, policy: string) =>
  (await w.read(policyKinds.NodePoolPolicy, policy))?.status?.conditions?.[0]

describe('a NodePool that only some namespaces may use', () => {
  test('launches no nodes for other pods, which wait with the reason, until the namespace gets the label', async () => {
    const w = await start()
    await createTaintedPool(w, 'team-a')
    await createPolicy(w, 'team-a', { targetRefs: refs('team-a'), access: teamA })
    await createPendingPods(w, 1, { spec: { tolerations } })
    await w.pass(30_000)
    expect(await w.claims()).toEqual([])
    expect(w.messages('FailedScheduling').join()).toContain('not open to pods of namespace default')
    await setTeam(w, 'a')
    await w.pass(30_000)
    expect(await w.claims()).toHaveLength(1)
  })

  test('nominates no pod that may no longer use it', async () => {
    const w = await start({ registrationDelay: '30s' })
    await setTeam(w, 'a')
    await createTaintedPool(w, 'team-a', { weight: 10 })
    await createPolicy(w, 'team-a', { targetRefs: refs('team-a'), access: teamA })
    await createPendingPods(w, 1, { spec: { tolerations } })
    await w.pass(28_000)
    expect(await w.claims()).toHaveLength(1)
    await setTeam(w, 'b')
    const nominated = new Set<string>()
    for (let step = 0; step < 60; step++) {
      await w.pass(100)
      for (const { status } of (await w.admin.list(kinds.Pod)).items) nominated.add(status?.nominatedNodeName ?? '')
    }
    expect([...nominated]).toEqual([''])
  })
})

describe('the status of a NodePoolPolicy', () => {
  test('contains a condition for each target; without a taint, access is not enforced', async () => {
    const w = await start()
    await createTaintedPool(w, 'team-a')
    await createPool(w, 'open')
    await createPolicy(w, 'team-a', { targetRefs: refs('team-a', 'open', 'gone'), access: teamA })
    await w.pass(15_000)
    expect(await targets(w, 'team-a')).toEqual([
      'gone Accepted=False TargetNotFound',
      'open Accepted=True Accepted',
      'open Enforced=False NoTaint',
      'team-a Accepted=True Accepted',
      'team-a Enforced=True Tainted',
    ])
    expect(await summary(w, 'team-a')).toMatchObject({
      status: 'False',
      reason: 'TargetNotFound',
      message: 'NodePool "gone": the NodePool does not exist',
    })
    expect(await w.metric('kerf_nodepoolpolicy_targets', { reason: 'Accepted' })).toBe(2)
    await patchPool(w, 'open', { spec: { template: { spec: { taints } } } })
    await createPool(w, 'gone')
    await w.pass(15_000)
    expect(await targets(w, 'team-a')).toContain('open Enforced=True Tainted')
    expect(await targets(w, 'team-a')).toContain('gone Accepted=True Accepted')
    expect(await w.metric('kerf_nodepoolpolicy_targets', { reason: 'TargetNotFound' })).toBe(0)
  })

  test('the older policy applies, then the first by name; references and selectors have the same rank', async () => {
    const w = await start()
    await createTaintedPool(w, 'team-a')
    await createPolicy(w, 'old', { targetSelector: {}, access: teamA })
    await w.pass(2_000)
    await createPolicy(w, 'a-new', { targetRefs: refs('team-a'), access: { schedulerNames: ['volcano'] } })
    await w.pass(15_000)
    expect(await targets(w, 'a-new')).toEqual(['team-a Accepted=False Conflicted'])
    expect((await summary(w, 'a-new'))?.message).toBe(
      'NodePool "team-a": section access: NodePoolPolicy "old" is older and applies instead',
    )
    await w.admin.delete(policyKinds.NodePoolPolicy, { name: 'old' })
    await w.pass(15_000)
    expect(await targets(w, 'a-new')).toEqual(['team-a Accepted=True Accepted', 'team-a Enforced=True Tainted'])
    expect(await summary(w, 'a-new')).toMatchObject({ status: 'True', reason: 'Accepted', message: '' })
  })

  test('a selector that matches no NodePool is TargetNotFound', async () => {
    const w = await start()
    await createPool(w)
    await createPolicy(w, 'none', { targetSelector: { matchLabels: { team: 'a' } }, access: teamA })
    await w.pass(15_000)
    expect(await summary(w, 'none')).toMatchObject({ status: 'False', reason: 'TargetNotFound' })
  })
})

test('an invalid label key gives the reason Invalid, and no pod may use the NodePool', async () => {
  const w = await start()
  await createPool(w)
  await createPolicy(w, 'wrong', {
    targetRefs: refs('general'),
    access: { namespaceSelector: { matchLabels: { 'a b': 'c' } } },
  })
  await createPendingPods(w, 1)
  await w.pass(30_000)
  expect(await targets(w, 'wrong')).toContain('general Accepted=False Invalid')
  expect(await w.claims()).toEqual([])
})

test('without the CRD, Kerf launches as usual, and logs one line', async () => {
  const w = await start()
  w.kill()
  await w.admin.delete(kinds.CustomResourceDefinition, { name: 'nodepoolpolicies.kerf.sh' })
  w.start()
  await createPool(w)
  await createPendingPods(w, 1)
  await w.pass(30_000)
  expect(await w.claims()).toHaveLength(1)
  expect(w.log.messages('info').filter((line) => line.includes('nodepoolpolicies'))).toEqual([
    'nodepoolpolicies.kerf.sh is not installed; Kerf works as if there were no NodePoolPolicy',
  ])
})
