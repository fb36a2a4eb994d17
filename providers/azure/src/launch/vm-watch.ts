import { karpenterKinds, type Milliseconds, type NodeClaim } from '@kerf/apis'
import { isNodeClaimNotFound, offeringCoordinates, type ProviderContext } from '@kerf/provider-contract'
import { claimEnding } from '@kerf/provider-kit'
import { isNotFound, type Metrics, sleep, textOfThrown } from '@kerf/runtime'
import type { ComputeApi } from '../api/azure-api.ts'
import { AzureApiError, isAzureNotFound } from '../api/azure-api-error.ts'
import { azureEvents } from '../azure-events.ts'
import { classifyLaunchRefusal } from '../failures/launch-refusal.ts'
import type { Instances } from '../instances/instances.ts'
import type { UnavailableSizes } from '../offerings/unavailable-sizes.ts'
import type { AcceptedVm } from './vm-launcher.ts'
import { vmLabels, vmMetrics } from './vm-metrics.ts'

export interface VmWatchDeps {
  readonly context: Pick<ProviderContext, 'client' | 'clock' | 'events' | 'log'>
  readonly compute: Pick<ComputeApi, 'createExtension'>
  /** Returns Azure's provisioning state. Rejects with a not-found error if the instance does not exist. */
  readonly stateOf: (id: string, signal: AbortSignal) => Promise<string>
  readonly instances: Pick<Instances, 'terminate'>
  readonly unavailable: UnavailableSizes
  readonly metrics: Metrics
  /** The extension by which Azure bills the VM as part of AKS. Absent in clouds without it. */
  readonly billing?: { readonly location: string }
}

const ASK_AGAIN: Milliseconds = 30_000
/** The maximum time for which Kerf follows a VM. Azure's own timeout is shorter. */
const LONGEST: Milliseconds = 30 * 60_000
/** Azure's codes for a change that another change replaced. */
const PREEMPTED: ReadonlySet<string> = new Set([
  'OperationPreempted',
  'OperationPreemptedByDelete',
  'OperationCanceled',
])
const BILLING = 'computeAksLinuxBilling'

/**
 * Follows an accepted VM until its creation succeeds or fails (`providers/azure/docs/spec/azure.md#create-a-vm`). If it fails, marks the
 * offerings as unavailable, and deletes the VM and its NodeClaim, so that Kerf plans the pods again.
 */
export class VmWatch {
  readonly #deps: VmWatchDeps
  readonly #endClaim: ReturnType<typeof claimEnding>
  readonly #failures

  constructor(deps: VmWatchDeps) {
    this.#deps = deps
    this.#endClaim = claimEnding({ client: deps.context.client, metrics: deps.metrics })
    this.#failures = vmMetrics.register(deps.metrics).failures
  }

  /** Follows the VM. Never rejects. Publishes results as events, and logs them. */
  async follow(claim: NodeClaim, vm: AcceptedVm): Promise<void> {
    const { log } = this.#deps.context
    // This signal is never aborted, because Azure continues the creation even if the launch is aborted.
    const { signal } = new AbortController()
    const failure = await this.#outcome(vm, signal)
    try {
      if (failure === undefined) await this.#bill(vm, signal)
      else if (!PREEMPTED.has(failure.code)) await this.#fail(claim, vm, failure, signal)
    } catch (error) {
      log.warn('a VM whose creation failed is not cleaned up yet', {
        NodeClaim: { name: claim.metadata.name },
        error: textOfThrown(error),
      })
    }
  }

  /** Returns the reason why the VM could not be created, or undefined if it exists or was deleted. */
  async #outcome({ pending, instance }: AcceptedVm, signal: AbortSignal): Promise<AzureApiError | undefined> {
    const { clock } = this.#deps.context
    const end = clock.monotonic() + LONGEST
    try {
      await pending.done(signal)
      return undefined
    } catch (error) {
      const hasFailed =
        error instanceof AzureApiError && error.status === undefined && error.code !== 'REQUEST_SEND_ERROR'
      if (hasFailed) return error
    }
    // Polling failed, but the change itself may still succeed.
    while (clock.monotonic() < end) {
      try {
        const provisioningState = await this.#deps.stateOf(instance.id, signal)
        if (provisioningState === 'Succeeded' || provisioningState === 'Deleting') return undefined
        if (provisioningState === 'Failed')
          return new AzureApiError({ code: 'ProvisioningFailed', message: `VM ${instance.id} could not be created` })
      } catch (error) {
        if (isAzureNotFound(error) || isNodeClaimNotFound(error)) return undefined
      }
      await sleep(clock, ASK_AGAIN, signal)
    }
    return undefined
  }

  async #fail(
    claim: NodeClaim,
    { instance, option, size, nodeClassKey }: AcceptedVm,
    { code, message }: AzureApiError,
    signal: AbortSignal,
  ): Promise<void> {
    const { context, unavailable, instances } = this.#deps
    const { zone } = offeringCoordinates(option.type, option.offering)
    this.#failures.inc({ ...vmLabels(claim, { ...instance, zone }), phase: 'async', error_code: code })
    const refusal = classifyLaunchRefusal({ code, message, capacityType: instance.capacityType })
    if (refusal !== undefined)
      unavailable.refuse(size, { zone, capacityType: instance.capacityType }, refusal, nodeClassKey)
    context.events.publish({
      object: claim,
      type: 'Warning',
      reason: azureEvents.reason('AsyncProvisioningError'),
      message: `Azure accepted VM ${instance.id} but could not create it: ${code}: ${message}`.slice(0, 500),
      dedupeValues: [claim.metadata.uid ?? '', code],
    })
    await instances.terminate(instance.id, signal).catch((error: unknown) => {
      // Kerf retries the deletion when the NodeClaim is deleted, and in garbage collection.
      context.log.info('a VM whose creation failed is deleted later', {
        name: instance.id,
        error: textOfThrown(error),
      })
    })
    const now = await context.client
      .get(karpenterKinds.NodeClaim, { name: claim.metadata.name }, { signal })
      .catch((error: unknown) => {
        if (isNotFound(error)) return undefined
        throw error
      })
    if (now === undefined || now.metadata.uid !== claim.metadata.uid) return
    if (now.metadata.deletionTimestamp === undefined) await this.#endClaim(now, 'async_provisioning', signal)
  }

  async #bill({ instance }: AcceptedVm, signal: AbortSignal): Promise<void> {
    const { compute, billing, context } = this.#deps
    if (billing === undefined) return
    try {
      await compute.createExtension(
        instance.id,
        BILLING,
        {
          location: billing.location,
          tags: instance.tags,
          properties: {
            ...{ publisher: 'Microsoft.AKS', type: 'Compute.AKS.Linux.Billing', typeHandlerVersion: '1.0' },
            autoUpgradeMinorVersion: true,
          },
        },
        signal,
      )
    } catch (error) {
      if (isAzureNotFound(error)) return
      context.log.warn('the billing extension of a VM cannot be created; the node works without it', {
        name: instance.id,
        error: textOfThrown(error),
      })
    }
  }
}
