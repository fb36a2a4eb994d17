import { abandonedMachines, nextBindingStep } from '../machines/binding.ts'
import { machineHolders } from '../machines/holders.ts'
import type { ClaimView, DeploymentState, DeploymentView, MachineView } from '../machines/machine-view.ts'
import { nextDeletionStep } from '../replicas/deletion.ts'
import { desiredReplicas } from '../replicas/desired-replicas.ts'
import { surplusMachines } from '../replicas/surplus.ts'
import { MachineSetModel } from './machine-set-model.ts'

type ModelClaim = { -readonly [K in keyof ClaimView]: ClaimView[K] }

/**
 * A disturbance between Kerf's read and its write: an action of others, a crash between two writes, or the loss of pending
 * creates.
 */
export interface Disturbance {
  readonly between: () => void
  readonly crash: boolean
  readonly forgets: boolean
}

const CALM: Disturbance = { between: () => undefined, crash: false, forgets: false }

/**
 * Runs Kerf's loops on the model of the controllers. Each loop reads, suffers a disturbance, and writes if the API server would allow the
 * write.
 */
export class ReplicasHarness {
  readonly model: MachineSetModel
  claims: ModelClaim[] = []
  /** Deletions that no decision of Kerf may cause. Empty in a correct run. */
  readonly wrongs: string[] = []
  now = 0
  #claimsMade = 0
  readonly #mayDelete: boolean

  constructor(strategy: DeploymentView['strategy'], ofOthers: number, mayDelete = true) {
    this.model = new MachineSetModel(strategy, ofOthers)
    this.#mayDelete = mayDelete
    this.controllers(() => 0)
    this.model.boot()
  }

  state(): DeploymentState {
    const { deployment, sets, machines } = this.model
    return structuredClone({ deployment, sets, machines, claims: this.claims })
  }

  addClaim(): void {
    const name = `c${++this.#claimsMade}`
    this.claims.push({ name, uid: `uid-${name}`, machine: undefined, deleting: false, waiting: true })
  }

  create(claim: ModelClaim, disturbance = CALM): void {
    const state = this.state()
    const step = nextBindingStep(state, claim)
    if (step.kind === 'wait') {
      this.scale(disturbance)
      return
    }
    disturbance.between()
    if (step.kind === 'lost') claim.deleting = true
    if (step.kind === 'bind') {
      const machine = this.#unchanged(step.machine)
      if (machine === undefined) return
      machine.member = true
      machine.claimUid = claim.uid
      if (disturbance.crash) return
    }
    if (step.kind === 'bind' || step.kind === 'adopt') claim.machine = step.machine.name
  }

  end(claim: ModelClaim, disturbance = CALM): void {
    const state = this.state()
    const held = state.machines.find((machine) => {
      const holder = machineHolders(state).get(machine.name)
      return holder?.kind === 'claim' && holder.claim.uid === claim.uid
    })
    if (held === undefined) this.claims = this.claims.filter((other) => other !== claim)
    else this.#delete(state, held, disturbance)
  }

  surplus(disturbance = CALM): void {
    const state = this.state()
    const creates = this.#creates(state, disturbance)
    for (const machine of [...surplusMachines(state, creates), ...abandonedMachines(state)].slice(0, 1)) {
      this.#delete(state, machine, disturbance)
    }
  }

  /** Decides the replicas and writes them, unless the MachineDeployment has changed since it was read. */
  scale(disturbance = CALM): void {
    const version = this.model.version
    const state = this.state()
    const decision = desiredReplicas(state, this.#creates(state, disturbance))
    disturbance.between()
    if (!decision.changed || version !== this.model.version) return
    const { replicas, ofOthers } = decision
    Object.assign(this.model.deployment, { replicas, ofOthers, lastWritten: replicas })
    this.model.version++
  }

  /** Runs each controller once. */
  controllers(pick: (below: number) => number): void {
    this.model.balance()
    const before = new Set(this.model.machines.filter((machine) => machine.deleting))
    this.model.sync(pick)
    for (const machine of this.model.machines) {
      if (!machine.deleting || before.has(machine)) continue
      if (machine.mark?.by !== 'kerf') this.wrongs.push(`the set chose ${machine.name}, which nobody marked`)
      else this.#mustBeFreeToGo(machine)
    }
  }

  #delete(state: DeploymentState, machine: MachineView, disturbance: Disturbance): void {
    const step = nextDeletionStep(state, machine, this.#creates(state, disturbance), this.#mayDelete, this.now)
    if (step.kind === 'scale' || step.kind === 'going') {
      this.scale(disturbance)
      return
    }
    disturbance.between()
    const target = this.#unchanged(machine)
    if (target === undefined) return
    if (step.kind === 'mark') target.mark = { by: 'kerf', at: this.now }
    if (step.kind === 'refuse' && step.unmark) target.mark = undefined
    if (step.kind !== 'delete-itself') return
    this.#mustBeFreeToGo(target)
    target.deleting = true
    if (!disturbance.crash) this.scale()
  }

  #creates(state: DeploymentState, disturbance: Disturbance): number {
    if (disturbance.forgets) return 0
    return state.claims
      .filter((claim) => !claim.deleting && nextBindingStep(state, claim).kind !== 'lost')
      .filter((claim) => {
        const kind = nextBindingStep(state, claim).kind
        return kind === 'wait' || (kind === 'bind' && claim.machine === undefined)
      }).length
  }

  #mustBeFreeToGo(machine: MachineView): void {
    const holder = machineHolders(this.state()).get(machine.name)
    if (holder?.kind === 'claim' && !holder.claim.deleting)
      this.wrongs.push(`${machine.name} of ${holder.claim.name} went`)
  }

  /** Returns the Machine, or undefined if it has changed since the read, because the API server would then refuse the write. */
  #unchanged(read: MachineView): MachineSetModel['machines'][number] | undefined {
    const now = this.model.machines.find((machine) => machine.name === read.name)
    return JSON.stringify(now) === JSON.stringify(read) ? now : undefined
  }
}
