import type { MachineSetSimulator } from '@kerf/provider-cluster-api/testing'
import { clusterApiAnnotations, readMachine } from '@kerf/provider-cluster-api/testing'
import { ApiError, type KubeClient } from '@kerf/runtime'
import { type ApiCall, type CloudCall, CloudError, type Interceptor, type SandboxApi } from '@kerf/sandbox'
import type { FailedCall } from '../../../../tests/simulation/environment/cloud-faults.ts'
import type { ClusterApiFault } from './cluster-api-fault.ts'

type BindingCut = Extract<ClusterApiFault, { readonly kind: 'binding-cut' }>

/** The process that makes the calls. */
export interface Caller {
  readonly isDead: boolean
  /** Ends the process during a call. */
  crash(): void
}

/** The functions that are notified of calls to the management cluster. */
export interface CallWatcher {
  /**
   * Called for each API call of Kerf. All simulated clouds use the same verbs. Returns the fault to inject, if any. May stop the Kerf process,
   * to simulate a crash.
   */
  called(call: CloudCall): FailedCall | undefined
  /** Called when Kerf has asked to delete a Machine, with its provider ID. */
  terminating(providerID: string): void
}

const never = (): Promise<void> => new Promise<void>(() => {})

const unreachable = (): ApiError => new ApiError({ code: 0, reason: 'Unreachable', message: 'connect ETIMEDOUT' })

/** Returns the error of an API server that corresponds to an error of a cloud. */
const apiErrorOf = (error: Error): ApiError => {
  if (error instanceof CloudError && error.code === 'Throttled')
    return new ApiError({ code: 429, reason: 'TooManyRequests', message: 'too many requests' })
  if (error.message.includes('connection')) return unreachable()
  return new ApiError({ code: 500, reason: 'InternalError', message: 'etcdserver: leader changed' })
}

/** The calls of processes to the management cluster. Drops the calls of dead processes, and injects faults into all others. */
export class ManagementCalls {
  readonly #api: SandboxApi
  readonly #kinds: MachineSetSimulator['kinds']
  readonly #watcher: CallWatcher
  readonly #watches = new Set<(error?: ApiError) => void>()
  readonly #failing = new WeakMap<ApiCall, Error>()
  /** The uids of Machines that Kerf has asked to delete. */
  readonly #ending = new Set<string>()
  /** Patches of Machines that no NodeClaim owned when Kerf sent the patch. */
  readonly #ofFreeMachines = new WeakSet<ApiCall>()
  #cuts: { readonly failure: BindingCut['failure']; skip: number; times: number }[] = []
  #away = 0

  constructor(api: SandboxApi, kinds: MachineSetSimulator['kinds'], watcher: CallWatcher) {
    this.#api = api
    this.#kinds = kinds
    this.#watcher = watcher
  }

  /** Returns the management cluster's client of one process. */
  of(caller: Caller): KubeClient {
    return this.#api.client({ interceptor: this.#interceptor(caller) })
  }

  /** Makes the management cluster unreachable until the returned function is called. */
  goAway(): () => void {
    this.#away++
    this.loseWatches()
    return () => {
      this.#away--
    }
  }

  loseWatches(error?: ApiError): void {
    for (const drop of [...this.#watches]) drop(error)
  }

  /** Loses the answers of the next writes that bind a Machine to a NodeClaim, after the writes took effect. */
  cutBindings({ failure, skip, times }: BindingCut): void {
    this.#cuts.push({ failure, skip, times })
  }

  clearCuts(): void {
    this.#cuts = []
  }

  #interceptor(caller: Caller): Interceptor {
    return {
      before: (call) => {
        if (caller.isDead) return never()
        if (this.#away > 0) throw unreachable()
        if (call.verb === 'watch' || call.verb === 'raw') return
        const failed = this.#watcher.called(this.#cloudCallOf(call))
        if (caller.isDead && failed?.after === undefined) return never()
        if (failed?.before !== undefined) throw apiErrorOf(failed.before)
        if (failed?.after !== undefined) this.#failing.set(call, failed.after)
        if (call.verb === 'delete') this.#noteEnd(call)
        if (this.#cuts.length > 0 && call.verb === 'patch' && !this.#isTaken(call)) this.#ofFreeMachines.add(call)
      },
      after: (call) => {
        if (call.verb === 'patch') this.#noteEnd(call)
        if (caller.isDead) return never()
        const failed = this.#failing.get(call)
        if (failed !== undefined) throw apiErrorOf(failed)
        const cut = this.#ofFreeMachines.has(call) && this.#isTaken(call) ? this.#dueCut() : undefined
        if (cut === 'lost') throw unreachable()
        if (cut === 'crash') {
          caller.crash()
          return never()
        }
      },
      watching: (_call, drop) => {
        this.#watches.add(drop)
        return () => this.#watches.delete(drop)
      },
    }
  }

  /**
   * Returns the simulated cloud's verb for a write. Deletions, marks, and replicas written while a Machine is marked count as terminations.
   * Other writes count as launches.
   */
  #cloudCallOf({ verb, kind, ref }: ApiCall): CloudCall {
    const subject = ref === undefined ? '' : `${kind?.plural} ${ref.name}`
    switch (verb) {
      case 'list':
        return { verb: 'list', subject: kind?.plural ?? '' }
      case 'get':
        return { verb: 'describe', subject }
      case 'delete':
        return { verb: 'terminate', subject }
      default: {
        const isEnd = this.#machines().some(
          ({ name, deploymentName, annotations, isMarkedForDeletion }) =>
            (name === ref?.name && annotations[clusterApiAnnotations.nodeClaimUid] !== undefined) ||
            (deploymentName === ref?.name && isMarkedForDeletion),
        )
        return { verb: isEnd ? 'terminate' : 'run', subject }
      }
    }
  }

  #dueCut(): BindingCut['failure'] | undefined {
    for (const each of this.#cuts) {
      if (each.times === 0) continue
      if (each.skip > 0) {
        each.skip--
        continue
      }
      each.times--
      return each.failure
    }
    return undefined
  }

  /** Returns true if the call is about a Machine that a NodeClaim owns. */
  #isTaken({ kind, ref }: ApiCall): boolean {
    return (
      kind?.kind === this.#kinds.Machine.kind &&
      this.#machines().some(
        ({ name, namespace, annotations }) =>
          name === ref?.name &&
          namespace === ref.namespace &&
          annotations[clusterApiAnnotations.nodeClaimUid] !== undefined,
      )
    )
  }

  #noteEnd({ verb, kind, ref }: ApiCall): void {
    if (kind?.kind !== this.#kinds.Machine.kind) return
    const machine = this.#machines().find(({ name, namespace }) => name === ref?.name && namespace === ref.namespace)
    if (machine === undefined || (verb === 'patch' && !machine.isMarkedForDeletion) || this.#ending.has(machine.uid))
      return
    this.#ending.add(machine.uid)
    if (machine.providerId !== undefined) this.#watcher.terminating(machine.providerId)
  }

  #machines() {
    return this.#api.list(this.#kinds.Machine, {}).items.map((object) => readMachine(object as never))
  }
}
