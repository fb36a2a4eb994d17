import { controllerPermissions } from '@kerf/controllers'
import { type Permission, runtimePermissions } from '@kerf/runtime'
import { legacyTemplates, providerNamed } from '../providers.ts'
import { oldSettingsPermissions } from './old-settings.ts'
import { runSettings } from './run-settings.ts'

/** Returns all permissions on the API server that `kerf run` can need with this provider, regardless of the enabled options. */
export const processPermissions = async (
  provider: string,
  leaderElectionName: string = runSettings.leaderElectionName.default,
): Promise<readonly Permission[]> => {
  const { nodeClasses, permissions } = providerNamed(provider)
  return [
    ...runtimePermissions({ leaderElectionName }),
    ...oldSettingsPermissions,
    ...controllerPermissions(
      nodeClasses.map(({ resource }) => resource.kind),
      await legacyTemplates(),
    ),
    ...permissions,
  ]
}
