import type { Milliseconds } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import { NodeClaimNotFoundError } from '@kerf/provider-contract'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { MachineApi } from '../api/azure-api.ts'
import { AzureApiError, isAzureNotFound } from '../api/azure-api-error.ts'
import type { Machine } from '../api/machine-shapes.ts'
import { TAG, type Tags } from '../tags/resource-tags.ts'
import { type MachineInstance, machineInstanceOf } from './machine-instance.ts'
import type { MachineScope } from './machine-names.ts'

/** AKS deletes machines by a list of names, and says so where none of the list is there. */
const isGone = (error: unknown): boolean =>
  isAzureNotFound(error) ||
  (error instanceof AzureApiError &&
    error.code === 'InvalidParameter' &&
    error.message.includes('Cannot find any valid machines'))

type Properties = NonNullable<Machine['properties']>

/** Without what AKS alone writes: the version that runs, and the name of the node. */
const writable = (kubernetes: NonNullable<Properties['kubernetes']>): NonNullable<Properties['kubernetes']> => {
  const { nodeLabels, orchestratorVersion, kubeletConfig, nodeInitializationTaints, nodeTaints, maxPods } = kubernetes
  const { artifactStreamingProfile } = kubernetes
  return {
    ...{ nodeLabels, orchestratorVersion, kubeletConfig, nodeInitializationTaints, nodeTaints, maxPods },
    ...{ artifactStreamingProfile },
  }
}

const writableDns = ({ mode, vnetDNSOverrides, kubeDNSOverrides }: NonNullable<Properties['localDNSProfile']>) => ({
  ...{ mode, vnetDNSOverrides, kubeDNSOverrides },
})

/** How old an answer of `recent` may be: a part of the five minutes in which each NodeClaim is asked whether it has drifted. */
const RECENT: Milliseconds = 60_000

/**
 * The machines of the AKS pool that Kerf may use (`docs/spec/azure.md#aks-machine-api-mode`). A pool that is not there has none.
 */
export class Machines {
  readonly #api: MachineApi
  readonly #recent: ReadCache<ReadonlyMap<string, MachineInstance>>
  readonly scope: MachineScope

  constructor(api: MachineApi, scope: MachineScope, clock: Clock) {
    this.#api = api
    this.scope = scope
    this.#recent = new ReadCache(clock, { ttl: RECENT })
  }

  /** @throws NodeClaimNotFoundError for one that is not there, AzureApiError for a call that failed. */
  async get(name: string, signal: AbortSignal): Promise<MachineInstance> {
    try {
      return machineInstanceOf(await this.#api.machine(this.scope.poolId, name, signal), this.scope)
    } catch (error) {
      if (!isAzureNotFound(error)) throw error
      throw new NodeClaimNotFoundError(`machine ${name} of the AKS pool ${this.scope.pool} is gone`, { cause: error })
    }
  }

  /** One of ours. @throws as `get`, and Error for one of another cluster or of somebody else. */
  async own(name: string, signal: AbortSignal): Promise<MachineInstance> {
    const instance = await this.get(name, signal)
    if (!this.#isOwn(instance))
      throw new Error(
        `machine ${name} of the AKS pool ${this.scope.pool} has not the tags of a node of ${this.scope.clusterName}; it is left alone until ${TAG.cluster}, ${TAG.nodePool} and ${TAG.machineClaim} are put right`,
      )
    return instance
  }

  /**
   * One of ours as it was at most a minute ago. All who ask share one list, where a call for each would be 12,000 an hour with a
   * thousand machines. One that is not in the list is asked for alone. @throws as `own`, and AzureApiError for a list that failed.
   */
  async recent(name: string, signal: AbortSignal): Promise<MachineInstance> {
    const list = async (inner: AbortSignal): Promise<ReadonlyMap<string, MachineInstance>> =>
      new Map((await this.list(inner)).map((each) => [each.machine.name, each]))
    const known = await this.#recent.read('machines', list, signal)
    return known.get(name) ?? (await this.own(name, signal))
  }

  /** Every machine that was made for this cluster and is not gone. A page that fails fails the call. */
  async list(signal: AbortSignal): Promise<readonly MachineInstance[]> {
    try {
      const machines = await this.#api.machines(this.scope.poolId, signal)
      return machines.map((machine) => machineInstanceOf(machine, this.scope)).filter((each) => this.#isOwn(each))
    } catch (error) {
      if (isAzureNotFound(error)) return []
      throw error
    }
  }

  /** Orders the end of one of ours; nothing to do for one that is ending. @throws NodeClaimNotFoundError once it is gone. */
  async terminate(name: string, signal: AbortSignal): Promise<void> {
    const instance = await this.own(name, signal)
    if (instance.isEnding) return
    try {
      await this.#api.deleteMachine(this.scope.poolId, name, signal)
    } catch (error) {
      if (!isGone(error)) throw error
      throw new NodeClaimNotFoundError(`machine ${name} of the AKS pool ${this.scope.pool} is gone`, { cause: error })
    }
  }

  /** Gives a machine other tags, and leaves all else as it is. Refused where somebody has changed it since it was read. */
  async retag({ machine }: MachineInstance, tags: Tags, signal: AbortSignal): Promise<void> {
    const { source, name } = machine
    const { properties = {}, zones } = source
    const { network, kubernetes, hardware, operatingSystem, mode, security, priority, nodeImageVersion } = properties
    await this.#api.putMachine(
      this.scope.poolId,
      name,
      {
        ...(zones === undefined ? {} : { zones }),
        properties: {
          ...{ hardware, operatingSystem, mode, security, priority, nodeImageVersion },
          ...(network?.vnetSubnetID === undefined ? {} : { network: { vnetSubnetID: network.vnetSubnetID } }),
          ...(kubernetes === undefined ? {} : { kubernetes: writable(kubernetes) }),
          ...(properties.localDNSProfile === undefined
            ? {}
            : { localDNSProfile: writableDns(properties.localDNSProfile) }),
          tags,
        },
      },
      properties.eTag,
      signal,
    )
  }

  #isOwn({ tags }: MachineInstance): boolean {
    return (
      ownValue(tags, TAG.cluster) === this.scope.clusterName &&
      ownValue(tags, TAG.nodePool) !== undefined &&
      ownValue(tags, TAG.machineClaim) !== undefined
    )
  }
}
