import { karpenterKinds, type Milliseconds, type ResourceKind } from '@kerf/apis'
import type { MigrationOptions } from '@kerf/apis/legacy'
import { done, isConflict, isNotFound, type Outcome, retry } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { ClusterVersion, VERSION_AGE } from './cluster-version.ts'

/** The legacy settings that legacy objects depend on. */
export interface LegacyOptions {
  /** For templates without an instance profile and role: `aws.defaultInstanceProfile`. */
  readonly defaultInstanceProfile?: string
}

/** The dependencies of the legacy controllers. */
export interface LegacyParts {
  readonly deps: Deps
  /**
   * The kind of node class that legacy objects are converted to: EC2NodeClass if the provider serves it, otherwise its first
   * kind.
   */
  readonly classKind: ResourceKind
  readonly migrationOptions: (signal: AbortSignal) => Promise<MigrationOptions>
}

/**
 * How soon an unchanged object is reconciled again: a new Kubernetes version may change defaults, and a refusal may be
 * resolved.
 */
export const RECHECK_AFTER: Readonly<Record<'kept' | 'refused', Milliseconds>> = {
  kept: VERSION_AGE,
  refused: 5 * 60_000,
}

/** Runs `work`, and handles objects that changed or were deleted in the meantime without an error. */
export const patiently = async (work: () => Promise<Outcome>): Promise<Outcome> => {
  try {
    return await work()
  } catch (error) {
    if (isConflict(error)) return retry()
    if (isNotFound(error)) return done()
    throw error
  }
}

export const legacyParts = (deps: Deps, options: LegacyOptions): LegacyParts => {
  const { nodeClasses, name } = deps.provider
  const ec2 = karpenterKinds.EC2NodeClass
  const classKind = nodeClasses.find(({ kind, group }) => kind === ec2.kind && group === ec2.group) ?? nodeClasses[0]
  if (classKind === undefined) throw new Error(`provider ${name} serves no kind of node class`)
  const version = new ClusterVersion(deps)
  return {
    deps,
    classKind,
    migrationOptions: async (signal) => {
      const kubernetesVersion = await version.read(signal)
      return { ...options, classKind, ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }) }
    },
  }
}
