import type { Milliseconds } from '@kerf/apis'
import { ApiError, isConflict, isNotFound } from '@kerf/runtime'
import { abandonedMachines, BindingSteps } from '../machines/binding.ts'
import { machineHolders } from '../machines/holders.ts'
import type { MachineView } from '../machines/machine-view.ts'
import { createsUnderWay } from './creates.ts'
import { nextDeletionStep } from './deletion.ts'
import type { DeploymentRead } from './deployment-read.ts'
import type { DeploymentWrites } from './deployment-writes.ts'
import { desiredReplicas } from './desired-replicas.ts'
import { surplusMachines } from './surplus.ts'

/** A request about a deployment. */
export type DeploymentRequest =
  /** Bind a Machine to the NodeClaim with that uid, which chose this MachineDeployment. */
  | { readonly kind: 'create'; readonly uid: string }
  /** Delete the Machine that the NodeClaim with that uid holds. */
  | { readonly kind: 'end'; readonly uid: string; readonly machine: string }
  /** Delete a Machine, provided that no NodeClaim holds it at that time. */
  | { readonly kind: 'remove'; readonly machine: string }
  /** Update the replicas, if Kerf has written them before. */
  | { readonly kind: 'settle' }

/** The outcome of a request. */
export type DeploymentOutcome =
  | { readonly kind: 'bound'; readonly machine: string }
  /** No Machine is available yet. */
  | { readonly kind: 'waiting' }
  /** The maximum size does not allow another Machine. */
  | { readonly kind: 'full' }
  /** The NodeClaim's Machine is gone or being deleted. */
  | { readonly kind: 'lost'; readonly machine: string }
  /** The NodeClaim is gone, or was replaced by another one. */
  | { readonly kind: 'no-claim' }
  /** The deletion of the Machine was requested. */
  | { readonly kind: 'going' }
  /** The Machine does not exist, or the NodeClaim does not hold it. */
  | { readonly kind: 'gone' }
  /** The MachineDeployment is gone. The Machine may still exist. */
  | { readonly kind: 'without-deployment' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'settled' }

export interface DeploymentPassDeps {
  readonly writes: DeploymentWrites
  readonly now: Milliseconds
  /** The permission to delete Machines. */
  readonly mayDelete: boolean
  readonly signal: AbortSignal
}

/**
 * One pass over the requests for one MachineDeployment, based on one read of the deployment. It first deletes Machines, so that no create
 * takes them. Then it binds Machines, and finally it writes the replicas. If another writer changes an object in the meantime, the next
 * pass handles that.
 */
export class DeploymentPass {
  readonly #read: DeploymentRead
  readonly #surroundings: DeploymentPassDeps
  /** The outcomes so far. A request that has neither an outcome nor a failure needs another pass. */
  readonly outcomes = new Map<DeploymentRequest, DeploymentOutcome>()
  /** Requests whose own calls failed. A failure does not affect the other requests. */
  readonly failures = new Map<DeploymentRequest, unknown>()
  readonly #lowering = new Set<DeploymentRequest>()
  #hasMarked = false

  constructor(read: DeploymentRead, surroundings: DeploymentPassDeps) {
    this.#read = read
    this.#surroundings = surroundings
  }

