import { karpenterKinds } from '@kerf/apis'
import { kwokPermissions, simulatedKubeletSwitch } from '@kerf/provider-kwok'
import { type KubeClient, runtimePermissions } from '@kerf/runtime'
import { declaredOnly } from '@kerf/runtime/testing'
import type { ControllerSettings } from '../../deps.ts'
import { controllerPermissions, permissionOptions } from '../../permissions.ts'

const permissions = [
  ...runtimePermissions({ leaderElectionName: 'karpenter-leader-election' }),
  ...controllerPermissions([karpenterKinds.KWOKNodeClass]),
  ...kwokPermissions,
]

/**
 * Returns the client of a Kerf with the KWOK provider and these settings. A call without a declared permission fails the
 * test.
 */
export const declaredCalls = (client: KubeClient, settings: ControllerSettings): KubeClient =>
  declaredOnly(client, permissions, [...permissionOptions(settings), simulatedKubeletSwitch])
