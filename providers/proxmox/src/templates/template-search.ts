import type { Informer, InformerFactory } from '@kerf/runtime'
import type { Inventory } from '../hypervisors/inventory.ts'
import type { RegionState } from '../hypervisors/region-state.ts'
import type { ProxmoxNodeClass } from '../node-class/proxmox-node-class.ts'
import { type ProxmoxTemplate, proxmoxTemplateKind } from '../node-class/proxmox-template.ts'
import { type ProxmoxUnmanagedTemplate, unmanagedTemplateKind } from '../node-class/unmanaged-template.ts'
import { parseZones, type SelectedZone } from './selected-zone.ts'

/** Returns the templates with the name and all tags. If a hypervisor has several, returns the one with the lowest ID. */
export const matchingZones = (
  region: string,
  { guests }: Pick<RegionState, 'guests'>,
  { templateName, tags = [] }: NonNullable<ProxmoxUnmanagedTemplate['spec']>,
): readonly SelectedZone[] => {
  const byNode = new Map<string, SelectedZone>()
  for (const { vmid, node, name, isTemplate, isVirtualMachine, tags: own } of guests.toSorted(
    (a, b) => a.vmid - b.vmid,
  )) {
    const isMeant =
      isTemplate &&
      isVirtualMachine &&
      (templateName === undefined || name === templateName) &&
      tags.every((tag) => own.includes(tag.toLowerCase()) || own.includes(tag))
    if (isMeant && !byNode.has(node)) byNode.set(node, { region, zone: node, template: vmid })
  }
  return [...byNode.values()].toSorted((a, b) => (a.zone < b.zone ? -1 : 1))
}

/** Returns a sentence that describes the template if no hypervisor has it. */
export const missingTemplateText = ({ metadata, spec }: ProxmoxUnmanagedTemplate): string => {
  const { templateName, tags = [] } = spec ?? {}
  const wanted = [
    ...(templateName === undefined ? [] : [`the name ${templateName}`]),
    ...(tags.length === 0 ? [] : [`the tags ${tags.join(', ')}`]),
  ].join(' and ')
  return `no template in Proxmox has ${wanted}; correct ${unmanagedTemplateKind.kind} ${metadata.name}, or convert a guest to a template`
}

type TemplateObject = ProxmoxTemplate | ProxmoxUnmanagedTemplate

/** Finds the templates to which node classes refer. */
export class TemplateSearch {
  readonly #inventory: Inventory
  readonly #unmanaged: Informer<ProxmoxUnmanagedTemplate>
  readonly #managed: Informer<ProxmoxTemplate>

  constructor(inventory: Inventory, informers: InformerFactory) {
    this.#inventory = inventory
    this.#unmanaged = informers.of(unmanagedTemplateKind)
    this.#managed = informers.of(proxmoxTemplateKind)
  }

  /** Returns the Proxmox clusters that the class and its template allow, or the reason why there are none. */
  regionsOf(nodeClass: ProxmoxNodeClass): { readonly regions: readonly string[] } | { readonly problem: string } {
    const { instanceTemplateRef: ref, region } = nodeClass.spec ?? {}
    if (ref === undefined) return { problem: 'spec.instanceTemplateRef is missing' }
    const template = this.#template(nodeClass)
    if (template === undefined) return { problem: `${ref.kind} ${ref.name} does not exist` }
    const { regions } = this.#inventory
    const wanted = [region, template.spec?.region].filter((each) => each !== undefined)
    const unknown = wanted.find((each) => !regions.includes(each))
    if (unknown !== undefined) return { problem: `CLOUD_CONFIG has no Proxmox cluster for the region ${unknown}` }
    const allowed = regions.filter((each) => wanted.every((other) => other === each))
    return allowed.length === 0
      ? { problem: `the class is for region ${region}, and ${ref.kind} ${ref.name} for ${template.spec?.region}` }
      : { regions: allowed }
  }

  async zonesIn(nodeClass: ProxmoxNodeClass, region: string, signal: AbortSignal): Promise<readonly SelectedZone[]> {
    const { name = '', kind } = nodeClass.spec?.instanceTemplateRef ?? {}
    if (kind === proxmoxTemplateKind.kind)
      return parseZones(this.#managed.get(name)?.status?.zones).filter((zone) => zone.region === region)
    const { spec } = this.#unmanaged.get(name) ?? {}
    return spec === undefined ? [] : matchingZones(region, await this.#inventory.read(region, signal), spec)
  }

  /** Returns a sentence that describes the template if no hypervisor has it. */
  missingText(nodeClass: ProxmoxNodeClass): string {
    const { name = '', kind } = nodeClass.spec?.instanceTemplateRef ?? {}
    if (kind === proxmoxTemplateKind.kind)
      return `ProxmoxTemplate ${name} has no template yet; its ProxmoxVirtualMachineTemplateReady condition says why`
    const template = this.#unmanaged.get(name)
    return template === undefined ? 'the template object does not exist' : missingTemplateText(template)
  }

  #template({ spec }: ProxmoxNodeClass): TemplateObject | undefined {
    const { kind, name = '' } = spec?.instanceTemplateRef ?? {}
    return kind === proxmoxTemplateKind.kind ? this.#managed.get(name) : this.#unmanaged.get(name)
  }
}
