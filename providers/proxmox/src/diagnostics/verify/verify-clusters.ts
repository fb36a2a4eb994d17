import { type Conditioned, type KubeObject, READY, type ResourceKind } from '@kerf/apis'
import type { CheckResult } from '@kerf/provider-kit/terminal'
import { isNotFound, type KubeClient, textOfThrown } from '@kerf/runtime'
import type { ProxmoxApi } from '../../api/proxmox-api.ts'
import { toStepCause } from '../../failures/step-cause.ts'
import { regionState } from '../../hypervisors/region-state.ts'
import { proxmoxNodeClassKind } from '../../node-class/proxmox-node-class.ts'
import { proxmoxTemplateKind } from '../../node-class/proxmox-template.ts'
import { unmanagedTemplateKind } from '../../node-class/unmanaged-template.ts'
import { checkPrivileges } from '../../privileges/check-privileges.ts'
import { type OptionalCapability, proxmoxCapabilities } from '../../privileges/needed-privileges.ts'
import { matchingZones, missingTemplateText } from '../../templates/template-search.ts'

/** The result of one check of the Proxmox clusters. */
export type ProxmoxFinding = CheckResult & { readonly object: string }

type Subject = Pick<ProxmoxFinding, 'check' | 'object'>

export interface VerifyDeps {
  /** The client for each Proxmox cluster, by region. */
  readonly apis: ReadonlyMap<string, ProxmoxApi>
  /** The first ID of new guests. */
  readonly firstId: number
  /** The client of the Kubernetes cluster. Undefined if there is none. */
  readonly client: KubeClient | undefined
  /** The optional capabilities that the user's cluster does not use. */
  readonly without: readonly OptionalCapability[]
}

const GIB = 1024 ** 3

const failed = (subject: Subject, error: unknown): ProxmoxFinding => {
  const { message } = toStepCause(error)
  return { ...subject, outcome: 'failed', seen: textOfThrown(error), remedy: message.split('; ').at(-1) ?? '' }
}

const attempt = async (
  subject: Subject,
  signal: AbortSignal,
  run: () => Promise<ProxmoxFinding>,
): Promise<ProxmoxFinding> => {
  try {
    return await run()
  } catch (error) {
    signal.throwIfAborted()
    return failed(subject, error)
  }
}

const privilegeFinding = async (
  region: string,
  api: ProxmoxApi,
  without: readonly OptionalCapability[],
  signal: AbortSignal,
): Promise<ProxmoxFinding> => {
  const subject = { check: 'Proxmox accepts the token, and it has the privileges that Kerf needs', object: region }
  return attempt(subject, signal, async () => {
    const { missing } = checkPrivileges(await api.permissions(signal), without)
    if (missing.length === 0) return { ...subject, outcome: 'passed', seen: 'no privilege is missing' }
    const texts = missing.map(
      ({ privilege, path, capability }) => `${privilege} on ${path} (${proxmoxCapabilities[capability]})`,
    )
    return {
      ...{ ...subject, outcome: 'failed', seen: `it lacks ${texts.join(', ')}` },
      remedy: 'grant the roles that "kerf proxmox roles" prints',
    }
  })
}

/** Checks the hypervisors, and whether free IDs remain in Kerf's range. */
const stateFindings = async (
  region: string,
  api: ProxmoxApi,
  { firstId, client }: Pick<VerifyDeps, 'firstId' | 'client'>,
  signal: AbortSignal,
): Promise<readonly ProxmoxFinding[]> => {
  const subject = { check: 'hypervisors are online and not in maintenance', object: region }
  try {
    const state = regionState(await api.resources(signal), await api.haStatus(signal))
    const { hypervisors, guests } = state
    const usable = hypervisors.filter(({ isOnline, isInMaintenance }) => isOnline && !isInMaintenance)
    const texts = hypervisors.map(({ name, isOnline, isInMaintenance, cpus, memory }) => {
      if (!isOnline) return `${name} is offline`
      return isInMaintenance
        ? `${name} is in maintenance`
        : `${name} has ${cpus} CPUs and ${Math.floor(memory / GIB)} GiB`
    })
    const online: ProxmoxFinding =
      usable.length > 0
        ? { ...subject, outcome: 'passed', seen: texts.join(', ') }
        : {
            ...{ ...subject, outcome: 'failed', seen: texts.join(', ') || 'there are none' },
            remedy: 'start a hypervisor, or end its maintenance with "ha-manager crm-command node-maintenance disable"',
          }
    const inRange = guests.filter(({ vmid, isTemplate }) => vmid >= firstId && !isTemplate)
    const range: ProxmoxFinding = {
      ...{ check: 'the range of guest IDs', object: `${region}, from ${firstId} on`, outcome: 'passed' },
      seen: `${inRange.length} guests have such an ID; Kerf never changes guests that it did not create`,
    }
    return [online, range, ...(await templateFindings(region, state, client, signal))]
  } catch (error) {
    signal.throwIfAborted()
    return [failed(subject, error)]
  }
}

