import { type KubeObject, kinds, type Milliseconds } from '@kerf/apis'
import { isNotFound, type Random } from '@kerf/runtime'
import { KindDirectory } from '../../manifests/kind-directory.ts'
import { simulatedObject } from '../../simulate/prepare-manifests.ts'
import type { TraceEvent } from '../../simulate/trace.ts'
import { TraceReplay } from '../../simulate/trace-replay.ts'
import type { TraceStep } from '../../simulate/trace-steps.ts'
import { performStep } from '../apply/perform-step.ts'
import type { MigrationPlan, ObjectRef, PlanPhase } from '../plan/migration-plan.ts'
import type { RehearsedCluster } from './rehearsed-cluster.ts'

/** Resource kinds whose objects come from the plan. Recorded objects of these kinds are ignored. */
const OF_THE_PLAN: ReadonlySet<string> = new Set(['NodePool', 'NodeOverlay', 'NodeClaim'])

interface Named {
  readonly kind: string
  readonly metadata: { readonly name?: string; readonly namespace?: string }
}

const objectKey = ({ kind, metadata }: Named): string =>
  `${kind} ${metadata.namespace ?? 'default'}/${metadata.name ?? ''}`
const refKey = ({ kind, name, namespace }: Pick<ObjectRef, 'kind' | 'name' | 'namespace'>): string =>
  objectKey({ kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } })

type Scaled = 'Deployment' | 'StatefulSet'

const isScaled = (kind: string): kind is Scaled => kind === 'Deployment' || kind === 'StatefulSet'

const replicaCount = (object: KubeObject & { readonly spec?: { readonly replicas?: number } }): number =>
  object.spec?.replicas ?? 1

/**
 * Replays a recording in a cluster in which some phases of a migration are complete. When the recording applies a workload again,
 * the patches of these phases are applied to it again.
 */
export class RecordingReplay {
  readonly #rehearsed: RehearsedCluster
  readonly #trace: TraceReplay
  readonly #plan: MigrationPlan
  readonly #done: readonly PlanPhase[]

  constructor(rehearsed: RehearsedCluster, plan: MigrationPlan, done: readonly PlanPhase[], random: Random) {
    this.#rehearsed = rehearsed
    this.#plan = plan
    this.#done = done
    this.#trace = new TraceReplay({ client: rehearsed.admin, cloud: rehearsed.cloud, random, isRecorded: true })
  }

  get refused(): readonly string[] {
    return this.#trace.refused
  }

  /** Creates the workloads as they were when the recording began. Returns the workloads that the plan's cluster does not have. */
  async begin(objects: readonly KubeObject[], events: readonly TraceEvent[]): Promise<readonly string[]> {
    const missing: string[] = []
    const kindsThere = new KindDirectory(this.#rehearsed.admin)
    for (const recorded of objects) {
      if (this.#isOfPlan(recorded)) continue
      const object = simulatedObject(recorded)
      const kind = object && (await kindsThere.find(object.apiVersion, object.kind))
      if (object === undefined || kind === undefined) continue
      const { name, namespace = 'default' } = object.metadata
      const isThere = await this.#rehearsed.admin.get(kind, kind.namespaced ? { name, namespace } : { name }).then(
        () => true,
        (error: unknown) => {
          if (!isNotFound(error)) throw error
          return false
        },
      )
      if (!isThere) {
        if (isScaled(object.kind)) missing.push(objectKey(object))
        await this.#step({ at: 0, kind: 'apply', object })
      } else await this.#scale(object.kind, namespace, name, replicaCount(object))
    }
    const before = new Set(objects.map(objectKey))
    // Workloads that the recording creates later start with 0 replicas.
    for (const event of events) {
      if (!('apply' in event)) continue
      const object = event.apply as KubeObject
      const { name, namespace = 'default' } = object.metadata
      if (before.has(objectKey(object)) || this.#isOfPlan(object)) continue
      await this.#scale(object.kind, namespace, name, 0).catch((error: unknown) => {
        if (!isNotFound(error)) throw error
        missing.push(objectKey(object))
      })
    }
    return missing
  }

  /** Advances the clock by `span` and replays the steps of the recording at their times. */
  async play(steps: readonly TraceStep[], span: Milliseconds): Promise<void> {
    const failures: unknown[] = []
    for (const step of steps)
      this.#rehearsed.clock.timer(step.at, () => {
        this.#step(step).catch((error: unknown) => failures.push(error))
      })
    await this.#rehearsed.pass(span, () => {
      if (failures.length > 0) throw failures[0]
    })
  }

  async #step(step: TraceStep): Promise<void> {
    const target =
      step.kind === 'apply'
        ? step.object
        : step.kind === 'delete'
          ? { kind: step.object.kind, metadata: step.object }
          : step.kind === 'scale'
            ? { kind: step.workload.kind, metadata: step.workload }
            : undefined
    if (target !== undefined && this.#isOfPlan(target)) return
    await this.#trace.step(step, (after, act) => this.#rehearsed.clock.timer(after, act))
    if (step.kind !== 'apply') return
    for (const each of this.#done.flatMap(({ steps }) => steps))
      if (each.do === 'patch' && refKey(each.object) === objectKey(step.object))
        await performStep(this.#rehearsed.tools(), each)
  }

  /** Sets the number of replicas. Does nothing for kinds without replicas. */
  async #scale(kind: string, namespace: string, name: string, replicas: number): Promise<void> {
    if (!isScaled(kind)) return
    await this.#rehearsed.admin.patch(kinds[kind], { namespace, name }, { type: 'merge', body: { spec: { replicas } } })
  }

  /** Returns whether the object comes from the plan: NodePools and similar kinds, and Cluster Autoscaler's Deployment. */
  #isOfPlan(object: Named): boolean {
    const { deployment } = this.#plan.autoscaler
    return OF_THE_PLAN.has(object.kind) || (deployment !== undefined && refKey(deployment) === objectKey(object))
  }
}
