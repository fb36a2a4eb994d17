import { groupVersion, type KubeObject, kinds } from '@kerf/apis'
import { type LegacyTemplates, legacyCrdManifests, legacyResources } from '@kerf/apis/legacy'
import {
  type Clock,
  isAlreadyExists,
  type KubeClient,
  type Logger,
  missingKinds,
  requireKinds,
  sleep,
} from '@kerf/runtime'

const LOOK_EVERY = 250
const LOOKS = 120

/**
 * Installs the CustomResourceDefinitions of the legacy kinds that the cluster does not serve yet, and waits until they are served. Does not
 * change existing definitions.
 *
 * @throws MissingCrds if they are not served after 30 seconds. Also throws errors of the API server.
 */
export const installLegacyKinds = async (
  deps: {
    readonly client: KubeClient
    readonly clock: Clock
    readonly log: Logger
    readonly templates: LegacyTemplates
  },
  signal: AbortSignal,
): Promise<void> => {
  const { client, clock, log, templates } = deps
  const legacyKindList = legacyResources(templates).map(({ kind }) => kind)
  const missing = new Set(await missingKinds(client, legacyKindList, { signal }))
  for (const { manifest } of legacyCrdManifests(templates)) {
    if (!missing.has(manifest.metadata.name)) continue
    const definition: KubeObject & { readonly spec: Readonly<Record<string, unknown>> } = {
      ...manifest,
      apiVersion: groupVersion(kinds.CustomResourceDefinition),
      spec: { ...manifest.spec },
    }
    try {
      await client.create(kinds.CustomResourceDefinition, definition, { signal })
      log.info('installed', { CustomResourceDefinition: { name: manifest.metadata.name } })
    } catch (error) {
      // Another replica created it first.
      if (!isAlreadyExists(error)) throw error
    }
  }
  for (let look = 0; look < LOOKS; look++) {
    if ((await missingKinds(client, legacyKindList, { signal })).length === 0) return
    await sleep(clock, LOOK_EVERY, signal)
  }
  await requireKinds(client, legacyKindList, { signal })
}
