import { findCondition, karpenterKinds, type NodeClaim, ownValue } from '@kerf/apis'
import { isNodeClaimNotFound, type ProviderContext } from '@kerf/provider-contract'
import { annotate, usesNodeClassKind } from '@kerf/provider-kit'
import { type Controller, done, type Outcome, source } from '@kerf/runtime'
import type { BootstrapTokens } from '../cloud-init/bootstrap-tokens.ts'
import { deleteDisk } from '../cloud-init/delete-disk.ts'
import type { Instances } from '../guests/instances.ts'
import type { Inventory } from '../hypervisors/inventory.ts'
import { CLOUD_INIT_TAG, cloudInitAnnotations, parseProviderId } from '../names.ts'
import { proxmoxNodeClassKind } from '../node-class/proxmox-node-class.ts'

export interface CloudInitRemovalDeps {
  readonly context: Pick<ProviderContext, 'client' | 'informers'>
  readonly inventory: Inventory
  readonly instances: Pick<Instances, 'get'>
  readonly tokens: BootstrapTokens
}

const INITIALIZED = 'Initialized'

/** Returns true if the guest of the claim has joined, and its disk or token may still exist. */
const isDue = (claim: NodeClaim): boolean =>
  ownValue(claim.metadata.annotations, cloudInitAnnotations.token) !== undefined &&
  ownValue(claim.metadata.annotations, cloudInitAnnotations.status) === undefined &&
  claim.metadata.deletionTimestamp === undefined &&
  findCondition(claim, INITIALIZED)?.status === 'True'

/**
 * Returns the controller that removes the cloud-init disk and the bootstrap token of a guest when its NodeClaim is initialized
 * (`providers/proxmox/docs/spec/proxmox.md#cloud-init`).
 */
export const cloudInitRemoval = ({ context, inventory, instances, tokens }: CloudInitRemovalDeps): Controller => {
  const claims = context.informers.of(karpenterKinds.NodeClaim)
  const removeDisk = async (claim: NodeClaim, signal: AbortSignal): Promise<void> => {
    const id = parseProviderId(claim.status?.providerID ?? '')
    if (id === undefined) return
    try {
      const { region, node, vmid, tags, description } = await instances.get(id, signal)
      const { diskStorage } = description
      if (diskStorage === undefined) return
      const api = inventory.api(region)
      const kept = tags.filter((tag) => tag !== CLOUD_INIT_TAG).join(';')
      await api.attachDisk({ node, vmid }, undefined, kept, signal)
      await deleteDisk(api, { node, vmid }, diskStorage, signal)
      inventory.forget(region)
    } catch (error) {
      if (!isNodeClaimNotFound(error)) throw error
    }
  }
  return {
    name: 'nodeclaim.cloudinit',
    sources: [
      source(claims, ({ after }) =>
        after !== undefined && usesNodeClassKind(proxmoxNodeClassKind, after) && isDue(after)
          ? [after.metadata.name]
          : [],
      ),
    ],
    concurrency: 4,
    backoff: { base: 1_000, max: 300_000 },
    reconcile: async (name, signal): Promise<Outcome> => {
      const claim = claims.get(name)
      if (claim === undefined || !isDue(claim)) return done()
      await removeDisk(claim, signal)
      await tokens.revoke(claim, signal)
      await annotate(
        context.client,
        karpenterKinds.NodeClaim,
        name,
        { [cloudInitAnnotations.status]: INITIALIZED },
        signal,
      )
      return done()
    },
  }
}
