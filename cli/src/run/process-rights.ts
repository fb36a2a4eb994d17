import { karpenterKinds } from '@kerf/apis'
import { controllerRights } from '@kerf/controllers'
import { awsRights } from '@kerf/provider-aws'
import { kwokRights } from '@kerf/provider-kwok'
import { type Right, runtimeRights } from '@kerf/runtime'
import { oldSettingsRights } from './old-settings.ts'
import { runSettings } from './run-settings.ts'

export type ProviderName = 'aws' | 'kwok'

/** What `kerf run` asks of the API server with this provider, whichever options are on. */
export const processRights = (
  provider: ProviderName,
  leaderElectionName: string = runSettings.leaderElectionName.default,
): readonly Right[] => {
  const common = [...runtimeRights({ leaderElectionName }), ...oldSettingsRights]
  switch (provider) {
    case 'aws':
      return [...common, ...controllerRights([karpenterKinds.EC2NodeClass]), ...awsRights]
    case 'kwok':
      return [...common, ...controllerRights([karpenterKinds.KWOKNodeClass]), ...kwokRights]
  }
}
