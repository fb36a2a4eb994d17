import type { DeploymentView, MachineSetView, MachineView } from '../machines/machine-view.ts'

type Writable<T> = { -readonly [K in keyof T]: T[K] }
export type ModelMachine = Writable<MachineView>

/**
 * An in-memory model of how Cluster API's MachineDeployment and MachineSet controllers choose Machines. It follows the code of v1.14.2 and
 * observations of real controllers. A set deletes excess Machines by priority: deleting 100, marked 80, unhealthy 50. The rest is chosen at
 * random (`pick`). Marked Machines of equal priority are chosen by name. Machines that are being deleted still count as Machines of the
 * set.
 */
export class MachineSetModel {
  deployment: Writable<DeploymentView>
  readonly sets: Writable<MachineSetView>[] = [{ name: 's1', revision: 1, replicas: 0 }]
  machines: ModelMachine[] = []
  /** Counts the writes to the MachineDeployment's spec, like a resourceVersion. */
  version = 0
  #made = 0

  constructor(strategy: DeploymentView['strategy'], replicas: number) {
    this.deployment = {
      namespace: 'default',
      name: 'a',
      replicas,
      lastWritten: undefined,
      ofOthers: undefined,
      strategy,
      maximum: undefined,
      bornMember: false,
    }
  }

  /** Scales as another user, without changing Kerf's annotations. */
  scale(by: number): void {
    this.deployment.replicas = Math.max(0, this.deployment.replicas + by)
    this.version++
  }

  /** Changes the template. The next round of the MachineDeployment's controller creates Machines in a new set. */
  changeTemplate(): void {
    this.sets.push({ name: `s${this.sets.length + 1}`, revision: this.sets.length + 1, replicas: 0 })
    this.version++
  }

  remove(name: string): void {
    const machine = this.machines.find((other) => other.name === name)
    if (machine !== undefined) machine.deleting = true
  }

  /** Runs the MachineDeployment's controller once, which sets the replicas of each set. */
  balance(): void {
    const newest = this.sets.at(-1)
    if (newest === undefined) return
    const old = this.sets.slice(0, -1)
    const { replicas, strategy } = this.deployment
    const sum = (): number => this.sets.reduce((total, set) => total + set.replicas, 0)
    if (old.every((set) => set.replicas === 0)) newest.replicas = replicas
    else newest.replicas += Math.max(0, replicas + (strategy === 'RollingUpdate' ? 1 : 0) - sum())
    if (strategy === 'OnDelete') for (const set of old) set.replicas = Math.min(set.replicas, this.#in(set).length)
    let excess = sum() - replicas
    for (const set of old) {
      const ready =
        strategy === 'OnDelete' || this.machines.filter((m) => m.registered && !m.deleting).length > replicas
      const down = ready ? Math.max(0, Math.min(set.replicas, excess)) : 0
      set.replicas -= down
      excess -= down
    }
  }

  /** Runs the sets' controller once, which creates Machines, or chooses and deletes them. */
  sync(pick: (below: number) => number): void {
    for (const set of this.sets) {
      const inSet = this.#in(set)
      const old = set !== this.sets.at(-1)
      const create = set.replicas - inSet.length
      if (create > 0 && !(old && this.deployment.strategy === 'OnDelete'))
        for (let i = 0; i < create; i++) this.#make(set)
      const ranked = inSet
        .map((machine) => ({ machine, rank: machineRank(machine), tie: pick(1000) }))
        .sort((a, b) => b.rank - a.rank || a.tie - b.tie)
      for (const { machine } of ranked.slice(0, Math.max(0, -create))) machine.deleting = true
    }
  }

  /** Removes Machines whose deletion is complete. */
  finish(): void {
    this.machines = this.machines.filter((machine) => !machine.deleting)
  }

  /** Gives every starting Machine its Node. */
  boot(): void {
    for (const machine of this.machines) if (!machine.failed) machine.registered = true
  }

  #in(set: MachineSetView): ModelMachine[] {
    return this.machines.filter((machine) => machine.set === set.name)
  }

  #make(set: MachineSetView): void {
    const serial = ++this.#made
    this.machines.push({
      name: `m${serial}`,
      uid: `uid-m${serial}`,
      set: set.name,
      createdAt: serial,
      member: false,
      claimUid: undefined,
      mark: undefined,
      deleting: false,
      lingering: false,
      failed: false,
      registered: false,
    })
  }
}

const machineRank = (machine: MachineView): number =>
  machine.deleting ? 100 : machine.mark !== undefined ? 80 : machine.registered ? 10 : 50
