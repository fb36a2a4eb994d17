import type { Step, StepResult } from '@kerf/provider-kit'
import { textOfThrown } from '@kerf/runtime'
import { CLOUD_INIT_OPTION, needsDisk } from '../cloud-init/disk-names.ts'
import { isGuestGone, kindOfError } from '../failures/failure-kind.ts'
import type { Inventory } from '../hypervisors/inventory.ts'
import { classProblems } from '../node-class/class-problems.ts'
import type { ProxmoxNodeClass } from '../node-class/proxmox-node-class.ts'
import { diskStorage, isoStorage, storageProblem } from '../offers/place.ts'
import { formatZone, parseZones, type SelectedZone } from '../templates/selected-zone.ts'
import type { TemplateCatalog } from '../templates/template-catalog.ts'
import type { TemplateSearch } from '../templates/template-search.ts'

const TYPE = 'InstanceTemplateReady'
const AGAIN = 60_000
const MISSING_AGAIN = 15_000

export interface TemplateStepDeps {
  readonly inventory: Inventory
  readonly catalog: TemplateCatalog
  readonly search: TemplateSearch
}

/** A hypervisor with the class's template. `problem` is the reason why the class cannot use it, if any. */
interface Candidate {
  readonly zone: SelectedZone
  readonly problem: string | undefined
}

/** Returns true if a problem lasts until a user intervenes. Only such a problem removes a hypervisor from the class. */
const isLasting = (problem: string | undefined): problem is string =>
  problem !== undefined && !/ is full$| is not available$| gets no new guests$/.test(problem)

const zoneCount = (zones: readonly SelectedZone[]): string =>
  `${new Set(zones.map(({ region, zone }) => `${region}/${zone}`)).size}`

const ready = (zones: readonly SelectedZone[], notes: readonly string[]): StepResult<ProxmoxNodeClass> => ({
  status: { selectedZones: zones.map(formatZone), resources: { zones: zoneCount(zones) } },
  condition: { type: TYPE, status: 'True', ...(notes.length === 0 ? {} : { message: notes.join('; ') }) },
  again: AGAIN,
})

const notReady = (reason: string, message: string): StepResult<ProxmoxNodeClass> => ({
  status: { selectedZones: [], resources: { zones: '0' } },
  condition: { type: TYPE, status: 'False', reason, message },
  again: MISSING_AGAIN,
})

/**
 * Finds the hypervisors on which a class can launch instances. They need the template, the storage and the bridges
 * (`providers/proxmox/docs/spec/proxmox.md#proxmoxnodeclass`).
 */
export const templateStep = ({ inventory, catalog, search }: TemplateStepDeps): Step<ProxmoxNodeClass> => {
  const nodeClassProblem = async (
    nodeClass: ProxmoxNodeClass,
    { region, zone, template: vmid }: SelectedZone,
    signal: AbortSignal,
  ) => {
    const template = await catalog.read(region, { node: zone, vmid }, signal)
    if (typeof template === 'string') return `template ${vmid} cannot be used: ${template}`
    const state = await inventory.read(region, signal)
    if (state.hypervisors.some(({ name, isInMaintenance }) => name === zone && isInMaintenance))
      return 'the hypervisor is in maintenance and gets no new guests'
    const storage = storageProblem(state, {
      ...{ zone, template, storage: diskStorage(nodeClass, template) },
    })
    if (storage !== undefined) return storage
    if (template.addressPools.length > 0 && template.cloudInitDrive === undefined && !needsDisk(nodeClass))
      return `template ${vmid} has an address pool and no cloud-init drive; run "qm set ${vmid} --ide2 STORAGE:cloudinit"`
    if (needsDisk(nodeClass)) {
      const { cloudInitDrive = CLOUD_INIT_OPTION } = template
      if (cloudInitDrive !== CLOUD_INIT_OPTION)
        return `template ${vmid} has the cloud-init drive ${cloudInitDrive}, so guests would have two; remove it`
      if (isoStorage(state, zone) === undefined) return 'no storage takes ISO files; turn on the content type iso'
    }
    const bridges = new Set((await inventory.api(region).bridges(zone, signal)).map(({ iface }) => iface))
    const missing = template.bridges.filter((bridge) => !bridges.has(bridge))
    return missing.length === 0 ? undefined : `bridge ${missing.join(', ')} does not exist there`
  }

  /** Returns a security group of the class that is missing from the Proxmox cluster, or undefined. */
  const missingGroup = async (nodeClass: ProxmoxNodeClass, region: string, signal: AbortSignal) => {
    const wanted = nodeClass.spec?.securityGroups ?? []
    if (wanted.length === 0) return undefined
    const present = new Set((await inventory.api(region).securityGroups(signal)).map(({ group }) => group))
    return wanted.find(({ name }) => !present.has(name))?.name
  }

  const candidatesIn = async (nodeClass: ProxmoxNodeClass, region: string, signal: AbortSignal) => {
    const known = parseZones(nodeClass.status?.selectedZones)
    const missing = await missingGroup(nodeClass, region, signal)
    return Promise.all(
      (await search.zonesIn(nodeClass, region, signal)).map(async (zone): Promise<Candidate> => {
        try {
          const problem = missing === undefined ? undefined : `security group ${missing} does not exist there`
          return { zone, problem: problem ?? (await nodeClassProblem(nodeClass, zone, signal)) }
        } catch (error) {
          signal.throwIfAborted()
          if (isGuestGone(error)) return { zone, problem: `template ${zone.template} does not exist` }
          if (kindOfError(error) !== 'unreachable') throw error
          // If a hypervisor does not respond, the class keeps it only if the status already contains it.
          const isKnown = known.some((each) => formatZone(each) === formatZone(zone))
          return { zone, problem: isKnown ? undefined : 'the hypervisor does not answer' }
        }
      }),
    )
  }

  return {
    condition: TYPE,
    run: async (nodeClass, signal) => {
      const invalid = classProblems(nodeClass)
      if (invalid.length > 0) return notReady('NodeClassInvalid', invalid.join('; '))
      const regions = search.regionsOf(nodeClass)
      if ('problem' in regions) return notReady('TemplateNotFound', regions.problem)
      const answers = await Promise.allSettled(regions.regions.map((region) => candidatesIn(nodeClass, region, signal)))
      signal.throwIfAborted()
      const failures = answers.flatMap((answer, index) =>
        answer.status === 'rejected' ? [{ region: regions.regions[index] ?? '', error: answer.reason }] : [],
      )
      const [first] = failures
      if (first !== undefined && failures.length === answers.length) throw first.error
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      const kept = parseZones(nodeClass.status?.selectedZones).filter(({ region }) =>
        failures.some((failure) => failure.region === region),
      )
      const usable = [...found.filter(({ problem }) => !isLasting(problem)).map(({ zone }) => zone), ...kept]
      const notes = [
        ...found.flatMap(({ zone, problem }) =>
          problem === undefined ? [] : [`${zone.region}/${zone.zone}: ${problem}`],
        ),
        ...failures.map(({ region, error }) => `region ${region} does not answer: ${textOfThrown(error)}`),
      ]
      if (usable.length > 0) return ready(usable, notes)
      return notes.length === 0
        ? notReady('TemplateNotFound', search.missingText(nodeClass))
        : notReady('TemplateUnusable', notes.join('; '))
    },
  }
}
