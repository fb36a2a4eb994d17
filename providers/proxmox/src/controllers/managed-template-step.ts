import { type Milliseconds, ownValue } from '@kerf/apis'
import { annotate, type Step, type StepResult } from '@kerf/provider-kit'
import { type KubeClient, textOfThrown } from '@kerf/runtime'
import type { Inventory } from '../hypervisors/inventory.ts'
import { templateAnnotations } from '../names.ts'
import { type ProxmoxTemplate, proxmoxTemplateKind } from '../node-class/proxmox-template.ts'
import { templateHash, templateInPlaceHash } from '../node-class/template-hash.ts'
import { proxmoxErrors } from '../proxmox-errors.ts'
import { formatZone, type SelectedZone } from '../templates/selected-zone.ts'
import type { TemplateBuilder, TemplateProgress } from '../templates/template-builder.ts'
import { imageFile } from '../templates/template-image.ts'
import { templatePlaces } from '../templates/template-places.ts'
import { templateProblems } from '../templates/template-problems.ts'

const TYPE = 'ProxmoxVirtualMachineTemplateReady'
const AGAIN = 300_000
const SOON = 5_000
const FAILED_AGAIN = 60_000
const HASH_VERSION = 'v1'

export interface ManagedTemplateDeps {
  readonly client: KubeClient
  readonly inventory: Inventory
  readonly builder: TemplateBuilder
  /** Returns all ProxmoxTemplates. */
  readonly templates: () => Iterable<ProxmoxTemplate>
}

/** Returns the Proxmox clusters of a template. */
const templateRegions = ({ spec }: ProxmoxTemplate, regions: readonly string[]): readonly string[] =>
  regions.filter((region) => spec?.region === undefined || spec.region === region)

const zonesStatus = (zones: readonly SelectedZone[]) => ({
  zones: zones.map(formatZone),
  resources: { zones: `${zones.length}` },
})

const notReady = (reason: string, message: string, again: Milliseconds): StepResult<ProxmoxTemplate> => ({
  status: zonesStatus([]),
  condition: { type: TYPE, status: 'False', reason, message },
  again,
})

const problemsIn = (template: ProxmoxTemplate, regions: readonly string[]): readonly string[] => [
  ...templateProblems(template),
  ...(regions.length > 0 ? [] : [`spec.region: CLOUD_CONFIG has no Proxmox cluster ${template.spec?.region}`]),
]

/** The result on one hypervisor. */
interface Outcome {
  readonly where: string
  readonly progress: TemplateProgress
}

/**
 * Creates the templates of a ProxmoxTemplate on all hypervisors that have its storages, and updates them in place when the object changes
 * (`providers/proxmox/docs/spec/proxmox.md#proxmoxtemplate`).
 */
