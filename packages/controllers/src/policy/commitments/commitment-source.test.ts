import { type ClusterPolicy, kinds, ProblemError, policyKinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { createPendingPods, createPool, type Harness } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'
import { parseCommitmentDocument } from './commitment-document.ts'

// docs/spec/policies.md#sources-of-commitments

const start = harnessPerTest()

const TYPE = 's-16x-amd64-linux'
const NAME = { name: 'kerf-commitments', namespace: 'kube-system' }

const setPolicy = (w: Harness, spec: object): Promise<unknown> =>
  w.admin.create(policyKinds.ClusterPolicy, {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'ClusterPolicy',
    metadata: { name: 'default' },
    spec,
  } as ClusterPolicy)

const document = (count: number): string =>
  `commitments:\n- name: reserved\n  prepaid: {instanceType: ${TYPE}, count: ${count}}\n`

const setDocument = (w: Harness, text: string): Promise<unknown> =>
  w.admin.create(kinds.ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: NAME,
    data: { 'commitments.yaml': text },
  })

const changeDocument = (w: Harness, text: string | null): Promise<unknown> =>
  w.admin.patch(kinds.ConfigMap, NAME, { type: 'merge', body: { data: { 'commitments.yaml': text } } })

const policy = async (w: Harness) => (await w.read(policyKinds.ClusterPolicy, 'default')) as ClusterPolicy

const accepted = async (w: Harness) => {
  const [condition] = (await policy(w)).status?.conditions ?? []
  return `${condition?.status}: ${condition?.message}`
}

const launched = async (w: Harness) =>
  (await w.claims()).map(({ metadata }) => metadata.labels?.['node.kubernetes.io/instance-type'])

test('commitments of a ConfigMap are used, follow its changes, and those of the object apply instead', async () => {
  const w = await start()
  await setDocument(w, document(1))
  await setPolicy(w, { commitmentSource: { configMap: {} } })
  await createPool(w)
  await w.pass(30_000)
  expect((await policy(w)).status?.commitmentSource).toMatchObject({
    source: 'ConfigMap kerf-commitments (commitments.yaml)',
    commitments: [{ name: 'reserved', prepaid: { instanceType: TYPE, count: 1, share: '1' } }],
  })
  await createPendingPods(w, 1)
  await w.pass(60_000)
  expect(await launched(w)).toEqual([TYPE])
  await changeDocument(w, document(3))
  await w.pass(90_000)
  expect((await policy(w)).status?.commitments?.[0]).toMatchObject({ covers: '3', used: '1' })
  await w.admin.patch(
    policyKinds.ClusterPolicy,
    { name: 'default' },
    {
      type: 'merge',
      body: { spec: { commitments: [{ name: 'reserved', prepaid: { instanceType: TYPE, count: 2 } }] } },
    },
  )
  await w.pass(30_000)
  expect((await policy(w)).status?.commitments?.map(({ covers }) => covers)).toEqual(['2'])
  await w.admin.patch(
    policyKinds.ClusterPolicy,
    { name: 'default' },
    {
      type: 'merge',
      body: { spec: { commitments: null, commitmentSource: null, ceilings: { nodes: 9 } } },
    },
  )
  await w.pass(30_000)
  expect((await policy(w)).status?.commitmentSource).toBeUndefined()
  expect((await policy(w)).status?.commitments).toBeUndefined()
})

test.each<[string, (w: Harness) => Promise<unknown>, string]>([
  [
    'is invalid',
    (w) => changeDocument(w, 'commitments: [{name: a}]'),
    'exactly one of "prepaid" and "discount" must be set',
  ],
  ['has no key', (w) => changeDocument(w, null), 'has no key commitments.yaml'],
  ['is gone', (w) => w.admin.delete(kinds.ConfigMap, NAME), 'does not exist in namespace kube-system. Create it'],
])('if the ConfigMap %s, its last commitments stay in force, also after a restart', async (_name, damage, text) => {
  const w = await start()
  await setDocument(w, document(1))
  await setPolicy(w, { commitmentSource: { configMap: {} } })
  await createPool(w)
  await w.pass(30_000)
  await damage(w)
  await w.pass(90_000)
  expect(await accepted(w)).toMatch(/^False: spec\.commitmentSource: /)
  expect(await accepted(w)).toContain(text)
  expect(await accepted(w)).toContain('The 1 commitments read at ')
  w.restart()
  await createPendingPods(w, 1)
  await w.pass(60_000)
  expect(await launched(w)).toEqual([TYPE])
})

test('a provider that reads no account says so', async () => {
  const w = await start()
  await setPolicy(w, { commitmentSource: { account: {} } })
  await w.pass(30_000)
  expect(await accepted(w)).toContain('reads no commitments from the account. Declare them in spec.commitments')
})

describe('a document with commitments', () => {
  test('has the defaults of the object', () => {
    expect(parseCommitmentDocument('commitments: [{name: a, prepaid: {vcpus: 4}}]')).toEqual([
      { name: 'a', prepaid: { vcpus: 4, share: '1' } },
    ])
    expect(parseCommitmentDocument('commitments: []')).toEqual([])
  })

  test.each([
    ['no YAML', 'a: b: c', 'it is not YAML'],
    ['a list', '- a', 'it must be an object with the field "commitments"'],
    ['no commitments', '{}', 'commitments'],
    [
      'an unknown field',
      'commitments: [{name: a, prepaid: {vcpus: 4, cores: 2}}]',
      'unknown field "commitments[0].prepaid.cores"',
    ],
    ['a wrong amount', 'commitments: [{name: a, prepaid: {vcpus: 0}}]', 'commitments[0].prepaid.vcpus'],
    [
      'a rule of the schema',
      'commitments: [{name: a, prepaid: {vcpus: 4, zone: z}}]',
      '"zone" may be set only together with "count"',
    ],
    [
      'one name twice',
      'commitments: [{name: a, prepaid: {vcpus: 4}}, {name: a, prepaid: {vcpus: 4}}]',
      'commitments[1]',
    ],
  ])('is refused: %s', (_name, text, message) => {
    expect(() => parseCommitmentDocument(text)).toThrow(ProblemError)
    expect(() => parseCommitmentDocument(text)).toThrow(message)
  })
})
