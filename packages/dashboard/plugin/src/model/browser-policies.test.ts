import { coreVocabulary } from '@kerf/apis'
import { explainPod } from '@kerf/engine'
import { expect, test } from 'vitest'
import { reasonText, remedyText } from '../locales/reasons.ts'
import { browserPolicies, type PolicyObjects } from './browser-policies.ts'
import { browserCluster } from './cluster-snapshot.ts'
import { editForecast } from './edit-forecast.ts'
import { labelPrices } from './prices.ts'
import { objects, pod, shownTypes, unscheduled } from './testing/cluster-objects.ts'

const NONE: PolicyObjects = { clusterPolicies: [], poolPolicies: [] }
/** A Tuesday at 23:00 in Berlin. */
const NIGHT = Date.parse('2026-12-01T22:00:00Z')
const DAY = Date.parse('2026-12-01T12:00:00Z')

const ceilings = (status: unknown, spec: object = { ceilings: { nodes: 1 } }): PolicyObjects => ({
  ...NONE,
  clusterPolicies: [{ kind: 'ClusterPolicy', metadata: { name: 'default' }, spec, status: { ceilings: status } }],
})
const poolPolicy = (spec: object): PolicyObjects => ({
  ...NONE,
  poolPolicies: [
    { kind: 'NodePoolPolicy', metadata: { name: 'p' }, spec: { targetRefs: [{ name: 'general' }], ...spec } },
  ],
})
const sleep = poolPolicy({
  sleep: { timeZone: 'Europe/Berlin', awake: [{ days: ['Tue', 'Wed'], start: '07:00', end: '20:00' }] },
})
const access = poolPolicy({ access: { namespaceSelector: { matchLabels: { team: 'ml' } } } })

/** Returns the reasons and the remedies for a pending pod that fits only on a new node, as the page shows them. */
const shown = (policies: PolicyObjects, now = DAY): readonly string[] => {
  const containers = [{ name: 'main', image: 'x', resources: { requests: { cpu: '1500m' } } }]
  const all = objects({ pods: [...objects().pods, pod('waits', { containers }, unscheduled)] })
  const { snapshot, pending } = browserCluster(
    all,
    shownTypes(all),
    new Set(),
    browserPolicies(policies, all.pools, now),
  )
  const asked = pending.find(({ metadata }) => metadata.name === 'waits')
  if (asked === undefined) throw new Error('the pod is not pending')
  const { reasons, remedies } = explainPod(snapshot, [asked], asked, { vocabulary: coreVocabulary, planBudget: 0 })
  return [...reasons.map((each) => reasonText(each, 'en')), ...remedies.map((each) => remedyText(each, 'en'))]
}

const fits = ['m.large (spot) is the only instance type that fits 1 pod']

test.each<readonly [string, PolicyObjects, number, readonly string[]]>([
  ['no policy', NONE, DAY, fits],
  [
    'a ceiling that is reached',
    ceilings([{ name: 'nodes', ceiling: '2', used: '2', headroom: '0' }]),
    DAY,
    [
      'nodepool/general: a new node would exceed the ceiling of the ClusterPolicy on nodes (0 left)',
      'raise spec.ceilings.nodes of ClusterPolicy default to 3',
    ],
  ],
  ['a ceiling with a node left', ceilings([{ name: 'nodes', ceiling: '3', used: '2', headroom: '1' }]), DAY, fits],
  ['a ceiling that the controller has not counted', ceilings(undefined), DAY, fits],
  [
    'a ceiling that was removed after it was counted',
    ceilings([{ name: 'nodes', ceiling: '2', used: '2', headroom: '0' }], {}),
    DAY,
    fits,
  ],
  [
    'sleep at night',
    sleep,
    NIGHT,
    [
      'nodepool/general: sleeps until 07:00 Europe/Berlin',
      'wake NodePool general, which sleeps until 07:00 Europe/Berlin, with its annotation kerf.sh/awake-until',
    ],
  ],
  ['sleep by day', sleep, DAY, fits],
  [
    'access for another namespace',
    access,
    DAY,
    [
      'nodepool/general: not open to pods of namespace default',
      'label namespace default to match team=ml, which NodePool general requires',
    ],
  ],
])('the engine in the browser respects %s', (_, policies, now, expected) => {
  expect(shown(policies, now)).toEqual(expected)
})

test.each([
  null,
  [],
  { awake: [{}] },
  { timeZone: 7, awake: 'always' },
  { timeZone: 'Europe/Berlin', awake: [{ start: '7' }] },
])('a NodePoolPolicy that the cluster stored without checks (sleep: %j) is ignored, and others apply', (broken) => {
  const other = { kind: 'NodePoolPolicy', metadata: { name: 'z' }, spec: { targetRefs: {}, sleep: broken } }
  const more = { ...(poolPolicy({ sleep: broken }).poolPolicies[0] as object), metadata: { name: 'q' } }
  const policies = { ...NONE, poolPolicies: [other, more, ...access.poolPolicies] }
  expect(shown(policies)).toEqual(shown(access))
})

test('without policies, the snapshot has no fields of policies', () => {
  const all = objects()
  const none = browserCluster(all, shownTypes(all), new Set(), browserPolicies(NONE, all.pools, DAY))
  expect(none.snapshot).toEqual(browserCluster(all, shownTypes(all)).snapshot)
})

test.each<readonly [string, PolicyObjects, readonly [number, number, number]]>([
  ['no ceiling', NONE, [2, 0, 0]],
  ['a ceiling with one node left', ceilings([{ name: 'nodes', ceiling: '3', used: '2', headroom: '1' }]), [1, 1, 0]],
  [
    'a price of one node left',
    ceilings([{ name: 'usdPerHour', ceiling: '0.3', used: '0.2', headroom: '0.1' }]),
    [1, 1, 0],
  ],
  ['a ceiling that is reached', ceilings([{ name: 'nodes', ceiling: '2', used: '2', headroom: '0' }]), [0, 2, 0]],
  [
    'a ceiling that is reached, without replacements beyond it',
    ceilings([{ name: 'nodes', ceiling: '2', used: '2', headroom: '0' }], { ceilings: { nodes: 2, surge: 0 } }),
    [0, 2, 1],
  ],
  ['access for another namespace', access, [0, 2, 1]],
])('the forecast of an edit respects %s', (_, policies, expected) => {
  const containers = [{ name: 'main', image: 'x', resources: { requests: { cpu: '1500m' } } }]
  const pending = ['p', 'q'].map((name) => pod(name, { containers }, unscheduled))
  const full = pod('full', { containers, nodeName: 'a' })
  const all = objects({ pods: [pod('two', { nodeName: 'b' }), full, ...pending] })
  const side = { pools: all.pools, drifted: ['claim-a'] }
  const { forecast } = editForecast(
    { before: side, after: side },
    {
      objects: { ...all, policies: browserPolicies(policies, all.pools, DAY) },
      instanceTypes: shownTypes(all),
      vocabulary: coreVocabulary,
      prices: labelPrices,
      notKnown: undefined,
    },
  )
  expect([forecast.launched.after, forecast.pending.after, forecast.kept.after]).toEqual(expected)
})
