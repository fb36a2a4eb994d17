import { coreVocabulary, type KubeObject, karpenterKinds, kinds, labels, type Pod, type ResourceKind } from '@kerf/apis'
import { schedule } from '@kerf/engine'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { RecordingLogger } from '@kerf/runtime'
import { condition, type FieldPath, fieldPaths, node, nodeClaim, nodePool, pod, unreadable } from '@kerf/testing'
import { beforeAll, expect, test } from 'vitest'
import { DisruptionPasses } from '../../disruption/passes/disruption-passes.ts'
import { PodDisruptionBudgets } from '../../pod/pod-disruption-budgets.ts'
import { launchablePools, poolOptions } from '../../provisioning/launchable-pools.ts'
import { pendingPods, podsOnDeletingNodes } from '../../provisioning/pending-pods.ts'
import { volumeLookup } from '../../provisioning/volume-validation.ts'
import { manualDeps } from '../../testing/by-hand/manual-deps.ts'
import { ClusterState } from '../cluster-state.ts'
import { ClusterSync } from '../cluster-sync.ts'
import { Snapshots } from '../snapshot.ts'
import { reportSetAside } from './report-set-aside.ts'

// Tests of all code that reads objects during a pass. In each case, reading one field of one object throws (`docs/spec/isolation.md`).

let types: Awaited<ReturnType<typeof loadInstanceTypes>> = []
beforeAll(async () => {
  types = await loadInstanceTypes()
})

const ready = (name: string) => nodePool(name)
const named = (name: string, more: object) =>
  ({ metadata: { name, namespace: 'default', uid: `uid-${name}` }, ...more }) as KubeObject
const machine = (name: string) => {
  const made = node(name, { pool: 'general', providerID: `kwok://${name}` })
  const own = { ...made.metadata.labels, [labels.registered]: 'true', [labels.initialized]: 'true' }
  return { ...made, metadata: { ...made.metadata, labels: own } }
}
const readableClaim = (name: string) =>
  nodeClaim(name, { pool: 'general', providerID: `kwok://${name}`, conditions: [condition('Initialized')] })
const budget = (name: string, app: string) =>
  named(name, { spec: { selector: { matchLabels: { app } }, maxUnavailable: 1 }, status: { disruptionsAllowed: 1 } })
const waiting: Pod = pod('waiting', { requests: { cpu: '1' }, labels: { app: 'waiting' } })

/** One object of each kind that a pass reads. Reading one of its fields will throw. */
const spoilt: readonly (readonly [ResourceKind, KubeObject])[] = [
  [kinds.Pod, pod('spoilt', { requests: { cpu: '1' }, spec: { nodeSelector: { team: 'a' } } })],
  [kinds.Pod, pod('spoilt', { nodeName: 'sound', labels: { app: 'web' } })],
  [kinds.Node, machine('spoilt')],
  [karpenterKinds.NodeClaim, readableClaim('spoilt')],
  [karpenterKinds.NodePool, ready('spoilt')],
  [kinds.PodDisruptionBudget, budget('spoilt', 'other')],
  [kinds.DaemonSet, named('spoilt', { spec: { selector: {}, template: { metadata: {}, spec: { containers: [] } } } })],
  [kinds.Namespace, named('spoilt', {})],
  [kinds.PersistentVolumeClaim, named('spoilt', { spec: { volumeName: 'spoilt' }, status: {} })],
  [kinds.PersistentVolume, named('spoilt', { spec: { csi: { driver: 'd' } } })],
  [kinds.StorageClass, named('spoilt', { provisioner: 'd' })],
  [kinds.CSINode, named('spoilt', { spec: { drivers: [] } })],
]
const fields = spoilt.flatMap(([kind, object]) =>
  fieldPaths(object, 3)
    // Informers store objects by name, so they never list an object without a name.
    .filter((path) => !['', 'metadata', 'metadata.name', 'metadata.namespace'].includes(path.join('.')))
    .map((path) => [kind.kind, path.join('.'), kind, object, path] as const),
)

const start = () => {
  const log = new RecordingLogger()
  const made = manualDeps({
    client: { list: async () => ({ apiVersion: 'v1', kind: 'List', metadata: {}, items: [] }) },
    provider: { instanceTypes: async () => types },
  })
  const deps = { ...made.deps, log }
  const state = new ClusterState(deps)
  state.follow()
  return { ...made, deps, log, state, snapshots: new Snapshots(deps, state), sync: new ClusterSync(deps, state) }
}

test.each(fields)(
  'if %s %s cannot be read, the pending pod gets its node and the other nodes are assessed',
  async (...row) => {
    const [, , kind, object, path] = row
    const w = start()
    const { informers, deps, state, snapshots } = w
    const { signal } = new AbortController()
    const passes = new DisruptionPasses({ ...deps, state, snapshots, isQueued: () => false })
    informers.put(karpenterKinds.NodePool, ready('general'))
    informers.put(karpenterKinds.NodeClaim, readableClaim('sound'))
    informers.put(kinds.Node, machine('sound'))
    informers.put(kinds.Pod, pod('web', { nodeName: 'sound', labels: { app: 'web' } }), waiting)
    informers.put(kinds.PodDisruptionBudget, budget('sound', 'web') as never)
    informers.put(kind, unreadable(object, path as FieldPath))

    expect(await w.sync.synced(signal)).toBe(true)
    const plan = async () => {
      const options = await poolOptions(deps, launchablePools(deps), signal)
      const snapshot = snapshots.take(options)
      const budgets = new PodDisruptionBudgets(informers, state.isolation)
      const found = pendingPods(state, coreVocabulary, volumeLookup(informers)).pods
      const made = schedule(snapshot, [...found, ...podsOnDeletingNodes(state, budgets, 0)], {
        planBudget: 0,
        vocabulary: coreVocabulary,
      })
      reportSetAside(state.isolation, made.setAside)
      return made
    }
    for (const made of [await plan(), await plan()]) {
      const placed = [...made.claims, ...made.placements].flatMap(({ pods }) =>
        pods.map(({ metadata }) => metadata.name),
      )
      expect(placed).toContain('waiting')
    }
    const pass = await passes.begin(signal)
    const assessed = pass.assessments.find(({ state: { name } }) => name === 'sound')
    // Only an unreadable pod or PodDisruptionBudget may block the node.
    if (kind !== kinds.Pod && kind !== kinds.PodDisruptionBudget) expect(assessed?.blockers).toEqual([])
    expect([...pass.budgets('Empty').byPool.keys()]).toContain('general')
    // Each reader reports the object only once, although several passes read it.
    const reports = w.log.lines
      .filter(({ message }) => message.startsWith('object ignored'))
      .map(({ fields: { error: _, ...fields } }) => JSON.stringify(fields))
    expect([...new Set(reports)]).toEqual(reports)
  },
)
