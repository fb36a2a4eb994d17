import type { Milliseconds, NodeClaim } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { areCompatible, InsufficientCapacityError, offeringCoordinates } from '@kerf/provider-contract'
import { type LaunchOption, launchDemand, nodeClassKey } from '@kerf/provider-kit'
import type { Clock, Metrics, Random } from '@kerf/runtime'
import type { AzureApi, PendingChange } from '../api/azure-api.ts'
import { AzureApiError, isAzureNotFound } from '../api/azure-api-error.ts'
import type { LoadBalancerPools } from '../discovery/load-balancer-pools.ts'
import type { ManagedGroup } from '../discovery/security-group.ts'
import { classifyLaunchRefusal } from '../failures/launch-refusal.ts'
import { classTraits } from '../instance-type/class-traits.ts'
import { zoneOfLabel } from '../instance-type/zones.ts'
import { type AzureInstance, toAzureInstance } from '../instances/azure-instance.ts'
import { claimVmName } from '../instances/instance-names.ts'
import type { Instances } from '../instances/instances.ts'
import { azureLabels } from '../label-names.ts'
import type { AKSNodeClass } from '../node-class/aks-node-class.ts'
import type { UnavailableSizes } from '../offerings/unavailable-sizes.ts'
import { isManagedNetwork, nodeClassSubnetId, parseSubnetId } from '../resource-ids/subnet-id.ts'
import type { AzureSettings } from '../settings/azure-settings.ts'
import type { LocationSizes } from '../sizes/location-sizes.ts'
import type { VmSize } from '../sizes/vm-size.ts'
import { resourceTags, type Tags } from '../tags/resource-tags.ts'
import { imageFor } from './image-choice.ts'
import { nicBody } from './nic-body.ts'
import { chooseOffering } from './offering-choice.ts'
import { vmBody } from './vm-body.ts'
import { UNKNOWN_CODE, vmLabels, vmMetrics } from './vm-metrics.ts'

/** Creates the custom data of a node for the chosen option. */
export type MakeCustomData = (
  question: {
    readonly claim: NodeClaim
    readonly nodeClass: AKSNodeClass
    readonly option: LaunchOption
    readonly size: VmSize
    readonly subnetId: string
    readonly group: ManagedGroup | undefined
  },
  signal: AbortSignal,
) => Promise<string>

export interface VmLauncherDeps {
  readonly api: Pick<AzureApi, 'compute' | 'network'>
  readonly clock: Clock
  readonly random: Random
  readonly metrics: Metrics
  readonly settings: AzureSettings
  readonly sizes: LocationSizes
  readonly unavailable: UnavailableSizes
  readonly instances: Instances
  readonly pools: LoadBalancerPools
  readonly securityGroup: (signal: AbortSignal) => Promise<ManagedGroup>
  readonly customData: MakeCustomData
  readonly typesOf: (nodeClass: AKSNodeClass, signal: AbortSignal) => Promise<readonly InstanceType[]>
}

/** A VM that Azure has accepted, or a machine that AKS has accepted. */
export interface AcceptedVm {
  readonly instance: AzureInstance
  readonly option: LaunchOption
  readonly size: VmSize
  /** The key of the node class at launch. */
  readonly nodeClassKey: string
  readonly pending: PendingChange<unknown>
}

/** The values that all attempts of a launch share. */
interface Launch {
  readonly claim: NodeClaim
  readonly nodeClass: AKSNodeClass
  readonly name: string
  readonly subnetId: string
  readonly group: ManagedGroup | undefined
  readonly tags: Tags
}

/** The time limit of one attempt. It is well below the maximum time of a launch. */
const LONGEST: Milliseconds = 120_000
const MOST_ATTEMPTS = 50

export const asCapacityType = (text: string): 'on-demand' | 'spot' => (text === 'spot' ? 'spot' : 'on-demand')

/** Returns true if Azure refused the request. A refused request has certainly changed nothing. */
const isRefusal = (error: unknown): error is AzureApiError =>
  error instanceof AzureApiError && error.status !== undefined && error.status >= 400 && error.status < 500

