import {
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type Pod,
  type PodSpec,
  parseQuantity,
  type ResourceKind,
} from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { SeededRandom } from '@kerf/runtime'
import { awayFrom, condition, near, node, nodeClaim, nodePool, pod, readyNodeLabels, spreadOver } from '@kerf/testing'
import { expect, test } from 'vitest'
import { Snapshots } from '../../state/snapshot.ts'
import { manualState } from '../../testing/by-hand/manual-state.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { DisruptionPasses } from './disruption-passes.ts'

const { signal } = new AbortController()
const CHANGES = 25
const ZONES = ['zone-1', 'zone-2', 'zone-3'] as const
const APPS = ['one', 'two', 'three'] as const
const TEAM = 'example.com/team'

const sizedType = (name: string, cpu: string, price: number): InstanceType => ({
  name,
  requirements: [
    { key: labels.instanceType, operator: 'In', values: [name] },
    { key: labels.zone, operator: 'In', values: [...ZONES] },
    { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
  ],
  offerings: ZONES.map((zone) => ({
    requirements: [
      { key: labels.zone, operator: 'In', values: [zone] },
      { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
    ],
    price,
    available: true,
  })),
  capacity: { cpu: parseQuantity(cpu), memory: parseQuantity('16Gi'), pods: parseQuantity('20') },
  overhead: {},
})

/** Creates a cluster and passes that read it repeatedly, as in a controller. */
const cluster = () => {
  const types = [sizedType('small', '4', 1), sizedType('large', '16', 3)]
  const { deps, state, informers } = manualState({ provider: { instanceTypes: async () => types } })
  const passes = new DisruptionPasses({ ...deps, state, snapshots: new Snapshots(deps, state), isQueued: () => false })
  return { informers, passes }
}

interface Answer {
  readonly gone: readonly string[]
  readonly claims: readonly unknown[]
  readonly placements: readonly unknown[]
  readonly unplaced: readonly unknown[]
}

/** Returns the simulation results for each single node, and for each pair of consecutive nodes. */
const answers = async ({ passes }: ReturnType<typeof cluster>): Promise<readonly Answer[]> => {
  const pass = await passes.begin(signal)
  const byName = (a: Candidate, b: Candidate): number => (a.name < b.name ? -1 : 1)
  const candidates = pass.candidates('graceful').toSorted(byName)
  const asked = candidates.flatMap((candidate, place) => [[candidate], candidates.slice(place, place + 2)])
  const found: Answer[] = []
  for (const each of asked) {
    const { claims, placements, unplaced } = await pass.simulate(each, true, signal)
    const podNames = (pods: readonly Pod[]): readonly string[] => pods.map(({ metadata }) => metadata.name)
    found.push({
      gone: each.map(({ name }) => name),
      claims: claims.map((claim) => [claim.nodePool, podNames(claim.pods), claim.instanceTypes, claim.requirements]),
      placements: placements.map((placement) => [placement.node, podNames(placement.pods)]),
      unplaced: unplaced.map((left) => [left.pod, left.why]),
    })
  }
  return found
}

/** Returns a copy of the cluster with new objects, so that nothing is cached for them. */
const afresh = ({ informers }: ReturnType<typeof cluster>): ReturnType<typeof cluster> => {
  const fresh = cluster()
  const copy = <T extends KubeObject>(kind: ResourceKind<T>): void => {
    for (const object of informers.of(kind).values()) fresh.informers.put(kind, structuredClone(object))
  }
  copy(kinds.Namespace)
  copy(karpenterKinds.NodePool)
  copy(karpenterKinds.NodeClaim)
  copy(kinds.Node)
  copy(kinds.Pod)
  return fresh
}

/** Applies random changes to a cluster. */
class Changes {
  readonly #random: SeededRandom
  readonly #informers: ReturnType<typeof cluster>['informers']
  #count = 0

  constructor(seed: number, { informers }: ReturnType<typeof cluster>) {
    this.#random = new SeededRandom(seed)
    this.#informers = informers
    this.#namespace()
    this.#pool('general')
    this.#pool('other')
    for (let nth = 0; nth < 5; nth++) this.#node()
    for (let nth = 0; nth < 14; nth++) this.#newPod()
  }

  next(): string {
    const changes = {
      newPod: () => this.#newPod(),
      newSpec: () => this.#changePod((old) => this.#podNamed(old.metadata.name, old.spec.nodeName)),
      newLabels: () => this.#changePod((old) => ({ ...old, metadata: { ...old.metadata, labels: this.#labels() } })),
      reported: () => this.#changePod((old) => ({ ...old })),
      terminating: () =>
        this.#changePod((old) => ({
          ...old,
          metadata: { ...old.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
        })),
      ended: () => this.#changePod((old) => ({ ...old, status: { phase: 'Succeeded' } })),
      moved: () => this.#changePod(({ metadata }) => this.#podNamed(metadata.name, this.#someNode())),
      podGone: () => this.#changePod(() => undefined),
      waiting: () => this.#informers.put(kinds.Pod, this.#podNamed(`pod-${this.#count++}`, undefined)),
      newNode: () => this.#node(),
      nodeChanged: () => this.#node(this.#someNode()),
      nodeGone: () => this.#removeNode(this.#someNode()),
      pool: () => this.#pool(this.#pick(['general', 'other'])),
      namespace: () => this.#namespace(),
    }
    const name = this.#pick(Object.keys(changes) as (keyof typeof changes)[])
    changes[name]()
    return name
  }

  #pick<T>(list: readonly T[]): T {
    const found = list[Math.floor(this.#random.next() * list.length)]
    if (found === undefined) throw new Error('nothing to choose from')
    return found
  }

  #labels(): Readonly<Record<string, string>> {
    return { app: this.#pick(APPS) }
  }

  #spec(): Partial<PodSpec> {
    const app = this.#pick(APPS)
    const key = this.#pick([labels.hostname, labels.zone])
    const inTeam = {
      topologyKey: key,
      labelSelector: { matchLabels: { app } },
      namespaceSelector: { matchLabels: { [TEAM]: 'x' } },
    }
    return this.#pick<Partial<PodSpec>>([
      {},
      {},
      awayFrom(key, app),
      near(key, app),
      spreadOver(key, app),
      spreadOver(labels.zone, app, { nodeTaintsPolicy: 'Honor' }),
      { nodeSelector: { [labels.zone]: this.#pick(ZONES) } },
      { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [inTeam] } } },
    ])
  }

  #podNamed(name: string, nodeName: string | undefined): Pod {
    return pod(name, {
      nodeName,
      labels: this.#labels(),
      requests: { cpu: this.#pick(['100m', '500m', '900m']), memory: '100Mi' },
      owner: { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
      spec: this.#spec(),
      metadata: { uid: `uid-${name}` },
    })
  }

  #newPod(): void {
    this.#informers.put(kinds.Pod, this.#podNamed(`pod-${this.#count++}`, this.#someNode()))
  }

  #changePod(changed: (old: Pod) => Pod | undefined): void {
    const old = this.#pick([...this.#informers.of(kinds.Pod).values()])
    const after = changed(old)
    if (after === undefined) this.#informers.delete(kinds.Pod, `default/${old.metadata.name}`)
    else this.#informers.put(kinds.Pod, after)
  }

  #someNode(): string {
    return this.#pick([...this.#informers.of(kinds.Node).values()]).metadata.name
  }

  #node(name = `node-${this.#count++}`): void {
    const pool = this.#pick(['general', 'other'])
    const providerID = `sim:///${name}`
    const capacity = { cpu: this.#pick(['2', '4']), memory: '8Gi', pods: '10' }
    const placed = {
      [labels.zone]: this.#pick(ZONES),
      [labels.capacityType]: 'on-demand',
      [labels.instanceType]: 'small',
      [labels.hostname]: name,
    }
    const taints = this.#pick([[], [], [{ key: TEAM, value: 'x', effect: 'NoSchedule' as const }]])
    const conditions = ['Launched', 'Registered', 'Initialized', 'Consolidatable'].map((type) => condition(type))
    const options = { pool, providerID, capacity }
    this.#informers.put(
      karpenterKinds.NodeClaim,
      nodeClaim(`claim-${name}`, { ...options, nodeName: name, labels: placed, conditions }),
    )
    this.#informers.put(
      kinds.Node,
      node(name, { ...options, labels: { ...placed, ...readyNodeLabels }, spec: { providerID, taints } }),
    )
  }

  #removeNode(name: string): void {
    if ([...this.#informers.of(kinds.Node).values()].length < 3) return
    this.#informers.delete(kinds.Node, name)
    this.#informers.delete(karpenterKinds.NodeClaim, `claim-${name}`)
  }

  #pool(name: string): void {
    const zones = this.#pick([ZONES, ZONES.slice(0, 2), ZONES.slice(2)])
    const requirements = [{ key: labels.zone, operator: 'In' as const, values: [...zones] }]
    this.#informers.put(
      karpenterKinds.NodePool,
      nodePool(name, { requirements, weight: this.#pick([1, 5]), disruption: { consolidateAfter: '0s' } }),
    )
  }

  #namespace(): void {
    const metadata = { name: 'default', labels: { [TEAM]: this.#pick(['x', 'y']) } }
    this.#informers.put(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata })
  }
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'after random changes, results equal those of a freshly read cluster (seed %i)',
  async (seed) => {
    const kept = cluster()
    const changes = new Changes(seed, kept)
    const all: Answer[] = []
    for (let nth = 0; nth < CHANGES; nth++) {
      const change = changes.next()
      const found = await answers(kept)
      expect(found, change).toEqual(await answers(afresh(kept)))
      all.push(...found)
    }
    for (const part of ['claims', 'placements', 'unplaced'] as const)
      expect(
        all.some((answer) => answer[part].length > 0),
        part,
      ).toBe(true)
  },
)
