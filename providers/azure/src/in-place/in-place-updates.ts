import { findCondition, karpenterKinds, type NodeClaim } from '@kerf/apis'
import { isNodeClaimNotFound } from '@kerf/provider-contract'
import { annotate } from '@kerf/provider-kit'
import { type Controller, done, type Outcome, source, specSource } from '@kerf/runtime'
import { isAzureNotFound } from '../api/azure-api-error.ts'
import type { Vm } from '../api/compute-shapes.ts'
import type { AzureDeps } from '../azure-deps.ts'
import type { AzureInstance } from '../instances/azure-instance.ts'
import { isMachine } from '../instances/fleet.ts'
import { vmNameOfProviderId } from '../instances/instance-names.ts'
import { azureAnnotations } from '../names.ts'
import { aksNodeClassKind } from '../node-class/aks-node-class.ts'
import { resourceTags, TAG, type Tags } from '../tags/resource-tags.ts'
import { inPlaceUpdateHash } from './in-place-update-hash.ts'

const EXTENSIONS = ['computeAksLinuxBilling', 'cse-agent-karpenter'] as const

const identityOf = (ids: readonly string[]): Pick<Vm, 'identity'> =>
  ids.length === 0
    ? {}
    : {
        identity: {
          type: 'UserAssigned',
          userAssignedIdentities: Object.fromEntries(ids.map((id) => [id, {}])),
        },
      }

/**
 * Updates tags and identities of existing VMs (`providers/azure/docs/spec/azure.md#in-place-update-controller`). The annotation contains
 * the hash of the VM's current state. If it equals the desired hash, Kerf does not call Azure, so a take-over of a cluster changes nothing.
 * Kerf only adds identities, and never removes any. Machines of an AKS pool get only tags.
 */
export const inPlaceUpdates = ({ context, options, claims, fleet }: AzureDeps): Controller => {
  const { client, informers } = context
  const { api, settings } = options
  const classes = informers.of(aksNodeClassKind)
  const mirror = claims.claims

  const isReady = (claim: NodeClaim): boolean =>
    claim.spec.nodeClassRef.kind === 'AKSNodeClass' &&
    claim.metadata.deletionTimestamp === undefined &&
    findCondition(claim, 'Registered')?.status === 'True'

  const updateVm = async (
    name: string,
    { identities }: AzureInstance,
    tags: Tags,
    signal: AbortSignal,
  ): Promise<void> => {
    const known = new Set(identities.map((id) => id.toLowerCase()))
    const missing = settings.nodeIdentities.filter((id) => !known.has(id.toLowerCase()))
    await api.network.updateNetworkInterfaceTags(name, tags, signal)
    for (const extension of EXTENSIONS)
      await api.compute.updateExtensionTags(name, extension, tags, signal).catch((error: unknown) => {
        if (!isAzureNotFound(error)) throw error
      })
    await api.compute.updateVm(name, { tags, ...identityOf(missing) }, signal)
  }

  const update = async (claim: NodeClaim, name: string, signal: AbortSignal): Promise<Outcome> => {
    const nodeClass = classes.get(claim.spec.nodeClassRef.name)
    if (nodeClass === undefined) return done()
    const tags = resourceTags(settings, nodeClass, claim)
    const identities = fleet.isMachine(name) ? [] : settings.nodeIdentities
    // The hash does not include the NodeClaim name of a machine, which never changes.
    const hash = inPlaceUpdateHash({ identities, tags })
    if (claim.metadata.annotations?.[azureAnnotations.inPlaceUpdateHash] === hash) return done()
    try {
      const instance = await fleet.own(name, signal)
      if (instance.isEnding) return done()
      if (isMachine(instance)) {
        await fleet.machines?.retag(instance, { ...tags, [TAG.machineClaim]: instance.machine.claimName }, signal)
      } else await updateVm(name, instance, tags, signal)
    } catch (error) {
      if (isNodeClaimNotFound(error) || isAzureNotFound(error)) return done()
      throw error
    }
    await annotate(
      client,
      karpenterKinds.NodeClaim,
      claim.metadata.name,
      { [azureAnnotations.inPlaceUpdateHash]: hash },
      signal,
    )
    return done()
  }

  return {
    name: 'nodeclaim.inplaceupdate',
    reconciles: karpenterKinds.NodeClaim,
    sources: [
      source(mirror, ({ after }) => (after !== undefined && isReady(after) ? [after.metadata.name] : [])),
      specSource(classes, ({ after }) =>
        [...mirror.values()]
          .filter((claim) => claim.spec.nodeClassRef.name === after?.metadata.name && isReady(claim))
          .map(({ metadata }) => metadata.name),
      ),
    ],
    concurrency: 10,
    backoff: { base: 5_000, max: 300_000 },
    reconcile: async (key, signal) => {
      const claim = mirror.get(key)
      const name = vmNameOfProviderId(claim?.status?.providerID ?? '')?.toLowerCase()
      return claim === undefined || name === undefined || !isReady(claim) ? done() : update(claim, name, signal)
    },
  }
}
