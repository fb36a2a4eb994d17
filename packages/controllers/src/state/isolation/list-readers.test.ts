import {
  type CapacityBuffer,
  coreVocabulary,
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type Node,
  type NodeClaim,
  type NodeOverlay,
  type Pod,
  taints,
} from '@kerf/apis'
import { LabelRules, schedule } from '@kerf/engine'
import { type InstanceView, NodeClaimNotFoundError } from '@kerf/provider-contract'
import { type Controller, type KubeClient, RecordingLogger } from '@kerf/runtime'
import { condition, fieldPaths, node, nodeClaim, nodePool, pod, readyNodeLabels, unreadable } from '@kerf/testing'
import { expect, test } from 'vitest'
import { BlockedConditions } from '../../disruption/conditions/disruption-blocked.ts'
import { DrainPace } from '../../disruption/execution/drain-pace.ts'
import { uncordonLeftovers } from '../../disruption/execution/leftovers.ts'
import { TargetTaint } from '../../disruption/target/target-taint.ts'
import { sharedPools } from '../../disruption/undone-moves/shared-pools.ts'
import { HistorySampler } from '../../metrics/history-sampler.ts'
import { NodeMetrics } from '../../metrics/node-metrics.ts'
import { NodeRepair } from '../../node/repair/node-repair.ts'
import { podsToDrain } from '../../node/termination/drain-tiers.ts'
import { hardestFirst } from '../../node/termination/leave-order.ts'
import { VolumeDetachment } from '../../node/termination/volume-detachment.ts'
import { garbageCollection } from '../../nodeclaim/garbage-collection.ts'
import { NodeOverlays } from '../../nodepool/overlay/overlay-controller.ts'
import { OverlayStore } from '../../nodepool/overlay/overlay-store.ts'
import { RegistrationOutcomes } from '../../nodepool/registration-health/registration-outcomes.ts'
import { beyondAllocatable } from '../../pod/nomination/free-capacity.ts'
import { WaitingSpreads } from '../../pod/nomination/waiting-spreads.ts'
import { AwaitedPools } from '../../provisioning/awaited-pools.ts'
import { BufferPods } from '../../provisioning/capacity-buffer/buffer-pods.ts'
import { bufferPodShape, virtualPods } from '../../provisioning/capacity-buffer/virtual-pods.ts'
import { instance } from '../../testing/by-hand/claim-passes.ts'
import { type ManualOptions, manualDeps } from '../../testing/by-hand/manual-deps.ts'
import { staticCapacityPasses } from '../../testing/by-hand/static-capacity-passes.ts'
import { ClusterState } from '../cluster-state.ts'
import { Snapshots } from '../snapshot.ts'
import { ifReadable } from './if-readable.ts'
import { processIsolation } from './isolation.ts'

// Tests of the code that iterates over the objects of one kind. In each case, reading one field of one object throws
// (`docs/spec/isolation.md`). `every-reader.test.ts` tests the code that passes run.

const PAST = '1970-01-01T00:00:00Z'
const readableClaim = (name: string, more: Parameters<typeof nodeClaim>[1] = {}): NodeClaim => {
  const claim = nodeClaim(name, { pool: 'still', providerID: `kwok://${name}`, ...more })
  const owner = { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name: 'still', uid: 'uid-still' }
  return { ...claim, metadata: { ...claim.metadata, ownerReferences: [owner] } }
}
const launched = (name: string): NodeClaim =>
  readableClaim(name, { conditions: [condition('Launched'), condition('Registered')] })
const machine = (name: string, more: Parameters<typeof node>[1] = {}): Node =>
  node(name, { pool: 'still', providerID: `kwok://${name}`, labels: readyNodeLabels, ...more })
const sick = (name: string): Node =>
  machine(name, { status: { conditions: [{ type: 'Bad', status: 'True', lastTransitionTime: PAST }] } })
const overlay = (name: string): NodeOverlay => ({
  apiVersion: 'karpenter.sh/v1alpha1',
  kind: 'NodeOverlay',
  metadata: { name, generation: 1 },
  spec: { requirements: [], price: '5', weight: name === 'sound' ? 1 : 2, capacity: { 'example.com/nic': '1' } },
})
const buffer = (name: string): CapacityBuffer => ({
  apiVersion: 'autoscaling.x-k8s.io/v1beta1',
  kind: 'CapacityBuffer',
  metadata: { name, namespace: 'default', uid: `uid-${name}` },
  spec: { replicas: 1 },
  status: {
    replicas: 1,
    conditions: [{ ...condition('ReadyForProvisioning') }],
  },
})
const waiting = (name: string): Pod =>
  pod(name, {
    labels: { app: 'web' },
    requests: { cpu: '1' },
    spec: {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: labels.zone,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'web' } },
        },
      ],
    },
  })
