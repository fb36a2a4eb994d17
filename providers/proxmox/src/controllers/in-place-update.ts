import { groupVersion, karpenterKinds, type NodeClaim, ownValue } from '@kerf/apis'
import { isNodeClaimNotFound, type ProviderContext } from '@kerf/provider-contract'
import { annotate, usesNodeClassKind } from '@kerf/provider-kit'
import { type Controller, done, type Outcome, source, specSource, textOfThrown } from '@kerf/runtime'
import { toStepCause } from '../failures/step-cause.ts'
import type { Instances } from '../guests/instances.ts'
import type { ProxmoxInstance } from '../guests/proxmox-instance.ts'
import type { Inventory } from '../hypervisors/inventory.ts'
import { missingRules, surplusRules } from '../launch/firewall.ts'
import { guestTags } from '../launch/guest-options.ts'
import { CLOUD_INIT_TAG, inPlaceAnnotations, parseProviderId } from '../names.ts'
import { inPlaceHash } from '../node-class/hash.ts'
import { type ProxmoxNodeClass, proxmoxNodeClassKind } from '../node-class/proxmox-node-class.ts'
import { proxmoxEvents } from '../proxmox-events.ts'

export interface InPlaceUpdateDeps {
  readonly context: Pick<ProviderContext, 'client' | 'informers' | 'events'>
  readonly inventory: Inventory
  readonly instances: Pick<Instances, 'get'>
  readonly cluster: string
}

/** Updates the tags, resource pool and security groups of a running instance that differ from its node class. */
const update = async (
  { inventory, cluster }: Pick<InPlaceUpdateDeps, 'inventory' | 'cluster'>,
  instance: ProxmoxInstance,
  nodeClass: ProxmoxNodeClass,
  signal: AbortSignal,
): Promise<void> => {
  const { region, node, vmid, tags, pool } = instance
  const guest = { node, vmid }
  const api = inventory.api(region)
  const { securityGroups = [], resourcePool } = nodeClass.spec ?? {}
  const kept = tags.includes(CLOUD_INIT_TAG) ? `;${CLOUD_INIT_TAG}` : ''
  await api.configure(guest, { tags: `${guestTags(nodeClass, cluster)}${kept}` }, signal)
  if (resourcePool !== undefined && resourcePool !== pool) await api.addToPool(resourcePool, vmid, signal)
  if (resourcePool === undefined && pool !== undefined) await api.removeFromPool(pool, vmid, signal)
  const rules = await api.firewallRules(guest, signal)
  for (const position of surplusRules(securityGroups, rules)) await api.removeFirewallRule(guest, position, signal)
  const missing = missingRules(securityGroups, rules)
  if (missing.length > 0) await api.enableFirewall(guest, signal)
  for (const rule of missing) await api.addFirewallRule(guest, rule, signal)
  inventory.forget(region)
}

/**
 * Updates the tags, resource pool and security groups of running instances when their class changes
 * (`providers/proxmox/docs/spec/proxmox.md#drift-and-in-place-updates`). Skips NodeClaims that lack the annotation with the hash of their
 * last update.
 */
export const inPlaceUpdate = (deps: InPlaceUpdateDeps): Controller => {
  const { client, informers, events } = deps.context
  const claims = informers.of(karpenterKinds.NodeClaim)
  const classes = informers.of(proxmoxNodeClassKind)
  const isOutdated = (claim: NodeClaim, nodeClass: ProxmoxNodeClass): boolean => {
    const known = ownValue(claim.metadata.annotations, inPlaceAnnotations.hash)
    return known !== undefined && known !== inPlaceHash(nodeClass)
  }
  const report = (claim: NodeClaim, error: unknown): void => {
    const { message } = toStepCause(error)
    events.publish({
      object: { ...claim, apiVersion: groupVersion(karpenterKinds.NodeClaim), kind: 'NodeClaim' },
      type: 'Warning',
      reason: proxmoxEvents.reason('InPlaceUpdateFailed'),
      message: `the instance keeps its tags, pool and security groups: ${message}`,
      dedupeValues: [claim.metadata.uid ?? '', textOfThrown(error)],
    })
  }
  return {
    name: 'nodeclaim.inplaceupdate',
    sources: [
      source(claims, ({ after }) =>
        after !== undefined && usesNodeClassKind(proxmoxNodeClassKind, after) ? [after.metadata.name] : [],
      ),
      specSource(classes, ({ after }) =>
        [...claims.values()]
          .filter((claim) => usesNodeClassKind(proxmoxNodeClassKind, claim))
          .filter(({ spec }) => spec.nodeClassRef.name === after?.metadata.name)
          .map(({ metadata }) => metadata.name),
      ),
    ],
    concurrency: 4,
    backoff: { base: 1_000, max: 300_000 },
    reconcile: async (name, signal): Promise<Outcome> => {
      const claim = claims.get(name)
      const nodeClass = classes.get(claim?.spec.nodeClassRef.name ?? '')
      const id = parseProviderId(claim?.status?.providerID ?? '')
      if (claim === undefined || nodeClass === undefined || id === undefined) return done()
      if (claim.metadata.deletionTimestamp !== undefined || !isOutdated(claim, nodeClass)) return done()
      try {
        await update(deps, await deps.instances.get(id, signal), nodeClass, signal)
      } catch (error) {
        signal.throwIfAborted()
        if (isNodeClaimNotFound(error)) return done()
        report(claim, error)
        throw error
      }
      const { resourcePool = '' } = nodeClass.spec ?? {}
      const annotations = { [inPlaceAnnotations.hash]: inPlaceHash(nodeClass), [inPlaceAnnotations.pool]: resourcePool }
      await annotate(client, karpenterKinds.NodeClaim, name, annotations, signal)
      return done()
    },
  }
}
