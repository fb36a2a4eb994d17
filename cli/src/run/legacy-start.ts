import { installLegacyKinds, type LegacyOptions } from '@kerf/controllers'
import type { Clock, Connection, KubeClient, Logger } from '@kerf/runtime'
import { readOldSettings, type StartInput } from './old-settings.ts'
import type { RunSettings } from './run-settings.ts'
import { systemNamespaceOf } from './system-namespace.ts'

/** The settings to start with, and what the old API needs if it is served. */
export interface LegacyStart {
  readonly settings: RunSettings
  /** Absent when the old API is not served. */
  readonly legacy?: LegacyOptions
}

/** With `--legacy-apis`: the old kinds are installed and the old settings read. Otherwise the settings as they are. */
export const legacyStart = async (
  parts: {
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
  await installLegacyKinds(parts, signal)
  const namespace = systemNamespaceOf(given, parts.connection)
  const { settings, ...legacy } = await readOldSettings({ ...parts, namespace }, input, signal)
  return { settings, legacy }
}