const bound = (name: string): Pod =>
  pod(name, {
    nodeName: 'sound',
    requests: { cpu: '1' },
    spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }], priorityClassName: 'high' },
  })
const { signal } = new AbortController()

const start = (options: ManualOptions = {}) => {
  const made = manualDeps(options)
  const deps = { ...made.deps, log: new RecordingLogger() }
  const state = new ClusterState(deps)
  state.follow()
  const pass = (controller: Controller, key = '') => controller.reconcile(key, signal)
  return { ...made, deps, state, pass, isolation: processIsolation(deps) }
}
/** Returns a client that records deletions and patches. */
const noting = () => {
  const [deleted, patched]: [string[], string[]] = [[], []]
  const client = {
    delete: async (_: unknown, { name }: { name: string }) => void deleted.push(name),
    patch: async (_: unknown, { name }: { name: string }) => {
      patched.push(name)
      return {}
    },
  } as unknown as Partial<KubeClient>
  return { client, deleted, patched }
}

interface Reader<T extends object> {
  readonly name: string
  readonly spoilt: T
  /** Runs the reader with the unreadable object, and checks that the reader has handled the other objects. */
  readonly read: (spoilt: T) => Promise<void> | void
}
const reader = <T extends object>(name: string, spoilt: T, read: Reader<T>['read']) =>
  fieldPaths(spoilt, 3)
    // Informers store objects by name, so they never list an object without a name.
    .filter((path) => !['', 'metadata', 'metadata.name', 'metadata.namespace'].includes(path.join('.')))
    .map((path) => [name, path.join('.'), () => read(unreadable(spoilt, path))] as const)

