import { labels, type Milliseconds, type NodeClaim } from '@kerf/apis'
import {
  type CloudProvider,
  type ComingInstance,
  LaunchPendingError,
  NodeClaimNotFoundError,
} from '@kerf/provider-contract'
import type { KwokProvider } from '@kerf/provider-kwok'
import { alteredProvider } from './altered-provider.ts'

export interface SlowLaunchesOptions {
  /** The time from the first call of `create` until the instance has a name. */
  readonly takes: Milliseconds
  /** The launch timeout of the provider. Default 30 minutes. */
  readonly launchTimeout?: Milliseconds
  /** Whether it reports the properties of the instance in advance. */
  readonly saysWhatComes?: boolean
}

const RETRY_AFTER: Milliseconds = 30_000
const uidOf = ({ metadata }: NodeClaim): string => metadata.uid ?? ''

/** A type with four CPUs, which `createClaim` and `createPoolOfType` request. */
const coming: ComingInstance = {
  labels: { [labels.instanceType]: 's-4x-amd64-linux' },
  capacity: { cpu: '4', memory: '16Gi', pods: '110' },
  allocatable: { cpu: '3900m', memory: '15Gi', pods: '110' },
}

/**
 * A cloud that takes minutes before an instance has a name, like the infrastructure providers of Cluster API. Its instances
 * are those of the KWOK provider. Pending launches outlive the processes of Kerf.
 */
export class SlowLaunches {
  readonly #options: SlowLaunchesOptions
  readonly #now: () => Milliseconds
  readonly #making = new Map<string, Milliseconds>()
  /** The calls of `create`, by the name of the claim. */
  readonly asked: string[] = []
  /** The claims without a provider ID for which `delete` was called. */
  readonly givenBack: string[] = []

  constructor(options: SlowLaunchesOptions, now: () => Milliseconds) {
    this.#options = options
    this.#now = now
  }

  /** The number of pending instances without a name. */
  get making(): number {
    return this.#making.size
  }

  /** For `HarnessOptions.provider`. */
  readonly provider = (kwok: KwokProvider): CloudProvider =>
    alteredProvider(kwok, {
      launchTimeout: this.#options.launchTimeout ?? 1_800_000,
      create: async (claim, signal) => {
        this.#make(claim)
        const view = await kwok.create(claim, signal)
        this.#making.delete(uidOf(claim))
        return view
      },
      delete: async (claim, signal) => {
        if ((claim.status?.providerID ?? '') !== '') return await kwok.delete(claim, signal)
        this.givenBack.push(claim.metadata.name)
        if (!this.#making.delete(uidOf(claim))) throw new NodeClaimNotFoundError('nothing is being made')
      },
    })

  #make(claim: NodeClaim): void {
    this.asked.push(claim.metadata.name)
    const ready = this.#making.get(uidOf(claim)) ?? this.#now() + this.#options.takes
    this.#making.set(uidOf(claim), ready)
    if (this.#now() >= ready) return
    const promised = this.#options.saysWhatComes === false ? {} : { coming }
    throw new LaunchPendingError(`waiting for machine ${claim.metadata.name} to have a name`, RETRY_AFTER, promised)
  }
}