export const managedTemplateStep = (deps: ManagedTemplateDeps): Step<ProxmoxTemplate> => {
  const { client, inventory, builder } = deps

  const inRegion = async (
    template: ProxmoxTemplate,
    region: string,
    signal: AbortSignal,
  ): Promise<readonly Outcome[]> => {
    try {
      const places = templatePlaces(region, await inventory.read(region, signal), template.spec?.storageIDs ?? [])
      if (typeof places === 'string') return [{ where: region, progress: { kind: 'failed', problem: places } }]
      const outcomes: Outcome[] = []
      for (const place of places)
        outcomes.push({ where: `${region}/${place.zone}`, progress: await builder.advance(template, place, signal) })
      return outcomes
    } catch (error) {
      signal.throwIfAborted()
      if (templateRegions(template, inventory.regions).length === 1) throw error
      return [{ where: region, progress: { kind: 'failed', problem: textOfThrown(error) } }]
    }
  }

  /** Updates existing templates after a change of their object, and records the applied hashes on the object. */
  const changeInPlace = async (template: ProxmoxTemplate, zones: readonly SelectedZone[], signal: AbortSignal) => {
    const annotations = {
      [templateAnnotations.hash]: templateHash(template),
      [templateAnnotations.version]: HASH_VERSION,
      [templateAnnotations.inPlace]: templateInPlaceHash(template),
    }
    const known = template.metadata.annotations ?? {}
    if (Object.entries(annotations).every(([key, value]) => ownValue(known, key) === value)) return
    if (known[templateAnnotations.inPlace] !== annotations[templateAnnotations.inPlace])
      for (const zone of zones) await builder.change(template, zone, signal)
    await annotate(client, proxmoxTemplateKind, template.metadata.name, annotations, signal)
  }

  return {
    condition: TYPE,
    run: async (template, signal) => {
      const regions = templateRegions(template, inventory.regions)
      const problems = problemsIn(template, regions)
      if (problems.length > 0) return notReady('TemplateInvalid', problems.join('; '), AGAIN)
      const outcomes = (await Promise.all(regions.map((region) => inRegion(template, region, signal)))).flat()
      const zones = outcomes.flatMap(({ progress }) => (progress.kind === 'ready' ? [progress.zone] : []))
      const notes = outcomes.flatMap(({ where, progress }) => {
        if (progress.kind === 'ready') return []
        return [`${where}: ${progress.kind === 'pending' ? `waiting for ${progress.what}` : progress.problem}`]
      })
      const isPending = outcomes.some(({ progress }) => progress.kind === 'pending')
      const hasFailed = outcomes.some(({ progress }) => progress.kind === 'failed')
      const again = isPending ? SOON : hasFailed ? FAILED_AGAIN : AGAIN
      if (zones.length === 0) return notReady(hasFailed ? 'TemplateFailed' : 'TemplatePending', notes.join('; '), again)
      await changeInPlace(template, zones, signal)
      const imageID = isPending || hasFailed ? undefined : await renewImage(deps, template, signal)
      return {
        status: { ...zonesStatus(zones), ...(imageID === undefined ? {} : { imageID }) },
        condition: { type: TYPE, status: 'True', ...(notes.length === 0 ? {} : { message: notes.join('; ') }) },
        again,
      }
    },
  }
}

/** Deletes an image from all storages of a template if no object uses the image. */
const removeImage = async (
  { inventory, builder, templates }: ManagedTemplateDeps,
  template: ProxmoxTemplate,
  file: string,
  signal: AbortSignal,
): Promise<void> => {
  const users = [...templates()].filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  if (file === '' || users.some(({ spec }) => spec !== undefined && imageFile(spec.sourceImage) === file)) return
  for (const region of templateRegions(template, inventory.regions)) {
    const places = templatePlaces(region, await inventory.read(region, signal), template.spec?.storageIDs ?? [])
    if (typeof places === 'string') continue
    for (const place of places) await builder.removeImage(file, place, signal)
  }
}

/** Deletes the image of an earlier version of the object. Returns the name of the current image file. */
const renewImage = async (
  deps: ManagedTemplateDeps,
  template: ProxmoxTemplate,
  signal: AbortSignal,
): Promise<string | undefined> => {
  if (template.spec === undefined) return undefined
  const current = imageFile(template.spec.sourceImage)
  const { imageID = '' } = template.status ?? {}
  if (imageID !== current) await removeImage(deps, template, imageID, signal)
  return current
}

/**
 * Destroys the templates and the image of a deleted object.
 *
 * @throws Error until all templates are gone
 */
export const releaseTemplate = async (
  deps: ManagedTemplateDeps,
  template: ProxmoxTemplate,
  signal: AbortSignal,
): Promise<void> => {
  let left = 0
  for (const region of deps.inventory.regions) left += await deps.builder.remove(template, region, signal)
  if (left > 0) throw proxmoxErrors.TemplatesLeft({ name: template.metadata.name, left })
  await removeImage(deps, template, template.status?.imageID ?? '', signal)
}
