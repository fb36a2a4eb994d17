import { type ClusterPolicy, kinds, ProblemError, policyKinds } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { apiError, createPendingPods, createPool, type Harness } from '../../testing/harness/index.ts'
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

test('commitments of a ConfigMap are used and follow its changes; commitments in the policy take precedence', async () => {
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
])('if the ConfigMap %s, its last commitments stay in force, even after a restart', async (_name, damage, text) => {
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

/** Changes the policy to this source. */
const changeSource = (w: Harness, commitmentSource: object): Promise<unknown> =>
  w.admin.patch(policyKinds.ClusterPolicy, { name: 'default' }, { type: 'merge', body: { spec: { commitmentSource } } })

const names = async (w: Harness) => (await policy(w)).status?.commitments?.map(({ name }) => name)

test.each<[string, object, string]>([
  ['a key that the ConfigMap does not have', { configMap: { key: 'other.yaml' } }, 'has no key other.yaml'],
  ['a file that cannot be read', { configMap: null, file: '/missing.yaml' }, 'file /missing.yaml cannot be read'],
  ['an account that the provider does not read', { configMap: null, account: {} }, 'reads no commitments'],
])('if the policy changes to %s, the commitments of the old source end', async (_name, source, text) => {
  const w = await start({ readFile: () => Promise.reject(new Error('ENOENT')) })
  await setDocument(w, document(1))
  await setPolicy(w, { commitmentSource: { configMap: {} } })
  await createPool(w)
  await w.pass(30_000)
  expect(await names(w)).toEqual(['reserved'])
  await changeSource(w, source)
  await w.pass(30_000)
  expect(await accepted(w)).toContain(text)
  expect(await accepted(w)).toContain('No commitment of this source is in force.')
  expect(await names(w)).toBeUndefined()
  expect((await policy(w)).status?.commitmentSource).toBeUndefined()
  await createPendingPods(w, 1)
  await w.pass(60_000)
  expect(await launched(w)).not.toEqual([TYPE])
})

test('if the policy changes to a source that can be read, its commitments replace those of a source that failed', async () => {
  const w = await start()
  await setDocument(w, document(1))
  await setPolicy(w, { commitmentSource: { configMap: {} } })
  await createPool(w)
  await w.pass(30_000)
  const text = 'commitments: [{name: new, prepaid: {vcpus: 4}}]'
  const data = { 'commitments.yaml': null, 'other.yaml': text }
  await w.admin.patch(kinds.ConfigMap, NAME, { type: 'merge', body: { data } })
  await w.pass(90_000)
  expect(await accepted(w)).toContain('has no key commitments.yaml')
  await changeSource(w, { configMap: { key: 'other.yaml' } })
  await w.pass(30_000)
  expect(await names(w)).toEqual(['new'])
  expect(await accepted(w)).toMatch(/^True/)
})

test('a mounted file is read every minute; while it cannot be read or is invalid, its last commitments stay in force', async () => {
  const files = new Map([['/etc/kerf/commitments.yaml', document(2)]])
  const w = await start({
    readFile: async (path) => files.get(path) ?? Promise.reject(new Error(`ENOENT: no such file, open '${path}'`)),
  })
  await setPolicy(w, { commitmentSource: { file: '/etc/kerf/commitments.yaml' } })
  await createPool(w)
  await w.pass(30_000)
  const covers = async () => (await policy(w)).status?.commitments?.map((each) => each.covers)
  expect((await policy(w)).status?.commitmentSource?.source).toBe('file /etc/kerf/commitments.yaml')
  expect(await covers()).toEqual(['2'])
  files.set('/etc/kerf/commitments.yaml', document(3))
  await w.pass(90_000)
  expect(await covers()).toEqual(['3'])
  files.delete('/etc/kerf/commitments.yaml')
  await w.pass(90_000)
  expect(await accepted(w)).toMatch(
    /^False: spec\.commitmentSource: file \/etc\/kerf\/commitments\.yaml cannot be read \(ENOENT.*Mount it into the pod of Kerf, or correct spec\.commitmentSource\.file\. The 1 commitments read at .* stay in force\.$/,
  )
  expect(await covers()).toEqual(['3'])
  files.set('/etc/kerf/commitments.yaml', 'commitments: 3')
  await w.pass(90_000)
  expect(await accepted(w)).toContain('file /etc/kerf/commitments.yaml: commitments')
  expect(await covers()).toEqual(['3'])
  files.set('/etc/kerf/commitments.yaml', document(1))
  await w.pass(90_000)
  expect(await accepted(w)).toMatch(/^True/)
  expect(await covers()).toEqual(['1'])
})

test('a failure that usually passes is reported after five minutes, with the time since when the policy is not accepted', async () => {
  let isDown = false
  const w = await start({
    fault: ({ verb, ref }) => (isDown && verb === 'get' && ref?.name === NAME.name ? apiError(503) : undefined),
  })
  await setDocument(w, document(1))
  await setPolicy(w, { commitmentSource: { configMap: {} } })
  await createPool(w)
  await w.pass(30_000)
  isDown = true
  await w.pass(240_000)
  expect(await accepted(w)).toMatch(/^True/)
  expect(await names(w)).toEqual(['reserved'])
  await w.pass(600_000)
  expect(await accepted(w)).toMatch(
    /^False: spec\.commitmentSource: ConfigMap kerf-commitments \(commitments\.yaml\) could not be read \(.*\)\. Kerf tries again\. The 1 commitments read at .* stay in force\.$/,
  )
  const since = (await policy(w)).status?.conditions?.[0]?.lastTransitionTime
  expect(await names(w)).toEqual(['reserved'])
  await w.pass(600_000)
  expect((await policy(w)).status?.conditions?.[0]?.lastTransitionTime).toBe(since)
  isDown = false
  await w.pass(600_000)
  expect(await accepted(w)).toMatch(/^True/)
})

test('a new source whose reads fail is reported at once', async () => {
  const w = await start({
    fault: ({ verb, ref }) => (verb === 'get' && ref?.name === NAME.name ? apiError(503) : undefined),
  })
  await setPolicy(w, { commitmentSource: { configMap: {} } })
  await w.pass(30_000)
  expect(await accepted(w)).toMatch(/^False: .*Kerf tries again\. No commitment of this source is in force\.$/)
})

test('if the provider cannot read commitments from the account, this is reported', async () => {
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