/**
 * Returns true if the NodeClaim requires Ultra SSD (`providers/azure/docs/spec/azure.md#create-a-vm`). Otherwise Kerf does not enable it,
 * because a VM with Ultra SSD supports fewer other disk options.
 */
export const wantsUltraSsd = ({ spec }: NodeClaim): boolean => {
  const of = (value: string) => [{ key: azureLabels.ultraSsd, operator: 'In' as const, values: [value] }]
  return areCompatible(spec.requirements, of('true')) && !areCompatible(spec.requirements, of('false'))
}

/**
 * Creates the network interface and the VM of a NodeClaim. Both names are derived from the claim, so the requests are idempotent
 * (`providers/azure/docs/spec/azure.md#create-a-vm`). If Azure refuses an offering for lack of capacity or quota, Kerf marks the offering
 * as unavailable, and immediately tries the next best one. Upstream deletes the claim instead.
 */
export class VmLauncher {
  readonly #deps: VmLauncherDeps
  readonly #counts

  constructor(deps: VmLauncherDeps) {
    this.#deps = deps
    this.#counts = vmMetrics.register(deps.metrics)
  }

  /**
   * Launches a VM. If Azure refuses the VM, no resources remain.
   *
   * @throws InsufficientCapacityError when nothing is left to try; AzureApiError for a refusal of another kind.
   */
  async launch(claim: NodeClaim, nodeClass: AKSNodeClass, signal: AbortSignal): Promise<AcceptedVm> {
    const { settings, clock } = this.#deps
    const name = claimVmName(claim.metadata.name)
    const subnetId = nodeClassSubnetId(nodeClass, settings)
    const tags = resourceTags(settings, nodeClass, claim)
    const begun = clock.monotonic()
    let nic: { readonly id: string; readonly accelerated: boolean } | undefined
    let refused = ''
    const first = await this.#choose(claim, nodeClass, refused, signal)
    const launch: Launch = { claim, nodeClass, name, subnetId, tags, group: await this.#groupFor(subnetId, signal) }
    try {
      for (let attempt = 1, option: LaunchOption = first; ; attempt++) {
        const size = this.#sizeOf(option)
        if (nic?.accelerated !== size.acceleratedNetworking)
          nic = { id: await this.#interface(launch, size, signal), accelerated: size.acceleratedNetworking }
        try {
          return await this.#create(launch, { option, size, nicId: nic.id }, signal)
        } catch (error) {
          refused = this.#learn(nodeClass, option, size, error)
          if (attempt === MOST_ATTEMPTS || clock.monotonic() - begun > LONGEST)
            throw new InsufficientCapacityError(refused, { cause: error })
          option = await this.#choose(claim, nodeClass, refused, signal)
        }
      }
    } catch (error) {
      await this.#cleanUp(name, error)
      throw error
    }
  }

  async #choose(
    claim: NodeClaim,
    nodeClass: AKSNodeClass,
    refused: string,
    signal: AbortSignal,
  ): Promise<LaunchOption> {
    const types = await this.#deps.typesOf(nodeClass, signal)
    const option = chooseOffering(types, launchDemand(claim), this.#deps.random)
    if (option !== undefined) return option
    const { name } = claim.metadata
    throw new InsufficientCapacityError(refused === '' ? `no available VM size fits nodeclaim ${name}` : refused)
  }

  /**
   * Marks the offerings that a refusal affects as unavailable.
   * @throws the refusal itself if it affects no offering.
   */
  #learn(nodeClass: AKSNodeClass, option: LaunchOption, size: VmSize, error: unknown): string {
    if (!(error instanceof AzureApiError)) throw error
    const { code, message } = error
    const { zone, capacityType: bought } = offeringCoordinates(option.type, option.offering)
    const capacityType = asCapacityType(bought)
    const refusal = classifyLaunchRefusal({ code, message, capacityType })
    if (refusal === undefined) throw error
    const text = `${size.name} (${capacityType}, zone ${zone}): ${code}: ${message}`
    this.#deps.unavailable.refuse(size, { zone, capacityType }, refusal, nodeClassKey(nodeClass))
    return text
  }

  #sizeOf({ type }: LaunchOption): VmSize {
    const size = this.#deps.sizes.get(type.name)
    if (size === undefined) throw new InsufficientCapacityError(`the size ${type.name} is not available anymore`)
    return size
  }

