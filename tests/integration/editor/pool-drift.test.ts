import { coreVocabulary, karpenterKinds, kinds, type NodeClaim, type NodePool, noVocabulary } from '@kerf/apis'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { defaultFeatureGates, SeededRandom, silentLogger, VirtualClock } from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Session } from '../../../packages/cli/src/up/session.ts'
import { driftingClaims } from '../../../packages/dashboard/plugin/src/model/pool-drift.ts'
import { editedPool, podsOfEdited, poolEdits, poolSpec } from './pool-edits.ts'

const MINUTE = 60_000
/** Long enough for the controller to check every NodeClaim for drift again. */
const LOOKS = 6 * MINUTE
const clock = new VirtualClock({ start: Date.UTC(2026, 0, 5) })
const random = new SeededRandom(1)
const cluster = new SandboxCluster({ clock, random: random.fork('sandbox') })
let session: Session

const driven = <T>(work: Promise<T>): Promise<T> => clock.advanceUntilDone(work, 10)

const claims = async (): Promise<readonly NodeClaim[]> =>
  (await driven(cluster.client.list(karpenterKinds.NodeClaim))).items
const isCondition = ({ status }: NodeClaim, type: string): boolean =>
  status?.conditions?.some((each) => each.type === type && each.status === 'True') ?? false
const drifted = async (): Promise<readonly string[]> =>
  (await claims())
    .filter((claim) => isCondition(claim, 'Drifted'))
    .map(({ metadata }) => metadata.name ?? '')
    .sort()

const store = async (change: object): Promise<NodePool> => {
  const stored = await driven(cluster.client.get(karpenterKinds.NodePool, { name: 'edited' }))
  const edited = await driven(
    cluster.client.update(karpenterKinds.NodePool, {
      ...stored,
      spec: { ...poolSpec, ...change },
    } as unknown as NodePool),
  )
  await clock.advance(LOOKS)
  return edited
}

beforeAll(async () => {
  await cluster.start()
  session = new Session({
    cluster: {
      ...{ name: 'edits', clock, random: random.fork('kerf'), client: cluster.api.client(), kubeconfig: '' },
      ...{ disposable: true, playsKubelets: true },
      close: async () => {},
    },
    logger: silentLogger,
    instanceTypes: await loadInstanceTypes(),
    labels: noVocabulary,
    featureGates: defaultFeatureGates,
    onDecision: () => {},
  })
  const { signal } = new AbortController()
  await driven(session.prepare(signal))
  session.start()
  const { client } = cluster
  await driven(session.apply([{ object: kwokNodeClass('default'), file: 'edits', line: 0 }], signal))
  await driven(client.create(karpenterKinds.NodePool, editedPool))
  for (const pod of podsOfEdited) await driven(client.create(kinds.Pod, pod))
  await clock.advance(LOOKS)
  const all = await claims()
  expect([all.length, all.every((claim) => isCondition(claim, 'Initialized'))]).toEqual([3, true])
})
afterAll(async () => {
  await driven(session.stop())
})

test('26 edits', () => expect(Object.keys(poolEdits)).toHaveLength(26))

/** The numbers of drifted nodes after each edit. The comparison is meaningful only if these include none, some and all nodes. */
const seen = new Set<number>()

test.each(Object.keys(poolEdits))(
  '%s: the preview names the claims that the controller marks as drifted',
  async (name) => {
    await store({})
    expect(await drifted()).toEqual([])
    const before = await claims()
    const stored = await driven(cluster.client.get(karpenterKinds.NodePool, { name: 'edited' }))
    const said = driftingClaims({ ...stored, spec: { ...poolSpec, ...poolEdits[name] } }, before, coreVocabulary)
    await store(poolEdits[name] ?? {})
    seen.add(said.length)
    expect(said.map(({ claim }) => claim).sort()).toEqual(await drifted())
  },
)

test('some edits make no node drift, some make some nodes drift, and some make all of them drift', () => {
  expect([...seen].sort()).toEqual([0, 1, 2, 3])
})
