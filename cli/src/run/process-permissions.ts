import { karpenterKinds } from '@kerf/apis'
import { controllerPermissions } from '@kerf/controllers'
import { awsPermissions } from '@kerf/provider-aws'
import { kwokPermissions } from '@kerf/provider-kwok'
import { type Permission, runtimePermissions } from '@kerf/runtime'
import { oldSettingsPermissions } from './old-settings.ts'
import { runSettings } from './run-settings.ts'

export type ProviderName = 'aws' | 'kwok'

/** What `kerf run` asks of the API server with this provider, whichever options are on. */
export const processPermissions = (
  provider: ProviderName,
  leaderElectionName: string = runSettings.leaderElectionName.default,
): readonly Permission[] => {
  const common = [...runtimePermissions({ leaderElectionName }), ...oldSettingsPermissions]
  switch (provider) {
    case 'aws':
      return [...common, ...controllerPermissions([karpenterKinds.EC2NodeClass]), ...awsPermissions]
    case 'kwok':
      return [...common, ...controllerPermissions([karpenterKinds.KWOKNodeClass]), ...kwokPermissions]
  }
}
