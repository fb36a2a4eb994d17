import type { Milliseconds, ResourceKind } from '@kerf/apis'
import { isNotKnownYet } from '@kerf/provider-contract'
import {
  ApiError,
  type Controller,
  done,
  type Key,
  type KubeClient,
  type Outcome,
  retry,
  retryAfter,
} from '@kerf/runtime'
import type { ManagementCluster } from '../management/management-cluster.ts'
import { textOfName } from '../management/namespaced-name.ts'
import { clusterApiAnnotations } from '../names.ts'
import type { ObjectLocation } from '../objects/common.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { type KnownTemplate, type MachineTemplateOnWire, readTemplateDescription } from './template-description.ts'

/**
 * The interval between two reads of a template. Users do not change templates, but the infrastructure provider may change the status of a
 * template.
 */
const AGAIN: Milliseconds = 600_000
/** The interval after a read for which the permission is missing. A user may add the permission later. */
const SOON: Milliseconds = 60_000

/**
 * Reads the infrastructure machine templates of MachineDeployments
 * (`providers/cluster-api/docs/spec/cluster-api.md#capacity-from-the-machine-template`). Kerf reads a template only if its deployment
 * declares no cpu or memory. Therefore most installations read none and need no permission.
 */
export class MachineTemplates {
  readonly #management: Pick<ManagementCluster, 'client' | 'deployments' | 'onChange'>
  readonly #known = new Map<string, KnownTemplate>()

  constructor(management: Pick<ManagementCluster, 'client' | 'deployments' | 'onChange'>) {
    this.#management = management
  }

  /** Returns the result of the last read of the template, or undefined if Kerf has not read it yet. */
  of({ infrastructure }: Pick<MachineDeployment, 'infrastructure'>): KnownTemplate | undefined {
    return infrastructure === undefined ? undefined : this.#known.get(keyOf(infrastructure))
  }

  /**
   * Returns the controller that reads each template that is needed, and reads it again every ten minutes. Keys are MachineDeployments, as
   * `namespace/name`.
   */
  controller(): Controller {
    return {
      name: 'machinetemplate.capacity',
      sources: [],
      concurrency: 4,
      subscribe: (enqueue) =>
        this.#management.onChange((change) => {
          if (change.kind === 'deployment') enqueue(textOfName(change.name))
        }),
      reconcile: (key, signal) => this.#read(key, signal),
    }
  }

  async #read(key: Key, signal: AbortSignal): Promise<Outcome> {
    const deployments = this.#deployments()
    // The informer lists the MachineDeployments before the rest of the management cluster is known.
    if (deployments === undefined) return retry()
    const asked = deployments.filter(isAsked)
    const still = new Set(asked.flatMap(({ infrastructure }) => infrastructure ?? []).map(keyOf))
    for (const known of this.#known.keys()) if (!still.has(known)) this.#known.delete(known)
    const template = asked.find((each) => textOfName(each) === key)?.infrastructure
    if (template === undefined) return done()
    const known = await readTemplate(this.#management.client, template, signal)
    this.#known.set(keyOf(template), known)
    return retryAfter(known.kind === 'forbidden' ? SOON : AGAIN)
  }

  #deployments(): readonly MachineDeployment[] | undefined {
    try {
      return this.#management.deployments()
    } catch (error) {
      if (isNotKnownYet(error)) return undefined
      throw error
    }
  }
}

const isAsked = ({ annotations }: MachineDeployment): boolean =>
  annotations[clusterApiAnnotations.cpu] === undefined || annotations[clusterApiAnnotations.memory] === undefined

const keyOf = ({ group, kind, namespace, name }: ObjectLocation): string => [group, kind, namespace, name].join('/')

/** Reads a machine template. @throws ApiError for temporary failures */
const readTemplate = async (
  client: KubeClient,
  { group, kind, namespace, name }: ObjectLocation,
  signal: AbortSignal,
): Promise<KnownTemplate> => {
  try {
    const version = preferredVersion(await client.raw(`/apis/${group}`, { signal }))
    if (version === undefined) return { kind: 'missing' }
    // Cluster API derives the plural in the same way, and requires providers to name their CRDs accordingly.
    const plural = `${kind.toLowerCase()}s`
    const resource: ResourceKind<MachineTemplateOnWire> = { group, version, kind, plural, namespaced: true }
    const template = await client.get(resource, { namespace, name }, { signal })
    return { kind: 'described', description: readTemplateDescription(template) }
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) return { kind: 'forbidden' }
    if (error instanceof ApiError && error.code === 404) return { kind: 'missing' }
    throw error
  }
}

const preferredVersion = (group: unknown): string | undefined => {
  if (typeof group !== 'object' || group === null || !('preferredVersion' in group)) return undefined
  const { preferredVersion: preferred } = group
  if (typeof preferred !== 'object' || preferred === null || !('version' in preferred)) return undefined
  return typeof preferred.version === 'string' ? preferred.version : undefined
}
