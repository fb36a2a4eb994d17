import type { NodeClaim } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { InsufficientCapacityError, offeringCoordinates } from '@kerf/provider-contract'
import { launchDemand, nodeClassKey } from '@kerf/provider-kit'
import type { Clock, Logger, Metrics, Random } from '@kerf/runtime'
import type { MachineApi } from '../api/azure-api.ts'
import { AzureApiError } from '../api/azure-api-error.ts'
import { registeredTaints } from '../bootstrap/registered-taints.ts'
import { classifyLaunchRefusal } from '../failures/launch-refusal.ts'
import { parseNodeImageVersion } from '../images/image-version.ts'
import { zoneOfLabel } from '../instance-type/zones.ts'
import { nameInAksPool } from '../instances/instance-names.ts'
import type { MachineInstance } from '../instances/machine-instance.ts'
import type { Machines } from '../instances/machines.ts'
import type { AKSNodeClass } from '../node-class/aks-node-class.ts'
import type { UnavailableSizes } from '../offerings/unavailable-sizes.ts'
import { nodeClassSubnetId } from '../resource-ids/subnet-id.ts'
import type { AzureSettings } from '../settings/azure-settings.ts'
import type { LocationSizes } from '../sizes/location-sizes.ts'
import { resourceTags, TAG } from '../tags/resource-tags.ts'
import { imageFor } from './image-choice.ts'
import { machineBody } from './machine-body.ts'
import { pendingMachine } from './machine-pending.ts'
import { nodeLabels } from './node-labels.ts'
import { chooseOffering } from './offering-choice.ts'
import { type AcceptedVm, asCapacityType, wantsUltraSsd } from './vm-launcher.ts'
import { UNKNOWN_CODE, vmLabels, vmMetrics } from './vm-metrics.ts'

export interface MachineLauncherDeps {
  readonly api: MachineApi
  readonly machines: Machines
  readonly clock: Clock
  readonly log: Logger
  readonly random: Random
  readonly metrics: Metrics
  readonly settings: AzureSettings
  readonly sizes: LocationSizes
  readonly unavailable: UnavailableSizes
  readonly typesOf: (nodeClass: AKSNodeClass, signal: AbortSignal) => Promise<readonly InstanceType[]>
}

/**
 * Creates a machine of an AKS pool for a NodeClaim. The name is derived from the claim, so the request is idempotent
 * (`providers/azure/docs/spec/azure.md#aks-machine-api-mode`). A machine that fails immediately occupies its name until AKS has deleted it.
 * Therefore, as in upstream, the core deletes the claim, and plans the pods again without the unavailable offerings.
 */
export class MachineLauncher {
  readonly #deps: MachineLauncherDeps
  readonly #counts

  constructor(deps: MachineLauncherDeps) {
    this.#deps = deps
    this.#counts = vmMetrics.register(deps.metrics)
  }

  /**
   * Launches a machine.
   * @throws InsufficientCapacityError if capacity is missing, AzureApiError for any other refusal.
   */
  async launch(claim: NodeClaim, nodeClass: AKSNodeClass, signal: AbortSignal): Promise<AcceptedVm> {
    const { typesOf, random, sizes, settings, machines, api, clock, log } = this.#deps
    const option = chooseOffering(await typesOf(nodeClass, signal), launchDemand(claim), random)
    const size = option === undefined ? undefined : sizes.get(option.type.name)
    if (option === undefined || size === undefined)
      throw new InsufficientCapacityError(`no available VM size fits nodeclaim ${claim.metadata.name}`)
    const { zone, capacityType } = offeringCoordinates(option.type, option.offering)
    const nodeImageVersion = parseNodeImageVersion(imageFor(size, nodeClass) ?? '')
    if (nodeImageVersion === undefined)
      throw new InsufficientCapacityError(`the node class has no AKS node image for ${size.name}`)
    const name = nameInAksPool(claim.metadata.name)
    const about = { imageId: nodeImageVersion, size: size.name, zone, capacityType: asCapacityType(capacityType) }
    const facts = {
      nodeClass,
      settings,
      subnetId: nodeClassSubnetId(nodeClass, settings),
      vnetGuid: '',
      arch: size.arch,
    }
    const body = machineBody({
      ...{ nodeClass, settings, size, nodeImageVersion, zone: zoneOfLabel(zone), isSpot: capacityType === 'spot' },
      hasUltraSsd: wantsUltraSsd(claim),
      labels: nodeLabels(claim, option.type.requirements, option.offering.requirements, facts),
      taints: registeredTaints(claim),
      tags: { ...resourceTags(settings, nodeClass, claim), [TAG.machineClaim]: claim.metadata.name },
    })
    this.#counts.starts.inc(vmLabels(claim, about))
    try {
      await api.putMachine(machines.scope.poolId, name, body, undefined, signal)
    } catch (error) {
      throw this.#refused(claim, nodeClass, about, error, true)
    }
    const instance = await machines.own(name, signal)
    if (instance.machine.failure !== undefined) {
      const refusal = this.#refused(claim, nodeClass, about, new AzureApiError(instance.machine.failure), false)
      await this.#end(instance)
      throw refusal
    }
    const pending = pendingMachine({ machines, clock, log }, name)
    return { instance, option, size, nodeClassKey: nodeClassKey(nodeClass), pending }
  }

  /** Marks the offerings that a failure affects as unavailable. Returns the error for the core. */
  #refused(
    claim: NodeClaim,
    nodeClass: AKSNodeClass,
    about: Parameters<typeof vmLabels>[1],
    error: unknown,
    isMachineRequest: boolean,
  ): unknown {
    const code = error instanceof AzureApiError ? error.code : UNKNOWN_CODE
    this.#counts.failures.inc({ ...vmLabels(claim, about), phase: 'sync', error_code: code })
    if (!(error instanceof AzureApiError)) return error
    const { size: name, zone, capacityType } = about
    const refusal = classifyLaunchRefusal({ code, message: error.message, capacityType, isMachineRequest })
    if (refusal === undefined) return error
    const size = this.#deps.sizes.get(name)
    if (size !== undefined)
      this.#deps.unavailable.refuse(size, { zone, capacityType }, refusal, nodeClassKey(nodeClass))
    return new InsufficientCapacityError(`${name} (${capacityType}, zone ${zone}): ${code}: ${error.message}`, {
      cause: error,
    })
  }

  async #end({ machine: { name } }: MachineInstance): Promise<void> {
    // Nothing aborts this signal, because the machine must be deleted even if the launch is aborted.
    await this.#deps.machines.terminate(name, new AbortController().signal).catch((error: unknown) => {
      // Garbage collection or a repeated launch deletes it.
      this.#deps.log.info('a machine whose creation failed is deleted later', { name, error: String(error) })
    })
  }
}
