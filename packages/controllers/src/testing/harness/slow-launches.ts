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
  /** The time from the first call of `create` until the instance has a provider ID. */
  readonly takes: Milliseconds
  /** The provider's launch timeout. Default 30 minutes. */
  readonly launchTimeout?: Milliseconds
  /** Whether the provider reports the properties of the instance before the instance exists. */
  readonly saysWhatComes?: boolean
}

const RETRY_AFTER: Milliseconds = 30_000
const claimUid = ({ metadata }: NodeClaim): string => metadata.uid ?? ''

/** The properties of the instance. Its instance type has four CPUs and is the type that `createClaim` and `createPoolOfType` request. */
const coming: ComingInstance = {
  labels: { [labels.instanceType]: 's-4x-amd64-linux' },
  capacity: { cpu: '4', memory: '16Gi', pods: '110' },
  allocatable: { cpu: '3900m', memory: '15Gi', pods: '110' },
}

/**
 * Simulates a cloud whose instances get a provider ID only after several minutes, as with the infrastructure providers of Cluster API. Its
 * instances come from the KWOK provider. Pending launches continue even if the Kerf process ends.
 */
export class SlowLaunches {
  readonly #options: SlowLaunchesOptions
  readonly #now: () => Milliseconds
  readonly #making = new Map<string, Milliseconds>()
  /** The claim names of all calls of `create`. */
  readonly asked: string[] = []
  /** The claim names of all calls of `delete` for claims without a provider ID. */
  readonly givenBack: string[] = []

  constructor(options: SlowLaunchesOptions, now: () => Milliseconds) {
    this.#options = options
    this.#now = now
  }

  /** The number of pending instances without a provider ID. */
  get making(): number {
    return this.#making.size
  }

  /** A value for `HarnessOptions.provider`. */
  readonly provider = (kwok: KwokProvider): CloudProvider =>
    alteredProvider(kwok, {
      launchTimeout: this.#options.launchTimeout ?? 1_800_000,
      create: async (claim, signal) => {
        this.#make(claim)
        const view = await kwok.create(claim, signal)
        this.#making.delete(claimUid(claim))
        return view
      },
      delete: async (claim, signal) => {
        if ((claim.status?.providerID ?? '') !== '') return await kwok.delete(claim, signal)
        this.givenBack.push(claim.metadata.name)
        if (!this.#making.delete(claimUid(claim))) throw new NodeClaimNotFoundError('nothing is being made')
      },
    })

  #make(claim: NodeClaim): void {
    this.asked.push(claim.metadata.name)
    const ready = this.#making.get(claimUid(claim)) ?? this.#now() + this.#options.takes
    this.#making.set(claimUid(claim), ready)
    if (this.#now() >= ready) return
    const promised = this.#options.saysWhatComes === false ? {} : { coming }
    throw new LaunchPendingError(`waiting for machine ${claim.metadata.name} to have a name`, RETRY_AFTER, promised)
  }
}
