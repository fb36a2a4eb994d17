import type { Milliseconds } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import { NodeClaimNotFoundError, providerErrors } from '@kerf/provider-contract'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { MachineApi } from '../api/azure-api.ts'
import { AzureApiError, isAzureNotFound } from '../api/azure-api-error.ts'
import type { Machine } from '../api/machine-shapes.ts'
import { TAG, type Tags } from '../tags/resource-tags.ts'
import { type MachineInstance, toMachineInstance } from './machine-instance.ts'
import type { MachineScope } from './machine-names.ts'

/** Returns true if the machine is gone. AKS deletes machines by a list of names, and returns an error if none of them exists. */
const isGone = (error: unknown): boolean =>
  isAzureNotFound(error) ||
  (error instanceof AzureApiError &&
    error.code === 'InvalidParameter' &&
    error.message.includes('Cannot find any valid machines'))

type Properties = NonNullable<Machine['properties']>

/** Returns the settings without the fields that only AKS writes: the current version and the node name. */
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

/** The maximum age of an answer of `recent`. It is short compared with the five minutes between two drift checks of a NodeClaim. */
const RECENT: Milliseconds = 60_000

/**
 * The machines of the AKS pool that Kerf may use (`providers/azure/docs/spec/azure.md#aks-machine-api-mode`). A pool that does not exist has no
 * machines.
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

  /** Returns a machine. @throws NodeClaimNotFoundError if it does not exist, AzureApiError for a failed call. */
  async get(name: string, signal: AbortSignal): Promise<MachineInstance> {
    try {
      return toMachineInstance(await this.#api.machine(this.scope.poolId, name, signal), this.scope)
    } catch (error) {
      if (!isAzureNotFound(error)) throw error
      throw new NodeClaimNotFoundError(`machine ${name} of the AKS pool ${this.scope.pool} is gone`, { cause: error })
    }
  }

  /**
   * Returns a machine of this cluster. @throws like `get`, and KerfError `ForeignInstance` if it belongs to another cluster or was not created by Kerf.
   */
  async own(name: string, signal: AbortSignal): Promise<MachineInstance> {
    const instance = await this.get(name, signal)
    if (!this.#isOwn(instance))
      throw providerErrors.ForeignInstance({
        instance: `machine ${name} of the AKS pool ${this.scope.pool}`,
        problem: `does not have the tags of a node of ${this.scope.clusterName}`,
        remedy: `${TAG.cluster}, ${TAG.nodePool} and ${TAG.machineClaim} are corrected`,
      })
    return instance
  }

  /**
   * Returns a machine of this cluster in a state that is at most a minute old. All callers share one list, because reading a thousand
   * machines one by one would need 12,000 calls per hour. If a machine is not in the list, Kerf reads it alone. @throws like `own`, and
   * AzureApiError if the list fails.
   */
  async recent(name: string, signal: AbortSignal): Promise<MachineInstance> {
    const list = async (inner: AbortSignal): Promise<ReadonlyMap<string, MachineInstance>> =>
      new Map((await this.list(inner)).map((each) => [each.machine.name, each]))
    const known = await this.#recent.read('machines', list, signal)
    return known.get(name) ?? (await this.own(name, signal))
  }

  /** Lists the machines that Kerf created for this cluster and that are not gone. A failed page fails the call. */
  async list(signal: AbortSignal): Promise<readonly MachineInstance[]> {
    try {
      const machines = await this.#api.machines(this.scope.poolId, signal)
      return machines.map((machine) => toMachineInstance(machine, this.scope)).filter((each) => this.#isOwn(each))
    } catch (error) {
      if (isAzureNotFound(error)) return []
      throw error
    }
  }

  /**
   * Terminates a machine of this cluster. Does nothing if it is already terminating.
   * @throws NodeClaimNotFoundError once it is gone.
   */
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

  /** Replaces the tags of a machine and keeps all other properties. AKS refuses the update if the machine has changed since it was read. */
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