  async #groupFor(subnetId: string, signal: AbortSignal): Promise<ManagedGroup | undefined> {
    const subnet = parseSubnetId(subnetId)
    const { azureNodeResourceGroup } = this.#deps.settings
    const isManaged = subnet !== undefined && isManagedNetwork(subnet, azureNodeResourceGroup)
    return isManaged ? undefined : this.#deps.securityGroup(signal)
  }

  /** Returns the ID of the interface. If a backend pool no longer exists, reads the pools once more. */
  async #interface(launch: Launch, size: VmSize, signal: AbortSignal): Promise<string> {
    const { api, pools, settings } = this.#deps
    const { name, nodeClass, subnetId, group, tags } = launch
    const make = async (ids: readonly string[]): Promise<string> => {
      const { maxPods } = classTraits(nodeClass, settings)
      const backendPools = ids
      const body = nicBody({ name, settings, size, subnetId, maxPods, backendPools, securityGroup: group?.id, tags })
      return (await api.network.createNetworkInterface(name, body, signal)).id ?? ''
    }
    const known = await pools.read(signal)
    try {
      return await make(known)
    } catch (error) {
      const isPoolGone =
        error instanceof AzureApiError &&
        error.code === 'InvalidResourceReference' &&
        known.some((id) => error.message.toLowerCase().includes(id.toLowerCase()))
      if (!isPoolGone) throw error
      pools.forget()
      return make(await pools.read(signal))
    }
  }

  async #create(
    launch: Launch,
    { option, size, nicId }: { readonly option: LaunchOption; readonly size: VmSize; readonly nicId: string },
    signal: AbortSignal,
  ): Promise<AcceptedVm> {
    const { api, settings, instances, clock } = this.#deps
    const { claim, nodeClass, name, subnetId, group, tags } = launch
    const { zone, capacityType } = offeringCoordinates(option.type, option.offering)
    const imageId = imageFor(size, nodeClass)
    if (imageId === undefined) throw new InsufficientCapacityError(`there is no image for ${size.name}`)
    const body = vmBody({
      ...{ name, nodeClass, settings, size, nicId, tags, imageId },
      zone: zoneOfLabel(zone),
      isSpot: capacityType === 'spot',
      hasUltraSsd: wantsUltraSsd(claim),
      customData: await this.#deps.customData({ claim, nodeClass, option, size, subnetId, group }, signal),
    })
    const about = vmLabels(claim, { imageId, size: size.name, zone, capacityType: asCapacityType(capacityType) })
    this.#counts.starts.inc(about)
    const pending = await api.compute.beginCreateVm(name, body, signal).catch((error: unknown) => {
      const code = error instanceof AzureApiError ? error.code : UNKNOWN_CODE
      this.#counts.failures.inc({ ...about, phase: 'sync', error_code: code })
      throw error
    })
    const instance: AzureInstance = {
      ...toAzureInstance(body, settings.azureLocation),
      id: name,
      resourceId: `/subscriptions/${settings.azureSubscriptionID}/resourceGroups/${settings.azureNodeResourceGroup}/providers/Microsoft.Compute/virtualMachines/${name}`,
      createdAt: clock.now(),
    }
    instances.made(instance)
    return { instance, option, size, nodeClassKey: nodeClassKey(nodeClass), pending }
  }

  /**
   * Deletes the interface if no VM can be using it. If the answer to a request was lost, the request may have succeeded. In that case, a
   * repeated launch finds the interface and the VM by name, or garbage collection deletes them.
   */
  async #cleanUp(name: string, error: unknown): Promise<void> {
    const { api, instances } = this.#deps
    // Nothing aborts this signal, because the interface must be deleted even if the launch is aborted.
    const signal = new AbortController().signal
    try {
      const cause = error instanceof InsufficientCapacityError ? error.cause : error
      if (!isRefusal(cause) && !(error instanceof InsufficientCapacityError)) await api.compute.vm(name, signal)
      else await instances.removeInterface(name, signal)
    } catch (looked) {
      if (isAzureNotFound(looked)) await instances.removeInterface(name, signal)
    }
  }
}
