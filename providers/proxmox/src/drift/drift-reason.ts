import type { NodeClaim } from '@kerf/apis'
import { NotKnownYetError } from '@kerf/provider-contract'
import { isStaticallyDrifted } from '@kerf/provider-kit'
import { type GuestId, nodeClassHashAnnotations } from '../names.ts'
import type { ProxmoxNodeClass } from '../node-class/proxmox-node-class.ts'
import { parseZones } from '../templates/selected-zone.ts'
import type { TemplateCatalog } from '../templates/template-catalog.ts'

export type DriftReason = 'NodeClassDrift' | 'ImageDrift'

/** Returns the drift reason if the class's hash has changed. Makes no API call. */
export const hashDrift = (claim: NodeClaim, nodeClass: ProxmoxNodeClass): DriftReason | undefined =>
  isStaticallyDrifted(nodeClassHashAnnotations, claim.metadata, nodeClass.metadata) ? 'NodeClassDrift' : undefined

/**
 * Returns the drift reason if the template on the instance's hypervisor has been recreated
 * (`providers/proxmox/docs/spec/proxmox.md#drift-and-in-place-updates`). A hypervisor without a template of the class causes no drift.
 *
 * @throws NotKnownYetError while the class's zones are not resolved
 */
export const imageDrift = async (
  claim: NodeClaim,
  nodeClass: ProxmoxNodeClass,
  { region, zone }: Pick<GuestId, 'region'> & { readonly zone: string },
  catalog: TemplateCatalog,
  signal: AbortSignal,
): Promise<DriftReason | undefined> => {
  const { imageID = '' } = claim.status ?? {}
  if (imageID === '') return undefined
  const zones = parseZones(nodeClass.status?.selectedZones)
  if (zones.length === 0) throw new NotKnownYetError(`ProxmoxNodeClass ${nodeClass.metadata.name} has no zones yet`)
  const selected = zones.find((each) => each.region === region && each.zone === zone)
  if (selected === undefined) return undefined
  const template = await catalog.read(region, { node: zone, vmid: selected.template }, signal)
  return typeof template !== 'string' && template.imageId !== imageID ? 'ImageDrift' : undefined
}
