import type { ProviderContext } from '@kerf/provider-contract'
import { NodeClassStatus, type Step } from '@kerf/provider-kit'
import type { Controller } from '@kerf/runtime'
import { toStepCause } from '../failures/step-cause.ts'
import type { Inventory } from '../hypervisors/inventory.ts'
import { NODE_CLASS_FINALIZER } from '../names.ts'
import { templateConditions } from '../node-class/conditions.ts'
import { type ProxmoxTemplate, proxmoxTemplateKind } from '../node-class/proxmox-template.ts'
import { type ProxmoxUnmanagedTemplate, unmanagedTemplateKind } from '../node-class/unmanaged-template.ts'
import { formatZone } from '../templates/selected-zone.ts'
import { matchingZones, missingTemplateText } from '../templates/template-search.ts'
import { type ManagedTemplateDeps, managedTemplateStep, releaseTemplate } from './managed-template-step.ts'

const TYPE = 'ProxmoxVirtualMachineTemplateReady'
const AGAIN = 60_000
const MISSING_AGAIN = 15_000

/** Finds the hypervisors that have a template. The step fails if a Proxmox cluster does not respond. */
const templateStep = (inventory: Inventory): Step<ProxmoxUnmanagedTemplate> => ({
  condition: TYPE,
  run: async (template, signal) => {
    const { spec } = template
    const regions = inventory.regions.filter((region) => spec?.region === undefined || spec.region === region)
    // Without a spec, every template would match.
    const found = await Promise.all(
      regions.map(async (region) =>
        spec === undefined ? [] : matchingZones(region, await inventory.read(region, signal), spec),
      ),
    )
    const zones = found.flat().map(formatZone)
    const status = { zones, resources: { zones: `${zones.length}` } }
    if (zones.length > 0) return { status, condition: { type: TYPE, status: 'True' }, again: AGAIN }
    const message = missingTemplateText(template)
    const condition = { type: TYPE, status: 'False', reason: 'TemplateNotFound', message } as const
    return { status, condition, again: MISSING_AGAIN }
  },
})

/**
 * Returns the controller that writes the locations of unmanaged templates to their status
 * (`providers/proxmox/docs/spec/proxmox.md#proxmoxunmanagedtemplate`). Node classes do not depend on this status.
 */
export const templateStatus = (
  context: Pick<ProviderContext, 'client' | 'informers' | 'clock' | 'events'>,
  inventory: Inventory,
): Controller =>
  new NodeClassStatus<ProxmoxUnmanagedTemplate>({
    ...{ context, kind: unmanagedTemplateKind, name: 'template', conditions: templateConditions },
    ...{ steps: [templateStep(inventory)], causeOf: toStepCause },
  }).controller()

/**
 * Returns the controller that creates the templates of ProxmoxTemplates, and destroys them when the object is deleted
 * (`providers/proxmox/docs/spec/proxmox.md#proxmoxtemplate`).
 */
export const managedTemplateStatus = (
  context: Pick<ProviderContext, 'client' | 'informers' | 'clock' | 'events'>,
  { inventory, builder }: Pick<ManagedTemplateDeps, 'inventory' | 'builder'>,
): Controller => {
  const templates = context.informers.of(proxmoxTemplateKind)
  const deps = { client: context.client, inventory, builder, templates: () => templates.values() }
  return new NodeClassStatus<ProxmoxTemplate>({
    ...{ context, kind: proxmoxTemplateKind, name: 'template.build', conditions: templateConditions },
    ...{ steps: [managedTemplateStep(deps)], causeOf: toStepCause },
    finalizer: { name: NODE_CLASS_FINALIZER, release: (template, signal) => releaseTemplate(deps, template, signal) },
  }).controller()
}