  async run(requests: readonly DeploymentRequest[]): Promise<void> {
    for (const request of requests) {
      if (request.kind === 'end' || request.kind === 'remove') await this.#try(request, () => this.#end(request))
    }
    const creates = requests.filter((request) => request.kind === 'create')
    if (creates.length > 0) {
      const steps = new BindingSteps(this.#read.state)
      for (const request of creates) await this.#try(request, () => this.#bind(request, steps))
    }
    // After marking Machines, Kerf lowers the replicas in the next pass, which reads the marks.
    if (!this.#hasMarked) await this.#scale(requests.filter((request) => !this.failures.has(request)))
  }

  async #try(request: DeploymentRequest, serve: () => Promise<void>): Promise<void> {
    try {
      await serve()
    } catch (error) {
      this.failures.set(request, error)
    }
  }

  async #bind(request: DeploymentRequest & { readonly kind: 'create' }, steps: BindingSteps): Promise<void> {
    const { writes, signal } = this.#surroundings
    const claim = this.#read.claim(request.uid)
    const view = this.#read.claimView(request.uid)
    if (claim === undefined || view === undefined || view.deleting) return this.#answer(request, { kind: 'no-claim' })
    const step = steps.next(view)
    if (step.kind === 'lost') return this.#answer(request, step)
    if (step.kind === 'wait') return
    const { name } = step.machine
    const machine = this.#read.machine(name)
    if (machine === undefined) return
    if (step.kind === 'bind') {
      const taken = await unlessMoved(writes.take(machine, claim, signal))
      if (taken === undefined) return
      steps.took(this.#read.wroteMachine(taken), view)
    }
    if (step.kind !== 'bound') {
      await writes.name(machine, claim, signal)
      this.#read.wroteClaim(request.uid, name)
    }
    this.#answer(request, { kind: 'bound', machine: name })
  }

  async #end(request: DeploymentRequest & { readonly kind: 'end' | 'remove' }): Promise<void> {
    const { writes, now, mayDelete, signal } = this.#surroundings
    const view = this.#target(request)
    const machine = view && this.#read.machine(view.name)
    if (view === undefined || machine === undefined) return this.#answer(request, { kind: 'gone' })
    const step = nextDeletionStep(this.#read.state, view, this.#creates(), mayDelete, now)
    switch (step.kind) {
      case 'going':
      case 'verify':
        return this.#answer(request, { kind: 'going' })
      case 'mark': {
        const marked = await unlessMoved(writes.mark(machine, now, signal))
        if (marked !== undefined) this.#read.wroteMachine(marked)
        this.#hasMarked = true
        return
      }
      case 'scale':
        this.#lowering.add(request)
        return
      case 'delete-itself':
        await writes.delete(machine, signal).catch((error: unknown) => {
          if (!isForbidden(error)) throw error
          const reason = `the management cluster rejects the deletion of Machine ${machine.name}: ${error.message}; grant Kerf the verb delete on machines.cluster.x-k8s.io`
          this.#answer(request, { kind: 'refused', reason })
        })
        this.#read.wroteMachine({ ...machine, isDeleting: !this.outcomes.has(request) })
        if (!this.outcomes.has(request)) this.#answer(request, { kind: 'going' })
        return
      case 'refuse':
        if (step.unmark) await unlessMoved(writes.unmark(machine, signal))
        return this.#answer(request, { kind: 'refused', reason: step.reason })
    }
  }

  /** Returns the requested Machine, if it may be deleted. */
  #target(request: DeploymentRequest & { readonly kind: 'end' | 'remove' }): MachineView | undefined {
    const { state } = this.#read
    const view = state.machines.find(({ name }) => name === request.machine)
    if (view === undefined) return undefined
    if (request.kind === 'end') {
      const holder = machineHolders(state).get(view.name)
      return holder?.kind === 'claim' && holder.claim.uid === request.uid ? view : undefined
    }
    const free = [...abandonedMachines(state), ...surplusMachines(state, this.#creates())]
    return free.find(({ name }) => name === view.name)
  }

  async #scale(requests: readonly DeploymentRequest[]): Promise<void> {
    const { writes, signal } = this.#surroundings
    const { state, deployment } = this.#read
    const waiting = requests.filter((request) => request.kind === 'create' && !this.outcomes.has(request))
    const isTouched = state.deployment.lastWritten !== undefined
    const decision = desiredReplicas(state, this.#creates())
    const isWanted = waiting.length > 0 || isTouched || requests.some(({ kind }) => kind === 'end' || kind === 'remove')
    if (decision.changed && isWanted) {
      if ((await unlessMoved(writes.scale(deployment, decision, signal).then(() => true))) === undefined) return
    }
    const all = createsUnderWay(this.#read.state)
    const refused = new Set(all.slice(all.length - decision.refused).map(({ uid }) => uid))
    for (const request of requests) {
      if (this.outcomes.has(request)) continue
      if (request.kind === 'create') this.#answer(request, { kind: refused.has(request.uid) ? 'full' : 'waiting' })
      if (request.kind === 'settle') this.#answer(request, { kind: 'settled' })
      if (this.#lowering.has(request)) this.#answer(request, { kind: 'going' })
    }
  }

  #creates(): number {
    return createsUnderWay(this.#read.state).length
  }

  #answer(request: DeploymentRequest, outcome: DeploymentOutcome): void {
    this.outcomes.set(request, outcome)
  }
}

const isForbidden = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 403

/** Awaits a write. If the object has changed or is gone since it was read, returns undefined. The next pass then reads it again. */
const unlessMoved = async <T>(write: Promise<T>): Promise<T | undefined> => {
  try {
    return await write
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return undefined
    throw error
  }
}
