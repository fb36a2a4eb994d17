import type { CustomResource } from '@kerf/apis'
import type { LegacyTemplates } from '@kerf/apis/legacy'
import { installLegacyKinds, type LegacyOptions } from '@kerf/controllers'
import type { Clock, Connection, KubeClient, Logger } from '@kerf/runtime'
import { legacyTemplates, providerNamed } from '../providers.ts'
import { readOldSettings, type StartInput } from './old-settings.ts'
import type { RunSettings } from './run-settings.ts'
import { resolveSystemNamespace } from './system-namespace.ts'

/** The settings of the process, and the options for the old API. */
export interface LegacyStart {
  readonly settings: RunSettings
  /** Absent if the old API is not served. */
  readonly legacy?: LegacyOptions
}

/**
 * Returns the node class kind to which old objects are converted. It is the kind for old templates if the provider serves that kind,
 * otherwise the provider's first node class kind.
 */
const nodeClassFor = (provider: string, { nodeClass }: LegacyTemplates): CustomResource => {
  const { nodeClasses } = providerNamed(provider)
  return nodeClasses.find(({ resource }) => resource === nodeClass)?.resource ?? nodeClasses[0].resource
}

/**
 * With `--legacy-apis`, installs the old kinds and returns the settings merged with the old settings. Otherwise returns the settings
 * unchanged.
 */
export const legacyStart = async (
  deps: {
    readonly client: KubeClient
    readonly clock: Clock
    readonly log: Logger
    readonly connection: Pick<Connection, 'namespace'>
  },
  given: RunSettings,
  input: StartInput,
  signal: AbortSignal,
): Promise<LegacyStart> => {
  if (!given.legacyApis) return { settings: given }
  const templates = await legacyTemplates()
  await installLegacyKinds({ ...deps, templates }, signal)
  const namespace = resolveSystemNamespace(given, deps.connection)
  const { settings, classDefaults } = await readOldSettings({ ...deps, namespace }, input, signal)
  return { settings, legacy: { nodeClass: nodeClassFor(settings.provider, templates), templates, classDefaults } }
}
