import type { CustomResource, Milliseconds } from '@kerf/apis'
import type { LegacyTemplates, MigrationOptions } from '@kerf/apis/legacy'
import { done, isConflict, isNotFound, type Outcome, retry } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { ClusterVersion, VERSION_AGE } from './cluster-version.ts'

/** The configuration of the legacy API. Present only if Kerf serves it. */
export interface LegacyOptions {
  /** The node class kind that legacy objects are converted to. The provider serves this kind. */
  readonly nodeClass: CustomResource
  readonly templates: LegacyTemplates
  /** Default values for fields of node classes, keyed by field. They come from the legacy settings. */
  readonly classDefaults?: Readonly<Record<string, string>>
}

/** The dependencies of the legacy controllers. */
export interface LegacyDeps {
  readonly deps: Deps
  readonly templates: LegacyTemplates
  /** The node class kind that legacy objects are converted to. */
  readonly nodeClass: CustomResource
  readonly migrationOptions: (signal: AbortSignal) => Promise<MigrationOptions>
}

/**
 * How soon Kerf reconciles an unchanged object again. A new Kubernetes version may change defaults, and the cause of a refusal may
 * disappear.
 */
export const RECHECK_AFTER: Readonly<Record<'kept' | 'refused', Milliseconds>> = {
  kept: VERSION_AGE,
  refused: 5 * 60_000,
}

/** Runs `work`. If it fails because objects have been changed or deleted in the meantime, returns a retry and does not throw. */
export const patiently = async (work: () => Promise<Outcome>): Promise<Outcome> => {
  try {
    return await work()
  } catch (error) {
    if (isConflict(error)) return retry()
    if (isNotFound(error)) return done()
    throw error
  }
}

export const legacyDeps = (deps: Deps, options: LegacyOptions): LegacyDeps => {
  const { templates, nodeClass } = options
  const version = new ClusterVersion(deps)
  return {
    deps,
    templates,
    nodeClass,
    migrationOptions: async (signal) => {
      const kubernetesVersion = await version.read(signal)
      return { ...options, ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }) }
    },
  }
}
