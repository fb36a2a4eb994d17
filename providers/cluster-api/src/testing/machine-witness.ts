import { karpenterKinds, type Milliseconds, type ResourceKind } from '@kerf/apis'
import { type Clock, type KubeClient, type Random, SharedInformers, silentLogger } from '@kerf/runtime'
import { clusterApiAnnotations } from '../names.ts'
import { readMachine } from '../objects/machine.ts'
import type { MachineOnWire } from '../objects/wire.ts'

/** How long Cluster API may take to notice a new template while it is still creating Machines of the older one. */
const ROLLOUT: Milliseconds = 5_000

export interface MachineWitnessOptions {
  /** A client with administrator permissions. */
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  readonly kind: ResourceKind<MachineOnWire>
  /** Returns true if the held Machine with this uid may be deleted, by a user or by a health check. */
  readonly isExcused: (uid: string) => boolean
}

/** Watches deletions of Machines, and checks which NodeClaim holds them at that moment. */
export class MachineWitness {
  /** Machines that were deleted although a NodeClaim held them and only Kerf could have deleted them. */
  readonly wrongs: string[] = []
  /** The deletions in order with their time. Two runs of the same seed have equal traces. */
  readonly trace: string[] = []
  readonly #options: MachineWitnessOptions
  /** When the template of each MachineDeployment was last changed. */
  readonly #changedAt = new Map<string, Milliseconds>()

  constructor(options: MachineWitnessOptions) {
    this.#options = options
  }

  templateChanged(deployment: string): void {
    this.#changedAt.set(deployment, this.#options.clock.monotonic())
  }

  start(signal: AbortSignal): void {
    const { client, clock, random, kind, isExcused } = this.#options
    const informers = new SharedInformers({ client, clock, random, logger: silentLogger })
    const claims = informers.of(karpenterKinds.NodeClaim)
    informers.of(kind).onChange(({ before, after }) => {
      if (after === undefined) return
      const { uid, name, isDeleting, annotations, deploymentName = '' } = readMachine(after)
      if (!isDeleting || (before !== undefined && readMachine(before).isDeleting)) return
      const holder = annotations[clusterApiAnnotations.nodeClaimUid]
      const claim = [...claims.values()].find(({ metadata }) => metadata.uid === holder)
      this.trace.push(`${clock.monotonic()} ${name} of ${claim?.metadata.name ?? 'nobody'}`)
      if (claim === undefined || claim.metadata.deletionTimestamp !== undefined || isExcused(uid)) return
      // Cluster API drops the replicas of an older template that have no Machine yet, and may then have one Machine too many.
      const changed = this.#changedAt.get(deploymentName) ?? Number.NEGATIVE_INFINITY
      if (clock.monotonic() - changed >= ROLLOUT) this.wrongs.push(`${name} of ${claim.metadata.name}`)
    })
    informers.start(signal)
  }
}
