import type { Milliseconds } from '@kerf/apis'
import { Batcher, type BatchResult } from '@kerf/provider-kit'
import type { Clock, KubeClient, Metrics } from '@kerf/runtime'
import type { ManagementCluster, NamespacedName } from '../management/management-cluster.ts'
import { textOfName } from '../management/namespaced-name.ts'
import { type DeploymentOutcome, DeploymentPass, type DeploymentRequest } from './deployment-pass.ts'
import { DeploymentRead } from './deployment-read.ts'
import { DeploymentWrites } from './deployment-writes.ts'

export interface DeploymentScalerOptions {
  readonly clock: Clock
  readonly metrics: Metrics
  readonly management: ManagementCluster
  /** The client of the cluster with the NodeClaims. */
  readonly workload: KubeClient
}

/** Upstream's batch windows (`providers/cluster-api/docs/spec/cluster-api.md#replicas`). */
const IDLE: Milliseconds = 100
const MAX: Milliseconds = 1_000
const ITEMS = 1_000
/** After this many passes, an unfinished request fails or waits, and the caller repeats it. */
const PASSES = 5

interface Filed {
  readonly deployment: NamespacedName
  readonly request: DeploymentRequest
}

/**
 * Accepts all requests about the replicas of MachineDeployments. One pass handles all requests that arrive together, from one read of the
 * deployment. Each deployment has only one pass at a time, so twenty launches become one scale-up. The scaler keeps no state between
 * passes: each pass decides from the current objects alone.
 */
export class DeploymentScaler {
  readonly #options: DeploymentScalerOptions
  readonly #batcher: Batcher<Filed, DeploymentOutcome>
  /** For each MachineDeployment, resolves at the end of its last pass. */
  readonly #passes = new Map<string, Promise<unknown>>()
  readonly writes: DeploymentWrites

  constructor(options: DeploymentScalerOptions) {
    const { clock, metrics, management, workload } = options
    this.#options = options
    this.writes = new DeploymentWrites(management, workload)
    this.#batcher = new Batcher({
      ...{ name: 'machine_deployments', clock, metrics, idle: IDLE, max: MAX, items: ITEMS },
      bucketOf: ({ deployment }) => textOfName(deployment),
      send: (filed, signal) => this.#send(filed, signal),
    })
  }

  /**
   * Returns the outcome of a request.
   *
   * @throws ApiError of a failed call; NotKnownYetError while the management cluster is unknown.
   */
  ask(deployment: NamespacedName, request: DeploymentRequest, signal: AbortSignal): Promise<DeploymentOutcome> {
    return this.#batcher.add({ deployment, request }, signal)
  }

  async #send(filed: readonly Filed[], signal: AbortSignal): Promise<readonly BatchResult<DeploymentOutcome>[]> {
    const [first] = filed
    if (first === undefined) return []
    const key = textOfName(first.deployment)
    const before = this.#passes.get(key) ?? Promise.resolve()
    const pass = before.then(() =>
      this.#serve(
        first.deployment,
        filed.map(({ request }) => request),
        signal,
      ),
    )
    const end = pass.catch(() => undefined)
    this.#passes.set(key, end)
    try {
      return await pass
    } finally {
      if (this.#passes.get(key) === end) this.#passes.delete(key)
    }
  }

  async #serve(
    deployment: NamespacedName,
    requests: readonly DeploymentRequest[],
    signal: AbortSignal,
  ): Promise<readonly BatchResult<DeploymentOutcome>[]> {
    const { management, workload, clock } = this.#options
    const outcomes = new Map<DeploymentRequest, DeploymentOutcome>()
    const failures = new Map<DeploymentRequest, unknown>()
    const open = (): readonly DeploymentRequest[] =>
      requests.filter((request) => !outcomes.has(request) && !failures.has(request))
    for (let passes = 0; passes < PASSES && open().length > 0; passes++) {
      const read = await DeploymentRead.of(deployment, management, workload, clock.now(), signal)
      if (read === undefined) {
        for (const request of open()) outcomes.set(request, withoutDeployment(request))
        break
      }
      const mayDelete = management.permissions.may('delete', 'machines') !== false
      const pass = new DeploymentPass(read, { writes: this.writes, now: clock.now(), mayDelete, signal })
      await pass.run(open())
      for (const [request, outcome] of pass.outcomes) outcomes.set(request, outcome)
      for (const [request, error] of pass.failures) failures.set(request, error)
    }
    return requests.map((request) =>
      failures.has(request)
        ? { ok: false, error: failures.get(request) }
        : { ok: true, value: outcomes.get(request) ?? unfinished(request) },
    )
  }
}

const withoutDeployment = (request: DeploymentRequest): DeploymentOutcome => {
  switch (request.kind) {
    case 'create':
      return { kind: 'full' }
    case 'end':
      // Machines of the deleted MachineDeployment may still exist. The caller handles its own Machine.
      return { kind: 'without-deployment' }
    case 'remove':
      return { kind: 'gone' }
    case 'settle':
      return { kind: 'settled' }
  }
}

/** Returns the outcome of a request that no pass could finish, because another writer changed the MachineDeployment during each pass. */
const unfinished = (request: DeploymentRequest): DeploymentOutcome => {
  switch (request.kind) {
    case 'create':
      return { kind: 'waiting' }
    case 'end':
    case 'remove':
      return { kind: 'going' }
    case 'settle':
      return { kind: 'settled' }
  }
}
