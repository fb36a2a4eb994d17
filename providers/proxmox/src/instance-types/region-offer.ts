import type { OfflineClassTypes, RegionOffer } from '@kerf/provider-contract'
import { classProblems } from '../node-class/class-problems.ts'
import type { ProxmoxNodeClass } from '../node-class/proxmox-node-class.ts'
import { parseZones } from '../templates/selected-zone.ts'
import { generatedTypes } from './guest-type.ts'
import { instanceTypes, type Market } from './instance-types.ts'
import { WEIGHT_TEXT } from './weight.ts'

/** The region that plans use for classes without zones. The names of real regions come from CLOUD_CONFIG. */
export const EXAMPLE_REGION = 'example'

/** The hypervisors that plans use for classes without zones. */
const EXAMPLE_ZONES: Market['zones'] = ['pve-1', 'pve-2', 'pve-3'].map((zone) => ({ region: EXAMPLE_REGION, zone }))

/** Facts that only Proxmox can report, so an offline command cannot check them. Each text completes a sentence. */
const NOT_LOOKED_AT = [
  'the hypervisors of a class without status.selectedZones (assumed: pve-1, pve-2 and pve-3)',
  'free CPUs, memory and storage (assumed: every hypervisor has room for each type)',
  'INSTANCE_TYPES_FILE of the controller (assumed: the 20 types without such a file)',
]

const typesFor = ({ spec, status }: Pick<ProxmoxNodeClass, 'spec' | 'status'>) => {
  const known = parseZones(status?.selectedZones)
  const zones = known.length === 0 ? EXAMPLE_ZONES : known
  return instanceTypes(generatedTypes, { ...(spec === undefined ? {} : { spec }) }, { zones, isAvailable: () => true })
}

/** Returns the generated instance types. Their prices are weights, because guests on the user's own hypervisors have no price. */
export const regionOffer = (): RegionOffer => ({
  region: EXAMPLE_REGION,
  pricesOf: EXAMPLE_REGION,
  priceNote: `guests of Proxmox have no prices: the plan minimises a weight, which is not an amount of money (${WEIGHT_TEXT}); NodeOverlays set prices`,
  types: () => typesFor({}),
  // The caller passes only node classes of this provider.
  forNodeClass: (nodeClass): OfflineClassTypes => {
    const problems = classProblems(nodeClass as ProxmoxNodeClass)
    const types = problems.length === 0 ? typesFor(nodeClass as ProxmoxNodeClass) : []
    return { types, notLookedAt: NOT_LOOKED_AT, problems }
  },
})