const readers = [
  ...reader('a static pool with too many claims', launched('spoilt'), async (spoilt) => {
    const w = staticCapacityPasses()
    w.claims(readableClaim('sound', { providerID: '' }), launched('other'))
    // The controller's own change handler may also throw. The informer still calls the other handlers.
    ifReadable(() => w.claims(spoilt))
    w.pool(2)
    await w.deprovision()
    expect(w.deleted).toEqual(['sound'])
  }),
  ...reader('a static pool that lacks a claim', launched('spoilt'), async (spoilt) => {
    const w = staticCapacityPasses()
    w.claims(launched('other'))
    ifReadable(() => w.claims(spoilt))
    w.pool(3)
    await w.provision()
    expect(w.created).toHaveLength(1)
  }),
  ...reader('overlays', overlay('spoilt'), async (spoilt) => {
    const { client } = noting()
    const w = start({ client })
    const store = new OverlayStore(new LabelRules(coreVocabulary))
    w.informers.put(karpenterKinds.NodePool, nodePool('still'))
    w.informers.put(karpenterKinds.NodeOverlay, overlay('sound'), spoilt)
    await w.pass(new NodeOverlays(w.deps, w.state, store, new LabelRules(coreVocabulary)).controller())
    expect(store.apply(nodePool('still'), [])).toEqual([])
  }),
  ...reader('overlays: an amount', overlay('odd'), async () => {
    const { client } = noting()
    const w = start({ client })
    const store = new OverlayStore(new LabelRules(coreVocabulary))
    const odd = { ...overlay('odd'), spec: { requirements: [], capacity: { 'example.com/nic': '1e0.5' } } }
    w.informers.put(karpenterKinds.NodePool, nodePool('still'))
    w.informers.put(karpenterKinds.NodeOverlay, overlay('sound'), odd)
    await w.pass(new NodeOverlays(w.deps, w.state, store, new LabelRules(coreVocabulary)).controller())
    expect(store.apply(nodePool('still'), [])).toEqual([])
  }).slice(0, 1),
  ...reader('overlays of pools', nodePool('spoilt'), async (spoilt) => {
    const { client, patched } = noting()
    const w = start({ client })
    const store = new OverlayStore(new LabelRules(coreVocabulary))
    w.informers.put(karpenterKinds.NodePool, nodePool('still'), spoilt)
    w.informers.put(karpenterKinds.NodeOverlay, overlay('sound'))
    await w.pass(new NodeOverlays(w.deps, w.state, store, new LabelRules(coreVocabulary)).controller())
    expect([store.apply(nodePool('still'), []), patched]).toEqual([[], ['sound']])
  }),
  ...reader('capacity buffers', buffer('spoilt'), async (spoilt) => {
    const { client, patched } = noting()
    const w = start({ client })
    w.informers.put(karpenterKinds.CapacityBuffer, spoilt, buffer('sound'))
    const of = buffer('sound')
    const pieces = virtualPods(of, bufferPodShape(of, { spec: { containers: [] } }), 1)
    const odd = unreadable(pod('odd'), ['metadata'])
    const snapshot = new Snapshots(w.deps, w.state).take([])
    const plan = schedule(snapshot, [...pieces, odd], { planBudget: 0, vocabulary: coreVocabulary })
    await new BufferPods(w.deps, w.state).placed(plan, snapshot, signal)
    expect(patched).toContain('sound')
  }),
  ...reader('garbage collection', launched('spoilt'), async (spoilt) => {
    const { client, deleted } = noting()
    const get = async (providerID: string): Promise<InstanceView> => {
      if (providerID === 'kwok://sound') throw new NodeClaimNotFoundError('gone')
      return instance('spoilt')
    }
    const w = start({ client, provider: { list: async () => [], get } })
    w.informers.put(karpenterKinds.NodeClaim, spoilt, launched('sound'))
    await w.pass(garbageCollection(w.deps, new RegistrationOutcomes()))
    expect(deleted).toEqual(['sound'])
  }),
  ...reader('garbage collection of instances', instance('spoilt'), async (spoilt) => {
    const { client, deleted } = noting()
    const get = async (providerID: string): Promise<InstanceView> => {
      if (providerID === 'kwok://sound') throw new NodeClaimNotFoundError('gone')
      return spoilt
    }
    const w = start({ client, provider: { list: async () => [spoilt], get } })
    w.informers.put(karpenterKinds.NodeClaim, launched('spoilt'), launched('sound'))
    await w.pass(garbageCollection(w.deps, new RegistrationOutcomes())).catch(() => {})
    expect(deleted).toEqual(['sound'])
  }),
  ...reader('node repair', machine('spoilt'), async (spoilt) => {
    const { client, deleted } = noting()
    const repairPolicies = [{ conditionType: 'Bad', conditionStatus: 'True' as const, toleration: 1 }]
    const w = start({ client, provider: { repairPolicies } })
    w.informers.put(karpenterKinds.NodePool, nodePool('still'))
    w.informers.put(karpenterKinds.NodeClaim, launched('sound'))
    w.informers.put(kinds.Node, spoilt, sick('sound'))
    const repair = new NodeRepair(w.deps).controller()
    await w.pass(repair, 'sound')
    await w.clock.advance(3_600_000)
    await w.pass(repair, 'sound')
    expect(new Set(deleted)).toEqual(new Set(['sound']))
  }),
  ...reader('a drain', bound('spoilt'), (spoilt) => {
    const w = start()
    const { graceful } = podsToDrain([spoilt, bound('sound')], undefined, 0, w.isolation)
    expect(graceful.some((one) => ifReadable(() => one.metadata.name) === 'sound')).toBe(true)
  }),
  ...reader(
    'volumes of a drained node',
    { ...bound('spoilt'), spec: { ...bound('spoilt').spec, tolerations: [] } },
    (spoilt) => {
      const w = start()
      const detachment = new VolumeDetachment(w.informers, w.isolation)
      const source = { persistentVolumeName: 'pv' }
      const spec = { attacher: 'csi.example.com', nodeName: 'sound', source }
      const attached = { apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment', metadata: { name: 'va' }, spec }
      w.informers.put(kinds.VolumeAttachment, attached)
      expect(detachment.pending(node('sound'), [spoilt], 0)).toEqual(['va'])
    },
  ),
  ...reader('pools that a pass waits for', nodePool('spoilt'), (spoilt) => {
    const w = start()
    const undecided = { ...nodePool('still'), status: {} }
    w.informers.put(karpenterKinds.NodePool, spoilt, undecided)
    expect(new AwaitedPools(w.deps, 10_000).names()).toEqual(['still'])
  }),
  ...reader('what commands left behind', machine('spoilt'), async (spoilt) => {
    const { client, patched } = noting()
    const w = start({ client })
    w.informers.put(karpenterKinds.NodeClaim, launched('spoilt'), launched('sound'))
    w.informers.put(kinds.Node, spoilt, {
      ...machine('sound'),
      spec: { providerID: 'kwok://sound', taints: [taints.disrupted] },
    })
    await uncordonLeftovers(w.deps, w.state, () => false, signal)
    expect(patched).toEqual(['sound'])
    const pace = new DrainPace(w.state)
    const candidate = { providerID: 'kwok://sound', poolName: 'still', reschedulable: [bound('web')] }
    pace.begun([candidate], 0)
    expect(pace.mayBegin([candidate], 1)).toBe(false)
    await new TargetTaint({ ...w.deps, client: w.deps.client, state: w.state }).keepOnly(new Set(), signal)
  }),
  ...reader('conditions of claims', launched('spoilt'), (spoilt) => {
    const w = start()
    const blocked = new BlockedConditions(w.deps)
    blocked.report([spoilt, launched('sound')].map((claim) => [{ claim }, { code: 'node.unmanaged' }] as never))
    blocked.report([spoilt, launched('sound')].map((claim) => [{ claim }, 'disruptable'] as const))
  }),
  ...reader('the room of an open node', bound('spoilt'), (spoilt) => {
    const w = start()
    const open = machine('sound', { status: { allocatable: { cpu: '2', pods: '110' } } })
    const [first, second, third] = [waiting('first'), waiting('second'), waiting('third')]
    const lost = beyondAllocatable(open, [spoilt], [first, second, third], w.isolation)
    expect(lost).toContain(third)
  }),
  ...reader('the order in which pods leave', waiting('spoilt'), (spoilt) => {
    expect(hardestFirst([spoilt, bound('sound')])).toHaveLength(2)
  }),
  ...reader('pools that share workloads', bound('spoilt'), (spoilt) => {
    const w = start()
    w.informers.put(karpenterKinds.NodeClaim, launched('sound'))
    w.informers.put(kinds.Node, machine('sound'))
    const found = sharedPools({
      nodes: w.state.nodes(),
      pods: [spoilt, bound('sound')],
      types: new Map(),
      isolation: w.isolation,
    })
    expect(found.get('still')?.demand.size).toBeGreaterThan(0)
  }),
  ...reader('waiting spreads', waiting('spoilt'), (spoilt) => {
    const w = start()
    const spreads = new WaitingSpreads(w.isolation)
    const sound = waiting('sound')
    spreads.change(undefined, spoilt)
    spreads.change(undefined, sound)
    expect(spreads.allows(sound, () => [spoilt, waiting('other')])).toBe(false)
    spreads.change(spoilt, undefined)
    spreads.change(sound, undefined)
    expect(spreads.allows(sound, () => [waiting('other')])).toBe(true)
  }),
  ...([machine('spoilt'), bound('spoilt'), nodePool('spoilt'), launched('spoilt')] as readonly KubeObject[]).flatMap(
    (object) =>
      reader(`metrics with a ${object.kind}`, object, async (spoilt) => {
        const w = start()
        w.informers.put(kinds.Node, machine('sound', { capacity: { cpu: '4' } }))
        w.informers.put(kinds.Pod, pod('sound', { nodeName: 'sound', requests: { cpu: '1' } }), pod('waits'))
        if (object.kind === 'Node') w.informers.put(kinds.Node, spoilt as Node)
        if (object.kind === 'Pod') w.informers.put(kinds.Pod, spoilt as Pod)
        if (object.kind === 'NodePool') w.informers.put(karpenterKinds.NodePool, spoilt as never)
        if (object.kind === 'NodeClaim') w.informers.put(karpenterKinds.NodeClaim, spoilt as NodeClaim)
        await w.pass(new NodeMetrics(w.deps, w.state).controller())
        const sampler = new HistorySampler(w.deps, w.state)
        await w.pass(sampler.controller())
        const series = await w.deps.metrics.series('karpenter_nodes_allocatable')
        expect(series.some((one) => one.labels['node_name'] === 'sound')).toBe(true)
        expect(sampler.history.respond().charts.pending).toBeDefined()
      }),
  ),
]

test.each(readers)('%s: if %s cannot be read, the other objects are handled', async (_, __, read) => {
  await read()
})