const templateFindings = async (
  region: string,
  state: ReturnType<typeof regionState>,
  client: KubeClient | undefined,
  signal: AbortSignal,
): Promise<readonly ProxmoxFinding[]> => {
  if (client === undefined) return []
  const { items } = await client.list(unmanagedTemplateKind, { signal }).catch((error: unknown) => {
    // The CRD does not exist before the first installation.
    if (isNotFound(error)) return { items: [] }
    throw error
  })
  return items
    .filter(({ spec }) => spec !== undefined && (spec.region === undefined || spec.region === region))
    .map((template): ProxmoxFinding => {
      const subject = {
        check: 'hypervisors have the template',
        object: `${unmanagedTemplateKind.kind} ${template.metadata.name} in ${region}`,
      }
      const zones = matchingZones(region, state, template.spec ?? {})
      return zones.length > 0
        ? { ...subject, outcome: 'passed', seen: zones.map(({ zone }) => zone).join(', ') }
        : {
            ...{ ...subject, outcome: 'failed', seen: 'none has it' },
            remedy: missingTemplateText(template).split('; ').at(-1) ?? '',
          }
    })
}

/** Returns findings from the conditions that the controller has written to the objects of a kind. */
const conditionFindings = async <T extends KubeObject & Pick<Conditioned, 'status'>>(
  kind: ResourceKind<T>,
  client: KubeClient | undefined,
  signal: AbortSignal,
): Promise<readonly ProxmoxFinding[]> => {
  const subject = { check: 'the controller found no problem', object: kind.plural }
  if (client === undefined) return [{ ...subject, outcome: 'skipped', seen: 'no cluster was specified' }]
  try {
    const { items } = await client.list(kind, { signal })
    if (items.length === 0) return [{ ...subject, outcome: 'skipped', seen: 'there are no such objects yet' }]
    return items.map(({ metadata, status }): ProxmoxFinding => {
      const bad = (status?.conditions ?? []).filter((each) => each.status === 'False' && each.type !== READY)
      const own = { ...subject, object: `${kind.kind} ${metadata.name}` }
      return bad.length === 0
        ? { ...own, outcome: 'passed', seen: 'no condition is False' }
        : {
            ...{ ...own, outcome: 'failed', seen: bad.map(({ type, message }) => `${type}: ${message}`).join('; ') },
            remedy: 'correct what the message names',
          }
    })
  } catch (error) {
    signal.throwIfAborted()
    // The CRD does not exist before the first installation.
    if (isNotFound(error)) return [{ ...subject, outcome: 'skipped', seen: 'their CRD is not installed yet' }]
    return [{ ...subject, outcome: 'failed', seen: textOfThrown(error), remedy: 'check your read permissions' }]
  }
}

/**
 * Checks whether the Proxmox clusters have everything that Kerf needs, without changing anything.
 *
 * @throws the signal's reason
 */
export const verifyClusters = async (deps: VerifyDeps, signal: AbortSignal): Promise<readonly ProxmoxFinding[]> => {
  const findings: ProxmoxFinding[] = []
  for (const [region, api] of deps.apis) {
    const first = await privilegeFinding(region, api, deps.without, signal)
    findings.push(first, ...(await stateFindings(region, api, deps, signal)))
  }
  return [
    ...findings,
    ...(await conditionFindings(proxmoxNodeClassKind, deps.client, signal)),
    ...(await conditionFindings(proxmoxTemplateKind, deps.client, signal)),
  ]
}
