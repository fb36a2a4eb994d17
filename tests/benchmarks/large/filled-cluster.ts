import { formatTime, type KubeObject, karpenterKinds, kinds, noVocabulary } from '@kerf/apis'
import { KwokProvider, loadInstanceTypes } from '@kerf/provider-kwok'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import {
  ApiEventRecorder,
  type Clock,
  SeededRandom,
  SharedInformers,
  silentLogger,
  type Timer,
  VirtualClock,
} from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'
import { allCrdFiles } from '../../../packages/cli/src/crds/crd-files.ts'
import {
  arrivalPool,
  deployment,
  ELASTIC,
  makeBudget,
  makeClaim,
  NAMESPACE,
  nodeClass,
  nodePool,
  PODS_PER_NODE,
  runningClaim,
  runningNode,
} from './objects.ts'

/** How far the virtual clock advances per step while the cluster is filled, in milliseconds. */
const STEP = 500
/**
 * The maximum number of Deployments. As in a real cluster, the scheduler examines every node once for each Deployment, so more Deployments
 * would take too long. Each Deployment gets as many replicas as necessary.
 */
const MOST_DEPLOYMENTS = 500
const LEAST_PODS = 100
const ZONES = ['test-zone-a', 'test-zone-b', 'test-zone-c', 'test-zone-d'] as const
/** How far in the past the virtual clock starts, in milliseconds. It must not reach the present while the cluster is filled. */
const HEAD_START = 1_800_000

/** A virtual clock that can be tied to the machine's clock. After that, both clocks show the same time. */
export class TiedClock implements Clock {
  readonly virtual = new VirtualClock({ start: Date.now() - HEAD_START })
  #shift = 0
  #isTied = false

  now(): number {
    return this.virtual.now() + this.#shift
  }

  monotonic(): number {
    return this.virtual.monotonic()
  }

  timer(after: number, fire: () => void): Timer {
    return this.virtual.timer(after, fire)
  }

  /** Follows the machine's clock from now on. */
  tie(): void {
    if (this.#isTied) return
    this.#isTied = true
    this.#shift = Date.now() - this.virtual.now()
    const origin = performance.now() - this.virtual.monotonic()
    const follow = async (): Promise<void> => {
      await this.virtual.advance(Math.max(0, performance.now() - origin - this.virtual.monotonic()))
      setTimeout(() => void follow(), 2)
    }
    void follow()
  }
}

export interface FilledCluster {
  readonly sandbox: SandboxCluster
  readonly clock: TiedClock
  readonly deployments: readonly string[]
}

/**
 * Returns a sandbox with this many nodes that Kerf manages. Pods of Deployments fill these nodes. At the end, its clock is tied to the
 * machine's clock.
 */
export const fillCluster = async (
  nodes: number,
  heartbeatPeriod: number,
  progress: (line: string) => void,
): Promise<FilledCluster> => {
  const clock = new TiedClock()
  const random = new SeededRandom(1)
  const sandbox = new SandboxCluster({ clock, random, events: false, kubelet: { heartbeatPeriod } })
  const drive = <T>(work: Promise<T>): Promise<T> => clock.virtual.advanceUntilDone(work, STEP)
  await drive(sandbox.start())
  const { client } = sandbox
  for (const { manifest } of allCrdFiles()) {
    const crd = manifest as unknown as KubeObject & { spec: Readonly<Record<string, unknown>> }
    await client.create(kinds.CustomResourceDefinition, crd)
  }
  await client.create(kwokNodeClassKind, nodeClass)
  const pool = await client.create(karpenterKinds.NodePool, nodePool)
  await client.create(karpenterKinds.NodePool, arrivalPool)
  const deps = { client, clock, random, log: silentLogger, logger: silentLogger }
  const informers = new SharedInformers(deps)
  const provider = new KwokProvider(
    { ...deps, informers, events: new ApiEventRecorder(deps) },
    { instanceTypes: await loadInstanceTypes(), labels: noVocabulary },
  )
  const { signal } = new AbortController()
  for (let index = 0; index < nodes; index++) {
    const zone = ZONES[index % ZONES.length] ?? ZONES[0]
    const wanted = makeClaim(pool, `default-${index.toString(36).padStart(5, '0')}`, zone)
    const bare = await client.create(karpenterKinds.NodeClaim, wanted)
    const claim = runningClaim(bare, await provider.create(bare, signal), formatTime(clock.now()))
    const labelled = await client.update(karpenterKinds.NodeClaim, claim)
    const { status } = claim
    if (status === undefined) throw new Error('a claim without a status')
    await client.update(karpenterKinds.NodeClaim, { ...labelled, status }, { subresource: 'status' })
    await client.create(kinds.Node, runningNode(claim))
  }
  await clock.virtual.advance(5_000)
  progress(`${nodes} nodes`)

  const deployments: string[] = []
  const pods = nodes * PODS_PER_NODE
  const replicas = Math.max(LEAST_PODS, Math.ceil(pods / MOST_DEPLOYMENTS))
  for (let nth = 0; nth * replicas < pods; nth++) {
    const app = `app-${nth}`
    deployments.push(app)
    await client.create(kinds.Deployment, deployment(app, Math.min(replicas, pods - nth * replicas), nth))
    if (nth % 5 === 0) await client.create(kinds.PodDisruptionBudget, makeBudget(app))
  }
  const running = (): number => {
    let count = 0
    for (const pod of sandbox.informers.of(kinds.Pod).values()) if (pod.status?.phase === 'Running') count++
    return count
  }
  for (let second = 0; running() < pods; second++) {
    if (second === 1_200) throw new Error(`only ${running()} of ${pods} pods run`)
    await clock.virtual.advance(1_000)
  }
  // Set the value that a controller would have written when the pods arrived.
  const body = { status: { lastPodEventTime: formatTime(clock.now()) } }
  for (const { metadata } of sandbox.informers.of(karpenterKinds.NodeClaim).values()) {
    await client.patch(
      karpenterKinds.NodeClaim,
      { name: metadata.name },
      { type: 'merge', body },
      { subresource: 'status' },
    )
  }
  await client.create(kinds.Deployment, {
    ...deployment(ELASTIC, 0, 0),
    metadata: { name: ELASTIC, namespace: NAMESPACE },
  })
  await clock.virtual.advance(60_000)
  progress(`${pods} pods`)
  clock.tie()
  return { sandbox, clock, deployments }
}
