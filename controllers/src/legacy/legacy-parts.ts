import { karpenterKinds, type Milliseconds, type ResourceKind } from '@kerf/apis'
import type { MigrationOptions } from '@kerf/apis/legacy'
import { done, isConflict, isNotFound, type Outcome, retry } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import { ClusterVersion, VERSION_AGE } from './cluster-version.ts'

/** What of the old settings the old objects depend on. */
export interface LegacyOptions {
  /** For templates that name neither instance profile nor role: `aws.defaultInstanceProfile`. */
  readonly defaultInstanceProfile?: string
}

/** What serving the old API takes. */
export interface LegacyParts {
  readonly deps: Deps
  /** The kind of node class that old objects lead to: EC2NodeClass where the provider serves it, its first kind otherwise. */
  readonly classKind: ResourceKind
  readonly migrationOptions: (signal: AbortSignal) => Promise<MigrationOptions>
}

/** When an object is reconciled again though nothing changed: a new Kubernetes means other defaults, a refusal may be lifted. */
export const RECHECK_AFTER: Readonly<Record<'kept' | 'refused', Milliseconds>> = {
  kept: VERSION_AGE,
  refused: 5 * 60_000,
}

/** An object that changed or went in the meantime is no failure. */
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
